"""Where others find this server."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from tablee.server.view.rendering import LOCAL_HOSTNAMES


def public_base_url(asked: HTTPConnection) -> str:
    """A host that opened `localhost` invites to this computer's address on its network."""
    nearby: str | None = asked.app.state.lan_url
    if nearby and asked.url.hostname in LOCAL_HOSTNAMES:
        return nearby
    scheme = {"ws": "http", "wss": "https"}.get(asked.url.scheme, asked.url.scheme)
    return f"{scheme}://{asked.url.netloc}"


def seat_url(base: str, table: str, keys: str) -> str:
    """What stands behind a # stays in the browser: no server, no proxy and no log ever reads it."""
    return f"{base}/t/{table}#k={keys}"
