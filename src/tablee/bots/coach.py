"""The coach: what it would play here and what that promises more, by playing moves out on the same luck; the whole turn that this begins;
and everybody's chances in a position, by playing it to its end. Its advice knows what the seat may know; chances are for when the game is
over.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablee.bots.search import LONGEST_TURN, weigh
from tablee.core import fairness, loops
from tablee.core.batch import Batch
from tablee.core.game import Move, Seat
from tablee.core.match import Match

NODES = 4000  # lines played for one piece of advice
GAMES = 24  # games played to their end for the chances in one position


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


def chances(match: Match, games: int = GAMES) -> list[float]:
    """Each seat's share of the wins when greedy bots play on from here, again and again, always with the same luck."""
    batch = Batch(match.game, match.state, [fairness.seed_for(match.seats, number) for number in range(games)])
    batch.play([loops.GREEDY] * match.seats)
    won = [outcome.winners for outcome in batch.outcomes()]
    return [sum((seat in winners) / len(winners) for winners in won if winners) / games for seat in range(match.seats)]
