"""One game being played. `Match.play` is the only door to the rules: it checks the turn and the legality, then adds one line to the log.

Everything else is a fold over the log: `Match.replay` makes the same match again from its lines, and `Match.at` an earlier one from the
positions it remembers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

from tablee.core import fairness
from tablee.core.errors import NotationError, NotYourTurn, Refusal, TableeError
from tablee.core.game import NATURE, Event, Game, Move, Outcome, Seat, Transition, choose_options
from tablee.core.i18n import msg
from tablee.core.positions import Positions


@dataclass(frozen=True)
class Line:
    """One line of the log, `0 build house 2C`; nature's seat is written `-`."""

    seat: Seat
    move: Move

    def show(self, game: Game) -> str:
        return f"{show_seat(self.seat)} {game.show(self.move)}"

    def show_to(self, game: Game, listener: Seat | None) -> str:
        return f"{show_seat(self.seat)} {game.show_to(self.move, listener)}"


def show_seat(seat: Seat) -> str:
    return "-" if seat == NATURE else str(seat)


def read_line(game: Game, text: str) -> Line:
    seat, _, move = text.partition(" ")
    if seat != "-" and not (seat.isascii() and seat.isdigit() and len(seat) < 4):
        raise NotationError(msg("{text!r} does not begin with a seat number or '-'", text=text))
    return Line(NATURE if seat == "-" else Seat(int(seat)), game.read(move))


@dataclass(frozen=True)
class Origin:
    """Where a game comes from that did not begin at the beginning: its first lines were taken over, and its seed draws only after them."""

    lines: int
    table: str = ""  # at which they were played, if that is known


class UndoCandidate(NamedTuple):
    """How the game would stand without one of its lines."""

    to_act: tuple[Seat, ...]  # before that line
    lines: int  # as far as the log was looked at
    state: Any  # then; None where a later line could not have been played


class Match:
    def __init__(
        self,
        game: Game,
        seats: int,
        options: dict[str, Any] | None = None,
        seed: bytes | None = None,
        derivation: int = fairness.NEWEST,
        origin: Origin | None = None,
    ) -> None:
        fairness.derivation(derivation)  # says so if it is none
        self.game = game
        self.seats = seats
        self.options = choose_options(game, seats, options or {})
        self.seed = seed
        self.derivation = derivation  # how draws follow from the seed
        self.origin = origin
        self.draw_count = 0  # nature's lines so far
        self.log: list[Line] = []
        self._events: list[tuple[Event, ...]] | Callable[[], list[tuple[Event, ...]]] = []
        self.state = game.setup(seats, self.options)
        self._undo_candidates: dict[int, UndoCandidate] = {}  # by the position of the line
        self._to_act_cache: tuple[Any, tuple[Seat, ...]] = (None, ())
        self._positions: Positions[bytes] = Positions(len(self.state.tobytes()))  # those that were left; the present one is `state`

    @classmethod
    def replay(
        cls,
        game: Game,
        seats: int,
        options: dict[str, Any],
        lines: Iterable[str],
        seed: bytes | None = None,
        *,
        derivation: int = fairness.NEWEST,
    ) -> Match:
        match = cls(game, seats, options, seed, derivation)
        for text in lines:
            line = read_line(game, text)
            match.play(line.seat, line.move)
        return match

    def resumed(self, log: list[Line], told: Callable[[], list[tuple[Event, ...]]], state: bytes) -> Match:
        """This match, which has just begun, after these lines, whose telling and last state are known."""
        other = copy(self)
        other.log, other._events, other._undo_candidates = log, told, {}
        other.draw_count = sum(line.seat == NATURE for line in log)
        other._positions = Positions(len(state))
        other._positions.add(0, self.state.tobytes())
        other.state = type(self.state).from_bytes(state)
        return other

    @property
    def events(self) -> list[tuple[Event, ...]]:
        """What is told of each line. Of a game that was resumed it is read when somebody wants to hear it."""
        told = self._events
        if callable(told):  # threads that ask at once read it twice, and find the same
            self._events = told = told()
        return told

    def branch(self) -> Match:
        """The same match, to try moves on: nothing played there is played here."""
        return self.at(len(self.log))

    def fork(self, seed: bytes, table: str = "") -> Match:
        """Another match that begins where this one stands, and draws from another seed."""
        other = self.branch()
        other.seed, other.derivation, other.origin = seed, fairness.NEWEST, Origin(len(self.log), table)
        return other

    def at(self, lines: int) -> Match:
        """This match as it was after so many lines, a match of its own."""
        if not 0 <= lines <= len(self.log):
            raise TableeError(msg("there is no position after line {number}: the log has {lines}", number=lines, lines=len(self.log)))
        other = copy(self)
        other.log, other._events = self.log[:lines], self.events[:lines]
        other._undo_candidates = {position: known for position, known in self._undo_candidates.items() if known.lines <= lines}
        other.draw_count -= sum(line.seat == NATURE for line in self.log[lines:])
        other._positions = self._positions.before(lines)
        other.state = self.state.copy()
        for position, state in self._replay_states(lines) if lines < len(self.log) else ():
            if position < lines:
                other._positions.add(position, state.tobytes())
            other.state = state
        return other

    def _replay_states(self, lines: int) -> Iterator[tuple[int, Any]]:
        """The states from the nearest known position to the one after so many lines, by applying the lines between once more."""
        nearest = self._positions.nearest(lines)
        state = type(self.state).from_bytes(self._positions[nearest])
        yield nearest, state
        for position, line in enumerate(self.log[nearest:lines], nearest + 1):
            state = self.game.kernel.apply(state, line.seat, line.move)
            yield position, state

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Asked for again and again, and worked out once for each state."""
        if self._to_act_cache[0] is not self.state:
            self._to_act_cache = self.state, self.game.to_act(self.state)
        return self._to_act_cache[1]

    @property
    def over(self) -> bool:
        return not self.to_act

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state) if self.over else None

    def legal(self, seat: Seat) -> list[Move]:
        return list(self.game.legal(self.state, seat)) if seat in self.to_act else []

    def play(self, seat: Seat, move: Move) -> Transition:
        """The one door: refuses what is out of turn or against a rule, and then changes nothing."""
        self.check(seat, move)
        step = self.game.apply(self.state, seat, move)
        self._positions.add(len(self.log), self.state.tobytes())
        self.state = step.state
        if seat == NATURE:
            self.draw_count += 1
            self._undo_candidates = {}  # what came before is not taken back any more
        self.log.append(Line(seat, move))
        self.events.append(step.events)
        return step

    def check(self, seat: Seat, move: Move) -> None:
        check(self.game, self.state, seat, move)

    def play_nature(self) -> int:
        """Nature draws for as long as it is her turn; returns how many lines she added."""
        assert self.seed is not None, "nature needs a seed to draw from"
        before = len(self.log)
        while self.to_act == (NATURE,):
            odds = self.game.odds(self.state)
            self.play(NATURE, fairness.draw(self.seed, self.derivation, len(self.log), self.draw_count, odds))
        return len(self.log) - before

    def lines(self, first: int = 0) -> list[str]:
        """The log as text, from this position on."""
        return [line.show(self.game) for line in self.log[first:]]

    def lines_for(self, listener: Seat | None) -> list[str]:
        """The log as one seat (None: a spectator) may know it."""
        return [line.show_to(self.game, listener) for line in self.log]

    def undone(self, seat: Seat) -> Match:
        """This match without the seat's last line. Never after a draw was seen, never where somebody else would have to move again."""
        self._check_undo(seat)
        return self.without_last(seat)

    def without_last(self, seat: Seat) -> Match:
        """The same, where those who would have to agree with it do."""
        position = _position_to_undo(self.log, seat)
        other = self.at(position)
        for line in self.log[position + 1 :]:
            other.play(line.seat, line.move)
        return other

    def can_undo(self, seat: Seat) -> bool:
        return self.why_not_undo(seat) is None

    def why_not_undo(self, seat: Seat) -> Refusal | None:
        """What forbids the seat to take its last line back, if something does."""
        try:
            self._check_undo(seat)
        except Refusal as refused:
            return refused.with_traceback(None)
        return None

    def _check_undo(self, seat: Seat) -> int:
        """Where in the log the line stands that the seat may take back."""
        awaited = self.to_act
        if not awaited:  # the seed has been shown
            raise NotYourTurn(msg("the game is over"))
        position = _position_to_undo(self.log, seat)
        if self.origin and position < self.origin.lines:
            raise NotYourTurn(msg("what was taken over from another game stays as it is"))
        if position not in self._undo_candidates:
            *_, (_, state) = self._replay_states(position)
            self._undo_candidates[position] = UndoCandidate(self.game.to_act(state), position + 1, state)
        if not set(awaited) <= set(self._undo_candidates[position].to_act):
            raise NotYourTurn(msg("the turn has passed on, so nothing can be undone"))
        if not self._replays_without(position):
            raise NotYourTurn(msg("somebody has moved since, so nothing can be undone"))
        return position

    def _replays_without(self, position: int) -> bool:
        """Whether all that came after this line could have been played without it. Asked again, it looks at what is new."""
        awaited, lines, state = self._undo_candidates[position]
        for line in self.log[lines:]:
            if state is not None:
                state = self._state_after(state, line)
        self._undo_candidates[position] = UndoCandidate(awaited, len(self.log), state)
        return state is not None

    def _state_after(self, state: Any, line: Line) -> Any:
        """None where the line cannot be played."""
        try:
            check(self.game, state, line.seat, line.move)
        except Refusal:
            return None
        return self.game.kernel.apply(state, line.seat, line.move)


def check(game: Game, state: Any, seat: Seat, move: Move) -> None:
    """Says why a seat may not move like this here, if it may not."""
    awaited = game.to_act(state)
    if seat not in awaited:
        raise NotYourTurn(_whose_turn(awaited))
    if move not in ([outcome for outcome, _ in game.odds(state)] if seat == NATURE else game.legal(state, seat)):
        raise game.refuse(state, seat, move)


def _position_to_undo(log: list[Line], seat: Seat) -> int:
    for position in reversed(range(len(log))):
        if log[position].seat == NATURE:
            break
        if log[position].seat == seat:
            return position
    raise NotYourTurn(msg("there is nothing to undo: something has been rolled or drawn since"))


def _whose_turn(awaited: tuple[Seat, ...]) -> Any:
    if not awaited:
        return msg("the game is over")
    if awaited == (NATURE,):
        return msg("the dice or cards come first")
    return msg(
        "it is not your turn; waiting for seat {seats}",
        "it is not your turn; waiting for seats {seats}",
        count=len(awaited),
        seats=tuple(awaited),
    )
