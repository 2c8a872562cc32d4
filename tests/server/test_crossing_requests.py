"""Requests that cross a change of their seat: what a token may do is decided under the table's lock, not only when the request arrives."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from starlette.requests import Request

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.server.http import api, schemas, table_actions
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table.decisions import NotNow
from tablee.server.table.models import HANDED, hash_token
from tablee.server.table.seats import NotYourSeat, SeatSpec
from tablee.server.table.table import Table
from tests.server.event_loop import run_async
from tests.server.seeds import table_config
from tests.server.table_client import play_move

ADA, BO = Seat(0), Seat(1)
Work = Coroutine[Any, Any, Any]
REQUEST = Request({"type": "http", "headers": []})


def cross(
    store: Store, monkeypatch: pytest.MonkeyPatch, change: Callable[[Table], Work], ask: Callable[[Table, str], Work]
) -> tuple[TableeError, Table, str]:
    """Let Bo ask while a change of Bo's seat is on its way to the disk; return the refusal, the table and Bo's token."""
    writing, go_on, really = threading.Event(), threading.Event(), store.append_all

    def append_all(entries: Any) -> Any:
        writing.set()
        assert go_on.wait(60)
        return really(entries)

    async def run() -> tuple[TableeError, Table, str]:
        with closing(TableRegistry(store, config=table_config(away_after=0))) as registry:
            table, tokens = await registry.create("rolling-village", {}, [SeatSpec("human", "Ada"), SeatSpec("human", "Bo")])
            await play_move(table, BO, table.game.show(table.match.legal(BO)[0]), table.version, "before")
            token = tokens[BO] or ""
            monkeypatch.setattr(store, "append_all", append_all)
            changing = asyncio.create_task(change(table))
            assert await asyncio.to_thread(writing.wait, 60)
            asking = asyncio.create_task(ask(table, token))
            for _ in range(10):  # enough for the request to pass the first check, and to wait for the lock
                await asyncio.sleep(0)
            go_on.set()
            await changing
            changed = table.version
            with pytest.raises(TableeError) as refused:
                await asking
            assert table.version == changed
            return refused.value, table, token

    return run_async(run())


def moving(table: Table, token: str) -> Work:
    move = table.game.show(table.match.legal(BO)[0])
    return api.play_move(table, token, schemas.NewMove(move=move, at=table.version, id="crossing"))


def undoing(table: Table, token: str) -> Work:
    return api.undo_move(table, token)


def pausing(table: Table, token: str) -> Work:
    return table_actions.pause(table, token, table_actions.Pause(paused=True))


def answering(table: Table, token: str) -> Work:
    return table_actions.answer_take_back(table, token, table_actions.UndoAnswer(agree=True, id="crossing"))


def sending_a_bot(table: Table, token: str) -> Work:
    return table_actions.change_seat(REQUEST, table, token, ADA, table_actions.SeatAction.model_validate({"do": "stand-in"}))


@pytest.mark.parametrize("ask", [moving, undoing])
def test_a_player_whose_seat_is_being_given_away_does_not_play_for_the_newcomer(
    store: Store, monkeypatch: pytest.MonkeyPatch, ask: Callable[[Table, str], Work]
) -> None:
    """The owner's move would have counted as the newcomer's first, and so have shut the owner out."""

    def hand_over(table: Table) -> Work:
        return table.change(table.absent_players.hand_over(BO, "Cy's token", ADA, "Cy"))

    refused, table, token = cross(store, monkeypatch, hand_over, ask)
    assert isinstance(refused, NotNow)
    assert str(refused) == "your seat was given away while you were away: take it back first"
    assert table.seating.given_away(token) == (BO,)


@pytest.mark.parametrize("ask", [moving, undoing, pausing, answering, sending_a_bot])
def test_an_old_link_does_nothing_more_once_a_new_one_is_made(
    store: Store, monkeypatch: pytest.MonkeyPatch, ask: Callable[[Table, str], Work]
) -> None:
    renewed = {BO: lambda seat: replace(seat, token_hash=hash_token("a new link of Bo's"))}
    refused, _, _ = cross(store, monkeypatch, lambda table: table.reseat(renewed, HANDED), ask)
    assert isinstance(refused, NotYourSeat)
