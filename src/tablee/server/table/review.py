"""When a game is over the coach looks at it, in the background and piece by piece: everybody's chances after each turn, and advice about
each turn of a person. What it found is kept with the table.
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
from tablee.core.game import NATURE, Event, Move, Seat
from tablee.core.match import Match
from tablee.server.table.narration import group_turns
from tablee.server.table.score_benchmark import HARD_BUDGET

TURNING_POINTS = 3
REVIEW_FORMAT = 3  # of what is kept


@dataclass
class Review:
    """What the coach has found so far."""

    turn_ends: list[int]  # the end of each turn, as a number of lines
    total_pieces: int  # how many pieces of work there are in all
    chances: list[list[float]] = field(default_factory=list)  # by stop, by seat: what `coach.chances` says
    advice: dict[int, Advice] = field(default_factory=dict)  # by the line with which its moves begin
    same_draws: dict[str, int] = field(default_factory=dict)  # what each level scored on the very same draws, in a game for one

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        return min(1.0, (len(self.chances) + len(self.advice) + len(self.same_draws)) / max(1, self.total_pieces))

    @property
    def turning_points(self) -> list[int]:
        """The turns that mattered most: after which the chances had changed most, in the order of the game."""
        swings = [max(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in pairwise(self.chances)]
        largest = sorted(range(len(swings)), key=lambda turn: -swings[turn])[:TURNING_POINTS]
        return sorted(turn + 1 for turn in largest if swings[turn] > 0)

    def advice_for_turn(self, at: int) -> list[Advice]:
        """About the lines of the turn that ends there."""
        began = max((stop for stop in self.turn_ends if stop < at), default=0)
        return [advice for position, advice in sorted(self.advice.items()) if began <= position < at]

    def end_of_turn(self, position: int) -> int:
        """The end of the turn to which this line belongs."""
        return next((stop for stop in self.turn_ends if stop > position), position)

    def to_json(self) -> str:
        advice = [asdict(each) for each in self.advice.values()]
        return json.dumps({"format": REVIEW_FORMAT, "chances": self.chances, "advice": advice, "same_luck": self.same_draws})

    @classmethod
    def from_json(cls, match: Match, text: str) -> Review | None:
        """None where an older coach found it, who saw other things."""
        kept = json.loads(text)
        if kept.get("format") != REVIEW_FORMAT:
            return None
        advice = {each["position"]: _advice_from_json(each) for each in kept["advice"]}
        pieces = len(kept["chances"]) + len(advice) + len(kept["same_luck"])
        return cls(turn_ends_of(match), pieces, kept["chances"], advice, kept["same_luck"])


def _advice_from_json(stored: dict[str, Any]) -> Advice:
    played, better = (tuple(map(Move, stored[name])) for name in ("played", "better"))
    return Advice(stored["position"], Seat(stored["seat"]), played, better, stored["share"], stored["points"])


def turn_ends_of(match: Match) -> list[int]:
    """The beginning, and the end of each turn, as a number of lines."""
    told = [_event_entry(position, match.log[position].seat, event) for position, events in enumerate(match.events) for event in events]
    return [
        0,
        *(_end_of_turn(match, turn.entries[-1]["position"]) for turn in group_turns(told, match.game.turn_opening_kinds)[:-1]),
        len(match.log),
    ]


def _end_of_turn(match: Match, last: int) -> int:
    """After this line and what a seat did then of which nothing is told: it only ended a step."""
    end = last + 1
    while end < len(match.log) and match.log[end].seat != NATURE and not match.events[end]:
        end += 1
    return end


def _event_entry(position: int, actor: Seat, event: Event) -> dict[str, Any]:
    seat = actor if event.seat is None else event.seat
    return {"position": position, "kind": event.kind, "seat": None if seat < 0 else seat}


def score_on_same_draws(match: Match, level: str) -> int:
    """What this level scores alone on the draws of a match."""
    again = Match(match.game, match.seats, dict(match.options), match.seed, match.derivation)
    bot = HARD_BUDGET if level == "hard" else bots.find(level)
    return match.game.scores(bots.play_out(again, [bot] * match.seats).state)[0]


async def review_match(
    match: Match, people: Collection[Seat], run: Callable[..., Awaitable[Any]], on_progress: Callable[[Review], Awaitable[None]]
) -> Review:
    """Looks at a finished match; `work(function, *args)` does one piece elsewhere, `told` hears after each."""
    stops, asked = turn_ends_of(match), await run(coach.turns_of, match, people)
    alone = (
        bots.TABLE_BOTS if match.seats == 1 and match.seed and not match.origin else ()
    )  # only such a game can be played again from its seed
    found = Review(stops, len(stops) + len(asked) + len(alone))
    for level in alone:
        found.same_draws[level] = await run(score_on_same_draws, match, level)
        await on_progress(found)
    for stop in stops:
        found.chances.append(await run(coach.chances, match.at(stop)))
        await on_progress(found)
    for at, seat, moves in asked:
        found.advice[at] = await run(coach.advise, match.at(at), seat, moves)
        await on_progress(found)
    return found
