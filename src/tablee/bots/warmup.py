"""Warm-up: compile all rules of a room and cache the machine code on disk; the room is then warm.

Numba compiles a rule on first use, so one game compiles them all. It runs in a separate process, because the compiler holds a global lock.

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
except ImportError:  # Windows: without locks, each process compiles
    fcntl = None  # type: ignore[assignment]

MAX_PARALLEL = 2  # rooms compiled at the same time
RENDER_INTERVAL = 8  # lines of the log between two rendered views
ATTACHED = "--attached"
COMPILE_LOCK_FILE = "compiling"
NICE = 10  # players have priority
TERMINATION_CODES = (-signal.SIGTERM, -signal.SIGINT)  # as the system stops a service with all its processes


class WarmupTerminated(TableeError):
    """Termination of a warm-up process from outside; the room itself is fine."""


def is_warm(key: str) -> bool:
    games.folder(key)  # raises if there is no such room
    return PYTHON_ONLY or cache.is_warm(games.package(key))


def warm(key: str) -> None:
    """Compile a room in this process, unless it is warm."""
    if not is_warm(key):
        compile_all(games.find(key))
        cache.set_warm(games.package(key))


def warm_once(key: str) -> None:
    """Compile a room in one of many worker processes, while the others wait for it.

    A room that cannot be compiled reports that when it is played; without a cache, each worker compiles what it uses.
    """
    if is_warm(key):
        return
    if folder := cache.folder_of(games.package(key)):
        with _compile_lock(folder), suppress(NotCompiled):
            warm(key)


@contextmanager
def _compile_lock(folder: Path) -> Iterator[None]:
    """Hold the exclusive lock of the process that compiles into this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / COMPILE_LOCK_FILE).open("w") as lock_file:
        if fcntl is not None:
            fcntl.flock(lock_file, fcntl.LOCK_EX)
        yield


@contextmanager
def python_until_warm(key: str) -> Iterator[None]:
    """Run a room that is not warm as Python inside the `with` block."""
    with nullcontext() if is_warm(key) else using_python(games.package(key)):
        yield


def compile_all(game: Game) -> None:
    """Compile the rules and loops for all callers: the kernel's, and by one game those of the views and the bots."""
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
    """Start a process that warms this room; it ends with this process, even if this one is killed."""
    command = [sys.executable, "-m", module, key, ATTACHED]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603


def wait_for(process: subprocess.Popen[str]) -> None:
    """Wait for a warm-up process; raise the error that it reports."""
    assert process.stderr is not None
    with process:
        output = process.stderr.read().strip()
    if process.returncode in TERMINATION_CODES:
        raise WarmupTerminated(msg("the rules are not compiled: somebody ended that"))
    if process.returncode:
        raise TableeError(msg("the rules could not be compiled: {reason}", reason=output.rpartition("\n")[2] or process.returncode))


def exit_with_parent() -> None:
    """Exit when the parent's end of the stdin pipe closes."""
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
