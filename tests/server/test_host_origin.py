"""Host and origin check, limits per client, and the headers of every answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.types import Message, Scope
from starlette.websockets import WebSocketDisconnect

from tablee.server.app import make_app
from tablee.server.http.middleware.headers import HEADERS
from tablee.server.http.middleware.host_origin import REQUEST_BURST_SECONDS, HostOriginCheck
from tablee.server.http.middleware.limits import Limits, TokenBuckets
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.view import rendering
from tests.server.event_loop import run_async
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

TABLE = {"game": "rolling-village", "seats": [{"kind": "human"}]}
FORM = {"name": "Ada"}
FRIENDS = ("203.0.113.5", 1234)


LIMITS = Limits(public_names=("games.example.org",), sockets_per_client=2)


@pytest.fixture
def limits() -> Limits:
    return LIMITS


@pytest.fixture
def guarded(store: Store, limits: Limits) -> Iterator[TestClient]:
    with TestClient(make_app(TableRegistry(store, config=table_config()), limits=limits), client=FRIENDS) as client:
        yield client


OWN_NAMES = [
    "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "[::ffff:192.168.7.5]", "192.168.7.5", "93.184.216.34:80", "study", "study.local",
    "study.fritz.lan:8000", "games.localhost", "games.example.org", "GAMES.example.org.:443",
]  # fmt: skip
STRANGE_NAMES = [
    "evil.example",
    "study.evil.example:8000",
    "127.0.0.1.evil.example",
    "example.org",
    "a b",
    "[::1",
    "[1:2]",
    "x" * 3000,
    "x" * 300,
]


@pytest.mark.parametrize("host", OWN_NAMES)
def test_the_server_answers_to_addresses_to_names_at_home_and_to_those_it_was_given(guarded: TestClient, host: str) -> None:
    assert guarded.get("/", headers={"host": host}).status_code == 200
    assert guarded.get("/api/games", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", STRANGE_NAMES)
def test_a_strange_name_is_refused_and_the_sentence_says_what_to_do(guarded: TestClient, host: str) -> None:
    answer = guarded.get("/api/games", headers={"host": host})
    assert answer.status_code == 421
    assert "--public-name" in answer.json()["error"]


def test_a_very_long_host_does_not_break_the_invitation(client: TestClient) -> None:
    made = client.post("/new/rolling-village", data=FORM, follow_redirects=False)
    for host in ("x" * 200, "x" * 3000, "[" + "1" * 3000 + "]", "localhost:99999"):
        assert client.get(made.headers["location"], headers={"host": host}).status_code in (200, 421)


ELSEWHERE = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://testserver:1234"},
    {"origin": "http://["},
]
OURS = [
    {},
    {"sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none"},
    {"origin": "http://testserver"},
    {"origin": "https://games.example.org"},
    {"sec-fetch-site": "same-origin", "origin": "null"},
]


@pytest.mark.parametrize("headers", ELSEWHERE)
def test_another_sites_page_makes_no_table_in_a_visitors_name(guarded: TestClient, headers: dict[str, str]) -> None:
    assert guarded.post("/api/tables", json=TABLE, headers=headers).status_code == 403
    page = guarded.post("/new/rolling-village", data=FORM, headers=headers | {"accept-language": "fr"})
    assert page.status_code == 403
    assert "page d&#39;un autre site" in page.text
    assert guarded.get("/new/rolling-village", headers=headers).status_code == 200, "a link from elsewhere may be followed"


@pytest.mark.parametrize("headers", OURS)
def test_our_own_pages_and_programs_make_tables(guarded: TestClient, headers: dict[str, str]) -> None:
    assert guarded.post("/api/tables", json=TABLE, headers=headers).status_code == 201
    assert guarded.post("/new/rolling-village", data=FORM, headers=headers).status_code == 200


def test_another_sites_page_opens_no_socket(guarded: TestClient) -> None:
    path = TableClient(guarded).path
    for origin in ("https://evil.example", "null", "http://testserver:81"):
        with pytest.raises(WebSocketDenialResponse) as refused, guarded.websocket_connect(f"{path}/ws", headers={"origin": origin}):
            pass
        assert refused.value.status_code == 403
        assert HEADERS.items() <= dict(refused.value.headers).items()
    for own in ({}, {"origin": "http://testserver"}, {"origin": "https://games.example.org"}):
        with guarded.websocket_connect(f"{path}/ws", headers=own) as socket:
            socket.send_json({})
            assert socket.receive_json()["version"] == 1


def test_one_address_has_so_many_screens_and_another_is_not_held_to_account(guarded: TestClient, store: Store) -> None:
    path = TableClient(guarded).path
    with guarded.websocket_connect(f"{path}/ws"), guarded.websocket_connect(f"{path}/ws"):
        with pytest.raises(WebSocketDenialResponse) as refused, guarded.websocket_connect(f"{path}/ws"):
            pass
        assert (refused.value.status_code, refused.value.headers["retry-after"]) == (429, "10")
        elsewhere = TestClient(guarded.app, client=("198.51.100.7", 1))
        with elsewhere.websocket_connect(f"{path}/ws"):
            pass
    with guarded.websocket_connect(f"{path}/ws") as socket:
        socket.send_json({})
        assert socket.receive_json()["version"] == 1


def test_a_flood_of_requests_from_one_address_is_refused_and_leaves_moves_alone(store: Store) -> None:
    with TestClient(
        make_app(TableRegistry(store, config=table_config()), limits=Limits(requests_per_minute=60, clock=lambda: 0.0)),
        client=FRIENDS,
    ) as client:
        seats = TableClient(client)
        seen = seats.see(0)
        answers = [client.get("/favicon.ico", follow_redirects=False).status_code for _ in range(300)]
        assert {307, 429} == {*answers}
        refused = client.get("/api/games", headers={"accept-language": "fr"})
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
        assert "trop de demandes depuis un même endroit" in refused.text
        assert seats.send(0, seen["legal"][0], seen["version"]).status_code == 200
        assert TestClient(client.app, client=("198.51.100.7", 1)).get("/api/games").status_code == 200


def test_a_class_of_thirty_never_meets_the_limit_of_requests() -> None:
    now = 0.0
    buckets = TokenBuckets(Limits().requests_per_minute, lambda: now, REQUEST_BURST_SECONDS)
    for _ in range(60):  # pages of fifty files, opened together again and again; every device polls twice a second meanwhile
        assert not any(buckets.take("class") for _ in range(30 * 50))
        for _ in range(20):
            assert not any(buckets.take("class") for _ in range(30 * 2))
            now += 1.0


def test_moves_are_answered_before_a_flood_of_other_requests() -> None:
    """One request begins in each iteration of the event loop; a move begins at once."""
    begun: list[str] = []

    async def app(scope: Scope, *_: object) -> None:
        begun.append(scope["path"])

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_: Message) -> None:
        return

    async def run() -> None:
        middleware = HostOriginCheck(app, Limits())

        def ask(method: str, path: str) -> None:
            scope = {"type": "http", "method": method, "path": path, "headers": [], "client": FRIENDS, "query_string": b""}
            everybody.create_task(middleware(scope, receive, send))

        async with asyncio.TaskGroup() as everybody:
            for _ in range(50):
                ask("GET", "/api/tables/t")
            await asyncio.sleep(0)
            ask("POST", "/api/tables/t/moves")

    run_async(run())
    assert len(begun) == 51
    assert begun.index("/api/tables/t/moves") < 5


@pytest.mark.parametrize("path", ["/", "/rules/rolling-village", "/box/rolling-village"])
def test_a_page_that_never_changes_is_rendered_once(guarded: TestClient, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    first, french = (guarded.get(path, headers={"accept-language": each}).text for each in ("en", "fr"))
    assert first != french
    for find in ("get_template", "select_template"):
        monkeypatch.setattr(rendering.templates(), find, None)
    assert [guarded.get(path, headers={"accept-language": each}).text for each in ("en", "fr")] == [first, french]


def test_a_past_version_waits_in_the_render_queue(guarded: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seats, waited = TableClient(guarded), list[bool]()
    queue = guarded.app.state.render_queue  # type: ignore[attr-defined]
    slot = queue.slot

    def noted(urgent: bool) -> Any:
        waited.append(urgent)
        return slot(urgent)

    monkeypatch.setattr(queue, "slot", noted)
    assert [guarded.get(f"{seats.path}{asked}").status_code for asked in ("", "?at=1", "?at=0")] == [200] * 3
    assert waited == [False]


def test_a_class_of_thirty_with_two_screens_each_is_not_turned_away() -> None:
    assert Limits().sockets_per_client >= 5 * 30 * 2
    assert Limits().tables_per_minute >= 2 * 30


@pytest.mark.parametrize("limits", [replace(LIMITS, hello_timeout=2.0)])
def test_a_socket_that_never_says_hello_is_closed(guarded: TestClient) -> None:
    path = TableClient(guarded).path
    with guarded.websocket_connect(f"{path}/ws") as greeted, guarded.websocket_connect(f"{path}/ws") as silent:
        greeted.send_json({})
        greeted.receive_json()
        with pytest.raises(WebSocketDisconnect) as closed:
            silent.receive_json()
        assert closed.value.code == 1008
        greeted.send_json({})
        assert greeted.receive_json()["version"] == 1, "whoever has said hello may be silent for as long"


def test_every_answer_carries_the_headers(guarded: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(TableRegistry, "games", break_down)
    answers = {
        201: guarded.post("/api/tables", json=TABLE),
        403: guarded.post("/api/tables", json=TABLE, headers={"origin": "null"}),
        404: guarded.get("/nothing"),
        405: guarded.delete("/api/games"),
        413: guarded.post("/api/tables", content=b"x" * 100_000),
        421: guarded.get("/", headers={"host": "evil.example"}),
        422: guarded.post("/api/tables", json={}),
        500: guarded.get("/"),
    }
    for status, answer in answers.items():
        assert answer.status_code == status
        assert HEADERS.items() <= answer.headers.items()
        assert answer.headers["cache-control"] == "no-store"
    policy = answers[404].headers["content-security-policy"]
    assert "base-uri 'none'" in policy
    assert "form-action 'self'" in policy


def test_a_stamped_file_is_immutable_and_another_is_revalidated(guarded: TestClient) -> None:
    file = "/static/platform/icon.svg"
    assert guarded.get(file).headers["cache-control"] == "no-cache"
    assert "immutable" in guarded.get(f"{file}?v=1").headers["cache-control"]
