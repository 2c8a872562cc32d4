"""Finished and imported games: every position can be viewed and played on from, and every draw can be checked.

Of a running game nobody learns more than they could see.
"""

from __future__ import annotations

import json
from itertools import accumulate
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from tablee import bots, games
from tablee.core import fairness, record
from tablee.core.game import Seat
from tablee.core.match import Match
from tablee.server.http.schemas import PageSeen
from tests.server.table_client import TableClient
from tests.server.test_permission import play_on as let_bots_play

pytestmark = pytest.mark.one_engine

ROOMS = games.known()
WITHOUT_WORDS = dict.fromkeys(PageSeen.model_fields)  # a past version is told without them


def look_at(table: TableClient, at: int | str, seat: int | None = None) -> Response:
    return table.client.get(f"{table.path}?at={at}", headers=table.bearer(seat))


def begin_again(table: TableClient, seat: int | None = None, **wanted: Any) -> Response:
    return table.client.post(f"{table.path}/play-on", json=wanted, headers=table.bearer(seat))


def finished(client: TestClient, key: str = "rolling-village") -> TableClient:
    seats = TableClient(client, game=key)
    let_bots_play(seats, 5000)
    return seats


def recorded(key: str) -> dict[str, Any]:
    game = games.find(key)
    seats = game.seats[0]
    return record.write(bots.play_out(Match(game, seats, {}, fairness.seed_for(8, 1)), [bots.GREEDY] * seats))


def bring(client: TestClient, imported: Any) -> Response:
    return client.post("/api/records", content=imported if isinstance(imported, str) else json.dumps(imported))


@pytest.mark.parametrize("key", ROOMS)
def test_the_past_is_what_this_reader_saw_then_and_offers_no_move(client: TestClient, key: str) -> None:
    table = TableClient(client, game=key)
    seen = [{seat: table.see(seat) for seat in (0, 1, None)}]
    for _ in range(6):
        let_bots_play(table, 1)
        seen.append({seat: table.see(seat) for seat in (0, 1, None)})
    for then in seen[:-1]:
        for seat, view_then in then.items():
            past = look_at(table, view_then["version"], seat).json()
            past["view"].pop("forecast", None), view_then["view"].pop("forecast", None)
            assert past == view_then | {"legal": []} | WITHOUT_WORDS
    assert look_at(table, table.see()["version"], 0).json() == table.see(0)


def test_what_was_taken_back_belongs_to_the_past_too(client: TestClient) -> None:
    table = TableClient(client)
    table.play(0)
    before = table.see(0)
    table.undo(0)
    table.play(0, 1)
    assert look_at(table, 2, 0).json() == before | {"legal": []} | {"view": look_at(table, 2, 0).json()["view"]} | WITHOUT_WORDS
    assert look_at(table, 2).json()["view"]["sheets"] == before["view"]["sheets"]
    assert look_at(table, 3).json()["view"]["sheets"] != before["view"]["sheets"]


@pytest.mark.parametrize(
    ("at", "sentence"),
    [(99, "there is no position after line 99: the log has 1"), (-1, "at: it must be at least 0"), ("x", "at: it must be a whole number")],
)
def test_a_position_that_never_was_is_one_sentence(client: TestClient, at: int | str, sentence: str) -> None:
    answer = look_at(TableClient(client), at)
    assert answer.status_code == 422
    assert sentence in answer.json()["error"]


@pytest.mark.parametrize("key", ROOMS)
def test_one_plays_on_from_any_position_with_new_draws(client: TestClient, key: str) -> None:
    table = finished(client, key)
    lines = table.record()["log"]
    at = len(lines) // 2
    new = begin_again(table, 1, at=at).json()
    assert [bool(seat["token"]) for seat in new["seats"]] == [False, True]
    seen = client.get(f"/api/tables/{new['table']}", headers={"authorization": f"Bearer {new['seats'][1]['token']}"}).json()
    assert seen["names"] == ["", "P1"]
    assert seen["log"][:at] == Match.replay(games.find(key), 2, table.record()["options"], lines).lines_for(Seat(1))[:at]
    assert seen["commitment"] != table.see()["commitment"]
    stored = client.get(f"/api/tables/{new['table']}/record").json()
    assert stored["from"] == {"lines": at, "table": table.made["table"]}
    assert "taken over" in client.get(f"/t/{new['table']}").text


def test_the_record_of_a_game_that_was_played_on_verifies(client: TestClient) -> None:
    table = finished(client)
    new = begin_again(table, at=12, people=[0, 1]).json()
    again = TableClient(client)
    again.made, again.path, again.tokens = new, f"/api/tables/{new['table']}", [seat["token"] for seat in new["seats"]]
    again.finish()
    verdict = record.verify(games.find, json.dumps(again.record()))
    assert (verdict.match.origin and verdict.match.origin.lines, verdict.draws > 0) == (12, True)
    draws = client.get(f"{again.path}/draws").json()
    assert draws["taken_over"] == 12
    assert len(draws["draws"]) == verdict.draws


def test_nobody_plays_on_from_a_game_that_goes_on_nor_from_its_end(client: TestClient) -> None:
    going = TableClient(client)
    answer = begin_again(going, 0, at=0)
    assert (answer.status_code, answer.json()["error"]) == (409, "one can play on from a game when it is over")
    assert client.get(f"{going.path}/draws").status_code == 409
    over = finished(client)
    end = len(over.record()["log"])
    cases: list[tuple[dict[str, Any], str]] = [
        ({"at": end}, "the game is over there; go back a little, and play on from there"),
        ({"at": end + 1}, f"there is no position after line {end + 1}: the log has {end}"),
        ({"at": 0, "people": [5]}, "this game has 2 seats"),
    ]
    for wanted, sentence in cases:
        answer = begin_again(over, 0, **wanted)
        assert (answer.status_code, answer.json()["error"]) == (422, sentence)


@pytest.mark.parametrize("key", ROOMS)
def test_a_record_that_is_brought_is_shown_and_can_be_saved_again(client: TestClient, key: str) -> None:
    written = recorded(key)
    answer = bring(client, written)
    assert answer.status_code == 201
    path = f"/api/tables/{answer.json()['table']}"
    assert client.get(f"{path}/record").json() == written
    assert client.get(path).json()["status"] == "over"
    assert "Look back" in client.get(f"/t/{answer.json()['table']}").text
    assert client.post(f"{path}/moves", json={"move": "x", "at": 0, "id": "1"}).status_code == 403
    assert client.post(f"{path}/play-on", json={"at": 5}).status_code == 201


def test_a_record_that_is_not_finished_is_shown_as_far_as_it_goes(client: TestClient, store: Any) -> None:
    written = recorded("mayflower") | {"scores": None, "winners": None, "fairness": None}
    written["log"] = written["log"][:20]
    made = bring(client, written).json()["table"]
    page = client.get(f"/t/{made}").text
    assert "The saved game ends here" in page
    assert "data-stops" in page
    assert client.get(f"/api/tables/{made}").json()["to_act"] == []
    assert client.get(f"/api/tables/{made}/draws").status_code == 409
    assert client.post(f"/api/tables/{made}/play-on", json={"at": 20}).status_code == 201
    again = store.load(made)
    assert (again.seed, again.brought) == (b"", True)


@pytest.mark.parametrize("key", ROOMS)
def test_a_record_that_is_not_finished_can_be_saved_again_as_it_was_brought(client: TestClient, key: str) -> None:
    """Nothing of it is secret: the reader who imported it has all of it."""
    written = recorded(key)
    half = written | {"log": written["log"][: len(written["log"]) // 2], "scores": None, "winners": None, "fairness": None}
    table = bring(client, half).json()["table"]
    assert client.get(f"/api/tables/{table}/record").json()["log"] == half["log"]


def test_whoever_plays_on_chooses_the_bots(client: TestClient, store: Any) -> None:
    table = finished(client)
    made = begin_again(table, 0, at=5, level="easy").json()["table"]
    assert [(seat.kind, seat.level) for seat in store.load(made).seats] == [("human", ""), ("bot", "easy")]
    assert begin_again(table, 0, at=5, level="unbeatable").status_code == 422


def test_what_is_no_valid_record_is_one_sentence(client: TestClient) -> None:
    written = recorded("rolling-village")
    for change, sentence in [
        ("{", "this is not JSON"),
        ("\ufeff\x00", "this is not JSON"),
        (written | {"log": ["- roll 1 1", *written["log"][1:]]}, "line "),
        (written | {"scores": [1] * written["seats"]}, "the record says scores"),
        (written | {"rules": 99}, "this record was played by rules 99"),
        (written | {"components": "0" * 64}, "this record was played with another box"),
        (written | {"fairness": {"seed": "00", "commitment": fairness.commitment(b"\0"), "version": 2}}, ""),
    ]:
        answer = bring(client, change)
        assert answer.status_code == 422
        assert sentence in answer.json()["error"]
    assert bring(client, " " * 100_000).status_code == 413


@pytest.mark.parametrize("key", ROOMS)
def test_every_draw_can_be_checked_from_what_is_told(client: TestClient, key: str) -> None:
    """The check uses no code of ours but the list of outcomes."""
    table = finished(client, key)
    answer = client.get(f"{table.path}/draws").json()
    seed = bytes.fromhex(answer["seed"])
    assert answer["commitment"] == table.see()["commitment"] == fairness.commitment(seed)
    for each in answer["draws"]:
        left = fairness.stream_numbers(seed, each["before"], 1)[0] % sum(weight for _, weight in each["outcomes"])
        sums = accumulate(weight for _, weight in each["outcomes"])
        drawn = next(outcome for (outcome, _), end in zip(each["outcomes"], sums, strict=True) if left < end)
        assert drawn == each["drawn"]
        assert table.record()["log"][each["line"] - 1] == f"- {drawn}"
        assert each["words"]
