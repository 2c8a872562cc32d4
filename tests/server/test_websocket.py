"""WebSocket and polling: each screen gets what changed, and a slow or silent one delays nobody else."""

from __future__ import annotations

import gc
import json
import re
import socket
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from tablee.server.http import websocket
from tablee.server.live import table_connection
from tablee.server.table.presence import PACES
from tests.server.process import ServerProcess
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine


class Message(str):
    """A text that can be referenced weakly."""


@pytest.fixture
def two(client: TestClient) -> TableClient:
    return TableClient(client)


@contextmanager
def open_socket(table: TableClient, **hello: Any) -> Iterator[WebSocketTestSession]:
    with table.client.websocket_connect(f"{table.path}/ws") as session:
        session.send_json(hello)
        yield session


def until(session: WebSocketTestSession, wanted: Callable[[Any], bool]) -> Any:
    """Return the first wanted message of the next six: a version may come twice, and none is skipped."""
    for _ in range(6):
        message = session.receive_json()
        if wanted(message):
            return message
    raise AssertionError("that was not said")


def page(table: TableClient, seat: int, **more: Any) -> dict[str, Any]:
    return {"page": True, "keys": table.tokens[seat]} | more


def parts_of(message: Any) -> dict[str, str]:
    return {part["id"]: part["html"] for part in message["parts"]}


def test_a_seat_is_told_every_version_as_the_api_would(two: TableClient) -> None:
    with open_socket(two, token=two.tokens[1]) as session:
        assert session.receive_json() == two.see(1)
        two.play(0)
        assert until(session, lambda message: message["version"] == 2) == two.see(1)
        two.play(1)
        assert until(session, lambda message: message["version"] == 3)["seat"] == 1


def test_a_spectator_is_told_too_but_gets_no_moves(two: TableClient) -> None:
    with open_socket(two) as session:
        assert session.receive_json()["legal"] == []
        two.play(0)
        assert until(session, lambda message: message["version"] == 2)["log"] == two.see()["log"]


def test_a_page_gets_only_the_parts_that_changed(two: TableClient) -> None:
    with open_socket(two, **page(two, 0)) as session:
        assert list(parts_of(session.receive_json())) == ["room"]
        two.play(1)
        assert parts_of(until(session, lambda message: message["now"]["version"] == 2)) == {}, (
            "what others draw is told when one has drawn (V3)"
        )
        two.play(1)
        changed = parts_of(until(session, lambda message: message["now"]["version"] == 3))
        assert "other-1" in changed
        assert "sheet" not in changed


def test_a_page_that_comes_back_gets_nothing_it_already_shows(two: TableClient) -> None:
    html = two.client.get(two.made["seats"][0]["link"].replace("#", "?")).text
    shows = dict(re.findall(r'id="([^"]+)" data-part="(\w+)"', html))
    with open_socket(two, **page(two, 0, seen=shows)) as session:
        back = parts_of(session.receive_json())
        assert set(back) <= {"player-0"}, "only that this player is here now"


def test_a_draft_is_shown_to_its_own_screen_only_and_the_serial_comes_back(two: TableClient) -> None:
    with open_socket(two, **page(two, 0)) as mine, open_socket(two, **page(two, 1)) as theirs:
        move = two.see(0)["legal"][0]
        mine.send_json(page(two, 0, draft=[move], at=1, serial=7))
        message = until(mine, lambda message: message["serial"] == 7)
        assert message["now"]["draft"] == [move]
        assert move.split()[-1] in parts_of(message)["sheet"]
        two.play(1)
        message = until(theirs, lambda message: message["now"]["version"] == 2)
        assert two.see(0)["view"]["sheets"][0]["cells"] == {}


def test_what_was_confirmed_and_taken_back_does_not_come_back_as_a_draft(two: TableClient) -> None:
    move = two.see(0)["legal"][0]
    with open_socket(two, **page(two, 0, draft=[move], at=1)) as session:
        two.send(0, move, 1)
        assert two.undo(0).status_code == 200
        assert until(session, lambda message: message["now"]["version"] == 3)["now"]["draft"] == []


def test_a_draft_that_is_not_legal_is_dropped_with_its_reason(two: TableClient) -> None:
    with open_socket(two, **page(two, 0, draft=["build park 1A"], at=1)) as session:
        now = session.receive_json()["now"]
        assert (now["draft"], now["refused"]) == ([], "no Park during set-up (V4)")


def test_what_was_confirmed_leaves_the_draft(two: TableClient) -> None:
    first = two.see(0)["legal"][0]
    two.send(0, first, 1)
    second = two.see(0)["legal"][0]
    with open_socket(two, **page(two, 0, draft=[first, second], at=1)) as session:
        now = session.receive_json()["now"]
        assert (now["draft"], now["refused"], now["ready"]) == ([second], "", True)


def test_what_was_undone_leaves_the_narration(two: TableClient) -> None:
    with open_socket(two, **page(two, 0)) as session:
        session.receive_json()
        two.play(0)
        message = parts_of(until(session, lambda message: message["now"]["version"] == 2))
        assert " on " in message["turn-1-1"]
        two.undo(0)
        message = parts_of(until(session, lambda message: message["now"]["version"] == 3))
        assert " on " not in message["turn-1-1"]


def test_polling_gives_the_same_page(two: TableClient) -> None:
    hello = page(two, 0, draft=two.see(0)["legal"][:1], at=1, serial=3)
    with open_socket(two, **hello) as session:
        live = until(session, lambda message: message["serial"] == 3)
        polled = two.client.post(f"{two.path}/page", json=hello).json()
        assert polled == live
        again = two.client.post(f"{two.path}/page", json=hello | {"seen": {"room": "old"}}).json()
        assert list(parts_of(again)) == ["room"]


def test_who_polls_is_here(two: TableClient) -> None:
    assert "not here<" in two.client.get(two.made["watch"]).text
    for seat in (0, 1):
        assert two.client.post(f"{two.path}/page", json=page(two, seat)).status_code == 200
    assert "not here<" not in two.client.get(two.made["watch"]).text


@pytest.mark.parametrize("config", [table_config(poll_timeout=8.0)])
def test_whoever_polls_no_more_is_seen_to_go(two: TableClient) -> None:
    with open_socket(two, **page(two, 0)) as session:
        until(session, lambda message: "not here<" in str(message["parts"]))
        two.client.post(f"{two.path}/page", json=page(two, 1))
        until(session, lambda message: "not here<" not in str(message["parts"]))
        until(session, lambda message: "not here<" in str(message["parts"]))


def test_polls_with_the_same_keys_in_another_order_are_one_screen(two: TableClient) -> None:
    for keys, pace in ((two.tokens, "slow"), (two.tokens[::-1], "quick")):
        assert two.client.post(f"{two.path}/page", json=page(two, 0, pace=pace) | {"keys": ".".join(keys)}).status_code == 200
    assert table_of(two).presence.pace_factor == PACES["quick"], "as the client says last"


def test_polling_sets_the_pace_of_bots_too(two: TableClient) -> None:
    two.client.post(f"{two.path}/page", json=page(two, 1, pace="slow"))
    assert table_of(two).presence.pace_factor == PACES["slow"]


def test_whoever_polls_is_told_of_trouble_once(two: TableClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def poll(**more: Any) -> Any:
        return two.client.post(f"{two.path}/page", json=page(two, 1, **more)).json()

    number = table_of(two).report_error(ZeroDivisionError())
    message = poll()
    assert f"it is recorded as report {number}" in message["error"]
    assert parts_of(poll(told_of=message["told_of"]))
    monkeypatch.setattr(websocket, "cached_view", lambda _: 1 / 0)
    broken = [poll(told_of=number)["told_of"] for _ in range(2)]
    assert broken[0] == broken[1] != number


def table_of(two: TableClient) -> Any:
    return two.client.app.state.registry.get_open(two.made["table"])  # type: ignore[attr-defined]


def test_one_screen_may_hold_two_seats_and_look_through_either(two: TableClient) -> None:
    keys = ".".join(two.tokens)
    hello = {"page": True, "keys": keys}
    first = two.client.post(f"{two.path}/page", json=hello).json()["now"]
    assert (first["me"], first["mine"]) == (0, [0, 1])
    other = two.client.post(f"{two.path}/page", json=hello | {"chosen": 1}).json()
    assert other["now"]["me"] == 1
    assert 'id="other-0"' in parts_of(other)["room"]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("{", "this is not a message that a table understands"),
        ("[]", "this is not a message that a table understands"),
        ('{"wishes": 3}', "this is not a message that a table understands"),
        ('{"token": "forged"}', "this link does not belong to a seat at this table"),
        ('{"page": true, "keys": "forged"}', "this link does not belong to a seat at this table"),
        (b"\x00\x01", "this is not a message that a table understands"),
    ],
)
def test_an_invalid_message_is_answered_in_one_sentence_and_ends_the_connection(
    two: TableClient, message: str | bytes, sentence: str
) -> None:
    for greeted in (False, True):
        with two.client.websocket_connect(f"{two.path}/ws") as session:
            if greeted:
                session.send_text("{}")
                session.receive_json()
            session.send_bytes(message) if isinstance(message, bytes) else session.send_text(message)
            assert until(session, lambda answer: "error" in answer) == {"error": sentence}
            with pytest.raises(WebSocketDisconnect) as closed:
                session.receive_json()
            assert closed.value.code == 4000
    assert two.play(0) == {"version": 2}


def test_an_unknown_table_is_told_in_the_listeners_language(client: TestClient) -> None:
    with client.websocket_connect("/api/tables/nowhere/ws", headers={"accept-language": "fr"}) as session:
        assert session.receive_json() == {"error": "il n'y a pas de table 'nowhere'"}


def test_whoever_leaves_in_the_middle_is_not_missed(two: TableClient) -> None:
    with open_socket(two, **page(two, 0)) as leaving, open_socket(two, **page(two, 1)) as staying:
        leaving.receive_json()
        leaving.close()
        two.play(0)
        message = until(staying, lambda message: message["now"]["version"] == 2)
        assert message["now"]["me"] == 1


def test_a_screen_that_never_reads_holds_nobody_up(server: ServerProcess) -> None:
    table = server.create("rolling-village", ["Ada", "Bo"])
    tokens = [seat["token"] for seat in table["seats"]]
    where = server.address.replace("http", "ws") + f"/api/tables/{table['table']}/ws"
    never_reading = socket.socket()
    never_reading.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    never_reading.connect(("127.0.0.1", server.port))
    with connect(where, sock=never_reading, max_queue=1, close_timeout=0) as silent, connect(where) as listening:
        listening.send(json.dumps({"token": tokens[1]}))
        for _ in range(120):
            silent.send(json.dumps({"page": True, "keys": tokens[0], "seen": {}}))
        for version in (2, 3):
            seen = server.ask("GET", f"/api/tables/{table['table']}", token=tokens[0])
            move = {"move": seen["legal"][0], "at": seen["version"], "id": f"m{version}"}
            assert server.ask("POST", f"/api/tables/{table['table']}/moves", move, tokens[0]) == {"version": version}
            while json.loads(listening.recv(timeout=60))["version"] != version:
                pass
        never_reading.close()
    assert server.ask("GET", f"/api/tables/{table['table']}")["version"] == 3


def test_a_message_that_is_too_large_ends_only_its_own_connection(server: ServerProcess) -> None:
    table = server.create("rolling-village", ["Ada", "Bo"])
    where = server.address.replace("http", "ws") + f"/api/tables/{table['table']}/ws"
    with connect(where) as greedy:
        greedy.send("x" * 1_000_000)
        with pytest.raises(ConnectionClosedError, match="1009"):
            greedy.recv(timeout=60)
    assert server.ask("GET", f"/api/tables/{table['table']}")["version"] == 1


def test_a_screen_that_has_gone_holds_on_to_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed connection is freed without the cyclic GC: before its next run a thousand may have come and gone."""
    seats, gone = TableClient(client, people=1), list[weakref.ref[table_connection.TableConnection]]()

    class Noted(table_connection.TableConnection):
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


def test_a_screen_on_which_nothing_changes_holds_no_copy_of_its_page(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seats, sent = TableClient(client, people=1), list[weakref.ref[Message]]()

    class Noted(table_connection.TableConnection):
        def next_message(self) -> str | bytes | None:
            message = Message(super().next_message())
            sent.append(weakref.ref(message))
            return message

    monkeypatch.setattr(websocket, "TableConnection", Noted)
    with client.websocket_connect(f"{seats.path}/ws") as screen:
        screen.send_json({"page": True, "keys": seats.tokens[0]})
        screen.receive_json()
        deadline = time.monotonic() + 60
        while any(each() for each in sent) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert [each() for each in sent] == [None] * len(sent)
