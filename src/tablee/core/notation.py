"""Notation of a game: one table of move kinds that maps each move number to its text and back.

MoveKind("build", 0, ["house 1A", "house 2A", ...])  the moves 0, 1, ... are written `build house 1A`, `build house 2A`, ...
MoveKind("done", 200)                                the move 200 is written `done`
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from tablee.core.errors import NotationError
from tablee.core.game import Move
from tablee.core.i18n import Message, msg

MAX_ECHO_LENGTH = 40  # characters of an invalid move that the error repeats
NO_OPERANDS = ("",)
TEXT_CACHE_SIZE = 1 << 14  # moves


class Operands(Protocol):
    """Operands of a verb, by index; `index` finds one and raises ValueError for any other text.

    A list of texts satisfies this protocol.
    """

    def __getitem__(self, index: int, /) -> str: ...
    def index(self, text: str, /) -> int: ...


@dataclass(frozen=True)
class MoveKind:
    """Moves that share a verb, numbered consecutively in the order of `operands`; `first` is the number of the first one."""

    verb: str
    first: Move
    operands: Operands = NO_OPERANDS

    def __post_init__(self) -> None:
        assert not isinstance(self.operands, str), "a text is found inside a text: give a tuple of letters"

    def show(self, move: Move) -> str:
        return self.verb if self.operands is NO_OPERANDS else f"{self.verb} {self.operands[move - self.first]}"

    def find(self, text: str) -> Move | None:
        if self.operands is NO_OPERANDS:
            return self.first if text == self.verb else None
        if not text.startswith(f"{self.verb} "):
            return None
        try:
            return self.first + self.operands.index(text[len(self.verb) + 1 :])
        except ValueError:
            return None


class Notation:
    def __init__(self, kinds: Sequence[MoveKind], examples: str) -> None:
        """Sort the kinds by number; errors about other texts quote `examples`."""
        self.kinds = sorted(kinds, key=lambda kind: kind.first)
        self._firsts = [kind.first for kind in self.kinds]
        self._examples = examples
        self.show = lru_cache(maxsize=TEXT_CACHE_SIZE)(self._text)

    def kind(self, move: Move) -> MoveKind:
        return self.kinds[bisect_right(self._firsts, move) - 1]

    def _text(self, move: Move) -> str:
        return self.kind(move).show(move)

    def read(self, text: str) -> Move:
        for kind in self.kinds:
            if (move := kind.find(text)) is not None:
                return move
        raise NotationError(self._not_a_move(text))

    def _not_a_move(self, text: str) -> Message:
        return msg("{text!r} is not a move; moves look like: {examples}", text=text[:MAX_ECHO_LENGTH], examples=self._examples)
