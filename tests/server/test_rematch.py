"""Rematch: seats, tokens and options stay, the first turn passes on, and everybody finds the same new table."""

from __future__ import annotations

import asyncio

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from tablee import games
from tablee.core import fairness
from tablee.core.match import Match
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table.models import ConflictError, hash_token
from tablee.server.table.new_tables import options_with_next_first
from tablee.server.table.seats import SeatSpec
from tests.server.event_loop import run_async
from tests.server.seeds import table_config
from tests.server.table_client import TableClient


def rematch(table: TableClient, seat: int | None) -> Response:
    return table.client.post(f"{table.path}/rematch", headers=table.bearer(seat))


@pytest.fixture
def over(client: TestClient) -> TableClient:
    table = TableClient(client)
    table.finish()
    return table


def test_everybody_comes_to_the_same_new_table_with_the_token_they_have(over: TableClient) -> None:
    first, second, again = (rematch(over, seat).json() for seat in (0, 1, 0))
    assert first["table"] == second["table"] == again["table"] != over.made["table"]
    assert [seat["token"] for seat in first["seats"]] == [over.tokens[0], None]
    assert [seat["token"] for seat in second["seats"]] == [None, over.tokens[1]]
    seen = over.client.get(f"/api/tables/{first['table']}", headers=over.bearer(1)).json()
    assert (seen["seat"], seen["status"], seen["names"]) == (1, "playing", ["P0", "P1"])
    assert seen["commitment"] != over.see()["commitment"]


def test_a_game_that_goes_on_and_a_stranger_get_none(client: TestClient, over: TableClient) -> None:
    going = TableClient(client)
    answer = rematch(going, 0)
    assert (answer.status_code, answer.json()["error"]) == (409, "you can play again when the game is over")
    assert rematch(over, None).status_code == 403


@pytest.mark.parametrize("first", [0, 1, 2, "random"])
def test_the_first_turn_passes_on(first: int | str) -> None:
    match = Match(games.find("mayflower"), 3, {"first": first}, fairness.seed_for(1, 1))
    match.play_nature()
    (began,) = match.to_act
    assert first in (began, "random")
    assert options_with_next_first(match) == dict(match.options) | {"first": (began + 1) % 3}


def test_where_all_play_at_once_nothing_passes_on() -> None:
    match = Match(games.find("rolling-village"), 3, {}, fairness.seed_for(1, 1))
    assert options_with_next_first(match) == dict(match.options)


def test_of_two_who_ask_at_once_in_two_processes_the_second_finds_the_first_ones(store: Store) -> None:
    async def ask() -> None:
        registry, other = TableRegistry(store, config=table_config()), TableRegistry(store, config=table_config())
        table, _ = await registry.create("rolling-village", {}, [SeatSpec("bot", level="greedy")])
        while table.match.to_act:
            await asyncio.sleep(0.01)
        elsewhere = await other.table(table.id)
        made = await registry.rematch(table)
        assert (await other.rematch(elsewhere)).id == made.id
        made_again = store.load(made.id)
        assert made_again is not None
        with pytest.raises(ConflictError):
            store.add_table(made_again, "no such table")

    run_async(ask())


def test_it_survives_a_restart(over: TableClient, store: Store) -> None:
    made = rematch(over, 0).json()["table"]
    stored = store.load(over.made["table"])
    assert stored is not None
    assert (stored.rematch, stored.inviter) == (made, hash_token(over.tokens[0]))
