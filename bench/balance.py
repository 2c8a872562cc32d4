"""Is any society or seat of Amérique 1500 favoured? Greedy bots play every seating from every first seat, inside the compiled rules.

    python bench/balance.py [--games N] [--version quick|full] [--coop] [--seats N] [--seed N] [--components FILE] [--json]

A shared win counts as a fraction. Intervals are 95 %. `seat 1` is whoever begins, `seat 2` the next in turn, and so on.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

from tablee import games
from tablee.arena.plan import Plan
from tablee.arena.playing import Player, deal_out
from tablee.arena.tally import interval_of_share, shares_of
from tablee.core.errors import TableeError
from tablee.core.game import choose_options
from tablee.games.amerique_1500.box import MAX_SEATS, SOCIETIES

GAME = "amerique-1500"


def rate(wins: float, count: int) -> dict[str, float]:
    """A share of games with its 95 % interval, in per cent; a shared win is a part of one."""
    low, high = interval_of_share(wins / count, count)
    return {"percent": round(100 * wins / count, 2), "low": round(100 * low, 2), "high": round(100 * high, 2)}


def seatings(seats: int) -> list[tuple[str, ...]]:
    """Every choice and order of societies; those not seated come last, as the option wants them."""
    return [(*order, *(other for other in SOCIETIES if other not in order)) for order in permutations(SOCIETIES, seats)]


def balance(box: Path | None, count: int, seats: int, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """Plays at least so many games, equally many from each seating and each first seat, and adds them up."""
    game, orders = games.find(GAME, box), seatings(seats)
    each = math.ceil(count / (len(orders) * seats))
    society, place, rounds = dict.fromkeys(SOCIETIES, 0.0), [0.0] * seats, Counter[int]()
    shared = won = 0
    for number, order in enumerate(orders):
        for first in range(seats):
            chosen = choose_options(game, seats, {**options, "societies": "-".join(order), "first": first})
            plan = Plan.of(game, seats, ("greedy",) * seats, chosen, seed * 1000 + number * MAX_SEATS + first)
            player = Player(plan)
            for handful in deal_out(plan, each):
                batch = player.batch(handful.numbers)
                winners = batch.results()[1]
                for seat, share in enumerate(shares_of(winners, seats).sum(axis=0)):
                    society[order[seat]] += share
                    place[(seat - first) % seats] += share
                shared, won = shared + int((winners & (winners - 1) != 0).sum()), won + int((winners != 0).sum())
                rounds.update((-(-batch.states.array["turns"] // seats)).tolist())
    played = each * len(orders) * seats
    found: dict[str, Any] = {"games": played, "seats": seats, **options, "rounds": spread(rounds)}
    if options["cooperative"]:
        return {**found, "team wins": rate(won, played)}
    return {
        **found,
        "societies": {name: rate(wins, played * seats // MAX_SEATS) for name, wins in society.items()},
        "turn order": [rate(wins, played) for wins in place],
        "shared wins": rate(shared, played),
    }


def spread(rounds: Counter[int]) -> dict[str, float]:
    """Mean, and the rounds below which 5, 50 and 95 % of the games ended."""
    lengths = sorted(rounds.elements())
    quantiles = {f"{share} %": float(lengths[len(lengths) * share // 100]) for share in (5, 50, 95)}
    return {"mean": round(sum(lengths) / len(lengths), 2), **quantiles}


def say_rate(value: dict[str, float]) -> str:
    return f"{value['percent']:5.1f} %   ({value['low']:.1f} to {value['high']:.1f})"


def tell(found: dict[str, Any], seconds: float) -> None:
    kind = "co-operative" if found["cooperative"] else "each for themselves"
    print(f"{found['games']} {found['game']} games of {found['seats']} greedy bots, {kind}, in {seconds:.0f} s")
    rounds = found["rounds"]
    print(f"  rounds        {rounds['mean']:5.2f}     (5 % to 95 %: {rounds['5 %']:.0f} to {rounds['95 %']:.0f})")
    if found["cooperative"]:
        print(f"  team wins     {say_rate(found['team wins'])}")
        return
    for name, value in found["societies"].items():
        print(f"  {name:<13} {say_rate(value)}")
    for number, value in enumerate(found["turn order"], start=1):
        print(f"  seat {number}        {say_rate(value)}")
    print(f"  shared wins   {say_rate(found['shared wins'])}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Balance of Amérique 1500 by self-play of greedy bots.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--version", choices=("quick", "full"), default="quick")
    parser.add_argument("--coop", action="store_true", help="the co-operative variant")
    parser.add_argument("--seats", type=int, choices=range(2, MAX_SEATS + 1), default=MAX_SEATS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--components", type=Path, help="another box")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    return parser.parse_args()


def main() -> int:
    given, begun = arguments(), time.perf_counter()
    try:
        options = {"game": given.version, "cooperative": given.coop}
        found = balance(given.components, max(1, given.games), given.seats, options, given.seed)
    except TableeError as error:
        print(error, file=sys.stderr)
        return 2
    if given.json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        tell(found, time.perf_counter() - begun)
    return 0


if __name__ == "__main__":
    sys.exit(main())
