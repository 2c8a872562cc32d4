"""`tablee bench`: each figure measures what its name says; here with little work behind each."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from tablee import games
from tablee.cli import bench, bench_rules, bench_server, bench_startup, main, server_packages
from tablee.core.errors import TableeError
from tablee.core.game import Game
from tests.rounds import rounds


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_rules, "MIN_SECONDS", 0.02)
    one_rule = "import sys; from tablee import games; games.find(sys.argv[1]).kernel.rules.legal"
    monkeypatch.setattr(bench_startup, "PROGRAM", rounds(few=one_rule, many=bench_startup.PROGRAM))
    monkeypatch.setattr(bench_server, "MOVES", 40)
    monkeypatch.setattr(bench_server, "WARMUP_MOVES", 5)


def measured_here(game: Game, seats: int, plain: bool) -> dict[str, Any]:
    return bench_rules.measure(game, seats)


@pytest.mark.parametrize("key", games.known())
def test_the_rules_are_measured(key: str) -> None:
    game = games.find(key)
    for seats in bench._tables(game):
        found = bench_rules.measure(game, seats)
        assert found["seats"] == seats
        assert found["positions_per_second"] > found["games_per_second"] > 0
        assert found["move_microseconds"] > 0
        assert key in games.example_rooms() or found["undone_microseconds"] > 0, "there a draw follows every move"


def test_bench_prints_one_json_object_with_a_real_server_behind_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "_measure_rules", measured_here)
    assert main(["bench", "dice-race", "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    found = json.loads(printed.out)
    tables = found["games"]["dice-race"]
    assert [each["seats"] for each in tables] == [2, 4]
    assert all(min(*each["simulate"].values(), each["simulate_record"]) > 0 for each in tables)
    assert all(each["copy_nanoseconds"] > 0 for each in tables)
    room = found["rooms"]["dice-race"]
    assert room["cold_compile_seconds"] > 0 < room["warm_start_seconds"]
    assert 100 < room["python_lines"] < 2000
    server = found["server"]
    assert server["ready_seconds"]["first"] > 0 < server["ready_seconds"]["again"]
    assert server["idle_memory_mib"] > 10
    assert server["post_move_ms"]["moves"] == 40
    assert 0 < server["post_move_ms"]["median"] <= server["post_move_ms"]["p99"]


@pytest.mark.parametrize("form", ["--json", "--lang=en"])
def test_rules_are_measured_without_the_packages_of_the_server(
    form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "_measure_rules", measured_here)
    monkeypatch.setattr(bench_startup, "measure", lambda _: {"cold_compile_seconds": 5.5, "warm_start_seconds": 0.9, "python_lines": 700})
    monkeypatch.setattr(server_packages, "installed", lambda: False)
    assert main(["bench", "dice-race", form]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed)["server"] is None if form == "--json" else "server" not in printed


def test_compiled_and_interpreted_are_measured_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the compiled run also measures `simulate`."""
    monkeypatch.setattr(
        bench, "RULES_PROGRAM", bench.RULES_PROGRAM.replace("; ", "; from tablee.cli import bench_rules; bench_rules.MIN_SECONDS = 0.02; ")
    )
    game = games.find("rolling-village")
    compiled, plain = (bench._measure_rules(game, 1, plain) for plain in (False, True))
    assert "simulate" in compiled
    assert set(plain) < set(compiled)


def test_people_are_told_in_sentences(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    start = {"cold_compile_seconds": 5.5, "warm_start_seconds": 0.9, "python_lines": 700}
    server = {"ready_seconds": {"first": 9, "again": 1}, "idle_memory_mib": 90.5, "post_move_ms": {"median": 3, "p99": 8, "per_second": 50}}
    monkeypatch.setattr(bench, "_measure_rules", measured_here)
    monkeypatch.setattr(bench_server, "measure", lambda _: server)
    monkeypatch.setattr(bench_startup, "measure", lambda _: start)
    assert main(["bench", "rolling-village", "--lang", "fr"]) == 0
    *rules, room, ready, memory, moves = capsys.readouterr().out.splitlines()
    assert len(rules) == 4
    assert all("parties au hasard par seconde" in line for line in rules)
    assert room == "rolling-village\u00a0: compilé sur un ordinateur neuf en 5,5 s, relancé en 0,9 s\u202f; 700 lignes"
    assert ready == "serveur prêt après 9 s, relancé en 1 s"
    assert memory == "serveur au repos\u00a0: 90,5 Mio"
    assert moves == "un coup est confirmé en 3 ms (médiane), 8 ms (99e centile) à 50 coups par seconde"


def test_a_server_that_does_not_start_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(TableeError, match="the server did not start"):
        bench_server.measure(games.find("rolling-village"))
