"""Fault isolation: a rule that raises fails its own move, stores nothing, and the other tables play on."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.ops import error_reports
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine


def break_down(*_: Any) -> Any:
    raise ZeroDivisionError("a rule divides by nothing")


def test_a_rule_that_raises_harms_its_own_table_only(store: Store) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config())), raise_server_exceptions=False) as client:
        bad, good = TableClient(client, 2), TableClient(client, 1)
        table = next(each for each in client.app.state.registry.tables if each.id == bad.made["table"])  # type: ignore[attr-defined]
        original, table.match = table.match, copy(table.match)
        table.match.game = replace(table.match.game, events=break_down)
        with client.websocket_connect(f"{good.path}/ws") as beside:
            beside.send_json({})
            beside.receive_json()
            move, before = bad.see(0)["legal"][0], bad.see()
            broken = bad.send(0, move, before["version"], "once")
            assert broken.status_code == 500
            assert "it is recorded as report" in broken.json()["error"]
            assert bad.see() == before, "nothing of it is kept"
            good.finish()
            assert good.see()["status"] == "over"
            assert "error" not in beside.receive_json()
        table.match = original
        assert bad.send(0, move, before["version"], "once").json() == {"version": before["version"] + 1}, "mended, it goes on"
    error_reports.set_folder(None)
