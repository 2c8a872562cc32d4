"""Rules have one source: compiled and interpreted they give the same bytes, moves and games."""

from __future__ import annotations

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


@pytest.mark.parametrize("key", games.known())
def test_a_bound_rule_does_what_the_rule_does_while_its_room_changes_over(key: str) -> None:
    kernel = games.find(key).kernel
    score = jit.bind(kernel.rules.score, kernel.box, kernel.state())
    expected = kernel.rules.score(kernel.box, kernel.state(), 0)
    with jit.using_python(kernel.package):
        as_python = score(0)
    assert expected == as_python == score(0)


@pytest.mark.parametrize("bits", [0, 1, 0b1011, (1 << 62) - 1, 1 << 61])
def test_popcount_counts_bits(bits: int) -> None:
    assert popcount(bits) == bits.bit_count()
