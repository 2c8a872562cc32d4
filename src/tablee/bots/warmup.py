"""A room is warm when all of its machine code is on disk. Compiling happens when a rule is first used, and one game uses them all; it is
done by a process of its own, for the compiler holds a lock that would stop everything else in this one.

    python -m tablee.bots.warmup mayflower
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from tablee import bots, games
from tablee.core import cache, fairness
from tablee.core.errors import TableeError
from tablee.core.game import Game, Seat
from tablee.core.i18n import msg
from tablee.core.jit import PYTHON_ONLY, NotCompiled, using_python
from tablee.core.match import Match

try:
    import fcntl
except ImportError:  # Windows: there, each compiles
    fcntl = None  # type: ignore[assignment]

MAX_PARALLEL = 2  # rooms that are compiled at the same time
RENDER_INTERVAL = 8  # lines of the log between two looks at the table
ATTACHED = "--attached"
COMPILE_LOCK_FILE = "compiling"  # a mark in the folder: somebody does
NICE = 10  # whoever plays comes first
TERMINATION_CODES = (-signal.SIGTERM, -signal.SIGINT)  # as a system ends all processes of what it stops


class WarmupTerminated(TableeError):
    """Nothing is wrong with the room."""


def is_warm(key: str) -> bool:
    games.folder(key)  # a room that is not there says so
    return PYTHON_ONLY or cache.is_warm(games.package(key))


def warm(key: str) -> None:
    """Compiles a room in this process, unless that was done before."""
    if not is_warm(key):
        compile_all(games.find(key))
        cache.set_warm(games.package(key))


def warm_once(key: str) -> None:
    """For a worker among many: one process of a machine compiles and the others wait for it. A room that cannot be compiled says so when it
    is played; where nothing is kept, each compiles what it uses."""
    if is_warm(key):
        return
    if folder := cache.folder_of(games.package(key)):
        with _compile_lock(folder), suppress(NotCompiled):
            warm(key)


@contextmanager
def _compile_lock(folder: Path) -> Iterator[None]:
    """The only process that compiles into this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / COMPILE_LOCK_FILE).open("w") as mark:
        if fcntl is not None:
            fcntl.flock(mark, fcntl.LOCK_EX)
        yield


@contextmanager
def python_until_warm(key: str) -> Iterator[None]:
    """Meanwhile a room that is not warm plays as Python."""
    with nullcontext() if is_warm(key) else using_python(games.package(key)):
        yield


def compile_all(game: Game) -> None:
    """The rules as the table, the bots and the loops call them."""
    game.kernel.compile()
    seats = game.seats[min(1, len(game.seats) - 1)]
    match = Match(game, seats, {}, fairness.seed_for(0, 0))
    match.play_nature()
    while match.to_act:
        seat = match.to_act[0]
        if len(match.log) % RENDER_INTERVAL == 0:
            _render_view(match, seat)
        match.play(seat, bots.choose(match, seat, (bots.GREEDY, bots.RANDOM)[seat % 2]))
        match.play_nature()
    _render_view(match, None)


def _render_view(match: Match, seat: Seat | None) -> None:
    seen = match.game.observe(match.state, seat)
    match.game.view(seen)
    match.game.text_board(seen.state)


def start(key: str, module: str = __name__) -> subprocess.Popen[str]:
    """A process that warms this room, and ends when this one does, however that may be."""
    command = [sys.executable, "-m", module, key, ATTACHED]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603


def wait_for(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    with process:
        said = process.stderr.read().strip()
    if process.returncode in TERMINATION_CODES:
        raise WarmupTerminated(msg("the rules are not compiled: somebody ended that"))
    if process.returncode:
        raise TableeError(msg("the rules could not be compiled: {reason}", reason=said.rpartition("\n")[2] or process.returncode))


def exit_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


def main(key: str, *attached: str) -> None:
    if attached:
        threading.Thread(target=exit_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICE)
    try:
        if cache.folder_of(games.package(key)):
            warm(key)
    except (TableeError, NotCompiled) as error:
        sys.exit(str(error))
    if not is_warm(key):
        sys.exit("there is nowhere to keep the machine code; TABLEE_CACHE names a folder that can be written to")


if __name__ == "__main__":
    main(*sys.argv[1:])
