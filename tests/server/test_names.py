"""Names: one line of visible characters, wherever a person types it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tests.server.classroom import Classroom
from tests.server.seeds import table_config
from tests.server.test_lobby import LobbyClient

TYPED, CLEANED = "  A\u202e\n\tB  ", "A B"


def by_the_api(client: TestClient) -> str:
    body = {"game": "rolling-village", "seats": [{"kind": "human", "name": TYPED}, {"kind": "human"}]}
    return str(client.post("/api/tables", json=body).json()["table"])


def by_one_tap(client: TestClient) -> str:
    return at(client.post("/play/rolling-village", data={"name": TYPED}, follow_redirects=False))


def as_host(client: TestClient) -> str:
    table = LobbyClient(client, name=TYPED)
    table.done("start")
    return table.id


def as_visitor(client: TestClient) -> str:
    table = LobbyClient(client, name="Cy")
    table.done("sit", chair=1, name=TYPED)
    table.done("start")
    return table.id


def renamed(client: TestClient) -> str:
    table = LobbyClient(client, name="Cy")
    table.done("name", chair=0, name=TYPED)
    table.done("start")
    return table.id


def handed_over(client: TestClient) -> str:
    body = {"game": "rolling-village", "seats": [{"kind": "human"}, {"kind": "human"}]}
    made = client.post("/api/tables", json=body).json()
    bearer = {"authorization": f"Bearer {made['seats'][1]['token']}"}
    client.post(f"/api/tables/{made['table']}/seats/0", json={"do": "hand-over", "name": TYPED}, headers=bearer)
    return str(made["table"])


def in_a_class(client: TestClient) -> str:
    room = Classroom(client)
    (pupil,) = room.join(TYPED)
    room.seat(size="1", level="")
    return room.table_of(pupil)[0]


def at(answer: Any) -> str:
    found = re.match(r"/t/(\w+)", answer.headers["location"])
    assert found
    return found[1]


ENTRIES = (by_the_api, by_one_tap, as_host, as_visitor, renamed, handed_over, in_a_class)


@pytest.mark.parametrize("enter", ENTRIES, ids=[enter.__name__ for enter in ENTRIES])
def test_a_name_is_tidied_in_one_way(store: Store, enter: Callable[[TestClient], str]) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config(bot_pace=60, away_after=0)))) as client:
        assert CLEANED in client.get(f"/api/tables/{enter(client)}").json()["names"]
