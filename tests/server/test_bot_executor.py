"""Bots think in threads of their own: one that fails or overruns plays greedy's move, and the log says so."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee import bots, games
from tablee.bots.search import Search
from tablee.core import fairness
from tablee.core.game import Game, Move, Observation, Seat
from tablee.core.match import Match
from tablee.core.rng import Rng
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table import bot_executor
from tablee.server.table.bot_executor import BotExecutor
from tests.server.event_loop import run_async
from tests.server.seeds import table_config
from tests.server.table_client import TableClient, without_presence

pytestmark = pytest.mark.one_engine


def rolled() -> Match:
    match = Match(games.find("rolling-village"), 2, {}, fairness.seed_for(1, 1))
    match.play_nature()
    return match


def broken(game: Game, seen: Observation, rng: Rng) -> Move:
    raise ZeroDivisionError


def endless(game: Game, seen: Observation, rng: Rng) -> Move:
    threading.Event().wait(1)
    return Move(-1)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_executor, "is_uncompiled", lambda _: False)


def replace_search_bot(bot: bots.Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use this bot wherever a search bot would think."""
    find: Callable[[str], bots.Bot] = bots.find
    monkeypatch.setattr(bots, "find", lambda name: bot if name.startswith("search") else find(name))


@pytest.mark.parametrize("bot", [broken, endless])
def test_greedy_steps_in_for_a_bot_that_fails_or_overruns(bot: bots.Bot, monkeypatch: pytest.MonkeyPatch, compiled: None) -> None:
    replace_search_bot(bot, monkeypatch)
    executor, match = BotExecutor(timeout=0.05), rolled()
    thought = run_async(executor.choose(match, Seat(0), "search:nodes=10"))
    assert (thought.is_fallback, thought.move) == (True, bots.choose(match, Seat(0), bots.GREEDY))
    executor.close()


@pytest.mark.parametrize("level", ["greedy", "search:nodes=10"])
def test_no_bot_thinks_where_lines_are_written(level: str, monkeypatch: pytest.MonkeyPatch, compiled: None) -> None:
    """Bots run in the executor's own pools, so that no commit waits for them."""
    found: list[str] = []

    def choose(match: Match, seat: Seat, *_: object) -> Move:
        found.append(threading.current_thread().name)
        if len(found) == 1 and level != "greedy":
            raise ZeroDivisionError
        return match.legal(seat)[0]

    monkeypatch.setattr(bots, "choose", choose)
    executor = BotExecutor()
    run_async(executor.choose(rolled(), Seat(0), level))
    executor.close()
    assert [name.partition("_")[0] for name in found] == (["playing"] if level == "greedy" else ["thinking", "playing"])


def test_whoever_stops_waiting_stops_the_bot(monkeypatch: pytest.MonkeyPatch, compiled: None) -> None:
    begun, stopped = threading.Event(), threading.Event()

    class Stubborn(Search):
        def __call__(self, game: Game[Any], seen: Observation[Any], rng: Rng, stop: Callable[[], bool] = bool) -> Move:  # noqa: ARG002
            begun.set()
            while not stop():
                time.sleep(0.01)
            stopped.set()
            return Move(game.legal(seen.state, Seat(0))[0])

    async def give_up() -> None:
        executor = BotExecutor()
        waiting = asyncio.create_task(executor.choose(rolled(), Seat(0), "search:nodes=10"))
        assert await asyncio.to_thread(begun.wait, 60)
        waiting.cancel()
        assert await asyncio.to_thread(stopped.wait, 60)
        executor.close()

    replace_search_bot(Stubborn(), monkeypatch)
    run_async(give_up())


def test_while_a_room_is_plain_python_greedy_plays_and_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_executor, "is_uncompiled", lambda _: True)
    replace_search_bot(broken, monkeypatch)
    assert not run_async(BotExecutor().choose(rolled(), Seat(0), "search:nodes=10")).is_fallback


def test_the_log_says_so_and_is_the_same_after_a_restart(client: TestClient, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    table = TableClient(client, people=1, bots=1)
    choose = BotExecutor.choose

    async def hurried(self: BotExecutor, match: Match, seat: Seat, level: str) -> bot_executor.BotDecision:
        thought = await choose(self, match, seat, level)
        return bot_executor.BotDecision(thought.move, is_fallback=len(match.log) > 3)

    monkeypatch.setattr(BotExecutor, "choose", hurried)
    table.finish()
    seen = table.see()
    assert "1 hurried" in seen["log"]
    assert not any(line.endswith("hurried") for line in table.record()["log"])
    assert "has not finished thinking and plays at once" in client.get(table.made["watch"]).text
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as again:
        assert without_presence(again.get(table.path).json()) == without_presence(seen)
