"""Deletion of members: a name disappears from disk, from every table and from every page."""

from __future__ import annotations

import sqlite3.dbapi2
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tests.server.classroom import Classroom, Device, finish, names_on_disk, spreadsheet, try_a_move
from tests.server.seeds import table_config

NAME = "Wilhelmina"


class Rounds(Classroom):
    """Class of two pupils who finished a first game, had a rematch, and played on from an earlier position."""

    def __init__(self, client: TestClient) -> None:
        super().__init__(client)
        self.pupil, self.other = self.join(NAME, "Bo")
        self.seat(size="2", level="")
        for number in (1, 2):
            self.do("bot", number)
        self.first, self.token = self.table_of(self.pupil)
        finish(self, self.pupil)
        self.seat("mixed", size="2", level="")
        self.rematch = self.ask("rematch")["table"]
        self.beside = self.ask("play-on", {"at": 3})["table"]
        self.second = self.table_of(self.pupil)[0]

    @property
    def tables(self) -> tuple[str, ...]:
        return self.first, self.rematch, self.beside, self.second

    def ask(self, what: str, body: dict[str, int] | None = None) -> dict[str, str]:
        answer = self.client.post(f"/api/tables/{self.first}/{what}", json=body, headers={"authorization": f"Bearer {self.token}"})
        assert answer.status_code == 201, answer.text
        found: dict[str, str] = answer.json()
        return found

    def status(self, table: str, token: str) -> int:
        return self.client.get(f"/api/tables/{table}", headers={"authorization": f"Bearer {token}"}).status_code


@pytest.fixture
def leaves_deleted_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off SQLite's secure_delete, as the builds of python.org and conda do; Debian's has it on."""
    original = sqlite3.dbapi2.connect

    def connect(*args: Any, **named: Any) -> sqlite3.Connection:
        made: sqlite3.Connection = original(*args, **named)
        made.execute("PRAGMA secure_delete=OFF")
        return made

    monkeypatch.setattr(sqlite3.dbapi2, "connect", connect)


@pytest.mark.one_engine
@pytest.mark.usefixtures("leaves_deleted_bytes")
def test_names_are_overwritten_with_every_build_of_sqlite(tmp_path: Path) -> None:
    names = [f"Wilhelmina{number:02}" for number in range(12)]
    with (
        closing(Store.in_folder(tmp_path)) as store,
        TestClient(make_app(TableRegistry(store, config=table_config(bot_pace=60)))) as client,
    ):
        room, other = Classroom(client), Classroom(client)
        for each, pupils in ((room, names), (other, ["Bo", "Cy"])):
            each.join(*pupils)
            each.seat()
        for what in ("bot", "back", "up"):
            room.do(what, *range(1, 13))
        assert room.organiser.post(f"{room.path}/delete", {"sure": "yes"}).status_code == 200
        assert [name for name in names if names_on_disk(tmp_path, name)] == []


@pytest.fixture
def room(client: TestClient) -> Rounds:
    return Rounds(client)


def test_a_class_goes_with_every_table_that_was_made_of_its_tables(room: Rounds, store: Store, tmp_path: Path) -> None:
    assert len(set(room.tables)) == 4
    assert room.organiser.post(f"{room.path}/delete", {"sure": "yes"}).status_code == 200
    assert store.ids() == []
    assert {room.client.get(f"/api/tables/{table}").status_code for table in room.tables} == {404}
    assert not names_on_disk(tmp_path, NAME)


def test_the_name_of_whoever_leaves_stands_nowhere_any_more(room: Rounds, tmp_path: Path) -> None:
    pages = [f"/t/{table}" for table in room.tables] + [f"/api/tables/{table}" for table in room.tables]
    assert all(NAME in room.client.get(page).text for page in pages), "it stands everywhere before"
    assert sum(NAME in row for row in spreadsheet(room)) == 3, "also in the results: two rounds and a rematch"
    assert room.pupil.post(f"{room.path}/leave").status_code == 303
    assert [page for page in pages if NAME in room.client.get(page).text] == []
    assert not any(NAME in row for row in spreadsheet(room))
    assert not names_on_disk(tmp_path, NAME)
    assert room.see(room.other)["names"].count("Bo") == 1, "the other one plays on"


def test_a_new_link_is_the_only_one_at_every_table(room: Rounds, client: TestClient) -> None:
    own = (room.first, room.rematch, room.second)
    assert {room.status(table, room.token) for table in own} == {200}
    link = room.do("link", 1).text.partition("#k=")[2].partition('"')[0]
    device = Device(client)
    device.get(f"{room.path}?k={link}")
    assert room.table_of(device) == (room.second, link)
    assert {room.status(table, room.token) for table in own} == {403}
    assert {room.status(table, link) for table in own} == {200}


def test_the_log_names_those_who_sit_there_now(store: Store) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config(bot_pace=60)))) as client:
        room = Classroom(client)
        ada, bo = room.join("Adalbert", "Bonaventura")
        for number in (1, 2):
            room.do("chosen", number, game="rolling-village", size="1", level="")
        table, token = room.table_of(ada)
        try_a_move(client, table, token)
        assert "Adalbert" in client.get(f"/t/{table}").text
        room.do("swap", 1, 2)
        assert room.table_of(bo)[0] == table
        assert "Adalbert" not in client.get(f"/t/{table}").text
