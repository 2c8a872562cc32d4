"""One source of rules: compiled and interpreted they give the same bytes, the same moves and the same games."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tablee import games
from tablee.core import rule
from tablee.core.rule import Array, Grid, Record, blank, cell, cells, layout, numbers, pick, popcount, row_of

PROGRAM = """
import hashlib, sys
from tablee import bots, games
from tablee.core import fairness, rule
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
    match.play(seat, bots.choose(match, seat, bots.play_greedy if len(match.log) < 40 else bots.play_random))
    match.play_nature()
digest.update(match.state.tobytes() + repr(match.outcome).encode() + repr(match.told).encode())
print(digest.hexdigest(), len(match.log), [game.random_games(seats, match.options, 1, seed) for seed in (1, 2)], file=sys.stdout)
print("plain" if rule.PLAIN else "compiled", file=sys.stderr)
"""


def run(key: str, plain: bool) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "TABLEE_PLAIN": "1" if plain else "0"}
    return subprocess.run([sys.executable, "-c", PROGRAM, key], env=environment, capture_output=True, text=True, check=True)


@pytest.mark.parametrize("key", games.known())
def test_compiled_and_interpreted_rules_play_the_same_games(key: str) -> None:
    """Every state, every list of moves, every view and everything told of a whole game; and the moves of seeded random games."""
    compiled, plain = run(key, plain=False), run(key, plain=True)
    assert (compiled.stderr.strip(), plain.stderr.strip()) == ("compiled", "plain")
    assert compiled.stdout == plain.stdout


class Card(Record):
    value: int = cell()
    corners: Array = cells(4)
    grid: Grid = cells(2, 3)


def test_a_record_is_one_block_of_64_bit_numbers() -> None:
    assert layout(Card).itemsize == 8 * (1 + 4 + 6)
    card = blank(Card)
    card.value, card.corners[2], card.grid[1, 2] = 7, 5, 9
    assert struct.unpack("=11q", card.tobytes()) == (7, 0, 0, 5, 0, 0, 0, 0, 0, 0, 9)


def test_a_copy_is_apart() -> None:
    card = blank(Card)
    other = card.copy()
    other.corners[0] = 1
    assert card.corners[0] == 0


def test_a_row_begins_with_a_copy() -> None:
    card = blank(Card)
    card.value = 3
    row = row_of(card, 2)
    assert (row[0].value, row[1].value) == (3, 0)
    row[0].value = 4
    assert card.value == 3


def test_a_field_does_not_hide_a_method_of_the_record() -> None:
    class Wrong(Record):
        sum: int = cell()

    with pytest.raises(AssertionError, match="hides a method"):
        layout(Wrong)


@pytest.mark.parametrize("bits", [0, 1, 0b1011, (1 << 62) - 1, 1 << 61])
def test_popcount_counts_bits(bits: int) -> None:
    assert popcount(bits) == bits.bit_count()


def test_pick_follows_the_weights() -> None:
    weights = numbers(4)
    weights[1], weights[2] = 1, 3
    count = [0, 0, 0, 0]
    for _ in range(4000):
        count[pick(weights, 4)] += 1
    assert count[0] == count[3] == 0
    assert 2.6 < count[2] / count[1] < 3.4


def test_each_version_of_a_rooms_source_has_a_cache_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEE_CACHE", str(tmp_path))
    rooms = [games.find(key).folder.name for key in games.known()]
    folders = {rule.cache_folder(f"tablee.games.{room}.turn") for room in rooms}
    assert len(folders) == len(games.known())
    assert all(folder.is_relative_to(tmp_path) for folder in folders)


def test_the_cache_is_the_same_in_every_process() -> None:
    program = "import tablee.games; from tablee.core.rule import cache_folder; print(cache_folder('tablee.games.anything'))"
    folders = set()
    for seed in "1234":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        folders.add(subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(folders) == 1


def test_a_cache_that_cannot_be_written_to_gives_way_to_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only install, or a home that is none."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("TABLEE_CACHE", str(blocked))
    monkeypatch.setenv("HOME", str(blocked))
    folder = rule.cache_folder("tablee.core.rule")
    assert not folder.is_relative_to(blocked)
