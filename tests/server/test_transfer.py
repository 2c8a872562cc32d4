"""Transfer (`tablee move`): all data goes to PostgreSQL and back; an export changes nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from starlette.testclient import TestClient

from tablee.cli import main
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage import schema
from tablee.server.storage.backup import BATCH_ROWS, TRANSFERRED_TABLES
from tablee.server.storage.database import Database
from tablee.server.storage.locks import is_served, lock_folder
from tablee.server.storage.store import Store
from tests.server.classroom import Classroom
from tests.server.engine import new_address
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine


@contextmanager
def serving(store: Store) -> Iterator[TestClient]:
    with closing(store), TestClient(make_app(TableRegistry(store, config=table_config()))) as client:
        yield client


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TableClient]:
    """Return a data folder with a running game, a finished one, a lobby and a class; and the client of the first."""
    folder = tmp_path_factory.mktemp("grown")
    with serving(Store.in_folder(folder)) as client:
        going, over = TableClient(client), TableClient(client)
        going.play(0)
        over.finish()
        client.post("/new/mayflower")
        room = Classroom(client)
        room.join("Ada", "Bo")
        room.seat(size="2", level="")
    return folder, going


@pytest.fixture
def club(grown: tuple[Path, TableClient], tmp_path: Path) -> tuple[Path, TableClient]:
    folder, going = grown
    return Path(shutil.copytree(folder, tmp_path / "club")), going


def stored_rows(url: str) -> dict[str, list[str]]:
    """Return all rows by table, with times in UTC."""
    with closing(Database(url)) as database, database.reading() as connection:
        return {
            table.name: sorted(repr([*map(_plain, row)]) for row in connection.execute(sql.select(table))) for table in TRANSFERRED_TABLES
        }


def _plain(cell: Any) -> Any:
    return cell.astimezone(UTC).replace(tzinfo=None) if isinstance(cell, datetime) and cell.tzinfo else cell


def in_file(folder: Path) -> str:
    return f"sqlite:///{folder / 'tablee.db'}"


def served(database: Database) -> bool:
    with database.reading() as connection:
        return is_served(connection)


def error_line(capsys: pytest.CaptureFixture[str]) -> str:
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    return printed


def move(folder: Path, address: str, *more: str) -> int:
    return main(["move", "--data", str(folder), "--database", address, "--lang", "en", *more])


def test_a_running_game_goes_on_with_the_same_keys_in_the_database_and_home_again(
    club: tuple[Path, TableClient], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder, going), home, address = club, tmp_path / "home", f"{new_address(tmp_path)}%20-ctimezone%3DAmerica/Montreal"
    with closing(Database(in_file(folder))) as database, database.writing() as connection:
        lost = [{"table_id": going.made["table"], "token_hash": f"{number:064x}"} for number in range(BATCH_ROWS + 1)]
        connection.execute(schema.former_tokens.insert(), lost)
    before = stored_rows(in_file(folder))
    assert all(before[name] for name in ("tables", "seats", "log", "clubs", "members", "club_tables"))
    assert move(folder, address) == 0
    assert capsys.readouterr().out.startswith("4 tables are in the database now")
    assert stored_rows(address) == before
    with serving(Store.at(address)) as going.client:
        going.play(1)
        version = going.see(1)["version"]
    assert move(home, address, "--back") == 0
    assert stored_rows(in_file(home)) == stored_rows(address)
    with serving(Store.in_folder(home)) as going.client:
        assert going.see(0)["version"] == version > 2
        going.play(0)


def test_nothing_is_mixed_with_what_is_there_already(
    club: tuple[Path, TableClient], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder, _), address = club, new_address(tmp_path)
    assert move(folder, address) == 0
    before = stored_rows(address)
    capsys.readouterr()
    for direction in ([], ["--back"]):
        assert move(folder, address, *direction) == 2
        assert "only to where there are none yet" in error_line(capsys)
    assert stored_rows(address) == before == stored_rows(in_file(folder))


def test_neither_may_be_served_meanwhile(club: tuple[Path, TableClient], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder, _), address = club, new_address(tmp_path)
    with lock_folder(folder):
        assert move(folder, address) == 2
    assert "another server is using the data folder" in error_line(capsys)
    with serving(store := Store.at(address)):
        while not served(store.database):  # until it holds the serve lock
            pass
        for direction, place in (([], folder), (["--back"], tmp_path / "home")):
            assert move(place, address, *direction) == 2
            assert "the database is being served" in error_line(capsys)
    assert move(folder, address) == 0


@pytest.mark.parametrize(("version", "reason"), [(3, "of version 3, and here is"), (99, "written by a newer Tablée")])
def test_data_of_another_version_is_neither_moved_nor_exported_nor_changed(
    club: tuple[Path, TableClient], tmp_path: Path, capsys: pytest.CaptureFixture[str], version: int, reason: str
) -> None:
    (folder, _), there = club, new_address(tmp_path / "there")
    for url in (in_file(folder), there):
        Store(url).close()
        with closing(Database(url)) as database, database.writing() as connection:
            connection.execute(schema.schema_version.update().values(version=version))
    commands = (
        ["move", "--data", str(folder), "--database", new_address(tmp_path / "empty")],
        ["move", "--data", str(tmp_path / "home"), "--database", there, "--back"],
        ["export", "--database", there, "--out", str(tmp_path / "records")],
    )
    for command in commands:
        assert main([*command, "--lang", "en"]) == 2
        assert reason in error_line(capsys)
    with closing(Database(there)) as database, database.reading() as connection:
        assert connection.execute(sql.select(schema.schema_version)).scalar_one() == version
    assert not (tmp_path / "records").exists()


def test_an_export_makes_no_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = new_address(tmp_path)
    assert main(["export", "--database", address, "--out", str(tmp_path / "records"), "--lang", "en"]) == 2
    assert error_line(capsys) == "tablee: no games were ever kept there\n"
    with closing(Database(address)) as database, database.reading() as connection:
        assert sql.inspect(connection).get_table_names() == []


def test_what_cannot_be_stored_leaves_nothing_behind(
    club: tuple[Path, TableClient], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder, _), address = club, new_address(tmp_path)
    with closing(Database(in_file(folder))) as database, database.writing() as connection:
        connection.execute(schema.members.update().values(name="A\0a"))
    assert move(folder, address) == 2
    assert "cannot be saved" in error_line(capsys)
    assert not any(stored_rows(address).values())
    assert move(tmp_path / "nowhere", address) == 2
    assert "there are no games in the data folder" in error_line(capsys)
    assert move(folder, "postgresql://tablee:secret@127.0.0.1:1/none") == 2
    assert "the database cannot be used: connection" in error_line(capsys)
