"""Garbage collection and housekeeping never make a move wait."""

from __future__ import annotations

import asyncio
import gc
import random
import time
import weakref
from contextlib import closing
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee.core.game import Seat
from tablee.server import registry as housekeeping
from tablee.server.http import websocket
from tablee.server.ops import gc_scheduler
from tablee.server.storage.store import Store
from tests.server.table_client import TableClient
from tests.server.test_registry import PERSON, opened, play

pytestmark = pytest.mark.one_engine


class Ring:
    """Reference cycle, which only the cyclic GC frees."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_young_is_looked_through_however_little_more_was_made_than_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc_scheduler, "YOUNG_INTERVAL", 0.001)

    async def run() -> None:
        with closing(gc_scheduler.GcScheduler()) as scheduler:
            collecting = asyncio.create_task(scheduler.collect_young())
            gone = weakref.ref(Ring())
            assert gc.get_count()[0] < gc_scheduler.GEN0_THRESHOLD
            async with asyncio.timeout(20):
                while gone() is not None:
                    await asyncio.sleep(0.001)
            collecting.cancel()

    asyncio.run(run())


def test_moves_are_written_between_the_positions_of_many_tables(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint takes as long to write as a move: a move must not wait for a hundred of them."""
    for name, value in {"HOUSEKEEPING_INTERVAL": 0.01, "CHECKPOINT_EVERY": 1, "CHECKPOINT_PAUSE": 5.0}.items():
        monkeypatch.setattr(housekeeping, name, value)
    saved: list[str] = []

    async def run() -> None:
        with opened(store) as registry:
            tables = [(await registry.create("rolling-village", {}, [PERSON]))[0] for _ in range(3)]
            for table in tables:
                await play(table, 2, random.Random(1))
            monkeypatch.setattr(store, "save_checkpoint", lambda table, _: saved.append(table))
            async with registry.running(), asyncio.timeout(20):
                while not saved:
                    await asyncio.sleep(0.001)
                await play(tables[-1], 1, random.Random(2))
                assert saved == [tables[0].id]
                monkeypatch.setattr(housekeeping, "CHECKPOINT_PAUSE", 0.0)
                while len(saved) < len(tables):
                    await asyncio.sleep(0.001)

    asyncio.run(run())


def test_after_the_reconnect_grace_only_tables_that_miss_somebody_signal(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "RECONNECT_GRACE", 0.01)

    async def run() -> None:
        with opened(store) as registry:
            whole, lacking = [(await registry.create("rolling-village", {}, [PERSON] * 2))[0] for _ in range(2)]
            whole.presence.connect((Seat(0), Seat(1)))
            lacking.presence.connect((Seat(0),))
            before = [table.signal.generation for table in (whole, lacking)]
            async with registry.running(), asyncio.timeout(20):
                while lacking.signal.generation == before[1]:
                    await asyncio.sleep(0.001)
                assert whole.signal.generation == before[0]

    asyncio.run(run())


def test_a_screen_that_has_gone_holds_on_to_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed connection is freed without the cyclic GC: before its next run a thousand may have come and gone."""
    seats, gone = TableClient(client, people=1), list[weakref.ref[websocket.TableConnection]]()

    class Noted(websocket.TableConnection):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            gone.append(weakref.ref(self))

    monkeypatch.setattr(websocket, "TableConnection", Noted)
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            with client.websocket_connect(f"{seats.path}/ws") as screen:
                screen.send_json({"page": True, "keys": seats.tokens[0]})
                screen.receive_json()
        deadline = time.monotonic() + 60
        while any(each() for each in gone) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert [each() for each in gone] == [None] * 3
    finally:
        gc.enable()
