"""Checkpoints of a match: the last few positions, and a sparse sample of the earlier ones, within about 1 MiB.

A position is a number of lines and the state after them. Every multiple of the stride is stored, so a replay to any position is shorter
than one stride; when the limit is reached, the stride doubles.
"""

from __future__ import annotations

from copy import copy
from typing import Generic, TypeVar

S = TypeVar("S")

MAX_BYTES = 1 << 20
MIN_STATES, MAX_STATES = 16, 512


class Positions(Generic[S]):
    def __init__(self, size: int) -> None:
        """Set the limits for states of `size` bytes."""
        self._max_states = max(MIN_STATES, min(MAX_STATES, MAX_BYTES // size))
        self._recent = self._max_states // 4
        self._stride = 1
        self._states: dict[int, S] = {}

    def __len__(self) -> int:
        return len(self._states)

    def add(self, lines: int, state: S) -> None:
        """Store the newest position; drop the oldest recent one unless its number of lines is a multiple of the stride."""
        self._states[lines] = state
        if (lines - self._recent) % self._stride:
            self._states.pop(lines - self._recent, None)
        while len(self._states) > self._max_states:
            self._stride *= 2
            self._states = {n: each for n, each in self._states.items() if n % self._stride == 0 or n > lines - self._recent}

    def nearest(self, lines: int) -> int:
        """Return the last stored position that is not after this one."""
        likely = lines - lines % self._stride
        return next((n for n in (lines, likely) if n in self._states), None) or max(n for n in self._states if n <= lines)

    def __getitem__(self, lines: int) -> S:
        return self._states[lines]

    def before(self, lines: int) -> Positions[S]:
        """Return an independent copy with only the positions before this one."""
        other = copy(self)
        other._states = {n: state for n, state in self._states.items() if n < lines}
        return other
