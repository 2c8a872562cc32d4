"""A bot plays only its own seats, stops when a player takes a seat back, and does not try for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing

import pytest

from tablee.core.errors import RulesError
from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table import bot_player
from tablee.server.table.bot_executor import BotDecision, BotExecutor
from tablee.server.table.models import LogAppend, StoreError
from tablee.server.table.seats import SeatSpec
from tablee.server.table.table import Table
from tests.server.event_loop import run_async
from tests.server.seeds import table_config
from tests.server.table_client import play_move

pytestmark = pytest.mark.one_engine

ADA, BO = Seat(0), Seat(1)


async def waiting_for_bo(registry: TableRegistry) -> Table:
    """Return a table where a bot sits in for Bo, who alone is to act, and a spectator is connected."""
    table, _ = await registry.create("rolling-village", {}, [SeatSpec("human", "Ada"), SeatSpec("human", "Bo")])
    table.presence.connect(())
    while ADA in table.match.to_act:
        await play_move(table, ADA, table.game.show(table.match.legal(ADA)[0]), table.version, f"a{table.version}")
    await table.change(table.absent_players.stand_in(BO, ADA))
    return table


async def until_it_rests(table: Table) -> None:
    while table.bot_player.busy:
        await asyncio.sleep(0.01)


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(test(), 30)

    run_async(bounded())


def test_whoever_comes_back_while_the_bot_waits_plays_alone(store: Store) -> None:
    async def test() -> None:
        with closing(TableRegistry(store, config=table_config(bot_pace=1, away_after=0))) as registry:
            table = await waiting_for_bo(registry)
            assert table.bot_player.busy
            version = await table.change(table.absent_players.return_to_seat(BO))
            await until_it_rests(table)
            assert table.version == version

    run(test)


def test_whoever_comes_back_while_the_bot_thinks_plays_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        begun, end = asyncio.Event(), asyncio.Event()

        async def choose(_: BotExecutor, match: Match, seat: Seat, level: str) -> BotDecision:
            begun.set()
            await end.wait()
            return BotDecision(match.legal(seat)[0])

        monkeypatch.setattr(BotExecutor, "choose", choose)
        with closing(TableRegistry(store, config=table_config(bot_retry_delay=0, away_after=0))) as registry:
            table = await waiting_for_bo(registry)
            await begun.wait()
            version = await table.change(table.absent_players.return_to_seat(BO))
            end.set()
            await until_it_rests(table)
            assert table.version == version

    run(test)


def test_a_bot_that_cannot_play_says_so_once_and_rests_where_nobody_looks(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(_: Sequence[LogAppend]) -> None:
        raise StoreError(msg("the disk is full"))

    async def test() -> None:
        with closing(TableRegistry(store, config=table_config(bot_retry_delay=0, idle_after=1.0))) as registry:
            monkeypatch.setattr(store, "append_all", full)
            table, _ = await registry.create("rolling-village", {}, [SeatSpec("bot", level="greedy")] * 2)
            await until_it_rests(table)
            assert table.match.to_act

    run(test)
    assert [each.getMessage() for each in caplog.records if each.name == bot_player.__name__] == [
        "a bot at rolling-village could not play, and looks again: StoreError"
    ]


def test_rules_that_break_their_contract_are_reported_once_and_not_tried_again(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def cannot(*_: object) -> BotDecision:
        raise RulesError(msg("sticks: legal writes a list longer than MOST_MOVES"))

    async def test() -> None:
        monkeypatch.setattr(BotExecutor, "choose", cannot)
        with closing(TableRegistry(store, config=table_config())) as registry:
            table, _ = await registry.create("rolling-village", {}, [SeatSpec("bot", level="greedy")] * 2)
            await until_it_rests(table)
            assert table.error_report

    run(test)
    (message,) = [each.getMessage() for each in caplog.records if each.levelname in ("WARNING", "ERROR")]
    assert "RulesError: sticks: legal writes a list longer than MOST_MOVES\n" in message
