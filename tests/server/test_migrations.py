"""Migrations: data of earlier versions is opened and played on; a table keeps its derivation of draws to its end."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sql
from starlette.testclient import TestClient

from tablee import games
from tablee.core import fairness, record
from tablee.core.match import Match
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage import migrations, schema
from tablee.server.storage.store import DATABASE_FILE, Store
from tablee.server.table.models import UNDO, ChatMessage, LogLine, hash_token
from tests.server.engine import new_address
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

FIRST = """
CREATE TABLE boxes (sha256 VARCHAR(64) NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (sha256));
CREATE TABLE tables (
    id VARCHAR(16) NOT NULL, game VARCHAR(64) NOT NULL, rules INTEGER NOT NULL, box VARCHAR(64) NOT NULL, options JSON NOT NULL,
    seats JSON NOT NULL, seed BLOB NOT NULL, created DATETIME NOT NULL, PRIMARY KEY (id), FOREIGN KEY(box) REFERENCES boxes (sha256)
);
CREATE TABLE log (
    table_id VARCHAR(16) NOT NULL, position INTEGER NOT NULL, line TEXT NOT NULL, client_id VARCHAR(80),
    PRIMARY KEY (table_id, position), FOREIGN KEY(table_id) REFERENCES tables (id)
);
"""  # schema of the first version
BEFORE_SEATS = f"""
{FIRST}
ALTER TABLE tables ADD COLUMN derivation INTEGER NOT NULL DEFAULT 1;
ALTER TABLE tables ADD COLUMN rematch VARCHAR(16) NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN hints BOOLEAN NOT NULL DEFAULT 1;
ALTER TABLE tables ADD COLUMN outcome JSON;
ALTER TABLE log ADD COLUMN kind VARCHAR(16) NOT NULL DEFAULT 'move';
CREATE TABLE reviews (
    table_id VARCHAR(16) NOT NULL, text TEXT NOT NULL, PRIMARY KEY (table_id), FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE TABLE checkpoints (
    table_id VARCHAR(16) NOT NULL, position INTEGER NOT NULL, made_by VARCHAR(64) NOT NULL, state BLOB NOT NULL, rest BLOB NOT NULL,
    PRIMARY KEY (table_id), FOREIGN KEY(table_id) REFERENCES tables (id)
);
"""  # schema of the last version with the seats in a column
SAYINGS = """
CREATE TABLE sayings (
    table_id VARCHAR(16) NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
    client_id VARCHAR(80) NOT NULL, PRIMARY KEY (table_id, number), FOREIGN KEY(table_id) REFERENCES tables (id)
)
"""  # chat of version 5


def begun() -> Match:
    """Play two rounds of Rolling Village."""
    match = Match(games.find("rolling-village"), 2, {}, fairness.seed_for(8, 1), derivation=1)
    match.play_nature()
    while match.draw_count < 3:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[0])
        match.play_nature()
    return match


@pytest.fixture(params=[FIRST, BEFORE_SEATS], ids=["first", "before-seats"])
def old_folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    match = begun()
    box = match.game.components
    seats = [{"kind": "human", "name": name, "level": "", "token_hash": hash_token(name)} for name in ("Ada", "Bo")]
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as raw, raw:
        raw.executescript(request.param)
        raw.execute("INSERT INTO boxes VALUES (?, ?, ?)", (box.sha256, box.name, box.text))
        row = ("old", match.game.key, match.game.rules, box.sha256, json.dumps(dict(match.options)), json.dumps(seats), match.seed)
        columns = "id, game, rules, box, options, seats, seed, created"
        raw.execute(f"INSERT INTO tables ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, '2026-01-02 03:04:05.000000')", row)
        raw.executemany("INSERT INTO log (table_id, position, line) VALUES ('old', ?, ?)", list(enumerate(match.lines())))
    return tmp_path


@pytest.fixture
def opened(old_folder: Path) -> Iterator[TestClient]:
    store = Store.in_folder(old_folder)
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as client:
        yield client
    store.close()


def sit_down(client: TestClient) -> TableClient:
    table = TableClient.__new__(TableClient)
    table.client, table.path, table.tokens = client, "/api/tables/old", ["Ada", "Bo"]
    return table


def test_an_old_table_is_played_on_by_its_own_draws(opened: TestClient) -> None:
    table = sit_down(opened)
    assert table.see()["log"] == begun().lines()
    table.play(0)
    assert table.undo(0).status_code == 200
    table.finish()
    written = table.record()
    assert written["fairness"]["version"] == 1
    assert record.verify(games.find, json.dumps(written)).draws == 10
    written["fairness"].pop("version")
    assert record.verify(games.find, json.dumps(written)).draws == 10


def test_a_new_table_beside_it_has_the_newest_draws(opened: TestClient) -> None:
    table = TableClient(opened)
    table.finish()
    assert table.record()["fairness"]["version"] == fairness.NEWEST
    assert record.verify(games.find, json.dumps(table.record())).draws == 10


def test_old_data_is_brought_up_to_date_once_even_by_two(old_folder: Path) -> None:
    with ThreadPoolExecutor(2) as both:
        for store in both.map(Store.in_folder, [old_folder] * 2):
            store.close()
    again = Store.in_folder(old_folder)
    for table in schema.metadata.sorted_tables:
        columns = {column["name"] for column in sql.inspect(again.database.engine).get_columns(table.name)}
        assert columns == {column.name for column in table.columns}, table.name
    assert not sql.inspect(again.database.engine).has_table("checkpoints")
    found = again.load("old")
    assert found is not None
    assert (found.derivation, found.rematch, [seat.name for seat in found.seats]) == (1, "", ["Ada", "Bo"])
    again.close()


def test_old_data_waits_for_whoever_writes_it(old_folder: Path) -> None:
    with closing(sqlite3.connect(old_folder / DATABASE_FILE)) as other, ThreadPoolExecutor(1) as thread:
        other.execute("PRAGMA journal_mode=DELETE")
        other.execute("BEGIN IMMEDIATE")
        opening = thread.submit(Store.in_folder, old_folder)
        with pytest.raises(TimeoutError):
            opening.result(timeout=0.1)
        other.rollback()
        opening.result().close()


def test_a_step_that_fails_leaves_the_data_as_it_was(old_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: sql.Connection) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, fails))
        with pytest.raises(ZeroDivisionError):
            Store.in_folder(old_folder)
    with closing(sqlite3.connect(old_folder / "tablee.db")) as raw:
        assert "seats" in [row[1] for row in raw.execute("PRAGMA table_info(tables)")]
    Store.in_folder(old_folder).close()


def test_the_platforms_lines_of_old_data_get_their_kinds(old_folder: Path) -> None:
    with closing(sqlite3.connect(old_folder / "tablee.db")) as raw, raw:
        raw.execute("INSERT INTO log (table_id, position, line) VALUES ('old', 900, '0 undo')")
    store = Store.in_folder(old_folder)
    assert store.changes_since("old", 900).lines == (LogLine("0 undo", None, UNDO),)
    store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    return f"sqlite:///{tmp_path / 'tablee.db'}" if request.param == "sqlite" else new_address(tmp_path)


def test_chat_messages_survive_the_renaming_of_their_table(url: str, tmp_path: Path) -> None:
    with closing(Store.at(url)) as store:
        with TestClient(make_app(TableRegistry(store, config=table_config()))) as client:
            table = TableClient(client, chat=True)
            table.finish()
        name = table.made["table"]
        with store.database.engine.begin() as connection:
            connection.exec_driver_sql("DROP TABLE chat_messages")
            connection.exec_driver_sql(SAYINGS)
            insert = sql.text("INSERT INTO sayings VALUES (:table, :number, 0, 'Ada', :text, 'id')")
            connection.execute(insert, [{"table": name, "number": number, "text": f"Nightingale {number}"} for number in (7, 8)])
            connection.execute(schema.schema_version.update().values(version=5))
    with closing(Store.at(url)) as store:
        found = store.load(name)
        assert found is not None
        assert found.chat_messages == tuple(ChatMessage(number, 0, "Ada", f"Nightingale {number}", "id") for number in (7, 8))
        inspector = sql.inspect(store.database.engine)
        assert not inspector.has_table("sayings")
        assert [key["referred_table"] for key in inspector.get_foreign_keys("chat_messages")] == ["tables"]
        assert store.delete_idle(datetime.now(UTC)) == 1
        with store.database.reading() as connection:
            assert not connection.execute(sql.select(schema.chat_messages)).all()
    assert not [file for file in tmp_path.iterdir() if b"Nightingale" in file.read_bytes()]


def test_data_of_a_newer_version_is_left_alone(old_folder: Path) -> None:
    store = Store.in_folder(old_folder)
    with store.database.engine.begin() as connection:
        connection.execute(schema.schema_version.update().values(version=99))
    store.close()
    with pytest.raises(migrations.NewerData, match="written by a newer Tablée"):
        Store.in_folder(old_folder)


def test_a_table_of_a_later_version_is_refused_in_one_sentence(old_folder: Path) -> None:
    store = Store.in_folder(old_folder)
    with store.database.engine.begin() as connection:
        connection.execute(schema.tables.update().values(derivation=9))
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as client:
        answer = client.get("/api/tables/old")
    store.close()
    assert (answer.status_code, answer.json()["error"]) == (422, "the draws are of version 9, which is not known here; known: 1, 2")
