"""`tablee simulate`: many games between bots, their figures and, on request, their records."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tablee.arena import Executor, Plan, Results, play_all, tally
from tablee.arena.plan_runner import record_number
from tablee.cli.arguments import TableArguments, add_language_argument, add_table_arguments, bounded_int, make_folder, table_arguments
from tablee.cli.executor_options import add_executor_arguments, open_executor
from tablee.cli.figures import columns, mean_within, percent, progress, share_within
from tablee.cli.warm import compile_first, print_status
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator, mark, msg

DEVICES = ("cpu", "cuda")
HEADS = (mark("seat"), mark("bot"), mark("wins"), mark("share of the wins"), mark("mean score"))


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table_arguments(parser)
    parser.add_argument("--games", metavar="N", type=bounded_int(1, 10_000_000), default=1000, help="how many (default: 1000)")
    parser.add_argument(
        "--seed", metavar="S", type=bounded_int(0, 10**18), default=1, help="the same seed gives the same games (default: 1)"
    )
    add_executor_arguments(parser)
    parser.add_argument("--device", choices=DEVICES, default=DEVICES[0], help="where the games are played (default: cpu)")
    parser.add_argument("--record", metavar="DIR", type=Path, help="write each game's record into this folder; run again, it goes on")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    try:
        return _run(args, translator)
    except KeyboardInterrupt:
        if args.record:
            print_status(
                translator(
                    "interrupted; the records so far stay in {folder}, and the same command again completes them", folder=str(args.record)
                )
            )
        else:
            print_status(translator("interrupted; nothing was kept (--record keeps the games)"))
        raise


def _run(args: argparse.Namespace, translator: Translator) -> int:
    wanted = table_arguments(args)
    plan = Plan.of(wanted.game, wanted.seats, wanted.bots, wanted.options, args.seed)
    if args.device == "cuda":
        _check_gpu(args)
    with open_executor(args) as executor:
        played = _on_gpu(plan, args) if args.device == "cuda" else _on_cpu(plan, args, executor, translator)
        began = time.perf_counter()
        results = Results.join(_with_progress(played, args.games))
        seconds = time.perf_counter() - began
    found = _settings(wanted, args, executor.jobs) | tally(results)
    found |= {"seconds": round(seconds, 3), "games_per_second": round(args.games / seconds, 1)}
    print(json.dumps(found) if args.json else _report(found, translator))
    return 0


def _on_cpu(plan: Plan, args: argparse.Namespace, executor: Executor, translator: Translator) -> Iterator[Results]:
    if args.record:
        make_folder(args.record, "--record", lambda name: record_number(name) in range(1, args.games + 1))
    compile_first(plan.game, translator)
    return play_all(plan, args.games, executor, args.record)


def _check_gpu(args: argparse.Namespace) -> None:
    from tablee import cuda  # noqa: PLC0415  needs a GPU

    if args.record or args.cluster or (args.jobs or 1) > 1:
        raise TableeError(msg("on a GPU there are no records, no jobs and no cluster"))
    cuda.check_device()


def _on_gpu(plan: Plan, args: argparse.Namespace) -> Iterator[Results]:
    from tablee.cuda.games import play_all as play_all_on_gpu  # noqa: PLC0415

    return play_all_on_gpu(plan, args.games)


def _with_progress(results: Iterator[Results], count: int) -> Iterator[Results]:
    with progress(count) as bar:
        for chunk in results:
            bar.update(len(chunk))
            yield chunk


def _settings(wanted: TableArguments, args: argparse.Namespace, jobs: int) -> dict[str, Any]:
    return {
        "game": wanted.game.key,
        "rules": wanted.game.rules,
        "components": wanted.game.components.sha256,
        "seats": wanted.seats,
        "bots": list(wanted.bots),
        "options": dict(wanted.options),
        "games": args.games,
        "seed": args.seed,
        "jobs": jobs,
    }


def _report(found: dict[str, Any], translator: Translator) -> str:
    rows = [[translator(head) for head in HEADS]]
    for seat, bot in enumerate(found["bots"]):
        rows.append([str(seat), bot, str(found["wins"][seat]), _share(found, seat), _score(found, seat)])
    return "\n".join([_headline(found, translator), *_won_together(found, translator), *columns(rows)])


def _headline(found: dict[str, Any], translator: Translator) -> str:
    return translator(
        "{game}: {count} game in {seconds} s, {speed} a second; log lines per game: {lines}",
        "{game}: {count} games in {seconds} s, {speed} a second; log lines per game: {lines}",
        game=found["game"],
        count=found["games"],
        seconds=f"{found['seconds']:.1f}",
        speed=f"{found['games_per_second']:.0f}",
        lines=f"{found['lengths']['mean']:.0f}",
    )


def _won_together(found: dict[str, Any], translator: Translator) -> list[str]:
    together = found["won_together"]
    if together is None:
        return []
    low, high = together["interval"]
    return [translator("won together: {share} ({low} to {high})", share=percent(together["share"]), low=percent(low), high=percent(high))]


def _share(found: dict[str, Any], seat: int) -> str:
    return share_within(found["shares"][seat], *found["share_intervals"][seat])


def _score(found: dict[str, Any], seat: int) -> str:
    return mean_within(found["mean_scores"][seat], found["score_intervals"][seat][1])
