"""A bot plays its own seats and no others: whoever takes a seat back plays it, whatever the bot was about to do. No bot tries for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing

import pytest

from tablee.core.errors import RulesError
from tablee.core.game import Seat
from tablee.core.i18n import say
from tablee.core.match import Match
from tablee.server.registry import House
from tablee.server.storage.database import StoreError
from tablee.server.storage.models import Entry
from tablee.server.storage.store import Store
from tablee.server.storage.writer import Clerk
from tablee.server.table import bot_player
from tablee.server.table.bot_executor import Thinkers, Thought
from tablee.server.table.seats import SeatWanted
from tablee.server.table.table import Table

pytestmark = pytest.mark.one_engine

ADA, BO = Seat(0), Seat(1)


async def waiting_for_bo(house: House) -> Table:
    """A bot sits in for Bo, who alone is awaited, and somebody looks."""
    table, _ = await house.create("rolling-village", {}, [SeatWanted("human", "Ada"), SeatWanted("human", "Bo")])
    table.attendance.come(())
    while ADA in table.match.to_act:
        await table.play(ADA, table.game.show(table.match.legal(ADA)[0]), table.version, f"a{table.version}")
    await table.absence.stand_in(BO, ADA)
    return table


async def until_it_rests(table: Table) -> None:
    while table.bots.busy:
        await asyncio.sleep(0.01)


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(test(), 30)

    asyncio.run(bounded())


def test_whoever_comes_back_while_the_bot_waits_plays_alone(store: Store) -> None:
    async def test() -> None:
        with closing(House(store, pace=0.1, patience=0)) as house:
            table = await waiting_for_bo(house)
            assert table.bots.busy
            version = await table.absence.come_back(BO)
            await until_it_rests(table)
            assert table.version == version

    run(test)


def test_whoever_comes_back_while_the_bot_thinks_plays_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        begun, end = asyncio.Event(), asyncio.Event()

        async def choose(_: Thinkers, match: Match, seat: Seat, level: str) -> Thought:
            begun.set()
            await end.wait()
            return Thought(match.legal(seat)[0])

        monkeypatch.setattr(Thinkers, "choose", choose)
        monkeypatch.setattr(bot_player, "LATER", 0)
        with closing(House(store, pace=0, patience=0)) as house:
            table = await waiting_for_bo(house)
            await begun.wait()
            version = await table.absence.come_back(BO)
            end.set()
            await until_it_rests(table)
            assert table.version == version

    run(test)


def test_a_bot_that_cannot_play_says_so_once_and_rests_where_nobody_looks(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def full(_: Clerk, entry: Entry) -> None:
        raise StoreError(say("the disk is full"))

    async def test() -> None:
        monkeypatch.setattr(bot_player, "LATER", 0)
        with closing(House(store, pace=0)) as house:
            monkeypatch.setattr(Clerk, "append", full)
            monkeypatch.setattr("tablee.server.table.presence.ATTENTION", 1.0)
            table, _ = await house.create("rolling-village", {}, [SeatWanted("bot", level="greedy")] * 2)
            await until_it_rests(table)
            assert table.match.to_act

    run(test)
    assert [each.getMessage() for each in caplog.records if each.name == bot_player.__name__] == [
        "a bot at rolling-village could not play, and looks again: StoreError"
    ]


def test_rules_that_break_their_contract_are_reported_in_a_sentence_and_not_tried_again(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def cannot(*_: object) -> Thought:
        raise RulesError(say("sticks: legal writes a list longer than MOST_MOVES"))

    async def test() -> None:
        monkeypatch.setattr(Thinkers, "choose", cannot)
        with closing(House(store, pace=0)) as house:
            table, _ = await house.create("rolling-village", {}, [SeatWanted("bot", level="greedy")] * 2)
            await until_it_rests(table)
            assert table.trouble

    run(test)
    (told,) = [each.getMessage() for each in caplog.records if each.levelname in ("WARNING", "ERROR")]
    assert "RulesError: sticks: legal writes a list longer than MOST_MOVES\n" in told
