"""OpenAPI document at /api/openapi.json, as the author of a client reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from tablee import bots, games
from tablee.core import fairness
from tablee.core.game import Seat
from tablee.core.match import Match
from tests.rounds import rounds
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

METHODS = ("get", "post")
EVERY = rounds(few=28, many=7)  # views are checked after two of this number of moves


@pytest.fixture
def document(client: TestClient) -> Any:
    return client.get("/api/openapi.json").json()


def operations(document: Any) -> Iterator[tuple[str, Any]]:
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                yield f"{method} {path}", methods[method]


def test_a_client_is_told_how_to_sit_down(document: Any) -> None:
    (scheme,) = document["components"]["securitySchemes"].values()
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert "POST /api/tables" in scheme["description"]
    (name,) = document["components"]["securitySchemes"]
    wanted = {operation: described.get("security") for operation, described in operations(document)}
    assert wanted.pop("post /api/tables/{table}/moves") == [{name: []}]
    assert wanted.pop("get /api/tables/{table}") == [{name: []}, {}], "spectators look too"
    open_to_all = (
        "get /api/games",
        "post /api/tables",
        "get /api/health",
        "get /api/tables/{table}/draws",
        "post /api/records",
        "post /api/tables/{table}/seats/{seat}/claim",
        "post /api/tables/{table}/continue",  # its body names the tokens of several seats
    )
    assert {operation for operation, security in wanted.items() if security is None} == set(open_to_all)


def test_no_operation_asks_for_the_header_that_clients_must_leave_alone(document: Any) -> None:
    parameters = [each["name"].lower() for _, described in operations(document) for each in described.get("parameters", [])]
    assert "authorization" not in parameters


def test_every_field_is_described(document: Any) -> None:
    schemas = document["components"]["schemas"]
    assert {f"View.{key}" for key in games.known()} <= set(schemas)
    assert [path for name, schema in schemas.items() for path in undescribed(name, schema)] == []


def undescribed(path: str, schema: Any) -> Iterator[str]:
    """Yield every field of a schema, at any depth, that has no description."""
    if isinstance(schema, list):
        for each in schema:
            yield from undescribed(path, each)
    elif isinstance(schema, dict):
        for field, described in schema.get("properties", {}).items():
            if not described.get("description"):
                yield f"{path}.{field}"
            yield from undescribed(f"{path}.{field}", described)
        for key in ("items", "anyOf", "additionalProperties", "prefixItems"):
            yield from undescribed(path, schema.get(key))


@pytest.mark.parametrize("key", [key for key in games.known() if games.find(key).view_type is not dict])
def test_real_views_keep_to_their_description(document: Any, key: str) -> None:
    """Check the views of players and spectators through random games of several sizes and options."""
    game, described = games.find(key), Draft202012Validator(document["components"]["schemas"][f"View.{key}"])
    assert described.schema["properties"], "a free object would describe nothing"
    for number, seats in enumerate(game.seats[:: max(1, len(game.seats) // 4)]):
        options = {option.key: option.values[number % len(option.values)] for option in game.options if option.key != "first"}
        match = Match(game, seats, options, fairness.seed_for(1, seats))
        match.play_nature()
        while match.to_act:
            seat = match.to_act[0]
            for reader in (seat, Seat((seat + 1) % seats), None)[: 3 if len(match.log) % EVERY < 2 else 0]:
                described.validate(json.loads(json.dumps(game.view(game.observe(match.state, reader)))))
            match.play(seat, bots.choose(match, seat, bots.RANDOM))
            match.play_nature()
        described.validate(json.loads(json.dumps(game.view(game.observe(match.state, None)))))


def test_every_parameter_is_described(document: Any) -> None:
    missing = [
        each["name"] for _, described in operations(document) for each in described.get("parameters", []) if not each.get("description")
    ]
    assert missing == []


def test_nobody_begins_on_a_seat_that_is_not_there(client: TestClient) -> None:
    for listed in client.get("/api/games").json():
        for option in listed["options"]:
            if option["key"] == "first":
                assert option["values"] == ["random", *range(games.find(listed["game"]).seats[-1])]


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_a_body_that_is_not_sent_as_json_is_told_so(client: TestClient, kind: str | None) -> None:
    table = TableClient(client)
    for path, body in (("/api/tables", b'{"game": "mayflower"}'), (f"{table.path}/moves", b'{"move": "x", "at": 1, "id": "x"}')):
        answer = client.post(path, content=body, headers=table.bearer(0) | ({"content-type": kind} if kind else {}))
        assert answer.status_code == 415
        assert answer.json()["error"] == "the body must be sent as application/json (in the header Content-Type)"
