"""The rules of every game compile, and machine code, plain Python and the match play the same games."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

from tablee import bots, games
from tablee.arena import LocalExecutor, Plan, Results, play_all
from tablee.checks.kernel_source import complaints_about, defined_in, reachable
from tablee.checks.rounds import rounds
from tablee.core import fairness, record
from tablee.core.batch import Batch
from tablee.core.contract import EXPORTS
from tablee.core.game import choose_options
from tablee.core.match import Match


def tables(key: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the smallest and the largest table, with each level alone and with all levels mixed."""
    game = games.find(key)
    for seats in {game.seats[0], game.seats[-1]}:
        for levels in ([level] * seats for level in bots.KERNEL_LEVELS):
            yield seats, levels
        yield seats, [list(bots.KERNEL_LEVELS)[seat % len(bots.KERNEL_LEVELS)] for seat in range(seats)]


def test_the_kernel_and_the_match_play_the_same_games_byte_for_byte(key: str) -> None:
    game = games.find(key)
    for seats, levels in tables(key):
        seeds = [fairness.seed_for(4, number) for number in range(3)]
        options = choose_options(game, seats, {})
        batch = Batch(game, game.setup(seats, options), seeds, keep_logs=True)
        batch.play([bots.KERNEL_LEVELS[level].number for level in levels])
        outcomes = batch.outcomes()
        for place, seed in enumerate(seeds):
            match = bots.play_out(Match(game, seats, {}, seed), [bots.find(level) for level in levels])
            assert batch.log(place) == match.log
            assert batch.states[place].tobytes() == match.state.tobytes()
            assert outcomes[place] == match.outcome


def test_a_record_changes_nothing_and_neither_do_the_jobs(key: str, tmp_path: Path) -> None:
    game = games.find(key)
    seats = game.seats[0]
    plan = Plan.parse(Plan.of(game, seats, ("random",) * seats, choose_options(game, seats, {}), 3).dump())
    alone = Results.join(play_all(plan, 150))
    recorded = Results.join(
        play_all(plan, 150, executor=LocalExecutor(rounds(few=2 if key == "rolling-village" else 1, many=2)), folder=tmp_path)
    )
    for name in ("scores", "winners", "lines"):
        assert (getattr(alone, name) == getattr(recorded, name)).all()
    files = sorted(tmp_path.glob("*.json"))
    assert len(files) == 150
    for file in files[:: 150 // 3]:
        record.verify(games.find, file.read_text(encoding="utf-8"))


def kernel_functions(key: str) -> dict[str, FunctionType]:
    kernel, found = games.find(key).kernel, dict[str, FunctionType]()
    for function in (*vars(kernel.rules).values(), *defined_in(kernel.loops)):
        reachable(function, found)
    return found


def test_kernel_functions_allocate_nothing_return_numbers_and_use_only_constants(key: str) -> None:
    """So they compile for a GPU: no objects, no exceptions, no strings; only numbers, and functions that obey the same law."""
    found = kernel_functions(key)
    assert len(found) > len(EXPORTS)
    complaints = [complaint for name, function in found.items() for complaint in complaints_about(name, function)]
    assert complaints == []


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
    command = [sys.executable, "-c", PROGRAM, key]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


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
wrong, kinds, over = [], set(), threading.Event()

def play_two(first):
    while True:
        wrong.extend(number for number in (first, first + 1) if play(number) != undisturbed[number])
        if len(kinds) == 2:  # a small game may be over before the first switch
            return

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
assert not wrong, "not the same games"
print(len(kinds), jit.popcount.uses_python)
"""


def test_a_room_changes_between_python_and_machine_code_in_the_middle_of_games(key: str) -> None:
    """Two threads play while a third switches the room; every state and view equals that of an undisturbed game."""
    environment = {**os.environ, "TABLEE_PLAIN": "0"}
    completed = subprocess.run([sys.executable, "-c", SWITCH, key], env=environment, capture_output=True, text=True, check=False)
    assert (completed.stdout.split(), completed.stderr) == (["2", "True"], "")
