"""Whole turns: one request and one commit, all or nothing, once however often it is sent, and one change signal."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tests.server.seeds import table_config
from tests.server.table_client import NOBODY_PRESENT, TableClient, without_presence


@pytest.fixture
def two(client: TestClient) -> TableClient:
    return TableClient(client)


def round_of(table: TableClient, seat: int) -> list[str]:
    """Return two moves that the seat may make one after the other, found by playing and undoing the first."""
    first = table.see(seat)["legal"][0]
    assert table.send(seat, first, table.see()["version"]).status_code == 200
    second = table.see(seat)["legal"][0]
    assert table.undo(seat).status_code == 200
    return [first, second]


def send(table: TableClient, seat: int, moves: Sequence[str], at: int, client_id: str = "turn") -> Response:
    body = {"moves": list(moves), "at": at, "id": client_id}
    return table.client.post(f"{table.path}/moves", json=body, headers=table.bearer(seat))


def test_a_turn_is_answered_with_one_version_now_and_after_a_restart(two: TableClient, store: Store) -> None:
    moves, at = round_of(two, 0), two.see()["version"]
    assert send(two, 0, moves, at).json() == {"version": at + 2}
    assert two.see()["log"][-2:] == [f"0 {move}" for move in moves]
    assert send(two, 0, moves, at).json() == {"version": at + 2}, "sent again, it is the same turn"
    assert send(two, 0, moves[:1], at).status_code == 409, "an id stands for one turn"
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        two.client = restarted
        assert send(two, 0, moves, at).json() == {"version": at + 2}
        assert two.see()["version"] == at + 2


@pytest.mark.parametrize("config", [NOBODY_PRESENT])
def test_what_was_confirmed_together_is_taken_back_together(two: TableClient, store: Store) -> None:
    moves, at = round_of(two, 0), two.see()["version"]
    send(two, 0, moves, at)
    two.play(1)
    assert two.undo(0).json() == {"version": at + 5}
    assert two.see()["log"][-2:] == ["0 undo", "0 undo"]
    assert [len(sheet["cells"]) for sheet in two.see()["view"]["sheets"]] == [0, 1]
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        assert without_presence(restarted.get(two.path).json()) == without_presence(two.see())


@pytest.mark.parametrize("config", [NOBODY_PRESENT])
def test_what_nature_draws_after_a_turn_belongs_to_it(two: TableClient) -> None:
    two.finish_round(0)
    moves, at = round_of(two, 1), two.see()["version"]
    assert send(two, 1, moves, at).json() == {"version": at + 3}
    assert two.see()["log"][-1].startswith("- roll ")
    assert send(two, 1, moves, at).json() == {"version": at + 3}


def test_one_refused_move_refuses_the_turn_and_is_named(two: TableClient) -> None:
    moves, before = round_of(two, 0), two.see()
    answer = send(two, 0, [moves[0], "build park 1A"], before["version"])
    assert (answer.status_code, answer.json()["rule"]) == (422, "V4")
    assert answer.json()["error"] == "move 2, 'build park 1A': no Park during set-up (V4)"
    assert two.see() == before


def test_a_turn_ends_where_the_dice_come_first(client: TestClient) -> None:
    alone = TableClient(client, 1)
    moves, before = round_of(alone, 0), alone.see()
    answer = send(alone, 0, [*moves, moves[0]], before["version"])
    assert answer.status_code == 409
    assert answer.json()["error"].endswith("something is rolled or drawn first")
    assert alone.see() == before


def test_a_turn_signals_once(client: TestClient) -> None:
    two = TableClient(client)
    moves, registry = round_of(two, 0), client.app.state.registry  # type: ignore[attr-defined]
    signal = next(table.signal for table in registry.tables if table.id == two.made["table"])
    before = signal.generation
    assert send(two, 0, moves, two.see()["version"]).status_code == 200
    assert signal.generation == before + 1


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ([], "moves: it must have at least 1 entry"),
        (["x"] * 61, "moves: it may have at most 60 entries"),
        ("build house 1A", "moves: it must be a list"),
        ([7], "moves.0: it must be a text"),
    ],
)
def test_a_turn_of_the_wrong_shape_is_422(two: TableClient, moves: object, sentence: str) -> None:
    answer = two.client.post(f"{two.path}/moves", json={"moves": moves, "at": 1, "id": "x"}, headers=two.bearer(0))
    assert (answer.status_code, answer.json()["error"]) == (422, sentence)


def test_move_and_moves_together_are_refused(two: TableClient) -> None:
    body = {"move": "avenue A", "moves": ["avenue A"], "at": 1, "id": "x"}
    assert two.client.post(f"{two.path}/moves", json=body, headers=two.bearer(0)).status_code == 422
