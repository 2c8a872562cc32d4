"""One game being played: `Match.play` alone applies moves; it checks turn and legality and appends one line to the log.

Everything else is a fold over the log: `Match.replay` rebuilds a match from its lines, and `Match.at` an earlier state of it from the
stored positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Generic, NamedTuple

from tablee.core import fairness
from tablee.core.errors import NotationError, NotYourTurn, Refusal, TableeError
from tablee.core.game import NATURE, Event, Game, Move, Options, Outcome, S, Seat, Transition, choose_options
from tablee.core.i18n import Message, msg
from tablee.core.positions import Positions


@dataclass(frozen=True)
class Line:
    """Line of the log, `0 build house 2C`; nature's seat is written `-`."""

    seat: Seat
    move: Move

    def show(self, game: Game[S]) -> str:
        return f"{show_seat(self.seat)} {game.show(self.move)}"

    def show_to(self, game: Game[S], viewer: Seat | None) -> str:
        return f"{show_seat(self.seat)} {game.show_to(self.seat, self.move, viewer)}"


def show_seat(seat: Seat) -> str:
    return "-" if seat == NATURE else str(seat)


def read_line(game: Game[S], text: str) -> Line:
    seat, _, move = text.partition(" ")
    if seat != "-" and not (seat.isascii() and seat.isdigit() and len(seat) < 4):
        raise NotationError(msg("{text!r} does not begin with a seat number or '-'", text=text))
    return Line(NATURE if seat == "-" else Seat(int(seat)), game.read(move))


@dataclass(frozen=True)
class Origin:
    """Origin of a forked game: its first lines come from another game, and its own seed draws only after them."""

    lines: int
    table: str = ""  # the id of the table that played them, if known


class UndoCandidate(NamedTuple, Generic[S]):
    """State of the game if one of its lines had not been played."""

    to_act: tuple[Seat, ...]  # before that line
    lines: int  # length of the log that was replayed
    state: S | None  # after these lines; None if a later line would have been illegal


class Match(Generic[S]):
    def __init__(
        self,
        game: Game[S],
        seats: int,
        options: Options | None = None,
        seed: bytes | None = None,
        derivation: int = fairness.NEWEST,
        origin: Origin | None = None,
    ) -> None:
        fairness.derivation(derivation)  # raises RecordError for an unknown version
        self.game = game
        self.seats = seats
        self.options = choose_options(game, seats, options or {})
        self.seed = seed
        self.derivation = derivation  # how draws follow from the seed
        self.origin = origin
        self.draw_count = 0  # nature's lines so far
        self.log: list[Line] = []
        self.events: list[tuple[Event, ...]] = []  # of each line
        self.state = game.setup(seats, self.options)
        self._undo_candidates: dict[int, UndoCandidate[S]] = {}  # by the position of the line
        self._to_act_cache: tuple[S | None, tuple[Seat, ...]] = (None, ())
        self._positions: Positions[bytes] = Positions(len(self.state.tobytes()))  # past positions only; the present one is `state`

    @classmethod
    def replay(
        cls,
        game: Game[S],
        seats: int,
        options: Options,
        lines: Iterable[str],
        seed: bytes | None = None,
        *,
        derivation: int = fairness.NEWEST,
    ) -> Match[S]:
        match = cls(game, seats, options, seed, derivation)
        for text in lines:
            line = read_line(game, text)
            match.play(line.seat, line.move)
        return match

    def branch(self) -> Match[S]:
        """Return an independent copy of this match, to try moves on."""
        return self.at(len(self.log))

    def fork(self, seed: bytes, table: str = "") -> Match[S]:
        """Return a new match that continues from the present position and draws from another seed."""
        other = self.branch()
        other.seed, other.derivation, other.origin = seed, fairness.NEWEST, Origin(len(self.log), table)
        return other

    def at(self, lines: int) -> Match[S]:
        """Return an independent copy of this match as it was after `lines` lines."""
        if not 0 <= lines <= len(self.log):
            raise TableeError(msg("there is no position after line {number}: the log has {lines}", number=lines, lines=len(self.log)))
        other = copy(self)
        other.log, other.events = self.log[:lines], self.events[:lines]
        other._undo_candidates = {position: known for position, known in self._undo_candidates.items() if known.lines <= lines}
        other.draw_count -= sum(line.seat == NATURE for line in self.log[lines:])
        other._positions = self._positions.before(lines)
        other.state = self.state.copy()
        for position, state in self._replay_states(lines) if lines < len(self.log) else ():
            if position < lines:
                other._positions.add(position, state.tobytes())
            other.state = state
        return other

    def _replay_states(self, lines: int) -> Iterator[tuple[int, S]]:
        """Yield the states from the nearest stored position up to the one after `lines` lines, by applying the lines between."""
        nearest = self._positions.nearest(lines)
        state = type(self.state).from_bytes(self._positions[nearest])
        yield nearest, state
        for position, line in enumerate(self.log[nearest:lines], nearest + 1):
            state = self.game.kernel.apply(state, line.seat, line.move)
            yield position, state

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Return the seats to act, cached per state."""
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

    def play(self, seat: Seat, move: Move) -> Transition[S]:
        """Apply a move and append it to the log; raise a Refusal and change nothing if it is out of turn or illegal."""
        self.check(seat, move)
        transition = self.game.apply(self.state, seat, move)
        self._positions.add(len(self.log), self.state.tobytes())
        self.state = transition.state
        if seat == NATURE:
            self.draw_count += 1
            self._undo_candidates = {}  # nothing before a draw can be undone
        self.log.append(Line(seat, move))
        self.events.append(transition.events)
        return transition

    def check(self, seat: Seat, move: Move) -> None:
        check(self.game, self.state, seat, move)

    def play_nature(self) -> int:
        """Draw for nature until a seat is to act or the game is over; return the number of lines added."""
        assert self.seed is not None, "nature needs a seed to draw from"
        before = len(self.log)
        while self.to_act == (NATURE,):
            odds = self.game.odds(self.state)
            self.play(NATURE, fairness.draw(self.seed, self.derivation, len(self.log), self.draw_count, odds))
        return len(self.log) - before

    def lines(self, first: int = 0) -> list[str]:
        """Return the log as text, from this position on."""
        return [line.show(self.game) for line in self.log[first:]]

    def lines_for(self, viewer: Seat | None) -> list[str]:
        """Return the log as text, redacted for one seat (None: a spectator)."""
        return [line.show_to(self.game, viewer) for line in self.log]

    def undone(self, seat: Seat) -> Match[S]:
        """Return this match without the seat's last line.

        Refuse it after a draw was seen, and where another seat would have to move again.
        """
        self._check_undo(seat)
        return self.without_last(seat)

    def without_last(self, seat: Seat) -> Match[S]:
        """Return this match without the seat's last line, with the agreement of the others instead of the checks of `undone`."""
        position = _position_to_undo(self.log, seat)
        other = self.at(position)
        for line in self.log[position + 1 :]:
            other.play(line.seat, line.move)
        return other

    def can_undo(self, seat: Seat) -> bool:
        return self.why_not_undo(seat) is None

    def why_not_undo(self, seat: Seat) -> Refusal | None:
        """Return the Refusal that keeps the seat from undoing its last line, or None."""
        try:
            self._check_undo(seat)
        except Refusal as refused:
            return refused.with_traceback(None)
        return None

    def _check_undo(self, seat: Seat) -> int:
        """Return the position in the log of the line that the seat may undo, or raise NotYourTurn."""
        to_act = self.to_act
        if not to_act:  # the seed has been shown
            raise NotYourTurn(msg("the game is over"))
        position = _position_to_undo(self.log, seat)
        if self.origin and position < self.origin.lines:
            raise NotYourTurn(msg("what was taken over from another game stays as it is"))
        if position not in self._undo_candidates:
            *_, (_, state) = self._replay_states(position)
            self._undo_candidates[position] = UndoCandidate(self.game.to_act(state), position + 1, state)
        if not set(to_act) <= set(self._undo_candidates[position].to_act):
            raise NotYourTurn(msg("the turn has passed on, so nothing can be undone"))
        if not self._replays_without(position):
            raise NotYourTurn(msg("somebody has moved since, so nothing can be undone"))
        return position

    def _replays_without(self, position: int) -> bool:
        """Return whether all later lines are legal without this one; repeated calls replay only the new lines."""
        to_act, lines, state = self._undo_candidates[position]
        for line in self.log[lines:]:
            if state is not None:
                state = self._state_after(state, line)
        self._undo_candidates[position] = UndoCandidate(to_act, len(self.log), state)
        return state is not None

    def _state_after(self, state: S, line: Line) -> S | None:
        """Return the state after a line, or None where the line is illegal."""
        try:
            check(self.game, state, line.seat, line.move)
        except Refusal:
            return None
        return self.game.kernel.apply(state, line.seat, line.move)


def check(game: Game[S], state: S, seat: Seat, move: Move) -> None:
    """Raise a Refusal that says why, if the seat may not make this move in this state."""
    to_act = game.to_act(state)
    if seat not in to_act:
        raise NotYourTurn(_whose_turn(to_act))
    if move not in ([outcome for outcome, _ in game.odds(state)] if seat == NATURE else game.legal(state, seat)):
        raise game.refuse(state, seat, move)


def _position_to_undo(log: list[Line], seat: Seat) -> int:
    for position in reversed(range(len(log))):
        if log[position].seat == NATURE:
            break
        if log[position].seat == seat:
            return position
    raise NotYourTurn(msg("there is nothing to undo: something has been rolled or drawn since"))


def _whose_turn(to_act: tuple[Seat, ...]) -> Message:
    if not to_act:
        return msg("the game is over")
    if to_act == (NATURE,):
        return msg("something is rolled or drawn first")
    return msg(
        "it is not your turn; waiting for seat {seats}",
        "it is not your turn; waiting for seats {seats}",
        count=len(to_act),
        seats=tuple(to_act),
    )
