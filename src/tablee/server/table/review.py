"""The coach's review of a finished game, computed in the background in small pieces and stored with the table.

It gives everybody's chances after each turn, and advice about each turn of a person.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

from tablee import bots
from tablee.bots import coach
from tablee.bots.coach import Advice
from tablee.core.game import Move, Seat
from tablee.core.match import Match
from tablee.server.table.config import CoachBudget
from tablee.server.table.score_benchmark import HARD_BUDGET
from tablee.server.table.turns import turn_ends_of

TURNING_POINTS = 3
REVIEW_FORMAT = 3  # of the stored JSON


@dataclass
class Review:
    """Review of a finished game, as far as it is computed: chances after each turn, advice, and scores of bots on the same draws."""

    turn_ends: list[int]  # the end of each turn, as a number of lines
    total_pieces: int  # pieces of work in all
    chances: list[list[float]] = field(default_factory=list)  # by turn end, by seat: see `coach.chances`
    advice: dict[int, Advice] = field(default_factory=dict)  # by the first line of the turn's moves
    same_draws: dict[str, int] = field(default_factory=dict)  # score of each level on the same draws, in a game for one

    @property
    def progress(self) -> float:
        """Return the share of the work that is done, from 0 to 1."""
        return min(1.0, (len(self.chances) + len(self.advice) + len(self.same_draws)) / max(1, self.total_pieces))

    @property
    def turning_points(self) -> list[int]:
        """Return the turns after which the chances had changed most, in the order of the game."""
        swings = [max(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in pairwise(self.chances)]
        largest = sorted(range(len(swings)), key=lambda turn: -swings[turn])[:TURNING_POINTS]
        return sorted(turn + 1 for turn in largest if swings[turn] > 0)

    def advice_for_turn(self, at: int) -> list[Advice]:
        """Return the advice about the turn that ends at this line."""
        start = max((stop for stop in self.turn_ends if stop < at), default=0)
        return [advice for position, advice in sorted(self.advice.items()) if start <= position < at]

    def end_of_turn(self, position: int) -> int:
        """Return the end of the turn to which this line belongs."""
        return next((stop for stop in self.turn_ends if stop > position), position)

    def to_json(self) -> str:
        advice = [asdict(each) for each in self.advice.values()]
        return json.dumps({"format": REVIEW_FORMAT, "chances": self.chances, "advice": advice, "same_luck": self.same_draws})

    @classmethod
    def from_json(cls, match: Match, text: str) -> Review | None:
        """Return the stored review; None if it has an older format."""
        stored = json.loads(text)
        if stored.get("format") != REVIEW_FORMAT:
            return None
        advice = {each["position"]: _advice_from_json(each) for each in stored["advice"]}
        pieces = len(stored["chances"]) + len(advice) + len(stored["same_luck"])
        return cls(turn_ends_of(match), pieces, stored["chances"], advice, stored["same_luck"])


def _advice_from_json(stored: dict[str, Any]) -> Advice:
    played, better = (tuple(map(Move, stored[name])) for name in ("played", "better"))
    return Advice(stored["position"], Seat(stored["seat"]), played, better, stored["share"], stored["points"])


def score_on_same_draws(match: Match, level: str) -> int:
    """Return the score of this level, playing alone on the draws of a match."""
    replay = Match(match.game, match.seats, dict(match.options), match.seed, match.derivation)
    bot = HARD_BUDGET if level == "hard" else bots.find(level)
    return match.game.scores(bots.play_out(replay, [bot] * match.seats).state)[0]


async def review_match(
    match: Match,
    people: Collection[Seat],
    budget: CoachBudget,
    run: Callable[..., Awaitable[Any]],
    on_progress: Callable[[Review], Awaitable[None]],
) -> Review:
    """Review a finished match; `run(function, *args)` computes one piece of the review, and `on_progress` is called after each."""
    turn_ends, turns = turn_ends_of(match), await run(coach.turns_of, match, people)
    levels = (
        bots.LEVEL_NAMES if match.seats == 1 and match.seed and not match.origin else ()
    )  # only such a game can be played again from its seed
    review = Review(turn_ends, len(turn_ends) + len(turns) + len(levels))
    for level in levels:
        review.same_draws[level] = await run(score_on_same_draws, match, level)
        await on_progress(review)
    for end in turn_ends:
        review.chances.append(await run(coach.chances, match.at(end), budget.playouts, budget.lines))
        await on_progress(review)
    for at, seat, moves in turns:
        review.advice[at] = await run(coach.advise, match.at(at), seat, moves, budget.review)
        await on_progress(review)
    return review
