"""Load test of the server: simulated browsers at tables in the middle of real games, against a separate server process.

All share this machine's cores, so the figures serve to compare two versions on one machine.

python -m bench.load [rates|hostile|restart|memory|drawing ...] [--game K ...] [--tables 100] [--screens 10] [--rates 5,10,20,50,100,200]
                     [--seconds 6] [--languages fr:6,en:3,it:1] [--pages] [--failures 2] [--processes 2]

rates     for each rate of moves the latency from confirm to acknowledgement and to every screen, CPU and memory; with --processes for
          several processes over a PostgreSQL on the same cores
hostile   the latency for others while one client attacks
restart   the time until all screens are back after the server is killed with --restarted 500 Mayflower tables in play
memory    of a table, of a screen, and after all clients left
drawing   milliseconds to render one screen at the start, in the middle and at the end of a game
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import resource
import signal
import sys
from contextlib import nullcontext
from datetime import UTC, datetime

from bench.load import memory, rendering
from bench.load.hostile import longest_waits
from bench.load.positions import ROOMS, LoadProfile
from bench.load.rates import LoadSettings, ramp_up, table_of
from bench.load.restart import restarted
from bench.load.server import database, load_average

ATTACKED, RESTARTED = "rolling-village", "mayflower"
MEMORY = (50, 4)  # tables and screens at each


def languages(text: str) -> list[str]:
    """Parse `fr:2,en:1` (two of three screens in French) into a list to choose from."""
    shares = [each.partition(":") for each in text.split(",")]
    return [language for language, _, share in shares for _ in range(int(share or 1))]


def rates(text: str) -> list[float]:
    return [float(each) for each in text.split(",")]


async def measure_rates(given: argparse.Namespace, rooms: list[LoadProfile]) -> None:
    wanted = LoadSettings(given.tables, given.screens, given.rates, given.seconds, given.languages, given.failures, given.pages)
    found = []
    for room in rooms:
        with database() if given.processes > 1 else nullcontext("") as address:
            found.append(await ramp_up(room, wanted, address, given.processes))
    print(f"\n{table_of(found)}")


async def measure_hostile(given: argparse.Namespace, rooms: list[LoadProfile]) -> None:
    for room in rooms if given.game else [ROOMS[ATTACKED]]:
        await longest_waits(room)


async def measure_restart(given: argparse.Namespace, rooms: list[LoadProfile]) -> None:
    for room in rooms if given.game else [ROOMS[RESTARTED]]:
        await restarted(room, given.restarted)


async def measure_memory(given: argparse.Namespace, rooms: list[LoadProfile]) -> None:
    print(f"\n## Memory\n\n{memory.HEAD}")
    for room in rooms:
        print(await memory.taken(room, *MEMORY, given.idle), flush=True)


async def measure_rendering(given: argparse.Namespace, rooms: list[LoadProfile]) -> None:
    print(f"\n## One screen's drawing (medians; load {load_average()})\n\n{rendering.HEAD}")
    for room in rooms:
        print("\n".join(await rendering.render_costs(room)), flush=True)


MEASURES = {
    "rates": measure_rates,
    "hostile": measure_hostile,
    "restart": measure_restart,
    "memory": measure_memory,
    "drawing": measure_rendering,
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="A load test of the server.")
    parser.add_argument("what", nargs="*", help=f"{', '.join(MEASURES)}; rates, if nothing is said")
    parser.add_argument("--game", action="append", choices=list(ROOMS), help="one room or several; else each")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--screens", type=int, default=10, help="at each table, at least one for each seat")
    parser.add_argument("--rates", type=rates, default=rates("1,2,5,10,20,50,100,200"), help="moves a second over all tables")
    parser.add_argument("--seconds", type=float, default=6.0, help="how long each rate lasts")
    parser.add_argument("--languages", type=languages, default=["fr"], help="of the screens, with their shares: fr:6,en:3,it:1")
    parser.add_argument("--failures", type=int, default=2, help="rates that may fail one after the other before the climb ends")
    parser.add_argument("--pages", action="store_true", help="each screen loads its page before its socket, as a browser does")
    parser.add_argument("--processes", type=int, default=1, help="that serve: one over SQLite, more over PostgreSQL")
    parser.add_argument("--restarted", type=int, default=500, help="tables in play when the server is killed")
    parser.add_argument("--idle", type=float, default=10.0, help="seconds after which memory is measured again")
    given = parser.parse_args()
    if unknown := set(given.what) - set(MEASURES):
        parser.error(f"cannot measure {', '.join(sorted(unknown))}; there are: {', '.join(MEASURES)}")
    return given


def main() -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # unwinds, which stops the server
    given = arguments()
    rooms = [ROOMS[key] for key in given.game or ROOMS]
    print(f"# {datetime.now(UTC):%F %R} UTC, Python {platform.python_version()}, load {load_average()}", flush=True)
    for what in given.what or ["rates"]:
        asyncio.run(MEASURES[what](given, rooms))


if __name__ == "__main__":
    main()
