"""Speed of one game's rules in this process.

`main` prints the figures as JSON for `tablee bench`: compiled or, with TABLEE_PLAIN=1, interpreted.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tablee import bots, games
from tablee.arena import Plan, play_all
from tablee.core import fairness
from tablee.core.game import Game, Move, Seat, choose_options
from tablee.core.jit import PYTHON_ONLY, copy, jit
from tablee.core.match import Match
from tablee.core.struct import StructArray

MIN_SECONDS = 0.6  # seconds of work behind each figure
COPIES = 8  # states that are copied round a ring
SEED = 1


def measure(game: Game, seats: int) -> dict[str, Any]:
    """Return the speed of the kernel's own loop and of calls from Python; compiled, also that of `simulate`."""
    games_per_second, lines_per_second = _playouts(game, seats)
    moves = _one_game_through_python(game, seats)
    found = {
        "seats": seats,
        "games_per_second": round(games_per_second, 1),
        "positions_per_second": round(lines_per_second),
        "move_microseconds": round(1e6 * _seconds_per_call(moves), 2),
    }
    if PYTHON_ONLY:
        return found
    return found | {
        "simulate": {level: round(_simulate_speed(game, seats, level), 1) for level in bots.KERNEL_LEVELS},
        "simulate_record": round(_simulate_speed(game, seats, "random", recording=True), 1),
        "state_bytes": game.kernel.state.layout.itemsize,
        "copy_nanoseconds": round(1e9 * _seconds_per_copy(game), 1),
        "undone_microseconds": _undo_microseconds(game),
    }


def _playouts(game: Game, seats: int) -> tuple[float, float]:
    """Return games and lines per second of whole random games inside the kernel."""
    start = game.setup(seats, choose_options(game, seats, {}))
    game.kernel.playouts(start, [bots.RANDOM.number] * seats, 1)
    played, lines, seconds = 1, 0, 0.0
    while seconds < MIN_SECONDS:
        played *= 2
        began = time.perf_counter()
        lines = game.kernel.playouts(start, [bots.RANDOM.number] * seats, played)
        seconds = time.perf_counter() - began
    return played / seconds, lines / seconds


def _simulate_speed(game: Game, seats: int, level: str, recording: bool = False) -> float:
    """Return games per second of `tablee simulate` with one job."""
    plan = Plan.of(game, seats, (level,) * seats, choose_options(game, seats, {}), SEED)
    played, seconds = 16, 0.0
    next(play_all(plan, 1))
    while seconds < MIN_SECONDS:
        with tempfile.TemporaryDirectory(prefix="tablee-bench-") as folder:
            began = time.perf_counter()
            for _ in play_all(plan, played, folder=Path(folder) if recording else None):
                pass
            seconds = time.perf_counter() - began
        speed, played = played / seconds, played * 2
    return speed


def _seconds_per_copy(game: Game) -> float:
    workspace, count, seconds = StructArray(game.kernel.state, COPIES), 500, 0.0
    copy_repeatedly(workspace, 1)
    while seconds < MIN_SECONDS / 4:
        count *= 2
        began = time.perf_counter()
        copy_repeatedly(workspace, count)
        seconds = time.perf_counter() - began
    return seconds / count


@jit
def copy_repeatedly(workspace: StructArray[Any], count: int) -> None:
    """Copy states round a ring, so that the compiler omits no copy."""
    for step in range(count):
        copy(workspace[step % COPIES], workspace[(step + 1) % COPIES])


def _one_game_through_python(game: Game, seats: int) -> list[Callable[[], Any]]:
    """Return a call of `legal` and `apply` for every decision of a random game."""
    match = Match(game, seats, {}, fairness.seed_for(3, 3))
    return [partial(_legal_and_apply, game, match.state, seat, move) for seat, move in bots.decisions(match, [bots.RANDOM] * seats)]


def _legal_and_apply(game: Game, state: Any, seat: Seat, move: Move) -> None:
    game.legal(state, seat)
    game.apply(state, seat, move)


def _undo_microseconds(game: Game) -> float | None:
    """Return the time to undo the last line that can be undone, at a full table; None if no line can be undone."""
    match = bots.play_out(Match(game, game.seats[-1], {}, fairness.seed_for(3, 3)), [bots.RANDOM] * game.seats[-1])
    for lines in range(len(match.log) - 1, 0, -1):
        earlier, seat = match.at(lines), match.log[lines - 1].seat
        if earlier.can_undo(seat):
            return round(1e6 * _seconds_per_call([partial(earlier.undone, seat)]), 1)
    return None


def _seconds_per_call(calls: list[Callable[[], Any]]) -> float:
    rounds, began = 0, time.perf_counter()
    while time.perf_counter() - began < MIN_SECONDS:
        for call in calls:
            call()
        rounds += 1
    return (time.perf_counter() - began) / (rounds * len(calls))


def main() -> None:
    sys.stdout.write(json.dumps(measure(games.find(sys.argv[1]), int(sys.argv[2]))))
