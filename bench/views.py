"""Benchmark of a game's view and scene in milliseconds, at new positions, so that caches do not help.

Positions follow one another at the start, in the middle and at the end of greedy games, for a seat that must act and for one that need not.

    python bench/views.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from tablee import bots, games
from tablee.core import fairness
from tablee.core.game import NATURE, Game, Seat
from tablee.core.match import Match

GAMES, POSITIONS = 6, 12
MOST_SEATS = 10
MOMENTS = {"start": 0.05, "middle": 0.5, "late": 0.9}  # share of the lines of a game


def positions(game: Game, seed: int, moment: float) -> Iterator[Match]:
    """Yield consecutive positions at which a seat must act."""
    seats = min(MOST_SEATS, game.seats[-1])
    match = bots.play_out(Match(game, seats, {}, fairness.seed_for(seed, 0)), [bots.GREEDY] * seats)
    first = min(int(moment * len(match.log)), len(match.log) - 3 * POSITIONS)
    found = (match.at(lines) for lines in range(first, len(match.log)))
    chosen = [each for each in found if each.to_act and each.to_act != (NATURE,)]
    yield from chosen[: POSITIONS + 1]


def viewer_of(match: Match, must_act: bool) -> Seat | None:
    """Return the first seat that must act (or need not), None if there is none."""
    return next((Seat(seat) for seat in range(match.seats) if (seat in match.to_act) == must_act), None)


def milliseconds(match: Match, seat: Seat | None) -> tuple[float, float, float]:
    """Return the milliseconds for a view, for its scene, and for all entries of the lazy scene."""
    game, began = match.game, time.perf_counter()
    view = game.view(game.observe(match.state, seat))
    seen = time.perf_counter()
    scene = game.scene(view)
    staged = time.perf_counter()
    dict(scene)  # computes all entries
    return 1000 * (seen - began), 1000 * (staged - seen), 1000 * (time.perf_counter() - staged)


def measure(game: Game, moment: float, must_act: bool, seed: int) -> str:
    """Return medians, and the 90th percentile of the view; the first position of each game only warms up."""
    times = []
    for number in range(GAMES):
        for place, match in enumerate(positions(game, seed + number, moment)):
            seat = viewer_of(match, must_act)
            costs = milliseconds(match, seat)
            if place and (seat is not None or not must_act):
                times.append(costs)
    view, scene, entries = (statistics.median(each) for each in zip(*times, strict=True))
    slow = statistics.quantiles((each[0] for each in times), n=10)[-1]
    return f"{view:8.2f} {slow:8.2f} {scene:8.2f} {entries:10.2f}"


def main() -> None:
    print(f"{'':16} {'':8} {'':12} {'view':>8} {'slow':>8} {'scene':>8} {'its parts':>10}")
    for key in games.known():
        for number, (moment, share) in enumerate(MOMENTS.items()):
            for must_act in (True, False):
                costs = measure(games.find(key), share, must_act, 100 * number + 50 * must_act)
                print(f"{key:16} {moment:8} {'awaited' if must_act else 'not awaited':12} {costs}")


if __name__ == "__main__":
    main()
