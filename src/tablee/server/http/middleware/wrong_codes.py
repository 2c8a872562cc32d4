"""Rate limit of codes that lead nowhere: per household, per /48 network of IPv6, and for the whole server.

Whoever knows a right code is not locked out by a guesser elsewhere: when the server's bucket is empty, only households that guessed
themselves wait. Nor by one behind the same address: a code that was made, shown to its owner or rightly typed in a network stays open
to it.
"""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.types import Scope

from tablee.server.http.middleware.limits import TokenBuckets, network
from tablee.server.storage.codes import normalize_code

NETWORK_FACTOR, SERVER_FACTOR = 4, 10  # times the limit of a household
FREE_MISTAKES = 3  # wrong codes of a household that are no guessing
MAX_KNOWN_CODES = 10_000  # pairs of network and code that are remembered
WHOLE_SERVER = "all"


class WrongCodeLimit:
    def __init__(self, per_minute: int) -> None:
        self._per_client, self._per_network, self._whole_server = (
            TokenBuckets(times * per_minute) for times in (1, NETWORK_FACTOR, SERVER_FACTOR)
        )
        self._known: dict[tuple[str, str], None] = {}  # the newest last

    def wait(self, who: str, scope: Scope) -> float:
        """The seconds until this household may try the request's code."""
        if (network(who), _code(scope)) in self._known:
            return 0.0
        guesses = self._per_client.taken(who) > FREE_MISTAKES
        return max(
            self._per_client.wait(who), self._per_network.wait(network(who)), self._whole_server.wait(WHOLE_SERVER) if guesses else 0.0
        )

    def count_wrong(self, who: str) -> None:
        """Count a wrong code."""
        for buckets, key in ((self._per_client, who), (self._per_network, network(who)), (self._whole_server, WHOLE_SERVER)):
            buckets.give_back(key, -1)

    def allow(self, who: str, code: str) -> None:
        """Remember that this network knows a right code."""
        known = network(who), code
        self._known.pop(known, None)
        self._known[known] = None
        if len(self._known) > MAX_KNOWN_CODES:
            del self._known[next(iter(self._known))]


def _code(scope: Scope) -> str:
    """The code that a request names, in its path or its query."""
    typed = parse_qs(scope["query_string"].decode("latin-1")).get("code", [""])[0]
    return normalize_code(typed if scope["path"] == "/join" else scope["path"].rpartition("/")[2])
