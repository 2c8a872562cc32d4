"""On which database the server's tests run: SQLite in the test's folder, or, where TABLEE_ENGINE=postgresql, a real PostgreSQL that all of
them share. There each folder has a schema of its own, so the same folder is the same data on both.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sql

from tablee.server.kept.store import Store

ON_POSTGRES = os.environ.get("TABLEE_ENGINE") == "postgresql"


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """A server of the test's own, stopped at the end; its address."""
    server = _serve(folder)
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _serve(folder: Path) -> Any:
    with warnings.catch_warnings(action="ignore"):  # it asks for a runtime folder, and does without
        from pgserver import postgres_server  # noqa: PLC0415  the tests on SQLite start without it
    return postgres_server.get_server(folder, cleanup_mode="delete")


@cache
def _shared() -> str:
    """One for all processes of this test run; the last of them takes it away."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    address: str = _serve(Path(tempfile.gettempdir()) / f"tablee-{run[:12]}").get_uri()
    with sql.create_engine(with_driver(address), isolation_level="AUTOCOMMIT").connect() as connection:
        connection.exec_driver_sql("ALTER SYSTEM SET fsync = off")  # no test cuts the power
        connection.exec_driver_sql("SELECT pg_reload_conf()")
    return address


def with_driver(address: str) -> str:
    return address.replace("postgresql:", "postgresql+psycopg:", 1)


@cache
def address_of(folder: Path) -> str:
    """Of the data that belongs to this folder; empty on SQLite, where it is in the folder."""
    return new_address(folder) if ON_POSTGRES else ""


def new_address(folder: Path) -> str:
    """On PostgreSQL, whichever engine the others run on."""
    schema = f"t{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}"
    engine = sql.create_engine(with_driver(_shared()))
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {schema}")
    engine.dispose()
    return f"{_shared()}&options={quote(f'-csearch_path={schema}')}"


def open_store(folder: Path) -> Store:
    return Store.at(address_of(folder)) if ON_POSTGRES else Store.in_folder(folder)
