"""A game that goes on elsewhere: the record of an unfinished game with its players becomes a table in which they go on."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee import bots, games
from tablee.core import fairness, record
from tablee.core.match import Match
from tests.server.table_client import TableClient


def carried(table: TableClient, keys: list[str]) -> Any:
    return table.client.post(f"{table.path}/continue", json={"keys": ".".join(keys)})


def begun(client: TestClient, key: str) -> TableClient:
    table = TableClient(client, 1, 1, key)
    seen = table.see(0)
    if seen["legal"]:
        table.play(0)
    return table


@pytest.mark.parametrize("key", games.known())
def test_a_game_against_bots_goes_on_where_it_was_with_draws_of_its_own(client: TestClient, key: str) -> None:
    table = begun(client, key)
    taken = carried(table, [table.tokens[0]]).json()
    assert taken["players"] == [{"name": "P0", "colour": 0}, {"bot": "greedy"}]
    assert taken["fairness"]["seed"] is None
    made = client.post("/api/records", json=taken).json()
    there = TableClient(client, 1, 1, key)
    there.path, there.tokens = f"/api/tables/{made['table']}", [seat["token"] for seat in made["seats"]]
    assert [token is None for token in there.tokens] == [False, True]
    seen = there.see(0)
    again = carried(there, [there.tokens[0]]).json()
    assert again["log"][: len(taken["log"])] == taken["log"]
    assert again["from"] == {"lines": len(taken["log"])}
    assert again["fairness"]["commitment"] != taken["fairness"]["commitment"]
    assert seen["players"][0]["name"] == "P0"


def test_only_those_who_hold_every_seat_of_a_person_take_a_game_along(client: TestClient) -> None:
    table = TableClient(client, 2)
    refused = carried(table, table.tokens[:1])
    assert refused.status_code == 403
    assert refused.json()["error"] == "a game goes on elsewhere only if everybody who plays it sits at this screen"
    assert carried(table, []).status_code == 403
    assert carried(table, table.tokens).status_code == 200


def test_a_finished_game_is_shown_and_nobody_sits_in_it(client: TestClient) -> None:
    match = bots.play_out(Match(games.find("rolling-village"), 1, {}, fairness.seed_for(1, 1)), [bots.GREEDY])
    made = client.post("/api/records", json=record.write(match) | {"players": [{"name": "Ada"}]}).json()
    assert made["seats"] == []


@pytest.mark.parametrize(
    "players", [[], "Ada", [{"name": "Ada"}], [{"name": 1}, {}], [{"name": "A", "colour": 99}, {}], [{}, {"bot": "genius"}]]
)
def test_players_that_cannot_be_are_refused_in_a_sentence(client: TestClient, players: Any) -> None:
    table = TableClient(client, 2)
    taken = carried(table, table.tokens).json()
    refused = client.post("/api/records", json=taken | {"players": players})
    assert refused.status_code == 422
    assert refused.json()["error"]
