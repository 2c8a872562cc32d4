"""The compiler: only entry points become machine code, and one version of a rule serves every caller."""

from __future__ import annotations

import subprocess
from typing import Any, cast

import pytest

from tablee.core.jit import PYTHON_ONLY, jit
from tablee.core.struct import Array, Struct, array_field, field
from tests.plugin_game import PluginGame

pytestmark = pytest.mark.skipif(PYTHON_ONLY, reason="nothing is compiled")


class Sheet(Struct):
    small: Array = array_field(2, bits=8)
    total: int = field()


class Longer(Sheet):
    more: int = field()


@jit
def plus(number: int, other: int) -> int:
    return number + other


@jit
def add(sheet: Sheet) -> int:
    sheet.total = plus(sheet.small[0], sheet.small[1])
    return plus(sheet.total, 100)


@jit
def add_more(longer: Longer) -> int:
    longer.more = plus(7, longer.small[0])
    return plus(add(longer), longer.more)


def kinds(function: Any) -> list[Any]:
    return list(cast(Any, function).inlined.signatures)


def test_one_version_serves_numbers_of_every_size_and_longer_records() -> None:
    sheet, longer = Sheet(), Longer()
    sheet.small[0], sheet.small[1] = 100, 100
    longer.small[0], longer.small[1] = -1, 3
    assert (add(sheet), sheet.total) == (300, 200)
    assert (add_more(longer), longer.total, longer.more) == (108, 2, 6)
    assert [len(kinds(each)) for each in (plus, add, add_more)] == [1, 1, 1]


def test_only_an_entry_point_becomes_machine_code(warm_plugin_game: PluginGame) -> None:
    """`randbelow` and `best_move` are called only by rules, so they have no file."""
    files = {file.name.partition("-")[0] for file in warm_plugin_game.folders()[0].glob("*.code")}
    assert {"kernel.apply", "kernel.sticks_left", "core_loops.choose", "core_loops.play_batch"} <= files
    assert not files & {"rng.randbelow", "core_loops.best_move", "core_loops.play_to_end"}


PLAY = """
import sys
for missing in sys.argv[1:]: sys.modules[missing] = None
from tablee import bots, games
from tablee.core import fairness
from tablee.core.match import Match
match = Match(games.find("sticks"), 3, {}, fairness.seed_for(1, 1))
print(bots.play_out(match, [bots.GREEDY] * 3).lines())
"""


def test_without_a_compiler_the_rooms_play_on_as_python(warm_plugin_game: PluginGame) -> None:
    with_compiler, *all_without = (
        subprocess.run(
            [*warm_plugin_game.command(PLAY), *missing], env=warm_plugin_game.environment, capture_output=True, text=True, check=True
        )
        for missing in ([], ["numba"], ["llvmlite"], ["tablee.core.compiler"], ["numba.core.caching"], ["numba._dynfunc"])
    )
    assert with_compiler.stderr == ""
    for without in all_without:
        assert without.stdout == with_compiler.stdout
        assert without.stderr.startswith("sticks plays on as plain Python: ")
        assert without.stderr.count("\n") == 1


def test_a_rule_that_does_not_compile_leaves_its_room_as_python(plugin_game: PluginGame) -> None:
    kernel = plugin_game.room / "kernel.py"
    kernel.write_text(kernel.read_text().replace("return state.left\n", "return {0: state.left}[0] + len([object()]) - 1\n"))
    completed = subprocess.run(plugin_game.command(PLAY), env=plugin_game.environment, capture_output=True, text=True, check=True)
    assert completed.stdout.startswith("[")
    assert completed.stderr.startswith("sticks plays on as plain Python: ")
    assert completed.stderr.count("\n") == 1


def test_a_numba_that_fails_at_work_does_not_stop_a_game(plugin_game: PluginGame) -> None:
    """As a new version with other internals may."""
    broken = (
        "import tablee.core.compiler as c\ndef entry_point(*args): raise AttributeError('no such thing')\nc.entry_point = entry_point\n"
    )
    completed = subprocess.run(plugin_game.command(broken + PLAY), env=plugin_game.environment, capture_output=True, text=True, check=True)
    assert completed.stderr == "sticks plays on as plain Python: to_act: AttributeError: no such thing\n"


def test_a_helper_without_rule_is_named_with_its_file_and_line(plugin_game: PluginGame) -> None:
    file = plugin_game.room / "kernel.py"
    file.write_text(file.read_text().replace("@jit\ndef sticks_left", "def sticks_left"))
    program = "from tablee import games; game = games.find('sticks'); print(game.legal(game.setup(2, {}), 0))"
    completed = subprocess.run(plugin_game.command(program), env=plugin_game.environment, capture_output=True, text=True, check=True)
    assert completed.stdout == "[1, 2]\n"
    assert completed.stderr.startswith("sticks plays on as plain Python: legal: TypingError: Untyped global name 'sticks_left': ")
    assert completed.stderr.endswith("sticks/kernel.py, line 26)\n")
