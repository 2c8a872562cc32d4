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
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from tablee.core import components
from tablee.core.errors import TableeError
from tablee.core.rule import numbers, row_of
from tablee.games.amerique_1500 import pastime, turn
from tablee.games.amerique_1500.box import MAX_SEATS, SOCIETIES
from tablee.games.amerique_1500.opening import lay_out

BOX = Path(str(turn.__file__)).with_name("components.toml")
SHARES = 12  # a win in twelfths, so that two, three or four can share it


@dataclass(frozen=True)
class Rate:
    """A share of games with its 95 % interval, in per cent."""

    percent: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.percent:5.1f} %   ({self.low:.1f} to {self.high:.1f})"


def rate(wins: float, games: int) -> Rate:
    """Wilson's interval; a shared win is a part of one."""
    share, z = wins / games, 1.96
    centre = (share + z * z / (2 * games)) / (1 + z * z / games)
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return Rate(*(round(100 * value, 2) for value in (share, max(0.0, centre - reach), min(1.0, centre + reach))))


def seatings(seats: int) -> list[tuple[str, ...]]:
    """Every choice and order of societies; those not seated come last, as the option wants them."""
    return [(*order, *(other for other in SOCIETIES if other not in order)) for order in permutations(SOCIETIES, seats)]


def balance(box: Path, games: int, seats: int, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """Plays at least so many games, equally many from each seating and each first seat, and adds them up."""
    kit = lay_out(components.load(box))
    orders = seatings(seats)
    each = math.ceil(games / (len(orders) * seats))
    society = dict.fromkeys(SOCIETIES, 0.0)
    place = [0.0] * seats
    lengths = [0] * pastime.MOST_ROUNDS
    shared = won = 0
    for number, order in enumerate(orders):
        for first in range(seats):
            state = turn.setup(kit.box, seats, {**options, "societies": "-".join(order), "first": first})
            tally = numbers(pastime.TALLY)
            pastime.greedy_games(kit.box, row_of(state, 3), each, seed * 1_000_003 + number * MAX_SEATS + first, tally)
            for seat in range(seats):
                society[order[seat]] += tally[seat] / SHARES
                place[(seat - first) % seats] += tally[seat] / SHARES
            shared, won = shared + int(tally[MAX_SEATS]), won + int(tally[MAX_SEATS + 1])
            for length in range(pastime.MOST_ROUNDS):
                lengths[length] += int(tally[pastime.ROUNDS + length])
    played = each * len(orders) * seats
    found: dict[str, Any] = {"games": played, "seats": seats, **options, "rounds": spread(lengths)}
    if options["cooperative"]:
        return {**found, "team wins": asdict(rate(won, played))}
    return {
        **found,
        "societies": {name: asdict(rate(wins, played * seats // MAX_SEATS)) for name, wins in society.items()},
        "turn order": [asdict(rate(wins, played)) for wins in place],
        "shared wins": asdict(rate(shared, played)),
    }


def spread(lengths: list[int]) -> dict[str, float]:
    """Mean, and the rounds below which 5, 50 and 95 % of the games ended."""
    total, seen, quantiles = sum(lengths), 0, {}
    for rounds, count in enumerate(lengths):
        for share in (5, 50, 95):
            if seen < share * total / 100 <= seen + count:
                quantiles[f"{share} %"] = float(rounds)
        seen += count
    return {"mean": round(sum(rounds * count for rounds, count in enumerate(lengths)) / total, 2), **quantiles}


def tell(found: dict[str, Any], seconds: float) -> None:
    kind = "co-operative" if found["cooperative"] else "each for themselves"
    print(f"{found['games']} {found['game']} games of {found['seats']} greedy bots, {kind}, in {seconds:.0f} s")
    rounds = found["rounds"]
    print(f"  rounds        {rounds['mean']:5.2f}     (5 % to 95 %: {rounds['5 %']:.0f} to {rounds['95 %']:.0f})")
    if found["cooperative"]:
        print(f"  team wins     {Rate(**found['team wins'])}")
        return
    for name, value in found["societies"].items():
        print(f"  {name:<13} {Rate(**value)}")
    for number, value in enumerate(found["turn order"], start=1):
        print(f"  seat {number}        {Rate(**value)}")
    print(f"  shared wins   {Rate(**found['shared wins'])}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Balance of Amérique 1500 by self-play of greedy bots.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--version", choices=("quick", "full"), default="quick")
    parser.add_argument("--coop", action="store_true", help="the co-operative variant")
    parser.add_argument("--seats", type=int, choices=range(2, MAX_SEATS + 1), default=MAX_SEATS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--components", type=Path, default=BOX, help="another box")
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
