"""Warm-up: compile all rules of a room and cache the machine code on disk; the room is then warm.

Numba compiles a rule on first use, so one game compiles them all. It runs in a separate process, because the compiler holds a global lock.

    python -m tablee.bots.warmup mayflower
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress

from tablee import bots, games
from tablee.bots.search import Search, compare_with_best
from tablee.core import cache, fairness, jit
from tablee.core.batch import Batch
from tablee.core.errors import TableeError
from tablee.core.game import Game, S, Seat
from tablee.core.i18n import msg
from tablee.core.jit import NotCompiled
from tablee.core.match import Match

MAX_PARALLEL = 2  # rooms compiled at the same time
RENDER_INTERVAL = 8  # lines of the log between two rendered views
ATTACHED = "--attached"
NICE = 10  # players have priority


def is_warm(key: str) -> bool:
    games.folder(key)  # raises if there is no such room
    return jit.PYTHON_ONLY or cache.is_warm(games.package(key))


def warm(key: str) -> None:
    """Compile a room in this process, unless it is warm; raise NotCompiled if it cannot be compiled."""
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
        with cache.exclusive(folder), suppress(NotCompiled):
            warm(key)


@contextmanager
def python_until_warm(key: str) -> Iterator[None]:
    """Run a room that is not warm as Python inside the `with` block."""
    with nullcontext() if is_warm(key) else jit.using_python(games.package(key)):
        yield


def compile_all(game: Game[S]) -> None:
    """Compile the rules and loops for all callers, by what they do: a match with its views, a search, a batch and playouts."""
    seats, seed = game.seats[min(1, len(game.seats) - 1)], fairness.seed_for(0, 0)
    match, search = Match(game, seats, {}, seed), Search(nodes=1, candidates=2, rollout_lines=1)
    match.play_nature()
    seen, rng = game.observe(match.state, match.to_act[0]), fairness.bot_rng(seed, 0, 0)
    compare_with_best(game, seen, [], rng, search)  # compares whole turns, while a bot needs no rollout if all begin with the same move
    game.determinize(seen, rng)
    game.value(match.state, match.to_act[0])
    while match.to_act:
        seat = match.to_act[0]
        if len(match.log) % RENDER_INTERVAL == 0:
            _render_view(match, seat)
        match.play(seat, bots.choose(match, seat, (bots.GREEDY, bots.RANDOM)[seat % 2]))
        match.play_nature()
    _render_view(match, None)
    game.outcome(match.state)
    start, levels = game.setup(seats, match.options), [bots.RANDOM.number] * seats
    batch = Batch(game, start, [seed])
    batch.play(levels)
    batch.results()
    game.kernel.playouts(start, levels, 1)
    jit.check_compiled(game.kernel.package)


def _render_view(match: Match[S], seat: Seat | None) -> None:
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
