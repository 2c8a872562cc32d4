"""Chat: only where the host allows it; players write, spectators read, and the table's deletion deletes the messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from httpx2 import Response
from starlette.testclient import TestClient

from tablee.core.game import Seat
from tablee.core.i18n import Translator
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage import schema
from tablee.server.storage.store import Store
from tablee.server.table import chat
from tablee.server.table.table import Table
from tablee.server.view.client_view import ClientView
from tablee.server.view.fragments import FragmentCache
from tablee.server.view.rendered_view import etag, render_view
from tests.server.classroom import Classroom
from tests.server.seeds import table_config
from tests.server.table_client import NUMBERS, TableClient


@pytest.fixture
def table(client: TestClient) -> TableClient:
    return TableClient(client, chat=True)


def write(table: TableClient, seat: int | None, text: str, client_id: str = "") -> Response:
    body = {"text": text, "id": client_id or f"c{next(NUMBERS)}"}
    return table.client.post(f"{table.path}/chat", json=body, headers=table.bearer(seat))


def messages(table: TableClient, seat: int | None = None) -> list[tuple[int, str, str]]:
    return [(each["seat"], each["name"], each["text"]) for each in table.see(seat)["said"]]


def page(table: TableClient, **who: Any) -> str:
    answer = table.client.post(f"{table.path}/page", json={"page": True, **who}).json()
    return " ".join(part["html"] for part in answer["parts"])


def test_there_is_no_chat_unless_the_host_allows_it_nor_with_bots_alone(client: TestClient) -> None:
    for silent in (TableClient(client), TableClient(client, people=1, bots=1, chat=True)):
        refused = write(silent, 0, "Hello")
        assert (refused.status_code, refused.json()["error"]) == (409, "there is no chat at this table")
        assert silent.see()["said"] is None
        assert "open-chat" not in client.get(f"/t/{silent.made['table']}").text


def test_there_is_none_in_a_class_whatever_is_asked_for(client: TestClient) -> None:
    room = Classroom(client)
    ada, _ = room.join("Ada", "Bo")
    room.seat(size="2", chat="yes")
    at, token = room.table_of(ada)
    found: Table = client.app.state.registry.get_open(at)  # type: ignore[attr-defined]
    found.settings = replace(found.settings, chat=True)
    answer = client.post(f"/api/tables/{at}/chat", json={"text": "Hello", "id": "a"}, headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 409
    assert room.see(ada)["said"] is None


def test_what_is_said_is_read_by_all_counts_once_and_outlives_the_server(table: TableClient, store: Store) -> None:
    assert write(table, 0, "  <b>Good</b> luck ", "x").json() == write(table, 0, "<b>Good</b> luck", "x").json() == {"number": 1}
    write(table, 1, "You too", "x")
    lines = [(0, "P0", "<b>Good</b> luck"), (1, "P1", "You too")]
    assert messages(table) == messages(table, 1) == lines
    assert "&lt;b&gt;Good&lt;/b&gt; luck" in page(table)
    assert "chat-form" in page(table, keys=table.tokens[0])
    assert "chat-form" not in page(table), "a spectator only reads"
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        table.client = restarted
        assert messages(table) == lines
        assert write(table, 0, "Again", "y").json() == {"number": 3}
    assert (table.see()["version"], len(table.record()["log"])) == (1, 1), "it is no part of the game"


@pytest.mark.parametrize("text", ["", "  ", "\u200b", "one\ntwo", "bell\a", "\u202eturned", "x" * 281, "\u2028", None, 7])
def test_what_is_no_line_is_refused_in_a_sentence(table: TableClient, text: Any) -> None:
    refused = write(table, 0, text)
    assert refused.status_code == 422
    assert refused.json()["error"]
    assert messages(table) == []


def test_a_seat_that_says_too_much_is_asked_to_wait_and_the_others_are_not(table: TableClient) -> None:
    answers = [write(table, 0, f"line {number}").status_code for number in range(chat.MAX_BURST + 1)]
    assert answers == [200] * chat.MAX_BURST + [429]
    assert write(table, 1, "Hello").status_code == 200


def test_the_next_owner_of_a_seat_has_not_said_what_was_said_before(store: Store) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config(away_after=0)))) as client:
        table = TableClient(client, chat=True)
        write(table, 1, "Back in a minute")
        given = client.post(f"{table.path}/seats/1", json={"do": "hand-over", "name": "Cy"}, headers=table.bearer(0))
        table.tokens[1] = given.json()["token"]
        write(table, 1, "Hello")
        assert messages(table) == [(1, "P1", "Back in a minute"), (1, "Cy", "Hello")]


@pytest.mark.parametrize("config", [table_config(chat_messages=3)])
def test_only_the_newest_messages_are_stored_and_deleted_with_the_table(table: TableClient, store: Store, tmp_path: Path) -> None:
    for number in range(5):
        write(table, number % 2, f"Nightingale {number}")
    assert [text for _, _, text in messages(table)] == [f"Nightingale {number}" for number in (2, 3, 4)]
    table.finish()
    assert store.delete_idle(datetime.now(UTC)) == 1
    with store.database.engine.connect() as connection:
        assert not connection.execute(sql.select(schema.chat_messages)).all()
    store.close()
    assert not [file for file in tmp_path.iterdir() if b"Nightingale" in file.read_bytes()]


@pytest.mark.one_engine
def test_data_from_before_there_was_a_chat_is_opened_and_talked_at(table: TableClient, store: Store, tmp_path: Path) -> None:
    with store.database.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE chat_messages")
        connection.exec_driver_sql("UPDATE schema_version SET version = 2")
    newer = Store.in_folder(tmp_path)
    with TestClient(make_app(TableRegistry(newer, config=table_config()))) as client:
        table.client = client
        assert write(table, 0, "Hello").status_code == 200
    newer.close()


def screens(table: Table) -> Iterator[ClientView]:
    for held in ((), (Seat(0),), (Seat(0), Seat(1))):
        yield ClientView(table, Translator("en"), held)


def test_every_line_is_drawn_though_nothing_else_has_changed(table: TableClient) -> None:
    cache, names = FragmentCache(), set[str]()
    found: Table = table.client.app.state.registry.get_open(table.made["table"])  # type: ignore[attr-defined]
    for text in ("one", "two"):
        write(table, 0, text)
        names.add(etag(ClientView(found, Translator("en"))))
        for screen in screens(found):
            drawn = render_view(screen, cache).fragment.to_html()
            assert text in drawn
            assert drawn == render_view(screen, None).fragment.to_html()
    assert len(names) == 2, "a screen that comes back is sent what it does not show"


@pytest.mark.parametrize("config", [table_config(reaction_seconds=1000.0)])
def test_one_sign_at_a_time(table: TableClient) -> None:
    give = [table.client.post(f"{table.path}/reactions", json={"sign": "wow"}, headers=table.bearer(seat)) for seat in (0, 0, 1)]
    assert [given.status_code for given in give] == [200, 429, 200]
    assert give[1].json()["error"] == "one reaction at a time: wait until the last one is gone"
