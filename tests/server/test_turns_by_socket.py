"""A turn confirmed by WebSocket: answered as by POST and under its id, counted once, and shown once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from tablee.core.i18n import msg
from tablee.server.app import make_app
from tablee.server.http.middleware.limits import Limits
from tablee.server.live import table_connection
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table.models import StoreError
from tablee.server.table.table import Table
from tablee.server.view.rendered_view import cached_view
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

ELSEWHERE = ("203.0.113.7", 5000)  # a client that is not on this computer


@pytest.fixture
def two(client: TestClient) -> TableClient:
    return TableClient(client)


class Screen:
    """A page's connection, which collects what it is sent."""

    def __init__(self, table: TableClient, session: WebSocketTestSession, hello: dict[str, Any]) -> None:
        self.table, self.session, self.hello, self.serial = table, session, hello, 0

    def say(self, **more: Any) -> None:
        self.serial += 1
        self.session.send_json(self.hello | {"serial": self.serial} | more)

    def heard(self, **more: Any) -> list[Any]:
        """Say this, and return all messages up to the answer to a further message."""
        self.say(**more)
        self.say()
        messages = [self.session.receive_json()]
        while messages[-1].get("serial") != self.serial:
            messages.append(self.session.receive_json())
        return messages

    def confirm(self, moves: Sequence[str], at: int, client_id: str = "a") -> list[Any]:
        turn = {"moves": list(moves), "at": at, "id": client_id}
        return self.heard(token=self.table.tokens[0], turn=turn, draft=list(moves), at=at)


@contextmanager
def screen_of(table: TableClient, language: str = "en") -> Iterator[Screen]:
    with table.client.websocket_connect(f"{table.path}/ws", headers={"accept-language": language}) as session:
        screen = Screen(table, session, {"page": True, "keys": table.tokens[0]})
        screen.heard()
        yield screen


def answers(messages: Sequence[Any]) -> list[Any]:
    return [each for each in messages if "turn" in each]


def test_a_turn_is_answered_under_its_id_before_the_table_is_shown(two: TableClient) -> None:
    moves = two.see(0)["legal"][:1]
    with screen_of(two) as screen:
        messages = screen.confirm(moves, 1)
    assert messages[0] == {"turn": "a", "status": 200, "body": {"version": 2}}
    assert two.see()["log"][-1] == f"0 {moves[0]}"


def test_the_screen_that_confirmed_is_rendered_once(two: TableClient, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered = list[tuple[int, tuple[str, ...], Any]]()

    def noted(client_view: Any) -> Any:
        rendered.append((client_view.table.version, client_view.draft, client_view.chosen))
        return cached_view(client_view)

    moves = two.see(0)["legal"][:1]
    with screen_of(two) as screen:
        screen.heard(draft=moves, at=1, chosen=0)
        monkeypatch.setattr(table_connection, "cached_view", noted)
        turn = {"moves": moves, "at": 1, "id": "a"}
        screen.say(token=two.tokens[0], turn=turn, draft=moves, at=1)
        answer, shown = screen.session.receive_json(), screen.session.receive_json()
    assert (answer["status"], shown["serial"]) == (200, screen.serial)
    assert (shown["now"]["version"], shown["now"]["draft"]) == (2, [])
    assert rendered == [(2, tuple(moves), None)], "never the draft on a table that it is played on already"


def test_a_turn_counts_once_over_both_ways(two: TableClient) -> None:
    moves = two.see(0)["legal"][:1]
    body = {"moves": moves, "at": 1, "id": "a"}
    with screen_of(two) as screen:
        for _ in range(2):
            assert answers(screen.confirm(moves, 1)) == [{"turn": "a", "status": 200, "body": {"version": 2}}]
    with screen_of(two) as again:
        assert answers(again.confirm(moves, 1)) == [{"turn": "a", "status": 200, "body": {"version": 2}}]
    assert two.client.post(f"{two.path}/moves", json=body, headers=two.bearer(0)).json() == {"version": 2}
    assert two.see()["version"] == 2


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_a_refusal_is_the_one_of_a_post_and_drops_the_draft(two: TableClient, language: str) -> None:
    body = {"moves": ["build park 1A"], "at": 1, "id": "a"}
    refused = two.client.post(f"{two.path}/moves", json=body, headers=two.bearer(0) | {"accept-language": language})
    assert refused.json()["rule"] == "V4"
    with screen_of(two, language) as screen:
        answer, *shown = screen.confirm(body["moves"], 1)  # type: ignore[arg-type]
    assert answer == {"turn": "a", "status": refused.status_code, "body": refused.json()}
    assert {(each["now"]["version"], tuple(each["now"]["draft"]), each["now"]["refused"]) for each in shown} == {(1, (), "")}


@pytest.mark.parametrize(
    ("token", "turn"),
    [
        ("forged", {"move": "build house 1A", "at": 1, "id": "a"}),
        (None, {"move": "build house 1A", "at": 1, "id": "a"}),
        ("own", {"move": "build house 1A", "at": 0, "id": "a"}),
        ("own", {"move": "nonsense", "at": 1, "id": "a"}),
    ],
)
def test_what_a_post_refuses_the_socket_refuses_alike(two: TableClient, token: str | None, turn: dict[str, Any]) -> None:
    token = two.tokens[0] if token == "own" else token
    bearer = {"authorization": f"Bearer {token}"} if token else {}
    refused = two.client.post(f"{two.path}/moves", json=turn, headers=bearer)
    with screen_of(two) as screen:
        told = answers(screen.heard(token=token, turn=turn))
    assert told == [{"turn": "a", "status": refused.status_code, "body": refused.json()}]
    assert refused.status_code >= 400
    assert two.see()["version"] == 1


@pytest.mark.parametrize(
    "turn",
    [
        {},
        {"moves": [], "at": 1, "id": "a"},
        {"moves": ["x"], "at": 1},
        {"moves": ["x"], "at": -1, "id": "a"},
        {"moves": ["x"] * 61, "at": 1, "id": "a"},
    ],
)
def test_a_turn_that_is_none_ends_the_connection(two: TableClient, turn: dict[str, Any]) -> None:
    with screen_of(two) as screen:
        screen.say(token=two.tokens[0], turn=turn)
        assert screen.session.receive_json() == {"error": "this is not a message that a table understands"}
        with pytest.raises(WebSocketDisconnect) as closed:
            screen.session.receive_json()
    assert closed.value.code == 4000


def test_what_cannot_be_saved_is_answered_so_and_the_draft_stays(two: TableClient, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> None:
        raise StoreError(msg("the disk is full"))

    moves = two.see(0)["legal"][:1]
    with screen_of(two) as screen:
        with monkeypatch.context() as broken:
            broken.setattr(store, "append_all", full)
            answer, shown, *_ = screen.confirm(moves, 1)
        assert answer == {"turn": "a", "status": 503, "body": {"error": "the disk is full", "rule": None}}
        assert (shown["now"]["version"], shown["now"]["draft"]) == (1, moves)
        assert answers(screen.confirm(moves, 1))[0]["status"] == 200


def test_a_fault_of_ours_is_answered_with_its_report_and_the_connection_stays(two: TableClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> int:
        raise ZeroDivisionError

    moves = two.see(0)["legal"][:1]
    with screen_of(two) as screen:
        with monkeypatch.context() as broken_table:
            broken_table.setattr(Table, "change", broken)
            answer = screen.confirm(moves, 1)[0]
        assert (answer["turn"], answer["status"]) == ("a", 500)
        assert "it is recorded as report" in answer["body"]["error"]
        assert answers(screen.confirm(moves, 1))[0]["status"] == 200


def test_moves_by_socket_and_by_post_share_one_rate(store: Store) -> None:
    limits = Limits(requests_per_minute=8, clock=lambda: 0.0)  # four at once
    with TestClient(make_app(TableRegistry(store, config=table_config()), limits=limits), client=ELSEWHERE) as elsewhere:
        table = TableClient(elsewhere)
        with screen_of(table) as screen:
            asked = [answers(screen.confirm(["build park 1A"], 1, client_id=f"{number}"))[0]["status"] for number in range(5)]
        assert asked == [422] * 4 + [429]
        refused = elsewhere.post(f"{table.path}/moves", json={"moves": ["x"], "at": 1, "id": "x"}, headers=table.bearer(0))
        assert refused.status_code == 429


def test_a_program_may_play_by_the_socket_that_it_listens_on(two: TableClient) -> None:
    with two.client.websocket_connect(f"{two.path}/ws") as session:
        session.send_json({"token": two.tokens[0]})
        seen = session.receive_json()
        session.send_json({"token": two.tokens[0], "turn": {"move": seen["legal"][0], "at": seen["version"], "id": "1"}})
        message = session.receive_json()
        while "turn" not in message:
            message = session.receive_json()
        assert message == {"turn": "1", "status": 200, "body": {"version": 2}}
        assert session.receive_json() == two.see(0)


def test_another_site_opens_no_socket_to_play_by(two: TableClient) -> None:
    with pytest.raises(WebSocketDisconnect), two.client.websocket_connect(f"{two.path}/ws", headers={"origin": "https://evil.example"}):
        pass
