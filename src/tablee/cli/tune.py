"""`tablee tune`: the search settings of a game, found by tournaments."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from tablee import bots, games
from tablee.arena.tuning import CONSTANTS, Tuning
from tablee.cli.arguments import add_game_argument, bounded_int
from tablee.cli.figures import progress
from tablee.core.errors import TableeError
from tablee.core.game import choose_options
from tablee.core.i18n import Translator, msg

EVEN = 0.5  # the share of two equal bots


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game_argument(parser)
    parser.add_argument("--seats", metavar="N", type=bounded_int(2, 12), default=2, help="players (default: 2)")
    parser.add_argument("--games", metavar="N", type=bounded_int(2, 100_000), default=40, help="for each pair of settings (default: 40)")
    parser.add_argument("--nodes", metavar="N", type=bounded_int(1, 10**9), default=bots.MEDIUM.nodes, help="budget (default: medium's)")
    parser.add_argument("--seed", metavar="S", type=bounded_int(0, 10**18), default=1, help="of the games (default: 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def run(args: argparse.Namespace, translator: Translator) -> int:
    game = games.find(args.game)
    if args.seats not in game.seats:
        raise TableeError(msg("an arena needs two different bots and two seats at least"))
    tuning = Tuning(game, args.seats, choose_options(game, args.seats, {}), args.games, args.nodes, args.seed)
    shares, best = dict[str, dict[int, float]](), tuning.start()
    with progress(len(CONSTANTS), 0) as bar:
        for name, found, settings in tuning.rounds():
            shares[name], best = found, settings
            bar.update(1)
            if not args.json:
                print(f"{name:<16}", "  ".join(f"{value}: {share:.0%}" for value, share in found.items()), flush=True)
    greedy, present = tuning.against_greedy(best), tuning.against_present(best)
    if args.json:
        figures = {"settings": best, "shares": shares, "against_greedy": greedy, "against_present": present}
        print(json.dumps({"game": game.key, "seats": args.seats, **figures}))
        return 0
    print(*(f"{name} = {value}" for name, value in best.items()), sep="\n")
    print(translator("ahead of greedy: {percent} % ({low} to {high}), games: {games}", **_told(greedy)))
    if present:
        print(translator("ahead of the settings that the game has: {percent} % ({low} to {high}), games: {games}", **_told(present)))
    if not present or present["low"] <= EVEN:
        print(translator("no better than the settings that the game has, as far as these games tell: leave them"))
    return 0


def _told(pair: Mapping[str, Any]) -> dict[str, int]:
    percent, low, high = (round(100 * pair[each]) for each in ("share", "low", "high"))
    return {"percent": percent, "games": pair["games"], "low": low, "high": high}
