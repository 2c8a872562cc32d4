"""URLs of this server and of its seats, as other devices open them."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from tablee.server.view.rendering import LOCAL_HOSTNAMES


def public_base_url(connection: HTTPConnection) -> str:
    """Return the base URL for links; a client on `localhost` gets this computer's address in its network."""
    lan_url: str | None = connection.app.state.lan_url
    if lan_url and connection.url.hostname in LOCAL_HOSTNAMES:
        return lan_url
    scheme = {"ws": "http", "wss": "https"}.get(connection.url.scheme, connection.url.scheme)
    return f"{scheme}://{connection.url.netloc}"


def seat_url(base: str, table: str, keys: str) -> str:
    """Return the URL of seats with their keys behind a #, which browsers send to no server, proxy or log."""
    return f"{base}/t/{table}#k={keys}"
