"""Limits per client: low enough that no client can block the server, high enough for a whole school class behind one IP address."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic

from starlette.types import Scope

LOCAL_CLIENT = ""  # this computer, and a proxy on it that forwards for many clients


@dataclass(frozen=True)
class Limits:
    public_names: tuple[str, ...] = ()  # public names of this server, besides addresses and local names; "*" allows any
    connections: int = 4000
    sockets_per_client: int = 400  # WebSockets of one client at once
    tables_per_minute: int = 120  # new ones of one client a minute
    clubs_per_minute: int = 10  # new ones of one client a minute
    wrong_codes_per_minute: int = 60  # of one client a minute: enough for a class that mistypes, too few for a guesser
    joins_per_minute: int = 40  # of one client in one class a minute
    interruptions_per_minute: int = 60  # pauses, undo requests and claims of one client at one table a minute
    requests_per_minute: int = 12_000  # of one client a minute; a class of 30 that polls every second makes fewer than half
    request_timeout: float = 20.0  # seconds for the headers and body of a request together
    response_timeout: float = 120.0  # seconds until a response is read
    hello_timeout: float = 15.0  # seconds until the first message of a WebSocket
    clock: Callable[[], float] = monotonic  # of all rates; in seconds


def client_key(scope: Scope) -> str:
    """Return the key that counts a client's requests, from its address."""
    client = scope.get("client")
    return _client_key(str(client[0])) if client else LOCAL_CLIENT


@lru_cache(4096)
def _client_key(address: str) -> str:
    """Return the key of an address: its /64 network for IPv6, all of which one household holds."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or found
    if found.is_loopback:
        return LOCAL_CLIENT
    return str(found) if found.version == 4 else str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))


@lru_cache(4096)
def network(client: str) -> str:
    """Return the /48 network of an IPv6 client, since one customer may hold all its 65,536 keys; else the key itself."""
    return str(ipaddress.ip_network(client).supernet(new_prefix=48)) if client.endswith("/64") else client


class TokenBuckets:
    """Token bucket per client: it fills steadily and holds the tokens of `seconds`.

    A client without an entry has a full bucket, so the least recently used entries can be dropped.
    """

    MAX_BUCKETS = 10_000

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic, seconds: float = 120.0) -> None:
        self._rate, self._capacity, self._clock = per_minute / 60, per_minute / 60 * seconds, clock
        self._levels: dict[str, tuple[float, float]] = {}  # tokens left, and when; the most recently used last

    def take(self, client: str) -> float:
        """Take a token and return 0, or return the seconds until there is one."""
        wait = self.wait(client)
        if not wait:
            self._set_level(client, self._left(client) - 1)
        return wait

    def wait(self, client: str) -> float:
        """Return the seconds until there is a token."""
        return max(0.0, (1 - self._left(client)) / self._rate)

    def taken(self, client: str) -> float:
        return self._capacity - self._left(client)

    def add_tokens(self, client: str, count: int = 1) -> None:
        """Add tokens to a client's bucket; a negative count takes a cost that is known only afterwards, even below zero."""
        self._set_level(client, min(self._capacity, self._left(client) + count))

    def __len__(self) -> int:
        return len(self._levels)

    def _left(self, client: str) -> float:
        level, at = self._levels.get(client, (self._capacity, 0.0))
        return min(self._capacity, level + (self._clock() - at) * self._rate)

    def _set_level(self, client: str, level: float) -> None:
        self._levels.pop(client, None)
        self._levels[client] = (level, self._clock())
        if len(self._levels) > self.MAX_BUCKETS:
            self._levels.pop(next(iter(self._levels)))
