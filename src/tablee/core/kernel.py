"""A room's kernel as Python calls it: its functions of `contract.py`, and the generic loops specialised for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Generic, TypeVar

from tablee.core import loops
from tablee.core.contract import (
    CANDIDATES,
    EXPORTS,
    MOST_WEIGHT,
    POINT,
    POINTS,
    PRIOR_ROLLOUTS,
    ROLLOUT_BEAM,
    ROLLOUT_LINES,
    SHARE,
    SHARE_PER_POINT,
    VALUES,
    WHOLE_SHARE,
    BaseState,
)
from tablee.core.errors import RulesError
from tablee.core.i18n import msg
from tablee.core.jit import copy, specialize, unwrap
from tablee.core.rng import Rng, make_rng
from tablee.core.struct import Array, Struct, StructArray, fill, int_array
from tablee.core.workspace import LONGEST_TURN, Beam, CandidateTurn, Progress, Rollouts, Workspace

B = TypeVar("B", bound=Struct)
S = TypeVar("S", bound=BaseState)

SPARE_WORDS = 1 << 12  # numbers behind a list: one longer than MOST_MOVES overflows into these, not into other memory
GUARD = -(1 << 31)  # value of the first of them until a list overwrites it; neither a move nor a weight
LEGAL_TOO_LONG, ODDS_TOO_LONG = -1, -2  # codes that a GPU returns for an overwritten guard word


@dataclass(frozen=True, order=True)
class Value:
    """Evaluation of a position for a seat: a share of the win from 0 to 1, and expected points."""

    share: float
    points: float


def list_buffer(most_moves: int) -> Array:
    """Return a buffer for a list of moves or weights, with a guard word and spare words behind it."""
    buffer = int_array(most_moves + SPARE_WORDS)
    buffer[most_moves] = GUARD
    return buffer


def check_list(function: Callable[..., object], most_moves: int, out: Array) -> None:
    """Raise RulesError if this rule has overwritten the guard word of its buffer; machine code checks no bounds."""
    if out[most_moves] != GUARD:
        raise list_too_long_error(function, most_moves)


def list_too_long_error(function: Callable[..., object], most_moves: int) -> RulesError:
    """Return the error for a room whose MOST_MOVES is too small; it names the rule that wrote more."""
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


def check_codes(kernel: Kernel[B, S], code: int) -> None:
    """Raise RulesError if the code that a GPU returned is LEGAL_TOO_LONG or ODDS_TOO_LONG."""
    if code in (LEGAL_TOO_LONG, ODDS_TOO_LONG):
        raise list_too_long_error(kernel.rules.legal if code == LEGAL_TOO_LONG else kernel.rules.odds, kernel.most_moves)


def sorted_legal_moves(legal: Callable[[B, S, int, Array], int], most_moves: int, box: B, state: S, seat: int) -> list[int]:
    """Return the legal moves, sorted for people; the loops and the bots use the room's own order."""
    out = list_buffer(most_moves)
    count = legal(box, state, seat, out)
    check_list(legal, most_moves, out)
    return sorted(out[:count])


@cache
def specialized_for(exports: ModuleType) -> tuple[SimpleNamespace, ModuleType]:
    """Return the exports of a room's `kernel.py`, and the generic loops specialised for them; independent of the box."""
    rules = {each.__name__: getattr(exports, each.__name__) for each in EXPORTS}
    rules["search_value"] = getattr(exports, "search_value", rules["value"])
    rules["leaf_value"] = getattr(exports, "leaf_value", rules["search_value"])
    return SimpleNamespace(**rules), specialize(loops, f"{package_of(exports)}.core_loops", rules | {"SECRETS": exports.SECRETS})


def package_of(exports: ModuleType) -> str:
    return exports.__name__.rpartition(".")[0]


class Kernel(Generic[B, S]):
    """A room's rules and their specialised loops for one box, as Python calls them.

    `scratch` is the type of the struct that the room's `value` may overwrite; the default is its state.
    """

    def __init__(self, exports: ModuleType, box: B, state: type[S], scratch: type[Struct] | None = None) -> None:
        self.box, self.state, self.scratch = box, state, scratch or state
        self.most_moves: int = exports.MOST_MOVES
        self.secrets: bool = exports.SECRETS
        self.candidates: int = getattr(exports, "CANDIDATES", CANDIDATES)
        self.rollout_lines: int = getattr(exports, "ROLLOUT_LINES", ROLLOUT_LINES)
        self.rollout_beam: int = getattr(exports, "ROLLOUT_BEAM", ROLLOUT_BEAM)
        self.prior_rollouts: int = getattr(exports, "PRIOR_ROLLOUTS", PRIOR_ROLLOUTS)
        self.share_per_point: int = getattr(exports, "SHARE_PER_POINT", SHARE_PER_POINT)
        self.package = package_of(exports)
        self.rules, self.loops = specialized_for(exports)

    def to_act(self, state: S) -> int:
        return int(self.rules.to_act(self.box, state))

    def legal(self, state: S, seat: int) -> list[int]:
        return sorted_legal_moves(self.rules.legal, self.most_moves, self.box, state, seat)

    def odds(self, state: S) -> list[tuple[int, int]]:
        out, weights = list_buffer(self.most_moves), list_buffer(self.most_moves)
        outcomes = [(out[place], weights[place]) for place in range(self.rules.odds(self.box, state, out, weights))]
        self.check_lists(out, weights)
        for _, weight in outcomes:
            if not 0 <= weight <= MOST_WEIGHT:
                raise RulesError(msg("nature's weights are whole numbers of 31 bits at most, not {weight}", weight=weight))
        return outcomes

    def check_lists(self, out: Array, weights: Array) -> None:
        """Raise RulesError for a list longer than MOST_MOVES.

        Only `odds` writes weights, with as many outcomes, so its check comes first.
        """
        check_list(self.rules.odds, self.most_moves, weights)
        check_list(self.rules.legal, self.most_moves, out)

    def apply(self, state: S, seat: int, move: int) -> S:
        """Return a new state, the one after the move."""
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

    def determinize(self, seen: S, seat: int, rng: Rng) -> S:
        state = seen.copy()
        self.rules.determinize(self.box, state, seat, rng)
        return state

    def value(self, state: S, seat: int) -> Value:
        out = int_array(VALUES)
        self.loops.evaluate(self.box, state, self.scratch(), seat, out)
        return Value(out[SHARE] / WHOLE_SHARE, out[POINTS] / POINT)

    def workspace(self) -> Workspace[S]:
        """Return the memory that a loop writes to."""
        lists = list_buffer(self.most_moves), list_buffer(self.most_moves)
        return Workspace(self.state(), self.state(), self.state(), self.scratch(), *lists, int_array(VALUES))

    def beam(self, width: int, longest: int = LONGEST_TURN) -> Beam[S]:
        """Return the memory of a beam search over turns of at most `longest` moves."""
        rows = 2 * max(1, width)
        return Beam(StructArray(self.state, rows), StructArray(CandidateTurn, rows), longest)

    def rollouts(self, levels: Sequence[int], max_lines: int, key: Sequence[int], beam: Beam[S]) -> Rollouts[S]:
        """Return rollouts by these policies, seat by seat, of `max_lines` lines (0: to the end)."""
        return Rollouts(self.level_array(levels), max_lines, make_rng(key), make_rng(key), Progress(), beam)

    def turns(self, state: S, seat: int, workspace: Workspace[S], rng: Rng, beam: Beam[S]) -> list[CandidateTurn]:
        """Return the best turns of a seat by beam search; they lie in the beam's memory."""
        count = self.loops.generate_turns(self.box, state, seat, workspace, rng, beam)
        self.check(workspace)
        return [beam.turns[row] for row in range(count)]

    def rollout(
        self, state: S, seat: int, turns: Sequence[CandidateTurn], workspace: Workspace[S], rollouts: Rollouts[S], numbers: range
    ) -> tuple[int, StructArray[CandidateTurn]]:
        """Run the rollouts with these numbers for each turn; return the lines played, and the turns with the sums of their values."""
        candidates = StructArray(CandidateTurn, len(turns))
        for place, turn in enumerate(turns):
            copy(turn, candidates[place])
        lines = self.loops.rollout(self.box, state, seat, workspace, rollouts, candidates, numbers.start, numbers.stop)
        self.check(workspace)
        return int(lines), candidates

    def check(self, workspace: Workspace[S]) -> None:
        """Raise RulesError if a list was longer than the room's MOST_MOVES; call it after every loop that uses this workspace."""
        self.check_lists(workspace.out, workspace.weights)

    def playouts(self, start: S, levels: Sequence[int], games: int) -> int:
        """Play `games` playouts between bots of these levels, the same ones in every call, and return the number of lines."""
        workspace = self.workspace()
        lines = self.loops.playouts(self.box, start, self.level_array(levels), workspace, make_rng((1, 2)), Progress(), games)
        self.check(workspace)
        return int(lines)

    def level_array(self, levels: Sequence[int]) -> Array:
        """Return the bots' levels, seat by seat, as an array for the loops."""
        array = int_array(len(levels))
        fill(array, levels)
        return array

    def choose(self, state: S, seat: int, level: int, rng: Rng) -> int:
        """Return a bot's move; what its seat cannot see is redacted and sampled first, unless its level is for determinized states."""
        workspace = self.workspace()
        move = self.loops.choose(self.box, state, seat, level, workspace, rng)
        self.check(workspace)
        return int(move)
