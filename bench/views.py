"""What a screen's view and its scene cost in milliseconds, at positions that were never seen before: one after the other through the
start, the middle and the end of random games, for a seat that is awaited and for one that is not.

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
MOMENTS = {"start": 0.05, "middle": 0.5, "late": 0.9}  # of the lines of a game


def positions(game: Game, seed: int, moment: float) -> Iterator[Match]:
    """Some that follow one another, at each of which somebody chooses."""
    seats = min(MOST_SEATS, game.seats[-1])
    match = bots.play_out(Match(game, seats, {}, fairness.seed_for(seed, 0)), [bots.GREEDY] * seats)
    first = min(int(moment * len(match.log)), len(match.log) - 3 * POSITIONS)
    found = (match.at(lines) for lines in range(first, len(match.log)))
    chosen = [each for each in found if each.to_act and each.to_act != (NATURE,)]
    yield from chosen[: POSITIONS + 1]


def viewer_of(match: Match, awaited: bool) -> Seat | None:
    """The first seat that is awaited, or that is not; None where there is no such seat."""
    return next((Seat(seat) for seat in range(match.seats) if (seat in match.to_act) == awaited), None)


def milliseconds(match: Match, seat: Seat | None) -> tuple[float, float, float]:
    """A view, its scene, and all of that scene's parts."""
    game, began = match.game, time.perf_counter()
    view = game.view(game.observe(match.state, seat))
    seen = time.perf_counter()
    scene = game.scene(view)
    staged = time.perf_counter()
    dict(scene)  # makes them all
    return 1000 * (seen - began), 1000 * (staged - seen), 1000 * (time.perf_counter() - staged)


def measure(game: Game, moment: float, awaited: bool, seed: int) -> str:
    """Medians, and of the view what one in ten exceeds; each game is new, and its first position only warms up."""
    taken = []
    for number in range(GAMES):
        for place, match in enumerate(positions(game, seed + number, moment)):
            seat = viewer_of(match, awaited)
            costs = milliseconds(match, seat)
            if place and (seat is not None or not awaited):
                taken.append(costs)
    viewing, setting, drawing = (statistics.median(each) for each in zip(*taken, strict=True))
    slow = statistics.quantiles((each[0] for each in taken), n=10)[-1]
    return f"{viewing:8.2f} {slow:8.2f} {setting:8.2f} {drawing:10.2f}"


def main() -> None:
    print(f"{'':16} {'':8} {'':12} {'view':>8} {'slow':>8} {'scene':>8} {'its parts':>10}")
    for key in games.known():
        for number, (moment, share) in enumerate(MOMENTS.items()):
            for awaited in (True, False):
                costs = measure(games.find(key), share, awaited, 100 * number + 50 * awaited)
                print(f"{key:16} {moment:8} {'awaited' if awaited else 'not awaited':12} {costs}")


if __name__ == "__main__":
    main()
