"""`tablee arena`: a tournament between bots, with ratings, results of each pair, and a picture of the ladder."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tablee.arena import Executor, ResultsFile, Tournament, standings
from tablee.arena.ladder import ladder
from tablee.cli.arguments import add_language_argument, add_table_arguments, bounded_int, check_writable, read_bots, table_arguments
from tablee.cli.executor_options import add_executor_arguments, open_executor
from tablee.cli.figures import columns, mean_within, progress, share_within
from tablee.core.files import write_text
from tablee.core.i18n import Translator, mark

HEADS = (mark("bot"), mark("rating"), mark("games"), mark("wins"), mark("share of the wins"), mark("mean score"))
LUCK_HEADS = (mark("without luck"), mark("times fewer games"))
PAIR_HEADS = (mark("pair"), mark("games"), mark("first ahead"), mark("difference of scores"))


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table_arguments(parser, "greedy,random", "every set of them that a table can seat plays")
    parser.add_argument("--games", metavar="N", type=bounded_int(1, 10_000_000), default=400, help="for each set of bots (default: 400)")
    parser.add_argument(
        "--seed", metavar="S", type=bounded_int(0, 10**18), default=1, help="the same seed gives the same games (default: 1)"
    )
    add_executor_arguments(parser)
    parser.add_argument("--resume", metavar="FILE", type=Path, help="keep what was played in FILE, and go on from there")
    parser.add_argument("--luck", action="store_true", help="also report shares of the wins with the luck of the draws taken out")
    parser.add_argument("--picture", metavar="FILE.svg", type=Path, help="draw the ladder")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    wanted = table_arguments(args)
    tournament = Tournament.of(wanted.game, wanted.seats, read_bots(args.bots), wanted.options, args.seed, args.games, args.luck)
    if args.picture:
        check_writable(args.picture)
    with open_executor(args) as executor:
        found = _play(tournament, args, executor)
    if args.picture:
        write_text(args.picture, ladder(found, wanted.game, translator))
    print(json.dumps(found) if args.json else _report(found, tournament, translator))
    return 0


def _play(tournament: Tournament, args: argparse.Namespace, executor: Executor) -> dict[str, Any]:
    results_file = ResultsFile(args.resume, tournament) if args.resume else None
    if results_file:
        results_file.create()
    played = dict(results_file.finished) if results_file else {}
    with progress(tournament.total, sum(map(len, played.values()))) as bar:
        for chunk, results in tournament.play(frozenset(played), executor):
            played[chunk] = results
            if results_file:
                results_file.append(chunk, results)
            bar.update(len(results))
    return standings(tournament, played)


def _report(found: dict[str, Any], tournament: Tournament, translator: Translator) -> str:
    best_first = sorted(found["bots"], key=lambda bot: -bot["rating"])
    heads = HEADS + LUCK_HEADS if tournament.luck else HEADS
    bots = [[translator(head) for head in heads], *map(_bot, best_first)]
    pairs = [[translator(head) for head in PAIR_HEADS], *map(_pair, found["pairs"])]
    return "\n".join([_headline(found, tournament, translator), *columns(bots), "", *columns(pairs)])


def _headline(found: dict[str, Any], tournament: Tournament, translator: Translator) -> str:
    return translator(
        "{game}, seats: {seats}, games of each set of bots: {games}, in all: {total}",
        game=found["game"],
        seats=found["seats"],
        games=found["games"],
        total=tournament.total,
    )


def _bot(bot: dict[str, Any]) -> list[str]:
    share = share_within(bot["share"], bot["low"], bot["high"])
    row = [bot["bot"], f"{bot['rating']:.0f}", str(bot["games"]), str(bot["wins"]), share, f"{bot['mean_score']:.1f}"]
    if "luck" in bot:
        adjusted = share_within(bot["adjusted_share"], bot["adjusted_low"], bot["adjusted_high"])
        row += [adjusted, f"{bot['fewer_games']:.1f}" if bot["fewer_games"] else "–"]
    return row


def _pair(pair: dict[str, Any]) -> list[str]:
    share = share_within(pair["share"], pair["low"], pair["high"])
    difference = mean_within(pair["mean_difference"], pair["difference_high"])
    return [f"{pair['first']} - {pair['second']}", str(pair["games"]), share, difference]
