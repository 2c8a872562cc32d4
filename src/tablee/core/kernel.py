"""A room's kernel as Python calls it: the functions of `contract.py` that the room brings, and the generic loops bound to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any, Generic, TypeVar

import numpy as np

from tablee.core import loops
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
    BaseState,
)
from tablee.core.errors import RulesError
from tablee.core.i18n import msg
from tablee.core.jit import specialize, unwrap
from tablee.core.rng import make_rng
from tablee.core.struct import Array, Struct, StructArray, array_view, fill, int_array, int_grid

B = TypeVar("B", bound=Struct)
S = TypeVar("S", bound=BaseState)

SPARE_WORDS = 1 << 12  # numbers behind a list: one that is longer than MOST_MOVES ends there, not in the memory of something else
GUARD = -(1 << 31)  # the first of them, until a list overwrites it; neither a move nor a weight
LEGAL_TOO_LONG, ODDS_TOO_LONG = -1, -2  # what a GPU says of a guard word that is gone


@dataclass(frozen=True, order=True)
class Value:
    """What a position promises to a seat: a share of the win from 0 to 1, and points."""

    share: float
    points: float


def list_buffer(most_moves: int) -> Array:
    """Buffer for a list of moves or weights, with a guard word and spare room behind it."""
    found = np.empty(most_moves + SPARE_WORDS, np.int64)
    found[:most_moves], found[most_moves] = 0, GUARD
    return array_view(found)


def check_list(function: Any, most_moves: int, out: Array) -> None:
    """Refuse a list that this rule has written over the guard word of its buffer; machine code checks no bounds by itself."""
    if out[most_moves] != GUARD:
        raise list_too_long_error(function, most_moves)


def list_too_long_error(function: Any, most_moves: int) -> RulesError:
    """The error of a room whose MOST_MOVES is too small; names the rule that wrote more."""
    source, room = unwrap(function).__code__, function.__module__.rpartition(".")[0]
    return RulesError(
        msg(
            "{room}: {rule} writes a list longer than MOST_MOVES, which is {most} ({file}, line {line})",
            room=room,
            rule=function.__name__,
            most=most_moves,
            file=source.co_filename,
            line=source.co_firstlineno,
        )
    )


def check_codes(kernel: Kernel[Any, Any], least: int) -> None:
    """The same for the code that a GPU answers in the place of a list: LEGAL_TOO_LONG, ODDS_TOO_LONG, or none of them."""
    if least in (LEGAL_TOO_LONG, ODDS_TOO_LONG):
        raise list_too_long_error(kernel.rules.legal if least == LEGAL_TOO_LONG else kernel.rules.odds, kernel.most_moves)


def sorted_legal_moves(legal: Any, most_moves: int, box: Struct, state: Struct, seat: int) -> list[int]:
    """The moves that a room's `legal` writes, sorted for people: the loops and the bots take them in the room's own order."""
    out = list_buffer(most_moves)
    count = legal(box, state, seat, out)
    check_list(legal, most_moves, out)
    return sorted(out[:count])


@cache
def specialized_for(exports: ModuleType) -> tuple[SimpleNamespace, SimpleNamespace]:
    """What a room's `kernel.py` exports, and the generic loops bound to it; the same for every box."""
    rules = {each.__name__: getattr(exports, each.__name__) for each in EXPORTS}
    rules["search_value"] = getattr(exports, "search_value", rules["value"])
    rules["leaf_value"] = getattr(exports, "leaf_value", rules["search_value"])
    return SimpleNamespace(**rules), SimpleNamespace(**specialize(loops.LOOPS, rules | {"SECRETS": exports.SECRETS}, exports.__name__))


class Workspace:
    """What the loops write on: states to work on, the room's own scratch record, a list of moves and one of weights."""

    def __init__(self, kernel: Kernel[Any, Any]) -> None:
        self.states, self.scratch = StructArray(kernel.state, loops.WORKSPACE_SIZE), kernel.scratch()
        self.out, self.weights = list_buffer(kernel.most_moves), list_buffer(kernel.most_moves)
        self.kernel = kernel

    def check(self) -> None:
        """Refuse what a loop did whose lists were longer than the room's MOST_MOVES. Called after every loop that writes on this desk."""
        self.kernel.check_lists(self.out, self.weights)


class Kernel(Generic[B, S]):
    """A room's rules, and the loops bound to them, with the box it plays with, as Python calls them. `scratch` is the kind of record that
    its `value` tries things out on: a state, unless it says otherwise."""

    def __init__(self, exports: ModuleType, box: B, state: type[S], scratch: type[Struct] | None = None) -> None:
        self.box, self.state, self.scratch = box, state, scratch or state
        self.most_moves: int = max(VALUES, exports.MOST_MOVES)
        self.secrets: bool = exports.SECRETS
        self.width: int = getattr(exports, "WIDTH", WIDTH)
        self.ahead: int = getattr(exports, "AHEAD", AHEAD)
        self.beam: int = getattr(exports, "BEAM", BEAM)
        self.prior: int = getattr(exports, "PRIOR", PRIOR)
        self.per_point: int = getattr(exports, "PER_POINT", PER_POINT)
        self.rules, self.loops = specialized_for(exports)

    def to_act(self, state: S) -> int:
        return int(self.rules.to_act(self.box, state))

    def legal(self, state: S, seat: int) -> list[int]:
        return sorted_legal_moves(self.rules.legal, self.most_moves, self.box, state, seat)

    def odds(self, state: S) -> list[tuple[int, int]]:
        out, weights = list_buffer(self.most_moves), list_buffer(self.most_moves)
        found = [(out[place], weights[place]) for place in range(self.rules.odds(self.box, state, out, weights))]
        self.check_lists(out, weights)
        for _, weight in found:
            if not 0 <= weight <= MOST_WEIGHT:
                raise RulesError(msg("nature's weights are whole numbers of 31 bits at most, not {weight}", weight=weight))
        return found

    def check_lists(self, out: Array, weights: Array) -> None:
        """Refuse lists longer than MOST_MOVES. Only `odds` writes weights, and it writes as many outcomes beside them."""
        check_list(self.rules.odds, self.most_moves, weights)
        check_list(self.rules.legal, self.most_moves, out)

    def apply(self, state: S, seat: int, move: int) -> S:
        """The state after the move, a new one."""
        after = state.copy()
        self.rules.apply(self.box, after, seat, move)
        return after

    def score(self, state: S, seat: int) -> int:
        return int(self.rules.score(self.box, state, seat))

    def wins(self, state: S, seat: int) -> bool:
        return bool(self.rules.wins(self.box, state, seat))

    def redact(self, state: S, seat: int) -> S:
        seen = state.copy()
        self.rules.redact(self.box, seen, seat)
        return seen

    def determinize(self, seen: S, seat: int, rng: Array) -> S:
        state = seen.copy()
        self.rules.determinize(self.box, state, seat, rng)
        return state

    def value(self, state: S, seat: int) -> Value:
        out = int_array(VALUES)
        self.loops.evaluate(self.box, state, self.scratch(), seat, out)
        return Value(out[SHARE] / WHOLE_SHARE, out[POINTS] / POINT)

    def playouts(self, start: S, levels: Sequence[int], games: int) -> int:
        """Whole games from one position between bots of these levels, nature drawing from luck, always the same games; returns how many
        lines they took."""
        desk, course = Workspace(self), int_array(loops.PROGRESS_SIZE)
        luck = make_rng((1, 2))
        lines = self.loops.playouts(
            self.box, start, desk.states, desk.scratch, self.level_array(levels), luck, course, desk.out, desk.weights, games
        )
        desk.check()
        return int(lines)

    def level_array(self, levels: Sequence[int]) -> Array:
        """A bot's level for each seat, as the loops read them."""
        found = int_array(len(levels))
        fill(found, levels)
        return found

    def choose(self, state: S, seat: int, level: int, rng: Array) -> int:
        """A bot's move; of the state it uses only what the seat may know, unless its level says that this world is imagined."""
        desk = Workspace(self)
        move = self.loops.choose(self.box, state, desk.states, desk.scratch, seat, level, rng, desk.out, desk.weights)
        desk.check()
        return int(move)

    def compile(self) -> None:
        """Makes the machine code of every function and loop, for arguments as the other methods and a batch hand them in."""
        by_kind = {"Array": int_array(1), "Grid": int_grid(1, 1), "int": 0}
        state, states = self.state(), StructArray(self.state, 1)
        by_name = {"box": self.box, "state": state, "start": state, "scratch": self.scratch(), "states": states, "workspace": states}
        by_name |= {"trial": state, "beam": states}
        for function in (*EXPORTS, *loops.LOOPS):
            kinds = {name: kind for name, kind in function.__annotations__.items() if name != "return"}
            rule = {**vars(self.rules), **vars(self.loops)}[function.__name__]
            rule.compile_for(*(by_name[name] if name in by_name else by_kind[kind] for name, kind in kinds.items()))
