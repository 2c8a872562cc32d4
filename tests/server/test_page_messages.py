"""The messages of the page's scripts: static/messages.d.ts says what the server's types say, and real messages are as described."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from release.page_messages import DECLARATIONS, LobbyMessage, TableMessage, typescript
from tablee import games
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine


def test_the_declarations_are_those_of_the_servers_types() -> None:
    assert DECLARATIONS.read_text(encoding="utf-8") == typescript(), "run `make types`"


def check(message: Any, kind: Any) -> None:
    TypeAdapter(kind).validate_json(json.dumps(message), strict=True)


@pytest.mark.parametrize("key", games.known())
def test_a_tables_messages_are_as_described(client: TestClient, key: str) -> None:
    table = TableClient(client, people=2, game=key)
    token, seen = table.tokens[0], table.see(0)
    hello = {"page": True, "keys": ".".join(table.tokens), "serial": 1}
    turn = {"moves": ["nonsense"], "at": seen["version"], "id": "a"}
    with client.websocket_connect(f"{table.path}/ws") as session:
        for message in (hello, hello | {"draft": ["nonsense"]}, hello | {"token": token, "turn": turn}, {"token": "forged"}):
            session.send_json(message)
            check(session.receive_json(), TableMessage)
    check(client.post(f"{table.path}/page", json=hello).json(), TableMessage)


def test_a_lobbys_messages_are_as_described(client: TestClient) -> None:
    path = client.post("/new/rolling-village", follow_redirects=False).headers["location"].partition("?")[0].partition("#")[0]
    check(client.post(f"/api/tables/{path.rsplit('/', 1)[-1]}/gathering/page", json={}).json(), LobbyMessage)
