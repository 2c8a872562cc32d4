"""Authorisation of every endpoint of a table, for each of `WHO`: owners, spectators and strangers of every kind.

An endpoint that is missing from `ENDPOINTS` fails a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.http.middleware.limits import Limits
from tablee.server.registry import TableRegistry
from tests.server.engine import open_store
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

WHO = ("seat", "other seat", "former seat", "spectator", "stranger", "other table")
LOOKING = (200, 200, 403, 200, 403, 403)  # without a token one may look; an invalid token is refused


def sitting(seat: int, other: int | None = None) -> tuple[int, ...]:
    """Return the answers of an endpoint that only players of the table may use."""
    return (seat, seat if other is None else other, 403, 403, 403, 403)


@dataclass(frozen=True)
class EndpointCase:
    """Request to an endpoint and the status for each of `WHO`; `at` fills the path besides the table."""

    answers: tuple[int, ...]
    body: Any = None
    at: dict[str, Any] = field(default_factory=dict)
    by: str = "header"  # where the token goes: "header", "query", or "keys" in the body


ENDPOINTS = {
    "GET /api/tables/{table}": EndpointCase(LOOKING),
    "GET /api/tables/{table}/record": EndpointCase(LOOKING),
    "POST /api/tables/{table}/moves": EndpointCase(sitting(200), {"moves": ["build house 1A"], "at": 0, "id": "a"}),
    "POST /api/tables/{table}/undo": EndpointCase(sitting(409), {"id": "b"}),
    "POST /api/tables/{table}/undo/answer": EndpointCase(sitting(409), {"agree": True, "id": "c"}),
    "POST /api/tables/{table}/hint": EndpointCase(sitting(409)),
    "POST /api/tables/{table}/rematch": EndpointCase(sitting(409)),
    "POST /api/tables/{table}/pause": EndpointCase(sitting(200), {"paused": True}),
    "POST /api/tables/{table}/reactions": EndpointCase(sitting(200), {"sign": "thanks"}),
    "POST /api/tables/{table}/chat": EndpointCase(sitting(200), {"text": "Hello", "id": "d"}),
    "POST /api/tables/{table}/seats/{seat}": EndpointCase(sitting(200, other=403), {"do": "stand-in"}, {"seat": 1}),
    "POST /api/tables/{table}/seats/{seat}/claim": EndpointCase(
        (200,) * 6, {"token": "that-a-new-device-made"}, {"seat": 1}
    ),  # a claim needs no seat: the others answer it
    "POST /api/tables/{table}/page": EndpointCase(LOOKING, {"page": True}, by="keys"),
    "GET /api/tables/{table}/draws": EndpointCase((409,) * 6),  # public, once the game is over
    "POST /api/tables/{table}/play-on": EndpointCase((409, 409, 403, 409, 403, 403), {"at": 0}),  # for everybody, once the game is over
    "POST /api/tables/{table}/continue": EndpointCase((403,) * 6, {}, by="keys"),  # only whoever holds every person's seat
    "POST /api/tables/{table}/gathering": EndpointCase((409,) * 6, {"do": "start"}),  # the game has begun
    "POST /api/tables/{table}/gathering/page": EndpointCase((200,) * 6, {}),  # it says only that the game has begun
    "POST /t/{table}/device": EndpointCase(sitting(200), {"table": "{table}"}, by="keys"),
    "GET /t/{table}": EndpointCase(LOOKING, by="query"),
    "GET /t/{table}/picture.svg": EndpointCase((409,) * 6),  # public, once the game is over
}
SOCKETS = {"/api/tables/{table}/ws", "/api/tables/{table}/gathering/ws"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    store = open_store(tmp_path_factory.mktemp("data"))
    with (
        closing(store),
        TestClient(
            make_app(
                TableRegistry(store, config=table_config(away_after=0)),
                limits=Limits(tables_per_minute=100_000),
            )
        ) as opened,
    ):
        yield opened


@pytest.fixture
def table(client: TestClient) -> TableClient:
    """Return a table where seat 2 was handed over to a newcomer, who has moved."""
    made = TableClient(client, 3, chat=True)
    given = client.post(f"{made.path}/seats/2", json={"do": "hand-over"}, headers=made.bearer(0))
    assert given.status_code == 200, given.text
    owner, made.tokens[2] = made.tokens[2], given.json()["token"]
    made.play(2)
    made.tokens[2] = owner
    return made


@pytest.fixture
def tokens(client: TestClient, table: TableClient) -> dict[str, str | None]:
    there = TableClient(client).tokens[0]
    return dict(zip(WHO, (*table.tokens[:3], None, "somebody", there), strict=True))


def routes(router: Any) -> Iterator[Any]:
    """Yield the routes of the application and of the routers that it includes."""
    for route in router.routes:
        inner = getattr(route, "original_router", None)
        yield from routes(inner) if inner is not None else [route]


def endpoints(client: TestClient) -> tuple[set[str], set[str]]:
    found = list(routes(client.app))
    http = {f"{method} {route.path}" for route in found if isinstance(route, APIRoute) for method in route.methods or ()}
    return {each for each in http if "{table}" in each}, {route.path for route in found if isinstance(route, APIWebSocketRoute)}


def test_every_endpoint_of_a_table_is_asked_below(client: TestClient) -> None:
    assert endpoints(client) == (set(ENDPOINTS), SOCKETS)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_who_may(client: TestClient, table: TableClient, tokens: dict[str, str | None], endpoint: str, who: str) -> None:
    (method, path), asked, token = endpoint.split(), ENDPOINTS[endpoint], tokens[who]
    before, body = table.see()["version"], asked.body
    if "moves" in (body or {}):
        body = body | {"moves": table.see(0)["legal"][:1], "at": before}
    if token and asked.by == "keys":
        body = body | {"keys": token}
    headers = {"authorization": f"Bearer {token}"} if token and asked.by == "header" else {}
    query = f"?k={token}" if token and asked.by == "query" else ""
    answer = client.request(method, path.format(table=table.made["table"], **asked.at) + query, json=body, headers=headers)
    assert answer.status_code == asked.answers[WHO.index(who)], answer.text
    if answer.status_code >= 400:
        assert table.see()["version"] == before, "what is refused changes nothing"
    elif table.see()["version"] > before and "{seat}" not in path:
        assert table.see()["log"][before].startswith(f"{WHO.index(who)} "), "it counts for the seat that asked"


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("page", [True, False])
def test_who_may_look_through_a_socket(client: TestClient, table: TableClient, tokens: dict[str, str | None], who: str, page: bool) -> None:
    shown = {"keys": tokens[who] or ""} if page else {"token": tokens[who]}
    with client.websocket_connect(f"{table.path}/ws") as socket:
        socket.send_json({"page": page, **shown})
        assert ("error" in socket.receive_json()) == (LOOKING[WHO.index(who)] == 403)
