"""Nobody waits while Python looks for rubbish, while positions are kept, or because the house has been open for a while."""

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
    """Something that only itself holds on to."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_young_is_looked_through_however_little_more_was_made_than_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc_scheduler, "YOUNG_INTERVAL", 0.001)

    async def run() -> None:
        with closing(gc_scheduler.GcScheduler()) as tidy:
            sweeping = asyncio.create_task(tidy.collect_young())
            gone = weakref.ref(Ring())
            assert gc.get_count()[0] < gc_scheduler.GEN0_THRESHOLD
            async with asyncio.timeout(20):
                while gone() is not None:
                    await asyncio.sleep(0.001)
            sweeping.cancel()

    asyncio.run(run())


def test_moves_are_written_between_the_positions_of_many_tables(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A position takes as long to keep as a move: of a hundred in a row the last move would wait for all."""
    for name, value in {"HOUSEKEEPING_INTERVAL": 0.01, "CHECKPOINT_EVERY": 1, "CHECKPOINT_PAUSE": 5.0}.items():
        monkeypatch.setattr(housekeeping, name, value)
    kept: list[str] = []

    async def run() -> None:
        with opened(store) as house:
            tables = [(await house.create("rolling-village", {}, [PERSON]))[0] for _ in range(3)]
            for table in tables:
                await play(table, 2, random.Random(1))
            monkeypatch.setattr(store, "save_checkpoint", lambda table, _: kept.append(table))
            async with house.running(), asyncio.timeout(20):
                while not kept:
                    await asyncio.sleep(0.001)
                await play(tables[-1], 1, random.Random(2))
                assert kept == [tables[0].id]
                monkeypatch.setattr(housekeeping, "CHECKPOINT_PAUSE", 0.0)
                while len(kept) < len(tables):
                    await asyncio.sleep(0.001)

    asyncio.run(run())


def test_when_nobody_is_waited_for_any_more_only_tables_that_miss_somebody_are_drawn_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "RECONNECT_GRACE", 0.01)

    async def run() -> None:
        with opened(store) as house:
            whole, lacking = [(await house.create("rolling-village", {}, [PERSON] * 2))[0] for _ in range(2)]
            whole.presence.connect((Seat(0), Seat(1)))
            lacking.presence.connect((Seat(0),))
            before = [table.signal.generation for table in (whole, lacking)]
            async with house.running(), asyncio.timeout(20):
                while lacking.signal.generation == before[1]:
                    await asyncio.sleep(0.001)
                assert whole.signal.generation == before[0]

    asyncio.run(run())


def test_a_screen_that_has_gone_holds_on_to_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither itself nor the last picture: by the time the whole house is tidied a thousand may have come and gone."""
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
