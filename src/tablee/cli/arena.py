"""`tablee arena`: a tournament between bots, what it says of each and of each pair, and a picture of the ladder."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tablee.arena import Notebook, Place, Tournament, standings
from tablee.arena.ladder import ladder
from tablee.cli.arguments import ask_language, ask_table, check_place, read_bots, table, whole
from tablee.cli.executor_options import ask_place, place
from tablee.cli.figures import columns, mean_within, progress, share_within
from tablee.core.files import write_text
from tablee.core.i18n import Words, note

HELP = "let bots play a tournament and rate them"
HEADS = (note("bot"), note("rating"), note("games"), note("wins"), note("share of the wins"), note("mean score"))
PAIR_HEADS = (note("pair"), note("games"), note("first ahead"), note("difference of scores"))


def arguments(parser: argparse.ArgumentParser) -> None:
    ask_table(parser, "greedy,random", "every set of them that a table can seat plays")
    parser.add_argument("--games", metavar="N", type=whole(1, 10_000_000), default=400, help="for each set of bots (default: 400)")
    parser.add_argument("--seed", metavar="S", type=whole(0, 10**18), default=1, help="the same seed gives the same games (default: 1)")
    ask_place(parser)
    parser.add_argument("--resume", metavar="FILE", type=Path, help="keep what was played in FILE, and go on from there")
    parser.add_argument("--picture", metavar="FILE.svg", type=Path, help="draw the ladder")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    ask_language(parser)


def run(args: argparse.Namespace, words: Words) -> int:
    wanted = table(args)
    tournament = Tournament.of(wanted.game, wanted.seats, read_bots(args.bots), wanted.options, args.seed, args.games)
    if args.picture:
        check_place(args.picture)
    with place(args) as where:
        found = _play(tournament, args, where)
    if args.picture:
        write_text(args.picture, ladder(found, wanted.game, words))
    print(json.dumps(found) if args.json else _report(found, tournament, words))
    return 0


def _play(tournament: Tournament, args: argparse.Namespace, where: Place) -> dict[str, Any]:
    notebook = Notebook(args.resume, tournament) if args.resume else None
    if notebook:
        notebook.begin()
    played = dict(notebook.known) if notebook else {}
    with progress(tournament.total, sum(map(len, played.values()))) as bar:
        for handful, results in tournament.play(frozenset(played), where):
            played[handful] = results
            if notebook:
                notebook.add(handful, results)
            bar.update(len(results))
    return standings(tournament, played)


def _report(found: dict[str, Any], tournament: Tournament, words: Words) -> str:
    best_first = sorted(found["bots"], key=lambda bot: -bot["rating"])
    bots = [[words(head) for head in HEADS], *map(_bot, best_first)]
    pairs = [[words(head) for head in PAIR_HEADS], *map(_pair, found["pairs"])]
    return "\n".join([_headline(found, tournament, words), *columns(bots), "", *columns(pairs)])


def _headline(found: dict[str, Any], tournament: Tournament, words: Words) -> str:
    return words(
        "{game}, seats: {seats}, games of each set of bots: {games}, in all: {total}",
        game=found["game"],
        seats=found["seats"],
        games=found["games"],
        total=tournament.total,
    )


def _bot(bot: dict[str, Any]) -> list[str]:
    share = share_within(bot["share"], bot["low"], bot["high"])
    return [bot["bot"], f"{bot['rating']:.0f}", str(bot["games"]), str(bot["wins"]), share, f"{bot['mean_score']:.1f}"]


def _pair(pair: dict[str, Any]) -> list[str]:
    share = share_within(pair["share"], pair["low"], pair["high"])
    difference = mean_within(pair["mean_difference"], pair["difference_high"])
    return [f"{pair['first']} - {pair['second']}", str(pair["games"]), share, difference]
