"""Somebody who is awaited and has been away for a while: the others may let a bot sit in or give the seat away, nothing happens by itself,
and whoever comes back takes the seat back.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.house import House
from tablee.server.kept.store import Store
from tablee.server.tables import absence
from tests.server.seats import Seats


@pytest.fixture
def client(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(absence, "LEVEL", "greedy")
    with TestClient(make_app(House(store, pace=0, patience=0))) as opened:
        yield opened


@pytest.fixture
def two(client: TestClient) -> Seats:
    return Seats(client)


def do(table: Seats, by: int | None, seat: int, what: str, **more: str) -> Response:
    return table.client.post(f"{table.path}/seats/{seat}", json={"do": what, **more}, headers=table.bearer(by))


def until(table: Seats, true: Any) -> Any:
    deadline = time.monotonic() + 60
    while not true(seen := table.see(0)):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return seen


def test_a_bot_sits_in_until_the_owner_takes_the_seat_back(two: Seats, store: Store) -> None:
    assert do(two, 0, 1, "stand-in").json() == {"version": 2, "seat": 1, "token": None, "link": None, "asked": None}
    until(two, lambda seen: 1 not in seen["to_act"])
    refused = two.send(1, "avenue A", two.see()["version"])
    assert (refused.status_code, refused.json()["error"]) == (409, "a bot plays for you: take your seat back first")
    with TestClient(make_app(House(store, pace=0))) as restarted:
        two.client = restarted
        assert do(two, 1, 1, "take-back").status_code == 200
        two.finish_round(0)
        two.play(1)
    log = two.see()["log"]
    assert [line for line in log if line.split()[1] in ("stand-in", "back")] == ["1 stand-in 0", "1 back 1"]
    assert not any("stand-in" in line for line in two.record()["log"])


def test_a_seat_given_away_opens_by_its_new_link_only(two: Seats, store: Store) -> None:
    given = do(two, 0, 1, "hand-over", name="Cy").json()
    assert given["link"].endswith(f"/t/{two.made['table']}#k={given['token']}")
    sentence = "this seat has been given to somebody else, and this link does not open it any more"
    for reopened in (two.client, TestClient(make_app(House(store, pace=0)))):
        with reopened if reopened is not two.client else Reused(two.client) as client:
            answer = client.get(two.path, headers=two.bearer(1))
            assert (answer.status_code, answer.json()["error"]) == (403, sentence)
            assert sentence.partition(",")[0] in client.get(f"/t/{two.made['table']}?k={two.tokens[1]}").text
            seen = client.get(two.path, headers={"authorization": f"Bearer {given['token']}"}).json()
            assert (seen["seat"], seen["names"]) == (1, ["P0", "Cy"])
            assert seen["legal"]


@pytest.mark.parametrize(("game", "asked"), [("amerique-1500", [2]), ("rolling-village", None)])
def test_where_there_are_secrets_all_who_are_here_must_want_to_give_a_hand_away(client: TestClient, game: str, asked: list[int]) -> None:
    options: dict[str, Any] = {"first": 1} if asked else {}
    table = Seats(client, 3, game=game, **options)
    with client.websocket_connect(f"{table.path}/ws") as here:
        here.send_json({"token": table.tokens[2]})
        here.receive_json()
        first = [do(table, 0, 1, "hand-over").json() for _ in range(2 if asked else 1)]
        assert [each["asked"] for each in first] == [asked] * len(first)
        assert bool(first[-1]["token"]) == (not asked)
        if asked:
            assert table.see()["log"].count("1 offer 0") == 1, "said twice, it counts once"
            assert "P0 would give the seat to somebody else." in client.get(f"/t/{table.made['table']}?k={table.tokens[2]}").text
            given = do(table, 2, 1, "hand-over", name="Di").json()
            assert client.get(table.path, headers={"authorization": f"Bearer {given['token']}"}).json()["seat"] == 1


class Reused:
    """A client that is open already."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def __enter__(self) -> TestClient:
        return self.client

    def __exit__(self, *_: object) -> None:
        pass


def test_whoever_is_here_keeps_the_seat_and_whoever_comes_too_late_is_told(two: Seats) -> None:
    with two.client.websocket_connect(f"{two.path}/ws") as owner:
        owner.send_json({"token": two.tokens[1]})
        owner.receive_json()
        assert do(two, 0, 1, "hand-over").status_code == 409
    until(two, lambda _: do(two, 0, 1, "hand-over").status_code == 200)
    with two.client.websocket_connect(f"{two.path}/ws") as late:
        late.send_json({"page": True, "keys": two.tokens[1]})
        assert late.receive_json()["error"].startswith("this seat has been given to somebody else")


def test_only_the_others_at_the_table_may_and_only_with_somebody_who_is_absent(client: TestClient, two: Seats, store: Store) -> None:
    other = Seats(client)
    for what in ("stand-in", "hand-over", "take-back"):
        assert do(two, None, 1, what).status_code == 403, "a spectator"
        stranger = client.post(f"{two.path}/seats/1", json={"do": what}, headers=other.bearer(0))
        assert stranger.status_code == 403
    assert do(two, 1, 1, "stand-in").status_code == do(two, 0, 1, "take-back").status_code == 403
    two.finish_round(1)
    assert do(two, 0, 1, "stand-in").status_code == 409, "nobody waits for them"
    assert do(two, 0, 7, "stand-in").status_code == 409
    with TestClient(make_app(House(store, pace=0))) as patient:
        late = Seats(patient)
        refused = do(late, 0, 1, "stand-in")
        assert refused.status_code == 409
        assert refused.json()["error"].startswith("only the seat of somebody who is awaited and has been away for a while")


def test_a_paused_table_rests_until_somebody_goes_on(two: Seats, store: Store) -> None:
    def pause(seat: int | None, paused: bool) -> Response:
        return two.client.post(f"{two.path}/pause", json={"paused": paused}, headers=two.bearer(seat))

    assert pause(None, True).status_code == 403
    assert pause(1, True).json() == pause(0, True).json() == {"version": 2}
    move = two.see(0)["legal"][0]
    refused = two.send(0, move, 2, "once")
    assert (refused.status_code, refused.json()["error"]) == (409, "the game is paused; any player may go on with it")
    with TestClient(make_app(House(store, pace=0))) as restarted:
        two.client = restarted
        assert two.send(0, move, 2, "once").status_code == 409
        assert pause(0, False).json() == {"version": 3}
        assert two.send(0, move, 3, "once").json() == {"version": 4}
    assert two.see()["log"][1:3] == ["1 pause", "0 resume"]


@pytest.mark.parametrize("by_the_class", [False, True])
def test_in_a_pause_nothing_is_taken_back_or_given_away_but_one_may_come_back(two: Seats, by_the_class: bool) -> None:
    two.play(0)
    assert do(two, 0, 1, "stand-in").status_code == 200
    until(two, lambda seen: 1 not in seen["to_act"])
    at = two.client.app.state.house.opened(two.made["table"])  # type: ignore[attr-defined]
    if by_the_class:
        at.rest(True)
    else:
        two.client.post(f"{two.path}/pause", json={"paused": True}, headers=two.bearer(0))
    sentence = "all tables of the class are paused" if by_the_class else "the game is paused"
    for refused in (two.undo(0), do(two, 0, 1, "hand-over")):
        assert (refused.status_code, refused.json()["error"].startswith(sentence)) == (409, True)
    assert do(two, 1, 1, "take-back").status_code == 200


def test_after_a_bot_sat_in_a_dropped_connection_is_no_reason_to_give_the_seat_away(store: Store) -> None:
    with TestClient(make_app(House(store, pace=60, patience=60))) as client:
        two = Seats(client)
        at = client.app.state.house.opened(two.made["table"])  # type: ignore[attr-defined]
        at.absence._patience = 0
        assert do(two, 0, 1, "stand-in").status_code == 200
        at.absence._patience = 60
        with client.websocket_connect(f"{two.path}/ws") as owner:
            owner.send_json({"token": two.tokens[1]})
            owner.receive_json()
        assert do(two, 0, 1, "hand-over").status_code == 409


def test_bots_rest_while_the_table_is_paused(client: TestClient) -> None:
    table = Seats(client, 1, bots=1)
    house = client.app.state.house  # type: ignore[attr-defined]
    at = next(each for each in house.tables if each.id == table.made["table"])
    until(table, lambda seen: seen["to_act"] == [0])
    client.post(f"{table.path}/pause", json={"paused": True}, headers=table.bearer(0))
    at.bots.wake()
    assert not at.bots.busy
