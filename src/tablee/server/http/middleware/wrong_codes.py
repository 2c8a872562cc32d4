"""Rate limit of wrong codes: per client, per /48 network of IPv6, and for the whole server.

A guesser does not lock others out. When the server's bucket is empty, only clients that guessed themselves wait; and a code that was
created, shown to its owner or typed correctly in a network stays open to that network.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs

from starlette.types import Scope

from tablee.server.http.middleware.limits import TokenBuckets, network
from tablee.server.storage.codes import normalize_code

NETWORK_FACTOR, SERVER_FACTOR = 4, 10  # times the limit of a client
FREE_MISTAKES = 3  # wrong codes of a client that do not count as guessing
MAX_KNOWN_CODES = 10_000  # pairs of network and code
WHOLE_SERVER = "all"


class WrongCodeLimit:
    def __init__(self, per_minute: int, clock: Callable[[], float]) -> None:
        self._per_client, self._per_network, self._whole_server = (
            TokenBuckets(times * per_minute, clock) for times in (1, NETWORK_FACTOR, SERVER_FACTOR)
        )
        self._known: dict[tuple[str, str], None] = {}  # newest last

    def wait(self, client: str, scope: Scope) -> float:
        """Return the seconds until this client may try the request's code."""
        if (network(client), _code(scope)) in self._known:
            return 0.0
        is_guessing = self._per_client.taken(client) > FREE_MISTAKES
        return max(
            self._per_client.wait(client),
            self._per_network.wait(network(client)),
            self._whole_server.wait(WHOLE_SERVER) if is_guessing else 0.0,
        )

    def count_wrong(self, client: str) -> None:
        """Count a wrong code of this client."""
        for buckets, key in ((self._per_client, client), (self._per_network, network(client)), (self._whole_server, WHOLE_SERVER)):
            buckets.add_tokens(key, -1)

    def allow(self, client: str, code: str) -> None:
        """Remember that this network knows a right code."""
        known = network(client), code
        self._known.pop(known, None)
        self._known[known] = None
        if len(self._known) > MAX_KNOWN_CODES:
            del self._known[next(iter(self._known))]


def _code(scope: Scope) -> str:
    """Return the code in a request's path or query."""
    typed = parse_qs(scope["query_string"].decode("latin-1")).get("code", [""])[0]
    return normalize_code(typed if scope["path"] == "/join" else scope["path"].rpartition("/")[2])
