"""Latency of acknowledgements while bots search: a real server, first idle, then with eight tables of hard bots.

python -m bench.move_latency [GAME]
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import threading
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

from tablee import games
from tablee.cli.bench_server import _call, _seat_to_act, _summary, _timed_move, acknowledgements, server
from tablee.core.errors import TableeError

TABLES, BOTS = 8, 3
MEASURED_GAME = "rolling-village"  # the game of the measured moves


def keep_bots_busy(address: tuple[str, int], game: str, stop: threading.Event) -> None:
    """Play random moves for the one human at every table, so that a bot always searches."""
    seats = [{"kind": "human"}, *[{"kind": "bot", "level": "hard"}] * BOTS]
    with closing(HTTPConnection(*address, timeout=60)) as connection:
        tables = [_call(connection, "POST", "/api/tables", {"game": game, "seats": seats}) for _ in range(TABLES)]
        rng = random.Random(2)
        while not stop.wait(0.2):
            for table in tables:
                try:
                    seat = _seat_to_act(connection, table)
                    if seat and seat["token"]:
                        _timed_move(connection, table, seat, rng)
                except TableeError:  # a bot moved between the two requests
                    continue


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="mayflower", help="what the bots play")
    chosen, stop = parser.parse_args(), threading.Event()
    os.environ["TABLEE_BOT_PACE"] = "0"
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as running:
        with closing(HTTPConnection(*running.address, timeout=60)) as connection:
            print("quiet   ", _summary(acknowledgements(connection, games.find(MEASURED_GAME))), flush=True)
            thinking = threading.Thread(target=keep_bots_busy, args=(running.address, chosen.game, stop))
            thinking.start()
            print("thinking", _summary(acknowledgements(connection, games.find(MEASURED_GAME))), flush=True)
        stop.set()
        thinking.join()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
