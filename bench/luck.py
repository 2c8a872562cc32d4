"""How many times fewer games give the same interval with luck taken out: python -m bench.luck mayflower --games 200."""

from __future__ import annotations

import argparse

from tablee import bots, games
from tablee.arena.luck import balances, reduction
from tablee.core import fairness
from tablee.core.match import Match


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=games.known())
    parser.add_argument("--bots", default="greedy,greedy", help="one for each seat; the first is measured")
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    game, seated, found = games.find(options.game), [bots.find(name) for name in options.bots.split(",")], []
    for number in range(options.games):
        order = seated[number % len(seated) :] + seated[: number % len(seated)]
        match = bots.play_out(Match(game, len(seated), {}, fairness.seed_for(1, number // len(seated))), order)
        found.append(balances(match)[-number % len(seated)])
    measured = reduction(found, len(seated))
    print(f"{options.games} games: {measured.mean:.3f} ± {measured.half:.3f}, without luck {measured.adjusted:.3f}", end=" ")
    print(f"± {measured.adjusted_half:.3f}: {measured.fewer_games:.2f} times fewer games")


if __name__ == "__main__":
    main()
