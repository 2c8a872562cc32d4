"""Absent players: the others may let a bot sit in or give the seat away, and a player who comes back takes the seat back.

Nothing happens by itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table.config import TableConfig
from tests.server.classroom import Classroom
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

AT_ONCE = table_config(away_after=0, stand_in_level="greedy")


@pytest.fixture
def config() -> TableConfig:
    return AT_ONCE


@pytest.fixture
def client(store: Store, config: TableConfig) -> Iterator[TestClient]:
    with TestClient(make_app(TableRegistry(store, config=config))) as opened:
        yield opened


@pytest.fixture
def two(client: TestClient) -> TableClient:
    return TableClient(client)


def do(table: TableClient, by: int | None, seat: int, what: str, **more: str | int) -> Response:
    return table.client.post(f"{table.path}/seats/{seat}", json={"do": what, **more}, headers=table.bearer(by))


def until(table: TableClient, true: Any) -> Any:
    deadline = time.monotonic() + 60
    while not true(seen := table.see(0)):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return seen


def test_a_bot_sits_in_until_the_owner_takes_the_seat_back(two: TableClient, store: Store) -> None:
    assert do(two, 0, 1, "stand-in").json() == {"version": 2, "seat": 1, "token": None, "link": None, "asked": None}
    until(two, lambda seen: 1 not in seen["to_act"])
    refused = two.send(1, "avenue A", two.see()["version"])
    assert (refused.status_code, refused.json()["error"]) == (409, "a bot plays for you: take your seat back first")
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        two.client = restarted
        assert do(two, 1, 1, "take-back").status_code == 200
        two.finish_round(0)
        two.play(1)
    log = two.see()["log"]
    assert [line for line in log if line.split()[1] in ("stand-in", "back")] == ["1 stand-in 0", "1 back 1"]
    assert not any("stand-in" in line for line in two.record()["log"])


@pytest.mark.parametrize(("kind", "status"), [("program", 200), ("human", 409)])
def test_a_program_that_hangs_is_absent_though_it_is_connected_and_a_person_who_thinks_is_not(
    client: TestClient, kind: str, status: int
) -> None:
    wanted = {"game": "rolling-village", "seats": [{"kind": "human"}, {"kind": kind, "name": "P"}]}
    made = client.post("/api/tables", json=wanted).json()
    path, (ada, other) = f"/api/tables/{made['table']}", [seat["token"] for seat in made["seats"]]
    with client.websocket_connect(f"{path}/ws") as socket:
        socket.send_json({"token": other})
        assert socket.receive_json()["legal"]
        answer = client.post(f"{path}/seats/1", json={"do": "stand-in"}, headers={"authorization": f"Bearer {ada}"})
        assert answer.status_code == status, answer.text


def with_token(client: TestClient, path: str, token: str) -> Any:
    return client.get(path, headers={"authorization": f"Bearer {token}"})


def page_of(table: TableClient, token: str) -> str:
    return str(table.client.get(f"/t/{table.made['table']}?k={token}").text)


def test_a_seat_given_away_is_its_owners_until_the_newcomer_has_moved(two: TableClient, store: Store) -> None:
    given = do(two, 0, 1, "hand-over", name="Cy").json()
    assert given["link"].endswith(f"/t/{two.made['table']}#k={given['token']}")
    assert "Your seat was given to Cy. Until Cy has made a move, it is still yours." in page_of(two, two.tokens[1])
    refused = two.send(1, two.see(1)["legal"][0], two.see()["version"])
    assert (refused.status_code, refused.json()["error"]) == (409, "your seat was given away while you were away: take it back first")
    sentence = "this seat has been given to somebody else, and this link does not open it any more"
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as two.client:
        seen = with_token(two.client, two.path, given["token"]).json()
        assert (seen["seat"], seen["names"]) == (1, ["P0", "Cy"])
        assert seen["legal"]
        owner, two.tokens[1] = two.tokens[1], given["token"]
        two.play(1)
        assert with_token(two.client, two.path, owner).json()["error"] == sentence
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as two.client:
        assert with_token(two.client, two.path, owner).json()["error"] == sentence
        assert sentence.partition(",")[0] in page_of(two, owner)


def test_an_owner_who_is_back_in_time_takes_the_seat_from_the_newcomer(two: TableClient, store: Store) -> None:
    first = do(two, 0, 1, "hand-over", name="Cy").json()["token"]
    second = do(two, 0, 1, "hand-over", name="Di").json()["token"]
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as two.client:
        assert do(two, 1, 1, "take-back").status_code == 200
        assert two.see()["names"] == ["P0", "P1"]
        assert [with_token(two.client, two.path, token).status_code for token in (first, second)] == [403, 403]
        two.play(1)


def test_a_seat_that_was_just_given_is_not_away_yet(store: Store) -> None:
    now = 1000.0
    with TestClient(make_app(TableRegistry(store, config=table_config(monotonic=lambda: now)))) as client:
        two = TableClient(client)
        now += 100
        away = "has been away for a while"
        assert f"P1 {away}" in page_of(two, two.tokens[0])
        assert do(two, 0, 1, "hand-over", name="Otto").status_code == 200
        assert away not in page_of(two, two.tokens[0])


@contextmanager
def here(table: TableClient, *seats: int) -> Iterator[None]:
    """Connect these seats by WebSocket meanwhile."""
    with ExitStack() as screens:
        for seat in seats:
            socket = screens.enter_context(table.client.websocket_connect(f"{table.path}/ws"))
            socket.send_json({"token": table.tokens[seat]})
            socket.receive_json()
        yield


def test_where_there_are_secrets_nobody_opens_a_hand_on_the_word_of_one(client: TestClient) -> None:
    table = TableClient(client, 3, game="amerique-1500", first=1)
    sentence = "in a game with secrets somebody else who is here has to want it too"
    with here(table, 0):
        assert do(table, 0, 1, "hand-over").json()["error"].startswith(sentence)
        assert 'id="hand-over-1"' not in page_of(table, table.tokens[0])
        assert 'id="stand-in-1"' in page_of(table, table.tokens[0])
    with here(table, 0, 2):
        first = [do(table, 0, 1, "hand-over").json() for _ in range(2)]
        assert [(each["asked"], each["token"]) for each in first] == [([2], None)] * 2
        assert table.see()["log"].count("1 offer 0") == 1, "said twice, it counts once"
        assert "P0 wants to give the seat to somebody else." in page_of(table, table.tokens[2])
        given = do(table, 2, 1, "hand-over", name="Di").json()
        assert with_token(client, table.path, given["token"]).json()["seat"] == 1
    assert do(table, 1, 1, "take-back").status_code == 200, "its owner takes it back"
    two = TableClient(client, 2, game="amerique-1500", first=1)
    with here(two, 0):
        assert do(two, 0, 1, "hand-over").json()["error"].startswith(sentence), "nor where only two play"


def test_two_who_share_a_screen_are_two_people_who_vouch(client: TestClient) -> None:
    """They sit side by side, and nobody else could let the third player in again."""
    given, claimed = (TableClient(client, 3, game="amerique-1500", first=1) for _ in range(2))
    both = {"keys": f"{given.tokens[0]}.{given.tokens[2]}"}
    with here(given, 0, 2):
        assert do(given, 0, 1, "hand-over", **both).json()["token"]
    asked = claim(claimed, 1).json()
    with here(claimed, 0, 2):
        assert do(claimed, 0, 1, "let-in", claim=asked["version"], keys=f"{claimed.tokens[0]}.{claimed.tokens[2]}").status_code == 200
        assert with_token(client, claimed.path, NEW_KEY).json()["seat"] == 1


def test_where_nothing_is_secret_one_of_them_may_give_a_seat_away(client: TestClient) -> None:
    table = TableClient(client, 3)
    with here(table, 0, 2):
        assert do(table, 0, 1, "hand-over").json()["token"]


NEW_KEY = "a-key-that-a-new-device-made"


def claim(table: TableClient, seat: int, token: str = NEW_KEY) -> Response:
    return table.client.post(f"{table.path}/seats/{seat}/claim", json={"token": token})


def test_a_new_device_gets_a_seat_when_those_who_are_here_agree(client: TestClient, store: Store) -> None:
    table = TableClient(client, 3)
    with here(table, 0, 2):
        watching = client.get(f"/t/{table.made['table']}").text
        assert "I am P1" in watching
        assert "I am P0" not in watching, "only seats whose people are not here"
        asked, again = (claim(table, 1).json() for _ in range(2))
        assert asked == again
        assert asked["asked"] == [0, 2]
        assert claim(table, 1, "another-device-s-own-key").status_code == claim(table, 0).status_code == 409
        assert do(table, 0, 1, "let-in", claim=asked["version"]).status_code == 200
        assert with_token(client, table.path, NEW_KEY).status_code == 403, "not before all have agreed"
        assert "Somebody at a new device says: I am P1." in page_of(table, table.tokens[2])
        assert do(table, 2, 1, "let-in", claim=asked["version"]).status_code == 200
    owner, table.tokens[1] = table.tokens[1], NEW_KEY
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as table.client:
        assert with_token(table.client, table.path, owner).json()["seat"] == table.see(1)["seat"] == 1
        table.play(1)
        assert with_token(table.client, table.path, owner).status_code == 403


def test_nobody_claims_the_seat_of_somebody_who_was_here_a_moment_ago(store: Store) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as client:
        table = TableClient(client, 2)
        with here(table, 0):
            with here(table, 1):
                pass
            assert claim(table, 1).status_code == 409
            assert "I am P1" not in client.get(f"/t/{table.made['table']}").text


def test_a_claim_waits_for_the_others_and_one_no_ends_it_for_a_while(client: TestClient) -> None:
    table = TableClient(client, 2)
    asked = claim(table, 1).json()
    assert asked["asked"] == []
    assert "None of them is here yet." in client.get(f"/t/{table.made['table']}").text
    with here(table, 0):
        assert do(table, 0, 1, "turn-away", claim=asked["version"]).status_code == 200
        assert do(table, 0, 1, "let-in", claim=asked["version"]).status_code == 409, "nobody asks any more"
        assert claim(table, 1, "once-more-with-another-key").status_code == 409, "not again at once"
    assert with_token(client, table.path, NEW_KEY).status_code == 403


def test_a_claim_ends_when_its_owner_is_here(client: TestClient) -> None:
    table = TableClient(client, 2)
    asked = claim(table, 1).json()
    with here(table, 0):
        assert "May they play on" in page_of(table, table.tokens[0])
        with here(table, 1):
            assert do(table, 0, 1, "let-in", claim=asked["version"]).status_code == 409
        assert "May they play on" not in page_of(table, table.tokens[0]), "nor does it come up again when the owner has gone"
        assert do(table, 0, 1, "let-in", claim=asked["version"]).status_code == 409


@pytest.mark.parametrize("config", [replace(AT_ONCE, claim_cooldown=0)])
def test_only_the_device_that_was_seen_to_ask_is_let_in(client: TestClient) -> None:
    table = TableClient(client, 2)
    seen, later = claim(table, 1).json(), claim(table, 1, "a-stranger-s-own-new-key").json()
    with here(table, 0):
        assert do(table, 0, 1, "let-in", claim=seen["version"]).status_code == 409
        assert with_token(client, table.path, "a-stranger-s-own-new-key").status_code == 403
        assert do(table, 0, 1, "let-in", claim=later["version"]).status_code == 200


def test_a_hand_of_secrets_needs_two_who_vouch_for_a_new_device(client: TestClient) -> None:
    two, three = (TableClient(client, people, game="amerique-1500", first=1) for people in (2, 3))
    with here(two, 0):
        assert claim(two, 1).status_code == 409
        assert "I am P1" not in client.get(f"/t/{two.made['table']}").text
    with here(three, 0):
        asked = claim(three, 1).json()
        assert asked["asked"] == [0]
        assert do(three, 0, 1, "let-in", claim=asked["version"]).status_code == 200
        assert with_token(client, three.path, NEW_KEY).status_code == 403, "one might be both"
        with here(three, 2):
            assert do(three, 2, 1, "let-in", claim=asked["version"]).status_code == 200
    assert with_token(client, three.path, NEW_KEY).json()["seat"] == 1


@pytest.mark.parametrize(("game", "status"), [("rolling-village", 200), ("amerique-1500", 409)])
def test_alone_against_bots_a_new_device_goes_on_where_nothing_is_secret(client: TestClient, game: str, status: int) -> None:
    table = TableClient(client, 1, bots=1, game=game)
    assert claim(table, 0).status_code == status
    assert (with_token(client, table.path, NEW_KEY).status_code == 200) == (status == 200)


def test_in_a_class_only_the_organiser_gives_a_seat_to_a_new_device(client: TestClient) -> None:
    room = Classroom(client)
    room.join("Ann", "Ben")
    room.seat()
    table, _ = room.table_of(room.pupils[0])
    assert client.post(f"/api/tables/{table}/seats/0/claim", json={"token": NEW_KEY}).status_code == 409


def test_whoever_plays_by_the_api_alone_is_here(store: Store) -> None:
    now = 1000.0
    with TestClient(make_app(TableRegistry(store, config=replace(AT_ONCE, monotonic=lambda: now)))) as client:
        two = TableClient(client)
        assert "not here" in page_of(two, two.tokens[0])
        two.see(1)
        assert do(two, 0, 1, "hand-over").status_code == 409
        two.see(0)
        assert "not here" not in page_of(two, two.tokens[0])
        now += 60
        assert "not here" in page_of(two, two.tokens[0])
        two.send(1, "build house 1A", 0)
        two.see(0)
        assert "not here" not in page_of(two, two.tokens[0]), "also whoever sends a move"


def test_whoever_is_here_keeps_the_seat_and_whoever_comes_too_late_is_told(two: TableClient) -> None:
    with here(two, 1):
        assert do(two, 0, 1, "hand-over").status_code == 409
    until(two, lambda _: do(two, 0, 1, "hand-over").status_code == 200)
    given = do(two, 0, 1, "hand-over").json()["token"]
    owner, two.tokens[1] = two.tokens[1], given
    two.play(1)
    with two.client.websocket_connect(f"{two.path}/ws") as late:
        late.send_json({"page": True, "keys": owner})
        assert late.receive_json()["error"].startswith("this seat has been given to somebody else")


def test_only_the_others_at_the_table_may_and_only_with_somebody_who_is_absent(client: TestClient, two: TableClient, store: Store) -> None:
    other = TableClient(client)
    for what in ("stand-in", "hand-over", "take-back"):
        assert do(two, None, 1, what).status_code == 403, "a spectator"
        stranger = client.post(f"{two.path}/seats/1", json={"do": what}, headers=other.bearer(0))
        assert stranger.status_code == 403
    assert do(two, 1, 1, "stand-in").status_code == do(two, 0, 1, "take-back").status_code == 403
    two.finish_round(1)
    assert do(two, 0, 1, "stand-in").status_code == 409, "nobody waits for them"
    assert do(two, 0, 7, "stand-in").status_code == 409
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as another:
        late = TableClient(another)
        refused = do(late, 0, 1, "stand-in")
        assert refused.status_code == 409
        assert refused.json()["error"].startswith("only the seat of somebody who is awaited and has been away for a while")


def test_a_paused_table_rests_until_somebody_goes_on(two: TableClient, store: Store) -> None:
    def pause(seat: int | None, paused: bool) -> Response:
        return two.client.post(f"{two.path}/pause", json={"paused": paused}, headers=two.bearer(seat))

    assert pause(None, True).status_code == 403
    assert pause(1, True).json() == pause(0, True).json() == {"version": 2}
    move = two.see(0)["legal"][0]
    refused = two.send(0, move, 2, "once")
    assert (refused.status_code, refused.json()["error"]) == (409, "the game is paused; any player may go on with it")
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        two.client = restarted
        assert two.send(0, move, 2, "once").status_code == 409
        assert pause(0, False).json() == {"version": 3}
        assert two.send(0, move, 3, "once").json() == {"version": 4}
    assert two.see()["log"][1:3] == ["1 pause", "0 resume"]


@pytest.mark.parametrize("by_the_class", [False, True])
def test_in_a_pause_nothing_is_taken_back_or_given_away_but_one_may_come_back(two: TableClient, store: Store, by_the_class: bool) -> None:
    two.play(0)
    assert do(two, 0, 1, "stand-in").status_code == 200
    until(two, lambda seen: 1 not in seen["to_act"])
    if by_the_class:
        two.pause_club(store, True)
    else:
        two.client.post(f"{two.path}/pause", json={"paused": True}, headers=two.bearer(0))
    sentence = "all tables of the class are paused" if by_the_class else "the game is paused"
    for refused in (two.undo(0), do(two, 0, 1, "hand-over")):
        assert (refused.status_code, refused.json()["error"].startswith(sentence)) == (409, True)
    assert do(two, 1, 1, "take-back").status_code == 200


def test_after_a_bot_sat_in_a_dropped_connection_is_no_reason_to_give_the_seat_away(store: Store) -> None:
    now = 1000.0
    with TestClient(make_app(TableRegistry(store, config=table_config(bot_pace=60, monotonic=lambda: now)))) as client:
        two = TableClient(client)
        now += 100
        assert do(two, 0, 1, "stand-in").status_code == 200
        with client.websocket_connect(f"{two.path}/ws") as owner:
            owner.send_json({"token": two.tokens[1]})
            owner.receive_json()
        assert do(two, 0, 1, "hand-over").status_code == 409


def test_bots_rest_while_the_table_is_paused(client: TestClient) -> None:
    table = TableClient(client, 1, bots=1)
    registry = client.app.state.registry  # type: ignore[attr-defined]
    at = next(each for each in registry.tables if each.id == table.made["table"])
    until(table, lambda seen: seen["to_act"] == [0])
    client.post(f"{table.path}/pause", json={"paused": True}, headers=table.bearer(0))
    at.bot_player.wake()
    assert not at.bot_player.busy
