"""How much one visitor may take, so that nobody can stop the house, and a class behind one address is never turned away."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic

from starlette.types import Scope

LOCAL_CLIENT = ""  # this computer, and a proxy on it that speaks for many


@dataclass(frozen=True)
class Limits:
    names: tuple[str, ...] = ()  # what this server is called, besides addresses and names of the local network; "*" is any
    connections: int = 4000
    screens: int = 400  # of one household at once
    tables: int = 120  # new ones of one household a minute
    clubs: int = 10  # likewise
    wrong_codes: int = 60  # likewise: a class may mistype, nobody tries them all; see `codes.py`
    joins: int = 40  # of one household in one class a minute
    interruptions: int = 60  # pauses, take-backs and claims of one household at one table a minute
    requests: int = 12_000  # likewise; a class of 30 that polls every second makes fewer than half


def client_key(scope: Scope) -> str:
    """Who asks, as far as an address tells."""
    client = scope.get("client")
    return _client_key(str(client[0])) if client else LOCAL_CLIENT


@lru_cache(4096)
def _client_key(address: str) -> str:
    """Of the sixth version one household holds a whole network of addresses."""
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
def network(who: str) -> str:
    """The /48 that a household of IPv6 belongs to: a provider gives out 65,536 households at once. Otherwise the household itself."""
    return str(ipaddress.ip_network(who).supernet(new_prefix=48)) if who.endswith("/64") else who


class TokenBuckets:
    """Each household has a bucket that fills steadily and holds two minutes' worth, or so many seconds'. A full one need not be
    remembered."""

    MAX_BUCKETS = 10_000

    def __init__(self, per_minute: int, clock: Callable[[], float] | None = None, seconds: float = 120.0) -> None:
        self._rate, self._capacity, self._clock = per_minute / 60, per_minute / 60 * seconds, clock or monotonic
        self._levels: dict[str, tuple[float, float]] = {}  # how much was left, and when; the one touched last stands last

    def take(self, who: str) -> float:
        """Takes one and returns 0, or the seconds until there is one."""
        wait = self.wait(who)
        if not wait:
            self._set_level(who, self._left(who) - 1)
        return wait

    def wait(self, who: str) -> float:
        """The seconds until there is one."""
        return max(0.0, (1 - self._left(who)) / self._rate)

    def taken(self, who: str) -> float:
        return self._capacity - self._left(who)

    def give_back(self, who: str, many: int = 1) -> None:
        """A negative number takes what could not be known before; then it may take longer until there is one."""
        self._set_level(who, min(self._capacity, self._left(who) + many))

    def __len__(self) -> int:
        return len(self._levels)

    def _left(self, who: str) -> float:
        level, at = self._levels.get(who, (self._capacity, 0.0))
        return min(self._capacity, level + (self._clock() - at) * self._rate)

    def _set_level(self, who: str, level: float) -> None:
        self._levels.pop(who, None)
        self._levels[who] = (level, self._clock())
        if len(self._levels) > self.MAX_BUCKETS:
            self._levels.pop(next(iter(self._levels)))
