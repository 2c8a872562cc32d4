"""What every answer carries, refusals and faults included: what a page may load and do, and how long an answer may be kept."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    "content-security-policy": "; ".join(CONTENT_SECURITY_POLICY),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    # a link holds a seat's token, so no other site hears of it; our own do, for without it a browser does not say where a form comes from
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
ENCODED_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
IMMUTABLE, NO_CACHE, NO_STORE = (b"public, max-age=31536000, immutable", b"no-cache", b"no-store")


class ResponseHeaders:
    """A header that an answer has already is left to it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def complete(message: Message) -> None:
            if message["type"].endswith("http.response.start"):  # a refused socket is answered by one too
                said = message["headers"] = list(message.get("headers", ()))
                names = {name.lower() for name, _ in said}
                said += [header for header in (*ENCODED_HEADERS, (b"cache-control", cache_control(scope))) if header[0] not in names]
            await send(message)

        await self.app(scope, receive, complete)


def cache_control(scope: Scope) -> bytes:
    """A static file whose address holds the stamp of its content never changes; what is at a table is never kept."""
    if not scope["path"].startswith("/static/"):
        return NO_STORE
    return IMMUTABLE if any(part.startswith(b"v=") for part in scope["query_string"].split(b"&")) else NO_CACHE
