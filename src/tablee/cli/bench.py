"""`tablee bench`: speed of the rules and of the server on this computer."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from typing import Any

from tablee import games
from tablee.cli import bench_rules, bench_server, bench_startup, server_packages
from tablee.cli.arguments import add_language_argument
from tablee.cli.warm import compile_first
from tablee.core.game import Game
from tablee.core.i18n import Translator

RULES_PROGRAM = f"from {bench_rules.__name__} import main; main()"
FULL_TABLE_SEATS = 4


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", help="one game (default: every game)")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    chosen = [games.find(args.game)] if args.game else games.open_all()
    for game in chosen:
        compile_first(game.key, translator)
    found: dict[str, Any] = {"machine": _machine(), "games": {}, "rooms": {}}
    with _progress(sum(1 + len(_tables(game)) for game in chosen) + 1) as bar:
        for game in chosen:
            found["games"][game.key] = [_speed_at(game, seats, bar) for seats in _tables(game)]
            found["rooms"][game.key] = bench_startup.measure(game)
            bar.update()
        bar.set_description("server")
        found["server"] = bench_server.measure(chosen[0]) if server_packages.installed() else None
        bar.update()
    print(json.dumps(found) if args.json else "\n".join(_report(found, translator)))
    return 0


def _tables(game: Game) -> list[int]:
    """Return the numbers of seats to measure: the smallest table and a full one."""
    return sorted({game.seats[0], min(FULL_TABLE_SEATS, game.seats[-1])})


def _progress(steps: int) -> Any:
    from tqdm import tqdm  # noqa: PLC0415  only long commands need it

    return tqdm(total=steps, disable=not sys.stderr.isatty())


def _machine() -> dict[str, Any]:
    return {"cores": os.cpu_count(), "python": platform.python_version(), "processor": platform.machine()}


def _speed_at(game: Game, seats: int, bar: Any) -> dict[str, Any]:
    bar.set_description(game.key)
    fast, slow = _measure_rules(game, seats, plain=False), _measure_rules(game, seats, plain=True)
    bar.update()
    gain = fast["games_per_second"] / slow["games_per_second"]
    return {**fast, "plain_games_per_second": slow["games_per_second"], "gain": round(gain, 1)}


def _measure_rules(game: Game, seats: int, plain: bool) -> dict[str, Any]:
    """Measure the rules in a process of their own, so that no measurement inherits the compiler of another."""
    command = [sys.executable, "-c", RULES_PROGRAM, game.key, str(seats)]
    completed = subprocess.run(command, env={**os.environ, "TABLEE_PLAIN": str(int(plain))}, stdout=subprocess.PIPE, check=True)  # noqa: S603
    figures: dict[str, Any] = json.loads(completed.stdout)
    return figures


def _report(found: dict[str, Any], translator: Translator) -> list[str]:
    rules = [line for key, tables in found["games"].items() for each in tables for line in _rules_lines(key, each, translator)]
    rooms = [_room_line(key, each, translator) for key, each in found["rooms"].items()]
    return [*rules, *rooms, *(_server_lines(found["server"], translator) if found["server"] else ())]


def _server_lines(server: dict[str, Any], translator: Translator) -> list[str]:
    return [
        translator("server ready after {first} s, started again {again} s", **server["ready_seconds"]),
        translator("idle server: {memory} MiB", memory=server["idle_memory_mib"]),
        translator(
            "a move is acknowledged in {median} ms (median), {p99} ms (99th percentile) at {per_second} moves a second",
            **{key: server["post_move_ms"][key] for key in ("median", "p99", "per_second")},
        ),
    ]


def _rules_lines(key: str, figures: dict[str, Any], translator: Translator) -> list[str]:
    rules = translator(
        "{game}, seats: {seats}. {games_per_second:,.0f} random games a second ({positions_per_second:,} positions), "
        "interpreted {plain_games_per_second:,.0f}: {gain} times slower; legal + apply from Python {move_microseconds} µs",
        game=key,
        **figures,
    )
    simulated = translator(
        "simulated: {random:,.0f} random games a second, {greedy:,.0f} greedy, {simulate_record:,.0f} with records; "
        "a state: {state_bytes} bytes, copied in {copy_nanoseconds} ns; a move taken back in {undone_microseconds} µs",
        **figures["simulate"],
        **{key: "-" if figure is None else figure for key, figure in figures.items()},
    )
    return [rules, f"    {simulated}"]


def _room_line(key: str, figures: dict[str, Any], translator: Translator) -> str:
    return translator(
        "{game}: compiled on a fresh computer in {cold_compile_seconds} s, started later in {warm_start_seconds} s; {python_lines} lines",
        game=key,
        **figures,
    )
