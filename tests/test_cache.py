"""The cache of machine code: its stamp depends on the sources and not on dates; processes share it and prune it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tablee import games
from tablee.core import cache
from tests.plugin_game import ONE_MOVE, PluginGame, counting, output_of
from tests.rounds import rounds

OTHER = "0123456789abcdef"
ROOM = "tablee.games.mayflower"
COMPILED_ALREADY = "warmup.compile_all = lambda game: None"


def here() -> Path:
    found = cache.folder_of(ROOM)
    assert found is not None
    return found


def test_the_second_process_compiles_nothing(warm_plugin_game: PluginGame) -> None:
    """Loops specialised for the room lie in the room's folder too; functions called only by rules are compiled into them."""
    assert warm_plugin_game.compiled() == []
    (folder,) = warm_plugin_game.folders()
    for name in ("kernel.apply", "kernel.sticks_left", "core_loops.play_batch"):
        assert list(folder.glob(f"{name}-*.code"))


def test_the_date_of_a_source_does_not_matter_and_its_text_does(warm_plugin_game: PluginGame) -> None:
    for file in warm_plugin_game.room.glob("*.py"):
        os.utime(file, (1, 1))
    assert warm_plugin_game.compiled() == []
    kernel = warm_plugin_game.room / "kernel.py"
    kernel.write_text(kernel.read_text().replace("MOST = 2", "MOST = 1"))
    assert "legal" in warm_plugin_game.compiled(ONE_MOVE)
    assert len(warm_plugin_game.folders()) == 2


def test_processes_that_fill_an_empty_cache_at_once_all_work(plugin_game: PluginGame) -> None:
    started = [plugin_game.start(counting(ONE_MOVE)) for _ in range(rounds(few=3, many=8))]
    outputs = [output_of(process) for process in started]
    assert any("apply" in each for each in outputs)
    assert plugin_game.compiled(ONE_MOVE) == []


def test_damaged_machine_code_is_made_again(warm_plugin_game: PluginGame) -> None:
    for number, file in enumerate(sorted(warm_plugin_game.folders()[0].glob("kernel.*.code"))):
        file.write_bytes(b"" if number % 2 else file.read_bytes()[:-1] + b"?")
    again = set(warm_plugin_game.compiled())
    assert {"to_act", "legal", "apply", "score", "wins", "sticks_left"} <= again
    assert "play_batch" not in again
    assert warm_plugin_game.compiled() == []


def test_threads_that_import_rooms_at_once_keep_them_apart(plugin_game: PluginGame) -> None:
    """The folder follows from the function, not from the module imported last."""
    program = """
import threading, importlib
from tablee.core import jit
rooms = ["sticks.kernel", "tablee.games.rolling_village.turn", "tablee.games.rolling_village.evaluation"]
threads = [threading.Thread(target=importlib.import_module, args=(room,)) for room in rooms]
for thread in threads: thread.start()
for thread in threads: thread.join()
for room in ("sticks", "tablee.games.rolling_village"):
    assert jit.room(room).rules
    assert jit.room(room).folder.name.rpartition("-")[0] == room
"""
    plugin_game.run(program)


def test_a_room_has_one_folder_and_it_is_the_same_in_every_process() -> None:
    program = "from tablee import games; from tablee.core.cache import folder_of; print(*map(folder_of, map(games.package, games.known())))"
    outputs = set()
    for seed in "123":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        outputs.add(subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(outputs) == 1
    assert len(set(outputs.pop().split())) == len(games.known())


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no writable place, as with a read-only install and no home."""
    (blocked := tmp_path / "file").write_text("in the way")
    for name in ("TABLEE_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(blocked))


def test_without_any_place_rules_are_compiled_in_memory(plugin_game: PluginGame, nowhere: None) -> None:
    assert cache.folder_of(ROOM) is None
    plugin_game.cache = plugin_game.folder / "file"
    for _ in range(2):
        assert "apply" in plugin_game.compiled(ONE_MOVE)
    plugin_game.run(f"from tablee.bots import warmup; assert not warmup.is_warm('sticks'); {COMPILED_ALREADY}; warmup.warm('sticks')")


def test_a_file_that_cannot_be_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache.write(tmp_path / "file" / "code", b"code")
    assert cache.read(tmp_path / "file" / "code") is None


def test_what_is_read_is_what_was_written_whole(tmp_path: Path) -> None:
    """With concurrent writers a reader sees one version or the other, never half of each."""
    bodies = [bytes([letter]) * 200_000 for letter in b"ab"]

    def write_often(body: bytes) -> None:
        for _ in range(20):
            cache.write(tmp_path / "code", body)

    writers = [threading.Thread(target=write_often, args=(body,)) for body in bodies]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert cache.read(tmp_path / "code") in (None, *bodies)
    assert [file.name for file in tmp_path.iterdir()] == ["code"]


@pytest.fixture
def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the parent of all cache folders, with the current version's folder in it."""
    monkeypatch.setenv("TABLEE_CACHE", str(tmp_path))
    here().mkdir(parents=True)
    (here() / cache.USED).touch()
    for number in range(3):
        cache.write(here() / f"rule-{number}.code", bytes(number))
    return tmp_path / "tablee"


def test_a_room_is_warm_until_a_damaged_file_is_read(rooms: Path) -> None:
    assert not cache.is_warm(ROOM)
    cache.set_warm(ROOM)
    file = here() / "rule-2.code"
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert cache.is_warm(ROOM)
    assert cache.read(file) is None
    assert not cache.is_warm(ROOM)


def test_a_room_of_which_something_could_not_be_written_is_not_warm(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_incomplete_folders", set())
    (here() / "rule-3.code").mkdir()
    cache.write(here() / "rule-3.code", b"code")
    cache.set_warm(ROOM)
    assert not cache.is_warm(ROOM)


def left_behind(rooms: Path, name: str, days: float) -> Path:
    folder = rooms / name
    folder.mkdir()
    (folder / "turn.apply.code").write_bytes(b"code")
    (folder / cache.USED).touch()
    os.utime(folder / cache.USED, (time.time() - days * 24 * 3600,) * 2)
    return folder


def test_prune_removes_versions_unused_for_a_fortnight_but_a_rooms_last(rooms: Path) -> None:
    old, young = left_behind(rooms, f"{ROOM}-{OTHER}", 15), left_behind(rooms, f"{ROOM}-{OTHER[::-1]}", 13)
    last, before = left_behind(rooms, f"dice_race-{OTHER}", 15), left_behind(rooms, f"dice_race-{OTHER[::-1]}", 16)
    cache.prune(rooms)
    assert [each.exists() for each in (here(), old, young, last, before)] == [True, False, True, True, False]


def test_of_the_young_ones_the_last_three_stay(rooms: Path) -> None:
    folders = [left_behind(rooms, f"{ROOM}-{number:016x}", number) for number in range(1, 6)]
    cache.prune(rooms)
    assert [folder.exists() for folder in folders] == [True, True, True, False, False]


def test_only_rooms_have_a_folder(rooms: Path) -> None:
    assert [cache.folder_of(f"tablee.{name}") for name in ("core", "cli")] == [None, None]


def test_the_first_use_of_a_folder_prunes_the_cache(warm_plugin_game: PluginGame) -> None:
    """`tablee simulate` prunes too."""
    left = left_behind(warm_plugin_game.cache / "tablee", f"sticks-{OTHER}", 15)
    warm_plugin_game.run("from tablee.cli import main; main(['simulate', 'sticks', '--games', '1'])")
    assert not left.exists()
