"""Undo: the stored log keeps an undone line and the line that undid it; the game is the rest."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table.log import TableLog
from tablee.server.table.models import MOVE, UNDO, LogLine
from tests.rounds import rounds
from tests.server.seeds import table_config
from tests.server.table_client import NOBODY_PRESENT, TableClient, without_presence


def taken_back_by_looking_each_up(lines: Sequence[str]) -> set[int]:
    """Return the positions outside the game by definition: an undo removes the seat's last line that still stands."""
    gone: set[int] = set()
    for position, line in enumerate(lines):
        seat, _, move = line.partition(" ")
        if move == UNDO:
            gone |= {position, max(n for n in range(position) if n not in gone and lines[n].split()[0] == seat)}
    return gone


def log_of(seats: int, length: int, undos: float, rng: random.Random) -> list[str]:
    lines, standing = ["- roll 1 2"], [0] * seats
    while len(lines) < length:
        seat = rng.randrange(seats)
        if standing[seat] and rng.random() < undos:
            standing[seat] -= 1
            lines.append(f"{seat} {UNDO}")
        else:
            standing[seat] += 1
            lines.append(rng.choice([f"{seat} build house 1A", f"{seat} avenue A"]))
    return lines


@pytest.mark.one_engine
@pytest.mark.parametrize("seats", [1, 2, 12])
@pytest.mark.parametrize("undos", [0.0, 0.3, 0.5, 0.9])
def test_many_undos_take_back_what_each_took_back(seats: int, undos: float) -> None:
    lines = log_of(seats, rounds(few=1000, many=6000), undos, random.Random(seats))
    log = TableLog(())
    for line in lines:
        log.append(LogLine(line, None, UNDO if line.endswith(UNDO) else MOVE), ())
    gone = taken_back_by_looking_each_up(lines)
    assert [row.line for row in log.game_lines()] == [line for position, line in enumerate(lines) if position not in gone]


@pytest.mark.parametrize("config", [NOBODY_PRESENT])
def test_a_table_with_many_undos_is_the_same_after_a_restart(client: TestClient, store: Store) -> None:
    table, rng = TableClient(client), random.Random(4)
    for _ in range(40):
        seat = rng.randrange(2)
        if seat in table.see()["to_act"]:
            table.play(seat, rng.randrange(3))
        if rng.random() < 0.7:
            assert table.undo(seat).status_code in (200, 409)
    before = table.see()
    assert before["log"].count(f"0 {UNDO}") > 3
    assert len(before["log"]) == before["version"]
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        assert without_presence(restarted.get(table.path).json()) == without_presence(before)
