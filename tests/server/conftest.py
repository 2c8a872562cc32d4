"""Fixtures: the application in this process, on a store of its own, with fixed seeds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tablee.core import fairness
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table import presence
from tests.server.engine import open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count()
    monkeypatch.setattr(fairness, "new_seed", lambda: fairness.seed_for(1, next(numbers)))


@pytest.fixture
def client(store: Store, seeded: None) -> Iterator[TestClient]:
    with TestClient(make_app(TableRegistry(store, pace=0))) as opened:
        yield opened


@pytest.fixture
def nobody_present(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count a player who only uses the API as absent, so that they are asked nothing."""
    monkeypatch.setattr(presence, "POLL_TIMEOUT", 0.0)
