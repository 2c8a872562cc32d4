"""Luck in games alone, which `tablee arena --luck` has not: python -m bench.luck rolling-village --bot greedy --games 200."""

from __future__ import annotations

import argparse

from tablee import bots, games
from tablee.arena.tally import interval_of_mean
from tablee.bots.luck import balances, unit
from tablee.core import fairness
from tablee.core.match import Match


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=games.known())
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    game, bot = games.find(options.game), bots.find(options.bot)
    matches = [bots.play_out(Match(game, 1, {}, fairness.seed_for(1, number)), [bot]) for number in range(options.games)]
    found = [balances(match)[0] for match in matches]
    low, high = interval_of_mean([each.result / unit(1) for each in found])
    least, most = interval_of_mean([each.skill / unit(1) for each in found])
    print(f"{options.games} games: {low:.2f} to {high:.2f} points, without luck {least:.2f} to {most:.2f}", end="")
    print(f": {((high - low) / (most - least)) ** 2:.1f} times fewer games")


if __name__ == "__main__":
    main()
