"""Hosting: backups while people play, records of every game, retention where it is set, and logs that name nobody."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from shutil import copyfile

import pytest
import sqlalchemy as sql
from fastapi import FastAPI
from starlette.testclient import TestClient

from tablee import games
from tablee.cli import main
from tablee.core import record
from tablee.server.app import make_app
from tablee.server.club.club import ClubRegistry
from tablee.server.lobby.lobby import LobbyRegistry
from tablee.server.ops import error_reports
from tablee.server.process import configure_logging
from tablee.server.registry import TableRegistry
from tablee.server.storage import schema
from tablee.server.storage.database import Database
from tablee.server.storage.store import Store
from tests.server.classroom import Classroom, finish, spreadsheet
from tests.server.engine import address_of
from tests.server.event_loop import run_async
from tests.server.process import storage_args
from tests.server.seeds import table_config
from tests.server.table_client import TableClient


@pytest.fixture
def over(client: TestClient) -> TableClient:
    table = TableClient(client)
    table.finish()
    return table


@pytest.mark.one_engine
def test_a_copy_made_while_people_play_is_a_data_folder(over: TableClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    going = TableClient(over.client)
    going.play(0)
    (tmp_path / "copy").mkdir()
    file = tmp_path / "copy" / "tablee.db"
    assert main(["backup", str(file), "--data", str(tmp_path), "--lang", "en"]) == 0
    assert capsys.readouterr().out == f"{file}: a whole copy, 2 tables\n"
    assert sorted(each.name for each in file.parent.iterdir()) == ["tablee.db"]
    going.play(1)
    with TestClient(make_app(TableRegistry(Store.in_folder(file.parent), config=table_config()))) as elsewhere:
        seen = elsewhere.get(going.path, headers=going.bearer(0)).json()
        assert (seen["version"], seen["seat"]) == (2, 0)
        assert elsewhere.get(f"{over.path}/record").json() == over.record()


@pytest.mark.one_engine
def test_a_copy_that_cannot_be_made_leaves_nothing(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", str(tmp_path / "copy.db"), "--data", str(tmp_path / "nowhere"), "--lang", "en"]) == 2
    assert capsys.readouterr().err == f"tablee: there are no games in the data folder {tmp_path / 'nowhere'}\n"
    assert main(["backup", str(tmp_path / "no" / "copy.db"), "--data", str(tmp_path)]) == 2
    (tmp_path / "broken").mkdir()
    copyfile(__file__, tmp_path / "broken" / "tablee.db")
    assert main(["backup", str(tmp_path / "copy.db"), "--data", str(tmp_path / "broken")]) == 2
    assert not list(tmp_path.rglob("*copy*"))


def test_every_finished_game_is_written_as_a_record_that_verifies(over: TableClient, tmp_path: Path) -> None:
    TableClient(over.client)
    out = tmp_path / "records"
    assert main(["export", *storage_args(tmp_path, address_of(tmp_path)), "--out", str(out)]) == 0
    (file,) = out.iterdir()
    assert file.name == f"rolling-village-{over.made['table']}.json"
    assert record.verify(games.find, file.read_text("utf-8")).draws > 0
    assert main(["export", *storage_args(tmp_path, address_of(tmp_path)), "--out", str(out)]) == 2, "a folder that is not empty"


def test_a_game_that_goes_on_is_written_only_if_asked_for_and_without_its_secrets(client: TestClient, tmp_path: Path) -> None:
    going = TableClient(client, game="amerique-1500")
    client.post("/new/amerique-1500")  # nothing is played there yet
    main(["export", *storage_args(tmp_path, address_of(tmp_path)), "--out", str(tmp_path / "a")])
    assert not list((tmp_path / "a").iterdir())
    main(["export", *storage_args(tmp_path, address_of(tmp_path)), "--out", str(tmp_path / "b"), "--unfinished"])
    (file,) = (tmp_path / "b").iterdir()
    written = json.loads(file.read_text("utf-8"))
    assert written["log"] == going.see()["log"]
    assert written["fairness"]["seed"] is None


def opened_long_ago(store: Store, table: str, days: int) -> None:
    with store.database.engine.begin() as connection:
        then = datetime.now(UTC) - timedelta(days=days)
        connection.execute(schema.tables.update().where(schema.tables.c.id == table).values(opened=then, created=then))


@pytest.mark.one_engine
def test_retention_deletes_only_finished_games_that_nobody_opened(store: Store, client: TestClient) -> None:
    old, looked_at, going = TableClient(client), TableClient(client), TableClient(client)
    for table in (old, looked_at):
        table.finish()
    for table in (old, looked_at, going):
        opened_long_ago(store, table.made["table"], 40)
    store.mark_opened(looked_at.made["table"])
    since = datetime.now(UTC) - timedelta(days=30)
    assert store.delete_idle(since, but=[old.made["table"]]) == 0
    assert store.delete_idle(since) == 1
    assert set(store.ids()) == {looked_at.made["table"], going.made["table"]}
    with store.database.engine.connect() as connection:
        for each in schema.metadata.sorted_tables:
            if "table_id" in each.c:
                assert not connection.execute(sql.select(each).where(each.c.table_id == old.made["table"])).first()


def test_an_idle_lobby_is_deleted_too(store: Store, client: TestClient) -> None:
    for _ in range(2):
        client.post("/new/mayflower", follow_redirects=False)
    left, found = store.ids()
    for table in (left, found):
        opened_long_ago(store, table, 40)
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as later:
        assert later.get(f"/t/{found}").status_code == 200
    assert store.delete_idle(datetime.now(UTC) - timedelta(days=30)) == 1
    assert store.ids() == [found]


def test_a_class_keeps_its_results_as_long_as_it_lives(store: Store, client: TestClient) -> None:
    room = Classroom(client)
    (ada,) = room.join("Ada")
    room.seat(size="1", level="")
    room.do("bot", 1)
    finish(room, ada)
    opened_long_ago(store, room.table_of(ada)[0], 400)
    assert store.delete_idle(datetime.now(UTC) - timedelta(days=30)) == 0
    assert len(spreadsheet(room)) == 2


def quickly_kept(store: Store, retention: int = 0) -> FastAPI:
    """Return an application with a hundred rounds of housekeeping a second."""
    registry = TableRegistry(store, config=table_config())
    return make_app(registry, retention=retention, housekeeping_interval=0.01)


def test_housekeeping_deletes_only_where_retention_is_set(store: Store) -> None:
    for retention, left in ((0, 1), (30, 0)):
        with TestClient(quickly_kept(store, retention)) as client:
            if not retention:
                table = TableClient(client)
                table.finish()
                opened_long_ago(store, table.made["table"], 40)
                assert client.portal is not None
                client.portal.call(client.app.state.registry.evict, 0.0)  # type: ignore[attr-defined]
            for _ in range(200):
                if not store.ids():
                    break
                client.get("/api/health")
        assert len(store.ids()) == left


def test_a_round_that_goes_wrong_is_not_the_last(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rounds = count()
    again = threading.Event()

    def goes_wrong(*_: object) -> None:
        if next(rounds):
            again.set()
        raise ZeroDivisionError

    error_reports.set_folder(tmp_path / "reports")
    monkeypatch.setattr(LobbyRegistry, "evict", goes_wrong)
    with TestClient(quickly_kept(store)):
        assert again.wait(60)
    assert list((tmp_path / "reports").iterdir())


def test_unused_classes_are_looked_for_again_after_a_day_that_went_wrong(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    days, again = count(), threading.Event()

    def goes_wrong(*_: object) -> list[str]:
        if next(days):
            again.set()
        raise ZeroDivisionError

    async def run() -> None:
        clubs = ClubRegistry(TableRegistry(store))
        monkeypatch.setattr(clubs.store, "unused", goes_wrong)
        deleting = asyncio.create_task(clubs.delete_unused_daily(interval=0.01))
        assert await asyncio.to_thread(again.wait, 60)
        deleting.cancel()

    run_async(run())


def test_a_journal_that_cannot_be_emptied_just_now_undoes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    Database("sqlite:////nowhere/tablee.db").truncate_wal()
    assert "what was deleted still stands in the journal: unable to open database file" in caplog.text


def test_a_log_line_is_one_json_object_and_names_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        configure_logging("info", "json")
        logging.getLogger("tablee.server.registry").info("tables removed after %d days without a visitor: %d", 30, 2)
        written = json.loads(capsys.readouterr().err)
        assert written.pop("time").endswith("+00:00")
        assert written == {
            "level": "info",
            "logger": "tablee.server.registry",
            "message": "tables removed after 30 days without a visitor: 2",
        }
    finally:
        logging.getLogger("tablee").handlers.clear()
        logging.getLogger("tablee").propagate = True
