"""The coach: the turn that it would play and what that promises more than another, by playing both out on the same luck; and everybody's
chances in a position, by playing it to its end. A hint is what `hard` would play, by the same search with the same budget. Advice knows
what the seat may know; chances are for when the game is over.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from tablee import bots
from tablee.bots.search import LONGEST_TURN, Search, compare_with_best
from tablee.core import fairness, loops
from tablee.core.batch import Batch
from tablee.core.game import NATURE, Move, Outcome, Seat
from tablee.core.match import Match

REVIEW_SEARCH = Search(nodes=8000)  # for one turn of a game that is over
FOLLOW_UP_SEARCH = Search(ms=bots.HARD.ms / 4)  # for the later moves of a hint where a turn is many small moves, perhaps a dozen
MIN_SHARE_GAIN, MIN_POINT_GAIN = 0.01, 0.5  # of the win, or points: less is within the noise of so few playouts
MIN_PLAYOUTS, MAX_PLAYOUTS = 24, 120  # games played to their end for the chances in one position:
LINE_BUDGET = 4000  # more than the least while they have not taken so many lines


@dataclass(frozen=True)
class Advice:
    """About a turn, or the moves of it from one line of the log on: what was played, what the coach would play, and what that promises
    more."""

    position: int
    seat: Seat
    played: tuple[Move, ...]
    better: tuple[Move, ...]
    share: float = 0.0
    points: float = 0.0

    @property
    def differs(self) -> bool:
        """Whether the coach would play something else, and it is worth saying."""
        other = any(one != another for one, another in zip(self.played, self.better, strict=False))
        return other and (self.share >= MIN_SHARE_GAIN or (self.share >= 0 and self.points >= MIN_POINT_GAIN))


def advise(match: Match, seat: Seat, played: Sequence[Move], search: Search = REVIEW_SEARCH) -> Advice:
    """About moves that were played, or are thought of, in this position; its luck is its own, for a record may hold no seed."""
    position, seen, done = len(match.log), match.game.observe(match.state, seat), tuple(played)
    if len(match.legal(seat)) == 1 and len(done) == 1:
        return Advice(position, seat, done, done)
    luck = fairness.bot_rng(fairness.seed_for(match.seats, 0), position, seat)
    better, more = compare_with_best(match.game, seen, done, luck, search)
    return Advice(position, seat, done, tuple(better), more.share, more.points)


def hint(match: Match, seat: Seat, search: Search = bots.HARD, onward: Search = FOLLOW_UP_SEARCH) -> Advice:
    """What `hard` would play while neither others nor nature come in between, beside the move that looks best right away."""
    advice = advise(match, seat, [bots.choose(match, seat, bots.GREEDY)], search)
    branch, turn, later = match.branch(), [advice.better[0]], search if match.game.kernel.beam else onward
    branch.play(seat, turn[0])
    while seat in branch.to_act and len(turn) < LONGEST_TURN:
        legal = branch.legal(seat)
        turn.append(legal[0] if len(legal) == 1 else advise(branch, seat, (), later).better[0])
        branch.play(seat, turn[-1])
    return replace(advice, better=tuple(turn))


def turns_of(match: Match, seats: Collection[Seat]) -> list[tuple[int, Seat, tuple[Move, ...]]]:
    """The turns of these seats in which there was a choice: the line each began with, the seat and its moves up to where others or nature
    come in; where a room's search goes by single moves, each of them."""
    longest, found, known = LONGEST_TURN if match.game.kernel.beam else 1, [], set[int]()
    for at, line in enumerate(match.log):
        if line.seat in seats and at not in known:
            places, chose = _turn_at(match, at, longest)
            known.update(places)
            if chose:
                found.append((at, line.seat, tuple(match.log[place].move for place in places)))
    return found


def _turn_at(match: Match, at: int, longest: int) -> tuple[list[int], bool]:
    """The lines of the turn that begins with this one, and whether there was a choice in it."""
    branch, seat, places, chose = match.at(at), match.log[at].seat, list[int](), False
    for place, line in enumerate(match.log[at:], at):
        legal = branch.legal(seat) if line.seat == seat else []
        if line.seat == NATURE or len(places) == longest or (line.seat == seat and line.move not in legal):
            break
        if line.seat == seat:
            branch.play(seat, line.move)
            places, chose = [*places, place], chose or len(legal) > 1
    return places, chose


def chances(match: Match, games: int = MIN_PLAYOUTS, lines: int = LINE_BUDGET) -> list[float]:
    """What each seat may hope for when greedy bots play on from here, again and again, always with the same luck: its share of the wins;
    at a table that plays together, that all of them win; alone, its points."""
    first, taken = _play_games(match, range(games))
    ends = first + _play_games(match, range(games, min(MAX_PLAYOUTS, lines * games // max(1, taken))))[0]
    return [sum(_result_of(end, Seat(seat)) for end in ends) / len(ends) for seat in range(match.seats)]


def _play_games(match: Match, numbers: range) -> tuple[list[Outcome], int]:
    """How these games end, and how many lines they take."""
    if not numbers:
        return [], 0
    batch = Batch(match.game, match.state, [fairness.seed_for(match.seats, number) for number in numbers])
    batch.play([loops.GREEDY] * match.seats)
    return batch.outcomes(), int(batch.lines.sum())


def _result_of(end: Outcome, seat: Seat) -> float:
    if len(end.scores) == 1:
        return end.scores[seat]
    return (seat in end.winners) / (1 if end.won else max(1, len(end.winners)))
