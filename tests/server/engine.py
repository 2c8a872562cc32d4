"""Database of the server's tests: SQLite in the test's folder, or one shared PostgreSQL where TABLEE_ENGINE=postgresql.

On PostgreSQL each folder has a schema of its own, so the same folder is the same data on both engines.
"""

from __future__ import annotations

import hashlib
import os
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sql

from tablee.server.storage.store import DATABASE_FILE, Store

ON_POSTGRES = os.environ.get("TABLEE_ENGINE") == "postgresql"


class Postgres:
    """PostgreSQL server of the test's own."""

    def __init__(self, folder: Path) -> None:
        self._server = _serve(folder)
        self.address: str = self._server.get_uri()

    def restart(self) -> None:
        """Restart the server, which cuts every connection."""
        _commands().pg_ctl(["-w", "-m", "fast", "restart"], pgdata=self._server.pgdata, user=self._server.system_user)

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Suspend the server: it neither answers nor closes a connection, as if its machine were gone."""
        first = int((self._server.pgdata / "postmaster.pid").read_text().split()[0])
        os.kill(first, signal.SIGSTOP)  # stopped first, it starts no more children
        others = [int(child) for child in Path(f"/proc/{first}/task/{first}/children").read_text().split()]
        for process in others:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in (*others, first):
                os.kill(process, signal.SIGCONT)

    def close(self) -> None:
        self._server.cleanup()


def _serve(folder: Path) -> Any:
    folder.mkdir(exist_ok=True)  # several test processes may start at once
    with warnings.catch_warnings(action="ignore"):  # it warns about a missing runtime folder, which it does not need
        from pgserver import postgres_server  # noqa: PLC0415  the tests on SQLite start without it
    return postgres_server.get_server(folder, cleanup_mode="delete")


def _commands() -> Any:
    from pgserver import _commands as found  # noqa: PLC0415

    return found


@cache
def _shared() -> str:
    """Return the address of the server that all processes of this test run share; the last of them removes it."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    address: str = _serve(Path(tempfile.gettempdir()) / f"tablee-{run[:12]}").get_uri()
    _do(address, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")  # no test cuts the power
    return address


def _do(address: str, *commands: str) -> None:
    engine = sql.create_engine(address.replace("postgresql:", "postgresql+psycopg:", 1), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for command in commands:
            connection.exec_driver_sql(command)
    engine.dispose()


@cache
def address_of(folder: Path) -> str:
    """Return the address of the data that belongs to this folder; empty on SQLite, where the folder holds it."""
    return new_address(folder) if ON_POSTGRES else ""


def new_address(folder: Path) -> str:
    """Return the address of a new PostgreSQL schema, whichever engine the other tests use."""
    schema = f"t{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}"
    _do(_shared(), f"CREATE SCHEMA {schema}")
    return f"{_shared()}&options={quote(f'-csearch_path={schema}')}"


def open_store(folder: Path) -> Store:
    if ON_POSTGRES:
        return Store.at(address_of(folder))
    if not (folder / DATABASE_FILE).exists():
        (folder / DATABASE_FILE).write_bytes(_new_database())
    return Store.in_folder(folder)


@cache
def _new_database() -> bytes:
    """Return an empty database file: to copy it is quicker than to create it for every test."""
    with tempfile.TemporaryDirectory() as folder:
        Store.in_folder(Path(folder)).close()
        return (Path(folder) / DATABASE_FILE).read_bytes()
