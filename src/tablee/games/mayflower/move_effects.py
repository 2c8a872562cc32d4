"""What a move brought about, written down by the rules as it happens and read by `telling`: each entry is one number.

what | seat | where (as in `stands`) | tiles | extra | explorers
"""

from __future__ import annotations

from dataclasses import dataclass

from tablee.core.jit import rule
from tablee.games.mayflower.state import State

SCORED, FINAL, OUTNUMBERED, MOVED, WENT_HOME, ASIDE, ENDED = range(7)


@dataclass(frozen=True)
class News:
    what: int
    seat: int
    where: int  # where a settler stood; the column an explorer enters; the design set aside
    tiles: int
    extra: int
    explorers: int


@rule
def tell(state: State, what: int, seat: int, where: int) -> None:
    state.news[state.news_count] = ((what << 3 | seat) << 11 | where) << 26
    state.news_count += 1


@rule
def with_parts(state: State, tiles: int, extra: int, explorers: int) -> None:
    """What the points just told are made of."""
    state.news[state.news_count - 1] |= (tiles << 13 | extra) << 5 | explorers


@rule
def forget(state: State) -> None:
    for number in range(state.news_count):
        state.news[number] = 0
    state.news_count = 0


def heard(state: State) -> list[News]:
    return [_decode(state.news[number]) for number in range(state.news_count)]


def _decode(entry: int) -> News:
    return News(entry >> 40, entry >> 37 & 7, entry >> 26 & 2047, entry >> 18 & 255, entry >> 5 & 8191, entry & 31)
