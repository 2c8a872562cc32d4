"""Rules have one source: compiled and interpreted they give the same bytes, moves and games."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tablee import games
from tablee.core import jit
from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.core.jit import popcount
from tests.plugin_game import PluginGame


def test_what_a_library_has_to_say_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    jit.fall_back_to_python(jit.Room("nowhere"), "no compiler")
    games._log_skipped(TableeError(msg("no such package")))
    logged = [(each.name, each.message) for each in caplog.records]
    assert logged == [("tablee.core.jit", "nowhere plays on as plain Python: no compiler"), ("tablee.games", "no such package")]


PROGRAM = """
import hashlib, sys
from tablee import bots, games
from tablee.core import fairness, jit
from tablee.core.batch import Batch
from tablee.core.match import Match
game = games.find(sys.argv[1])
seats = game.seats[min(1, len(game.seats) - 1)]
match = Match(game, seats, {}, fairness.seed_for(6, 1))
match.play_nature()
digest = hashlib.sha256()
while match.to_act:
    seat = match.to_act[-1]
    digest.update(match.state.tobytes() + repr(match.legal(seat)).encode())
    digest.update(repr(game.view(game.observe(match.state, seat))).encode())
    match.play(seat, bots.choose(match, seat, bots.GREEDY if len(match.log) < 40 else bots.RANDOM))
    match.play_nature()
digest.update(match.state.tobytes() + repr(match.outcome).encode() + repr(match.events).encode())
batch = Batch(game, game.setup(seats, match.options), [fairness.seed_for(6, number) for number in (2, 3)])
batch.play([seat % 2 for seat in range(seats)])
print(digest.hexdigest(), len(match.log), batch.lines.tolist(), batch.results())
print("plain" if jit.PYTHON_ONLY else "compiled", file=sys.stderr)
"""


def run(key: str, plain: bool) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "TABLEE_PLAIN": "1" if plain else "0"}
    return subprocess.run([sys.executable, "-c", PROGRAM, key], env=environment, capture_output=True, text=True, check=True)


@pytest.mark.parametrize("key", games.known())
def test_compiled_and_interpreted_rules_play_the_same_games(key: str) -> None:
    """Compares every state, list of moves, view and event of a whole game, and seeded games of a batch."""
    compiled, plain = run(key, plain=False), run(key, plain=True)
    assert (compiled.stderr.strip(), plain.stderr.strip()) == ("compiled", "plain")
    assert compiled.stdout == plain.stdout


SWITCH = """
import sys, threading
from tablee import bots, games
from tablee.core import fairness, jit
from tablee.core.match import Match
key = sys.argv[1]
game, room = games.find(key), games.package(key)
seats = game.seats[min(1, len(game.seats) - 1)]

def play(number):
    match, states = Match(game, seats, {}, fairness.seed_for(7, number)), []
    match.play_nature()
    while match.to_act and len(match.log) < 60:
        seat = match.to_act[0]
        states.append(match.state.tobytes() + repr(game.view(game.observe(match.state, seat))).encode())
        match.play(seat, bots.choose(match, seat, bots.GREEDY if len(match.log) % 8 == 0 else bots.RANDOM))
        match.play_nature()
    return states

undisturbed = [play(number) for number in range(4)]
jit.load_native(room)
found, kinds, over = {}, set(), threading.Event()

def play_two(first):
    for number in (first, first + 1):
        found[number] = play(number)

def switch():
    while not over.wait(0.002):
        kinds.add(jit.room(room).uses_python)
        jit.room(room).uses_python = not jit.room(room).uses_python

threads = [threading.Thread(target=play_two, args=(first,)) for first in (0, 2)]
switching = threading.Thread(target=switch)
for thread in (switching, *threads): thread.start()
for thread in threads: thread.join()
over.set()
switching.join()
assert [found[number] for number in range(4)] == undisturbed, "not the same games"
print(len(kinds), jit.popcount.uses_python)
"""


@pytest.mark.parametrize("key", games.known())
def test_a_room_changes_between_python_and_machine_code_in_the_middle_of_games(key: str) -> None:
    """Two threads play while a third switches the room; every state and view equals that of an undisturbed game."""
    environment = {**os.environ, "TABLEE_PLAIN": "0"}
    completed = subprocess.run([sys.executable, "-c", SWITCH, key], env=environment, capture_output=True, text=True, check=False)
    assert (completed.stdout.split(), completed.stderr) == (["2", "True"], "")


def test_what_is_on_disk_is_loaded_and_the_rest_stays_python(warm_plugin_game: PluginGame) -> None:
    for file in warm_plugin_game.folders()[0].glob("kernel.wins-*"):
        file.unlink()
    program = """
from numba.core import event
from tablee import games
from tablee.core import jit
jit.use_python("sticks")
game = games.find("sticks")
with event.install_recorder("numba:compile") as compiled:
    jit.load_native("sticks")
    outcome = game.outcome(game.setup(2, {}))
assert not compiled.buffer
print(*sorted(each.__name__ for each in jit.room("sticks").rules if each.uses_python))
"""
    plain = set(warm_plugin_game.run(program).split())
    assert {"wins", "best_move", "play_to_end", "value"} <= plain, "a rule that Python never called has no file"
    assert not plain & {"to_act", "legal", "apply", "score", "choose", "generate_turns", "rollout", "evaluate", "play_batch"}


@pytest.mark.parametrize("bits", [0, 1, 0b1011, (1 << 62) - 1, 1 << 61])
def test_popcount_counts_bits(bits: int) -> None:
    assert popcount(bits) == bits.bit_count()
