"""Fixtures: the application in this process, on a store of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.ops import error_reports
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table.config import TableConfig
from tests.server.engine import open_store
from tests.server.seeds import table_config


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path)
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _no_report_folder() -> Iterator[None]:
    yield
    error_reports.set_folder(None)


@pytest.fixture
def config() -> TableConfig:
    """Configuration of the tables; a test overrides it by `parametrize`."""
    return table_config(stand_in_level="greedy")  # medium needs a quiet machine


@pytest.fixture
def client(store: Store, config: TableConfig) -> Iterator[TestClient]:
    with TestClient(make_app(TableRegistry(store, config=config))) as opened:
        yield opened
