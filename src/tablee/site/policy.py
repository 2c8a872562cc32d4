"""Content security policy of the site's pages, as strict as the server's: WebAssembly runs in the worker only."""

from __future__ import annotations

import base64
import hashlib

PAGES = (
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
)


def policy_tag(import_map: str) -> str:
    """Return the policy as a tag, which static hosts need not know of; the import map is the one script inside a page."""
    digest = base64.b64encode(hashlib.sha256(import_map.encode()).digest()).decode()
    policy = "; ".join((*PAGES, f"script-src 'self' 'sha256-{digest}'"))
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
