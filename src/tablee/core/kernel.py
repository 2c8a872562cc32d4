"""A room's kernel as Python calls it: the functions of `contract.py` that the room brings, and the generic loops bound to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any, Generic, TypeVar

from tablee.core import loops
from tablee.core.cells import Array, Record, Row, fill, grid, numbers
from tablee.core.contract import (
    AHEAD,
    BEAM,
    EXPORTS,
    MOST_WEIGHT,
    PER_POINT,
    POINT,
    POINTS,
    PRIOR,
    SHARE,
    VALUES,
    WHOLE_SHARE,
    WIDTH,
    Seated,
)
from tablee.core.errors import TableeError
from tablee.core.luck import lucky
from tablee.core.rule import bind
from tablee.core.words import say

B = TypeVar("B", bound=Record)
S = TypeVar("S", bound=Seated)


@dataclass(frozen=True, order=True)
class Value:
    """What a position promises to a seat: a share of the win from 0 to 1, and points."""

    share: float
    points: float


def listed(legal: Any, most_moves: int, box: Record, state: Record, seat: int) -> list[int]:
    """The moves that a room's `legal` writes, sorted for people: the loops and the bots take them in the room's own order."""
    out = numbers(most_moves)
    return sorted(out[: legal(box, state, seat, out)])


@cache
def bound_to(exports: ModuleType) -> tuple[SimpleNamespace, SimpleNamespace]:
    """What a room's `kernel.py` exports, and the generic loops bound to it; the same for every box."""
    rules = {each.__name__: getattr(exports, each.__name__) for each in EXPORTS}
    rules["insight"] = getattr(exports, "insight", rules["value"])
    rules["outlook"] = getattr(exports, "outlook", rules["insight"])
    return SimpleNamespace(**rules), SimpleNamespace(**bind(loops.LOOPS, rules | {"SECRETS": exports.SECRETS}, exports.__name__))


class Desk:
    """What the loops write on: states to work on, the room's own scratch record, a list of moves and one of weights."""

    def __init__(self, kernel: Kernel[Any, Any]) -> None:
        self.states, self.scratch = Row(kernel.state, loops.DESK), kernel.scratch()
        self.out, self.weights = numbers(kernel.most_moves), numbers(kernel.most_moves)


class Kernel(Generic[B, S]):
    """A room's rules, and the loops bound to them, with the box it plays with, as Python calls them. `scratch` is the kind of record that
    its `value` tries things out on: a state, unless it says otherwise."""

    def __init__(self, exports: ModuleType, box: B, state: type[S], scratch: type[Record] | None = None) -> None:
        self.box, self.state, self.scratch = box, state, scratch or state
        self.most_moves: int = max(VALUES, exports.MOST_MOVES)
        self.secrets: bool = exports.SECRETS
        self.width: int = getattr(exports, "WIDTH", WIDTH)
        self.ahead: int = getattr(exports, "AHEAD", AHEAD)
        self.beam: int = getattr(exports, "BEAM", BEAM)
        self.prior: int = getattr(exports, "PRIOR", PRIOR)
        self.per_point: int = getattr(exports, "PER_POINT", PER_POINT)
        self.rules, self.loops = bound_to(exports)

    def awaited(self, state: S) -> int:
        return int(self.rules.awaited(self.box, state))

    def legal(self, state: S, seat: int) -> list[int]:
        return listed(self.rules.legal, self.most_moves, self.box, state, seat)

    def odds(self, state: S) -> list[tuple[int, int]]:
        out, weights = numbers(self.most_moves), numbers(self.most_moves)
        found = [(out[place], weights[place]) for place in range(self.rules.odds(self.box, state, out, weights))]
        for _, weight in found:
            if not 0 <= weight <= MOST_WEIGHT:
                raise TableeError(say("nature's weights are whole numbers of 31 bits at most, not {weight}", weight=weight))
        return found

    def apply(self, state: S, seat: int, move: int) -> S:
        """The state after the move, a new one."""
        after = state.copy()
        self.rules.apply(self.box, after, seat, move)
        return after

    def score(self, state: S, seat: int) -> int:
        return int(self.rules.score(self.box, state, seat))

    def wins(self, state: S, seat: int) -> bool:
        return bool(self.rules.wins(self.box, state, seat))

    def hide(self, state: S, seat: int) -> S:
        seen = state.copy()
        self.rules.hide(self.box, seen, seat)
        return seen

    def imagine(self, seen: S, seat: int, luck: Array) -> S:
        state = seen.copy()
        self.rules.imagine(self.box, state, seat, luck)
        return state

    def value(self, state: S, seat: int) -> Value:
        out = numbers(VALUES)
        self.loops.appraise(self.box, state, self.scratch(), seat, out)
        return Value(out[SHARE] / WHOLE_SHARE, out[POINTS] / POINT)

    def playouts(self, start: S, levels: Sequence[int], games: int) -> int:
        """Whole games from one position between bots of these levels, nature drawing from luck, always the same games; returns how many
        lines they took."""
        desk, course = Desk(self), numbers(loops.COURSE)
        luck = lucky((1, 2))
        return int(
            self.loops.playouts(
                self.box, start, desk.states, desk.scratch, self.seated(levels), luck, course, desk.out, desk.weights, games
            )
        )

    def seated(self, levels: Sequence[int]) -> Array:
        """A bot's level for each seat, as the loops read them."""
        found = numbers(len(levels))
        fill(found, levels)
        return found

    def choose(self, state: S, seat: int, level: int, luck: Array) -> int:
        """A bot's move; of the state it uses only what the seat may know, unless its level says that this world is imagined."""
        desk = Desk(self)
        return int(self.loops.choose(self.box, state, desk.states, desk.scratch, seat, level, luck, desk.out, desk.weights))

    def compile(self) -> None:
        """Makes the machine code of every function and loop, for arguments as the other methods and a batch hand them in."""
        by_kind = {"Array": numbers(1), "Grid": grid(1, 1), "int": 0}
        state, states = self.state(), Row(self.state, 1)
        by_name = {"box": self.box, "state": state, "start": state, "scratch": self.scratch(), "states": states, "desk": states}
        by_name |= {"trial": state, "beam": states}
        for function in (*EXPORTS, *loops.LOOPS):
            kinds = {name: kind for name, kind in function.__annotations__.items() if name != "return"}
            rule = {**vars(self.rules), **vars(self.loops)}[function.__name__]
            rule.compile_for(*(by_name[name] if name in by_name else by_kind[kind] for name, kind in kinds.items()))
