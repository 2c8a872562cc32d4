"""Coach of one table: hints during a game that allows them, and the review of a finished game.

The review is computed in the background in small pieces and stored with the table. It gives everybody's chances after each turn, the luck
of each draw, and advice about each turn of a person; in a game for one also a benchmark of the score, from the room's
`score_benchmark.json`:

{"made": {"command", "seed", "hard", "date"}, "levels": {"greedy": {"games": 10000, "scores": {"71": 312, ...}}}}
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

from tablee import bots, games
from tablee.bots import coach, luck
from tablee.bots.coach import Advice
from tablee.bots.search import Search
from tablee.core.errors import NotYourTurn, TableeError
from tablee.core.game import NATURE, Move, Seat
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.core.narration import turn_ends_of
from tablee.server.ops.error_reports import report
from tablee.server.table.bot_executor import BotExecutor, is_uncompiled
from tablee.server.table.config import CoachBudget
from tablee.server.table.models import TableStore
from tablee.server.table.state import TableState

BENCHMARK_FILE = "score_benchmark.json"
HARD_BUDGET = Search(nodes=8_000)  # nodes instead of a second: reproducible on every machine, and quick
TURNING_POINTS = 3
REVIEW_FORMAT = 4  # of the stored JSON
NOTIFY_INTERVAL = 0.7  # seconds between two notifications of progress


@cache
def _score_counts(key: str) -> dict[str, dict[int, int]]:
    """Return for each level how many games ended with each score."""
    file = games.folder(key) / BENCHMARK_FILE
    if not file.exists():
        return {}
    levels: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["levels"]
    return {level: {int(score): count for score, count in found["scores"].items()} for level, found in levels.items()}


def percent_beaten(key: str, score: int) -> dict[str, int]:
    """Return for each level the percentage of its games with a lower score."""
    return {level: percent_below(counts, score) for level, counts in _score_counts(key).items()}


def percent_below(counts: dict[int, int], score: int) -> int:
    """Return the percentage of games with a lower score; ties count half."""
    below = sum(count for made, count in counts.items() if made < score) + counts.get(score, 0) / 2
    return round(100 * below / sum(counts.values()))


@dataclass
class Review:
    """Review of a finished game, as far as it is computed: chances after each turn, luck, advice, and scores of bots on the same draws."""

    turn_ends: list[int]  # the end of each turn, as a number of lines
    total_pieces: int  # pieces of work in all
    chances: list[list[float]] = field(default_factory=list)  # by turn end, by seat: see `coach.chances`
    luck: list[list[float]] = field(default_factory=list)  # by draw, by seat: see `luck.luck_at`
    advice: dict[int, Advice] = field(default_factory=dict)  # by the first line of the turn's moves
    same_draws: dict[str, int] = field(default_factory=dict)  # score of each level on the same draws, in a game for one

    @property
    def progress(self) -> float:
        """Return the share of the work that is done, from 0 to 1."""
        return min(1.0, sum(map(len, (self.chances, self.luck, self.advice, self.same_draws))) / max(1, self.total_pieces))

    @property
    def turning_points(self) -> list[int]:
        """Return the turns after which the chances had changed most, in the order of the game."""
        swings = [max(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in pairwise(self.chances)]
        largest = sorted(range(len(swings)), key=lambda turn: -swings[turn])[:TURNING_POINTS]
        return sorted(turn + 1 for turn in largest if swings[turn] > 0)

    def luck_of(self, seat: Seat) -> float:
        """Return what all draws brought a seat, as a share of the win or, alone, in points."""
        return sum(each[seat] for each in self.luck)

    def given_away(self, seat: Seat, alone: bool) -> float:
        """Return what the coach's turns would have brought a seat besides its own, in the same unit."""
        better = [each for each in self.advice.values() if each.seat == seat and each.differs]
        return sum(each.points if alone else each.share for each in better)

    def advice_for_turn(self, at: int) -> list[Advice]:
        """Return the advice about the turn that ends at this line."""
        start = max((stop for stop in self.turn_ends if stop < at), default=0)
        return [advice for position, advice in sorted(self.advice.items()) if start <= position < at]

    def end_of_turn(self, position: int) -> int:
        """Return the end of the turn to which this line belongs."""
        return next((stop for stop in self.turn_ends if stop > position), position)

    def to_json(self) -> str:
        advice = [asdict(each) for each in self.advice.values()]
        found = {"chances": self.chances, "luck": self.luck, "advice": advice, "same_luck": self.same_draws}
        return json.dumps({"format": REVIEW_FORMAT, **found})

    @classmethod
    def from_json(cls, match: Match, text: str) -> Review | None:
        """Return the stored review; None if it has an older format."""
        stored = json.loads(text)
        if stored.get("format") != REVIEW_FORMAT:
            return None
        advice = {each["position"]: _advice_from_json(each) for each in stored["advice"]}
        pieces = sum(len(stored[name]) for name in ("chances", "luck", "advice", "same_luck"))
        return cls(turn_ends_of(match), pieces, stored["chances"], stored["luck"], advice, stored["same_luck"])


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
    can_be_played_again = match.seats == 1 and match.seed and not match.origin  # alone, on all of its own draws
    levels = bots.LEVEL_NAMES if can_be_played_again else ()
    draws = [at for at, line in enumerate(match.log) if line.seat == NATURE]
    review = Review(turn_ends, len(turn_ends) + len(draws) + len(turns) + len(levels))
    for level in levels:
        review.same_draws[level] = await run(score_on_same_draws, match, level)
        await on_progress(review)
    for end in turn_ends:
        review.chances.append(await run(coach.chances, match.at(end), budget.playouts, budget.lines))
        await on_progress(review)
    for at in draws:
        review.luck.append(await run(luck.luck_at, match, at))
        await on_progress(review)
    for at, seat, moves in turns:
        review.advice[at] = await run(coach.advise, match.at(at), seat, moves, budget.review)
        await on_progress(review)
    return review


class NoHints(TableeError):
    pass


class Coach:
    def __init__(self, state: TableState, store: TableStore, executor: BotExecutor) -> None:
        self._state, self._store, self._executor = state, store, executor
        self.review: Review | None = None  # as far as computed, once requested
        self._review_task: asyncio.Task[None] | None = None
        self._hints: dict[tuple[int, Seat], asyncio.Task[Advice]] = {}  # by version
        self._notified_at = 0.0

    async def hint(self, seat: Seat) -> Advice:
        """Return the coach's advice for a seat that is to act, at a table that allows hints; computed once per version and seat."""
        state = self._state
        if not state.settings.hints:
            raise NoHints(msg("the coach cannot be asked at this table"))
        if seat not in state.match.to_act or is_uncompiled(state.game):
            raise NotYourTurn(msg("the coach has nothing to say right now"))
        request = (state.version, seat)
        if request not in self._hints:
            self._hints = {key: task for key, task in self._hints.items() if key[0] == state.version}
            self._hints[request] = asyncio.get_running_loop().create_task(self._advise(seat))
        try:
            return await asyncio.shield(self._hints[request])
        except Exception:
            self._hints.pop(request, None)  # the next request computes again
            raise

    async def _advise(self, seat: Seat) -> Advice:
        match, budget = self._state.match.branch(), self._state.config.coach
        return await self._executor.run(coach.hint, match, seat, budget.hint, budget.follow_up)

    def start_review(self) -> None:
        """Start the review of a finished game, once."""
        state = self._state
        if self._review_task is None and state.done and not is_uncompiled(state.game):
            self._review_task = asyncio.get_running_loop().create_task(self._review())

    def stop(self) -> None:
        for task in (self._review_task, *self._hints.values()):
            if task is not None:
                task.cancel()

    async def _review(self) -> None:
        """Load the stored review or compute a new one; after a failure there is no retry until the table is opened again."""
        state = self._state
        try:
            self.review = await asyncio.to_thread(self._load_review) or await self._compute_review()
        except Exception as error:
            report(error)
        state.signal.notify()

    def _load_review(self) -> Review | None:
        stored = self._store.load_review(self._state.id)
        return None if stored is None else Review.from_json(self._state.match, stored)

    async def _compute_review(self) -> Review:
        state = self._state
        review = await review_match(state.match, state.seating.people, state.config.coach, self._executor.run, self._on_progress)
        await asyncio.to_thread(self._store.save_review, state.id, review.to_json())
        return review

    async def _on_progress(self, review: Review) -> None:
        """Notify clients of progress at intervals, not after every piece."""
        self.review = review
        if time.monotonic() - self._notified_at > NOTIFY_INTERVAL:
            self._notified_at = time.monotonic()
            self._state.signal.notify()
