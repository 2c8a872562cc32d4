"""The positions a match remembers: the last few, and before them one in every so many. However long the game, they take about 1 MiB.

A position is a number of lines and the state after them. Every multiple of the stride is kept, so the way to any position is shorter than
one stride; when there is no room, the stride doubles.
"""

from __future__ import annotations

from copy import copy
from typing import Generic, TypeVar

S = TypeVar("S")

MAX_BYTES = 1 << 20  # bytes
MIN_STATES, MAX_STATES = 16, 512


class Positions(Generic[S]):
    def __init__(self, size: int) -> None:
        """For states of so many bytes."""
        self._max_states = max(MIN_STATES, min(MAX_STATES, MAX_BYTES // size))
        self._recent = self._max_states // 4
        self._stride = 1
        self._states: dict[int, S] = {}

    def __len__(self) -> int:
        return len(self._states)

    def add(self, lines: int, state: S) -> None:
        """Positions come in order. One that is not recent any more stays only if the stride meets it."""
        self._states[lines] = state
        if (lines - self._recent) % self._stride:
            self._states.pop(lines - self._recent, None)
        while len(self._states) > self._max_states:
            self._stride *= 2
            self._states = {n: kept for n, kept in self._states.items() if n % self._stride == 0 or n > lines - self._recent}

    def nearest(self, lines: int) -> int:
        """The last remembered position that is not after this one."""
        likely = lines - lines % self._stride
        return next((n for n in (lines, likely) if n in self._states), None) or max(n for n in self._states if n <= lines)

    def __getitem__(self, lines: int) -> S:
        return self._states[lines]

    def before(self, lines: int) -> Positions[S]:
        """Those that came before so many lines, remembered on their own."""
        other = copy(self)
        other._states = {n: state for n, state in self._states.items() if n < lines}
        return other
