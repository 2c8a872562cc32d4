"""Fuzzing of the HTTP interface: schemathesis makes up valid and malformed requests from the OpenAPI document.

Every answer must keep to the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import from_regex
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tablee.server.app import make_app
from tablee.server.http import api, finished_games
from tablee.server.registry import TableRegistry
from tests.rounds import rounds
from tests.server.engine import open_store
from tests.server.seeds import table_config

TIMEOUT_S = 120  # seconds; rules may have to be compiled first
BOUNDED = settings(max_examples=rounds(15, 50), derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
OPERATIONS = [
    pytest.param(method, route.path, mode, id=f"{method} {route.path} {mode.value}")
    for route in (*api.router.routes, *finished_games.router.routes)
    if isinstance(route, APIRoute)
    for method in sorted(route.methods or ())
    for mode in GenerationMode
    if route.body_field or mode is GenerationMode.POSITIVE  # where there is no body, nothing can be malformed
]
AT_A_TABLE = [operation for operation in OPERATIONS if "{table}" in str(operation.values[1])]
BEYOND_SCHEMA = ("/api/tables", "/api/records")  # a schema cannot express the options of a game, nor its rules
NOTATION = from_regex(r"build (house|forest|lake|park) [1-6][A-E]|avenue [A-E]|roll [1-6] [1-6]", fullmatch=True)

Description = Any  # schemathesis.BaseSchema, which names no type for what [path][method] gives
Case = Any


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Description]:
    store = open_store(tmp_path_factory.mktemp("fuzz"))
    yield schemathesis.openapi.from_asgi("/api/openapi.json", make_app(TableRegistry(store, config=table_config(bot_pace=60))))
    store.close()


@pytest.fixture
def table(description: Description) -> Any:
    seats = [{"kind": "human"}, {"kind": "human"}, {"kind": "bot", "level": "random"}]
    made = description["/api/tables"]["POST"].Case(body={"game": "rolling-village", "seats": seats}, media_type="application/json").call()
    assert made.status_code == 201
    return made.json()


@pytest.mark.parametrize(("method", "path", "mode"), OPERATIONS)
def test_a_stranger_may_send_anything(description: Description, method: str, path: str, mode: GenerationMode) -> None:
    @BOUNDED
    @given(description[path][method].as_strategy(generation_mode=mode))
    def check(case: Case) -> None:
        case.call_and_validate(timeout=TIMEOUT_S, excluded_checks=[positive_data_acceptance] if path in BEYOND_SCHEMA else [])

    check()


@pytest.mark.parametrize(("method", "path", "mode"), AT_A_TABLE)
def test_a_player_may_send_anything(description: Description, table: Any, method: str, path: str, mode: GenerationMode) -> None:
    bearer = {"Authorization": f"Bearer {table['seats'][0]['token']}"}

    @BOUNDED
    @given(description[path][method].as_strategy(generation_mode=mode))
    def check(case: Case) -> None:
        case.path_parameters = {"table": table["table"]}
        # nor can it say which moves are legal
        answer = case.call_and_validate(headers=bearer, excluded_checks=[positive_data_acceptance])
        if not path.endswith("/continue"):  # its body names the tokens, and a generated one names nobody
            assert answer.status_code != 403 or "Authorization" not in answer.request.headers, "who sends a token is known"

    check()


def test_a_player_may_try_any_move(description: Description, table: Any) -> None:
    tokens = [seat["token"] for seat in table["seats"] if seat["token"]]
    moves, path = description["/api/tables/{table}/moves"]["POST"], {"table": table["table"]}
    seen = set()

    @BOUNDED
    @given(NOTATION)
    def check(move: str) -> None:
        for number, token in enumerate(tokens):
            now = description["/api/tables/{table}"]["GET"].Case(path_parameters=path).call().json()
            body = {"move": move, "at": now["version"], "id": f"{number} {now['version']}"}
            case = moves.Case(path_parameters=path, body=body, media_type="application/json")
            seen.add(case.call_and_validate(headers={"Authorization": f"Bearer {token}"}).status_code)

    check()
    assert {422} <= seen <= {200, 409, 422}
