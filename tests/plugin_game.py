"""A tiny game as another package would bring it: players take one or two sticks, and the last stick wins."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOM = """
from pathlib import Path
from tablee.core.errors import IllegalMove
from tablee.core.game import Game
from tablee.core.kernel import Kernel
from tablee.core.i18n import msg
from sticks import kernel

def open_box(components):
    return Game(
        key="sticks", title="Sticks", author="nobody", rules=1, seats=range(2, 4), options=(), components=components,
        folder=Path(__file__).parent, kernel=Kernel(kernel, kernel.Box(), kernel.State), setup=setup,
        events=lambda before, seat, move, after: (), refuse=lambda state, seat, move: IllegalMove(msg("no"), "S1"),
        view=lambda seen: {"left": kernel.sticks_left(seen.state)}, show=str, read=int, text_board=lambda state: str(state.left),
        contents=dict,
    )

def setup(seats, options):
    state = kernel.State()
    state.seats, state.left = seats, 9
    return state
"""
KERNEL = """
from tablee.core.struct import Struct, field
from tablee.core.contract import BaseState
from tablee.core.rng import randbelow
from tablee.core.jit import jit

MOST_MOVES, SECRETS = 2, False
MOST = 2

class Box(Struct):
    nothing: int = field()

class State(BaseState):
    left: int = field()
    turn: int = field()

@jit
def sticks_left(state):
    return state.left

@jit
def to_act(box, state):
    return 1 << state.turn if sticks_left(state) else 0

@jit
def legal(box, state, seat, out):
    count = min(MOST, sticks_left(state))
    for place in range(count):
        out[place] = place + 1
    return count

@jit
def odds(box, state, out, weights):
    return 0

@jit
def apply(box, state, seat, move):
    state.left -= move
    state.turn = (state.turn + 1) % state.seats

@jit
def score(box, state, seat):
    return int(wins(box, state, seat))

@jit
def wins(box, state, seat):
    return state.left == 0 and (state.turn - 1) % state.seats == seat

@jit
def redact(box, state, seat):
    pass

@jit
def determinize(box, state, seat, rng):
    randbelow(rng, 2)

@jit
def value(box, state, scratch, seat, out):
    out[0], out[1] = 0, 9 - sticks_left(state)
"""
EVERY_RULE = "warmup.compile_all(games.find('sticks'))"
ONE_MOVE = "Match(games.find('sticks'), 2, {}, fairness.seed_for(1, 1)).play(0, 1)"  # calls some of the room's rules and none of the loops


def counting(use: str) -> str:
    """Return a program that runs `use` and prints, as JSON, the functions that Numba compiled for it."""
    return f"""
import json
from numba.core import event
from tablee import games
from tablee.bots import warmup
from tablee.core import fairness
from tablee.core.match import Match
compiled = []
class Listener(event.Listener):
    def on_start(self, happening): compiled.append(happening.data["dispatcher"].py_func.__name__)
    def on_end(self, happening): pass
event.register("numba:compile", Listener())
{use}
print(json.dumps(compiled))
"""


class PluginGame:
    """The game in `folder/sticks`, with processes that find it and store their machine code in `folder/cache`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.room, self.cache = folder / "sticks", folder / "cache"
        self.room.mkdir()
        (self.room / "__init__.py").write_text(ROOM)
        (self.room / "kernel.py").write_text(KERNEL)
        (self.room / "components.toml").write_text("")
        self.register("sticks", "sticks")

    def register(self, key: str, package: str) -> None:
        """Write the metadata of an installed package, whether its code exists or not."""
        metadata = self.folder / f"{key}-1.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {key}\nVersion: 1\n")
        (metadata / "entry_points.txt").write_text(f"[tablee.games]\n{key} = {package}\n")

    @property
    def environment(self) -> dict[str, str]:
        path = os.pathsep.join([str(self.folder), *(place for place in sys.path if place)])
        return os.environ | {"PYTHONPATH": path, "TABLEE_CACHE": str(self.cache), "TABLEE_PLAIN": "0"}

    def command(self, program: str) -> list[str]:
        return [sys.executable, "-c", program]

    def start(self, program: str) -> subprocess.Popen[str]:
        return subprocess.Popen(self.command(program), env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, program: str) -> str:
        return output_of(self.start(program))

    def compiled(self, use: str = EVERY_RULE) -> list[str]:
        """Return the functions that a fresh process has to compile."""
        found: list[str] = json.loads(self.run(counting(use)))
        return found

    def folders(self) -> list[Path]:
        return sorted((self.cache / "tablee").glob("sticks-*"))


def output_of(process: subprocess.Popen[Any]) -> str:
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    return str(output)
