"""Headers of every response, errors included: security policies and Cache-Control."""

from __future__ import annotations

import base64
import hashlib

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.server.view.assets import import_map

CONTENT_SECURITY_POLICY = (
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)
HEADERS = {
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    # a URL may hold a seat's token, so other sites get no referrer; this site does: without one, browsers hide where a form comes from
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
ENCODED_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
IMMUTABLE, NO_CACHE, NO_STORE = (b"public, max-age=31536000, immutable", b"no-cache", b"no-store")


class ResponseHeaders:
    """Middleware that adds the headers that a response does not set itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        policy = "; ".join((*CONTENT_SECURITY_POLICY, f"script-src 'self' '{digest(import_map())}'"))
        self._headers = [*ENCODED_HEADERS, (b"content-security-policy", policy.encode())]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"].endswith("http.response.start"):  # also where a WebSocket is refused
                headers = message["headers"] = list(message.get("headers", ()))
                names = {name.lower() for name, _ in headers}
                headers += [header for header in (*self._headers, (b"cache-control", cache_control(scope))) if header[0] not in names]
            await send(message)

        await self.app(scope, receive, send_with_headers)


def digest(script: str) -> str:
    """Return the hash by which a policy allows an inline script: the import map, which no browser reads from a file."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def cache_control(scope: Scope) -> bytes:
    """Return the Cache-Control header: a static URL with a content hash is immutable; everything dynamic is not stored."""
    if not scope["path"].startswith("/static/"):
        return NO_STORE
    return IMMUTABLE if any(part.startswith(b"v=") for part in scope["query_string"].split(b"&")) else NO_CACHE
