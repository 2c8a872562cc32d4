"""The positions a match remembers: the last few, and before them one in every so many. However long the game, they take about 1 MiB.

A position is a number of lines and the state after them. Every multiple of the stride is kept, so the way to any position is shorter than
one stride; when there is no room, the stride doubles.
"""

from __future__ import annotations

from copy import copy
from typing import Generic, TypeVar

S = TypeVar("S")

ROOM = 1 << 20  # bytes
FEWEST, MOST = 16, 512


class Positions(Generic[S]):
    def __init__(self, size: int) -> None:
        """For states of so many bytes."""
        self._most = max(FEWEST, min(MOST, ROOM // size))
        self._recent = self._most // 4
        self._stride = 1
        self._kept: dict[int, S] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self, lines: int, state: S) -> None:
        """Positions come in order. One that is not recent any more stays only if the stride meets it."""
        self._kept[lines] = state
        if (lines - self._recent) % self._stride:
            self._kept.pop(lines - self._recent, None)
        while len(self._kept) > self._most:
            self._stride *= 2
            self._kept = {n: kept for n, kept in self._kept.items() if n % self._stride == 0 or n > lines - self._recent}

    def nearest(self, lines: int) -> int:
        """The last remembered position that is not after this one."""
        likely = lines - lines % self._stride
        return next((n for n in (lines, likely) if n in self._kept), None) or max(n for n in self._kept if n <= lines)

    def __getitem__(self, lines: int) -> S:
        return self._kept[lines]

    def before(self, lines: int) -> Positions[S]:
        """Those that came before so many lines, remembered on their own."""
        other = copy(self)
        other._kept = {n: state for n, state in self._kept.items() if n < lines}
        return other
