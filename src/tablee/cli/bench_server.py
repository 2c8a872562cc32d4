"""Speed of a real server process: its start, its memory, and the time to acknowledge a move over HTTP."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median
from typing import Any

from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.i18n import msg

START_TIMEOUT_S = 120.0  # for a first start, which may have to compile
MOVES, PER_SECOND, WARMUP_MOVES = 300, 50, 20


@dataclass(frozen=True)
class RunningServer:
    address: tuple[str, int]
    process: subprocess.Popen[bytes]
    ready_seconds: float


def measure(game: Game) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="tablee-bench-") as folder:
        with server(Path(folder)) as first:
            first_seconds = first.ready_seconds
        with server(Path(folder)) as again, closing(HTTPConnection(*again.address, timeout=30)) as connection:
            memory = idle_memory(again.process.pid)
            waits = acknowledgements(connection, game)
    return {
        "ready_seconds": {"first": round(first_seconds, 2), "again": round(again.ready_seconds, 2)},
        "idle_memory_mib": memory,
        "post_move_ms": _summary(waits),
    }


def _summary(waits: list[float]) -> dict[str, Any]:
    ordered = sorted(1000 * wait for wait in waits)
    return {
        "moves": len(ordered),
        "per_second": PER_SECOND,
        "median": round(median(ordered), 2),
        "p99": round(ordered[len(ordered) * 99 // 100], 2),
    }


@contextmanager
def server(folder: Path) -> Iterator[RunningServer]:
    """Run `tablee serve` on a free port of this computer until the block ends."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "tablee", "serve", "--no-open", "--host", "127.0.0.1", "--port", "0", "--data", str(folder / "data")]
    log = folder / "log"
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT) as process:  # noqa: S603
        try:
            address = _wait_until_ready(process, log, began + START_TIMEOUT_S)
            yield RunningServer(address, process, time.perf_counter() - began)
        finally:
            process.terminate()
            process.wait(START_TIMEOUT_S)


def _wait_until_ready(process: subprocess.Popen[bytes], log: Path, deadline: float) -> tuple[str, int]:
    while time.perf_counter() < deadline and process.poll() is None:
        found = re.search(r"http://([\w.]+):(\d+)", log.read_text(errors="replace"))
        if found and _answers((found[1], int(found[2]))):
            return found[1], int(found[2])
        time.sleep(0.005)
    last = log.read_text(errors="replace").strip().rpartition("\n")[2]
    raise TableeError(msg("the server did not start: {reason}", reason=last or "-"))


def _answers(address: tuple[str, int]) -> bool:
    try:
        with closing(HTTPConnection(*address, timeout=10)) as connection:
            return bool(_call(connection, "GET", "/api/games"))
    except (OSError, HTTPException):
        return False


def idle_memory(pid: int) -> float | None:
    """Return the resident memory in MiB once it is stable; None where the system does not report it."""
    status = Path(f"/proc/{pid}/status")
    before, now = -1, 0
    for _ in range(20):
        if not status.exists():
            return None
        before, now = now, int(re.findall(r"VmRSS:\s+(\d+)", status.read_text())[0])
        if before == now:
            break
        time.sleep(1)
    return round(now / 1024, 1)


def acknowledgements(connection: HTTPConnection, game: Game) -> list[float]:
    """Return the seconds from sending a move to its answer, at a steady pace; the first few only warm the server up."""
    rng, table, waits = random.Random(1), _new_table(connection, game), []
    began = time.perf_counter()
    for number in range(WARMUP_MOVES + MOVES):
        seat = _seat_to_act(connection, table)
        if seat is None:
            table = _new_table(connection, game)
            seat = _seat_to_act(connection, table)
        assert seat is not None
        time.sleep(max(0.0, began + number / PER_SECOND - time.perf_counter()))
        waits.append(_timed_move(connection, table, seat, rng))
    return waits[WARMUP_MOVES:]


def _new_table(connection: HTTPConnection, game: Game) -> dict[str, Any]:
    made: dict[str, Any] = _call(connection, "POST", "/api/tables", {"game": game.key, "seats": [{"kind": "human"}] * game.seats[0]})
    return made


def _seat_to_act(connection: HTTPConnection, table: dict[str, Any]) -> dict[str, Any] | None:
    """Return the table as the first seat to act sees it, with that seat's token; None if the game is over."""
    to_act = _call(connection, "GET", f"/api/tables/{table['table']}")["to_act"]
    if not to_act:
        return None
    token = table["seats"][to_act[0]]["token"]
    return {**_call(connection, "GET", f"/api/tables/{table['table']}", token=token), "token": token}


def _timed_move(connection: HTTPConnection, table: dict[str, Any], seat: dict[str, Any], rng: random.Random) -> float:
    move = {"move": rng.choice(seat["legal"]), "at": seat["version"], "id": f"{rng.getrandbits(64):x}"}
    began = time.perf_counter()
    _call(connection, "POST", f"/api/tables/{table['table']}/moves", move, seat["token"])
    return time.perf_counter() - began


def _call(connection: HTTPConnection, method: str, path: str, body: Any = None, token: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    connection.request(method, path, json.dumps(body) if body else None, headers | {"Content-Type": "application/json"})
    answer = connection.getresponse()
    found = answer.read()
    if answer.status >= 300:
        raise TableeError(msg("the server answered {status}: {reason}", status=answer.status, reason=found[:200].decode(errors="replace")))
    return json.loads(found)
