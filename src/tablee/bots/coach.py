"""The coach: what it would play here and what that promises more, by playing moves out on the same luck; the whole turn that this begins;
and everybody's chances in a position, by playing it to its end. Its advice knows what the seat may know; chances are for when the game is
over.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablee.bots.search import LONGEST_TURN, weigh
from tablee.core import fairness, loops
from tablee.core.batch import Batch
from tablee.core.game import Move, Outcome, Seat
from tablee.core.match import Match

NODES = 4000  # lines played for one piece of advice
GAMES, MOST_GAMES = 24, 120  # games played to their end for the chances in one position:
LINES = 4000  # more than the least while they have not taken so many lines


@dataclass(frozen=True)
class Advice:
    """About one line of the log: what was played, what the coach would have played, and what that promises more."""

    position: int
    seat: Seat
    played: Move
    better: Move
    share: float = 0.0
    points: float = 0.0


def advise(match: Match, seat: Seat, played: Move, nodes: int = NODES) -> Advice:
    """About a move that was played, or is thought of, in this position; its luck is its own, for a record may hold no seed."""
    position, seen = len(match.log), match.game.observe(match.state, seat)
    if len(match.legal(seat)) == 1:
        return Advice(position, seat, played, played)
    luck = fairness.bot_luck(fairness.seed_for(match.seats, 0), position, seat)
    better, more = weigh(match.game, seen, played, luck, nodes)
    return Advice(position, seat, played, better, more.share, more.points)


def whole_turn(match: Match, seat: Seat, first: Move, nodes: int = NODES) -> list[Move]:
    """A move, and what the coach would play after it while neither others nor nature come in between."""
    branch, turn = match.branch(), [first]
    branch.play(seat, first)
    while seat in branch.to_act and len(turn) < LONGEST_TURN:
        turn.append(advise(branch, seat, branch.legal(seat)[0], nodes).better)
        branch.play(seat, turn[-1])
    return turn


def chances(match: Match, games: int = GAMES, lines: int = LINES) -> list[float]:
    """What each seat may hope for when greedy bots play on from here, again and again, always with the same luck: its share of the wins;
    at a table that plays together, that all of them win; alone, its points."""
    first, taken = _played(match, range(games))
    ends = first + _played(match, range(games, min(MOST_GAMES, lines * games // max(1, taken))))[0]
    return [sum(_got(end, Seat(seat)) for end in ends) / len(ends) for seat in range(match.seats)]


def _played(match: Match, numbers: range) -> tuple[list[Outcome], int]:
    """How these games end, and how many lines they take."""
    if not numbers:
        return [], 0
    batch = Batch(match.game, match.state, [fairness.seed_for(match.seats, number) for number in numbers])
    batch.play([loops.GREEDY] * match.seats)
    return batch.outcomes(), int(batch.lines.sum())


def _got(end: Outcome, seat: Seat) -> float:
    if len(end.scores) == 1:
        return end.scores[seat]
    return (seat in end.winners) / (1 if end.won else max(1, len(end.winners)))
