"""Clocks count while a seat is to act and stand while nobody plays; a seat without time may be replaced, and nothing else."""

from __future__ import annotations

import time

import pytest
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table.config import TableConfig
from tests.server.seeds import table_config
from tests.server.table_client import TableClient


class FakeTime:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def fake_time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def config(fake_time: FakeTime) -> TableConfig:
    return table_config(monotonic=fake_time.monotonic, wall_time=fake_time.monotonic)


def timed(client: TestClient, seconds: int) -> TableClient:
    table = TableClient(client)
    body = {"game": "rolling-village", "seats": [{"kind": "human", "name": name} for name in ("Ada", "Bo")], "clock": seconds}
    table.made = client.post("/api/tables", json=body).json()
    table.path, table.tokens = f"/api/tables/{table.made['table']}", [seat["token"] for seat in table.made["seats"]]
    return table


def test_a_table_without_clocks_has_none(client: TestClient) -> None:
    assert TableClient(client).see()["clocks"] is None


def test_a_clock_goes_on_counting_where_the_server_was_killed_and_in_another_process(
    client: TestClient, store: Store, fake_time: FakeTime, config: TableConfig
) -> None:
    table = timed(client, 100)
    fake_time.now += 10
    assert table.see()["clocks"] == [90_000, 90_000]
    table.finish_round(0)
    fake_time.now += 5
    assert table.see()["clocks"] == [90_000, 85_000]
    with TestClient(make_app(TableRegistry(store, config=config))) as restarted:
        table.client = restarted
        assert table.see()["clocks"] == [90_000, 85_000], "what passed since the last line counts"
        fake_time.now += 2
        table.finish_round(1)
        assert table.see()["clocks"] == [90_000, 83_000]
        restarted.post(f"{table.path}/pause", json={"paused": True}, headers=table.bearer(0))
        fake_time.now += 50
        assert table.see()["clocks"] == [90_000, 83_000]


def test_a_clock_stands_as_it_stood_while_its_table_is_put_away(
    client: TestClient, store: Store, fake_time: FakeTime, config: TableConfig
) -> None:
    table = timed(client, 100)
    table.finish_round(0)
    for left in (95_000, 90_000):
        fake_time.now += 5
        client.portal.call(client.app.state.registry.evict, 0.0)  # type: ignore[attr-defined, union-attr]
        fake_time.now += 40 * 86_400  # more milliseconds than an integer column holds
        assert table.see()["clocks"] == [100_000, left]
    with TestClient(make_app(TableRegistry(store, config=config))) as table.client:
        fake_time.now += 3
        assert table.see()["clocks"] == [100_000, 90_000], "nor while the server does not run"
        table.finish_round(1)
        fake_time.now += 40 * 86_400
        table.finish_round(0)
        assert table.see()["clocks"][0] == 0


def test_a_list_of_my_tables_costs_nobody_time(client: TestClient, fake_time: FakeTime) -> None:
    table = timed(client, 100)
    table.finish_round(0)
    let_go = client.app.state.registry.evict  # type: ignore[attr-defined]
    client.portal.call(let_go, 0.0)  # type: ignore[union-attr]
    for _ in range(3):
        client.post("/mine", json={"tables": [{"table": table.made["table"], "keys": table.tokens[0]}]})
        fake_time.now += 20
        client.portal.call(let_go, 0.0)  # type: ignore[union-attr]
    assert table.see()["clocks"] == [100_000, 100_000]


def test_clocks_stand_while_the_class_is_paused(client: TestClient, store: Store, fake_time: FakeTime) -> None:
    table = timed(client, 100)
    table.pause_club(store, True)
    fake_time.now += 50
    assert table.see()["clocks"] == [100_000, 100_000]
    table.pause_club(store, False)
    fake_time.now += 5
    assert table.see()["clocks"] == [95_000, 95_000]


def test_whoever_has_no_time_left_is_not_waited_for(client: TestClient, fake_time: FakeTime) -> None:
    table = timed(client, 60)
    table.finish_round(0)
    sit_in = {"json": {"do": "stand-in"}, "headers": table.bearer(0)}
    assert client.post(f"{table.path}/seats/1", **sit_in).status_code == 409  # type: ignore[arg-type]
    fake_time.now += 61
    assert table.see()["clocks"] == [60_000, 0]
    assert "Bo has no time left." in client.get(f"/t/{table.made['table']}?k={table.tokens[0]}").text
    assert table.see()["status"] == "playing"
    assert client.post(f"{table.path}/seats/1", **sit_in).status_code == 200  # type: ignore[arg-type]
    while 1 in table.see()["to_act"] and table.see()["view"]["round"] == 0:
        time.sleep(0.02)
