"""Answers to refused and malformed requests: one sentence and a status, made here for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from tablee.core.errors import IllegalMove, TableeError
from tablee.core.i18n import Message, mark, msg
from tablee.server.http.middleware.errors import error_response
from tablee.server.http.middleware.host_origin import TooManyRequests
from tablee.server.http.requests import translator_for
from tablee.server.live import refusals
from tablee.server.storage.clubs import NoSuchClub
from tablee.server.storage.mappers import DamagedTable


class NoSuchGame(TableeError):
    """Unknown game key, as in an old or mistyped link."""


class NoSuchArt(TableeError):
    """Unknown stamp or box, as in a page that is older than the server."""


class NotTheOrganiser(TableeError):
    pass


class NotAMember(TableeError):
    pass


STATUS: Mapping[type[TableeError], int] = {
    **refusals.STATUS,
    NoSuchGame: 404,
    NoSuchArt: 404,
    NoSuchClub: 404,
    NotTheOrganiser: 403,
    NotAMember: 403,
    TooManyRequests: 429,
    DamagedTable: 500,
}
REASONS = {
    "missing": mark("it is missing"),
    "extra_forbidden": mark("nothing of this name belongs here"),
    "string_type": mark("it must be a text"),
    "string_unicode": mark("it must be a text"),
    "string_too_short": mark("it must not be empty"),
    "int_type": mark("it must be a whole number"),
    "int_parsing": mark("it must be a whole number"),
    "int_parsing_size": mark("it must be a whole number"),
    "greater_than_equal": mark("it must be at least {ge}"),
    "less_than_equal": mark("it must be at most {le}"),
    "bool_type": mark("it must be a text, a whole number, or true or false"),
    "list_type": mark("it must be a list"),
    "dict_type": mark("it must be an object"),
    "model_attributes_type": mark("it must be an object"),
    "union_tag_not_found": mark("its kind must be one of: {expected_tags}"),
    "union_tag_invalid": mark("its kind must be one of: {expected_tags}"),
}
COUNTED_REASONS = {
    "string_too_long": ("max_length", mark("it may have at most {count} character", "it may have at most {count} characters")),
    "too_short": ("min_length", mark("it must have at least {count} entry", "it must have at least {count} entries")),
    "too_long": ("max_length", mark("it may have at most {count} entry", "it may have at most {count} entries")),
}
# pydantic's names of what it parsed as
SKIPPED_LOCATIONS = ("body", "query", "bool", "int", "str", "human", "program", "bot", "one", "several")


async def on_tablee_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, TableeError)
    table = request.path_params.get("table") if isinstance(error, IllegalMove) else None
    game = (await request.app.state.registry.table(table)).game if table else None
    status, body = refusals.refusal(error, translator_for(request), game, STATUS)
    return error_response(request, status, body.pop("error"), **body)


async def on_validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if isinstance(first.get("input"), bytes):  # FastAPI reads as JSON only what is sent as JSON
        return error_response(request, 415, msg("the body must be sent as application/json (in the header Content-Type)"))
    if first["type"] == "json_invalid":
        return error_response(request, 400, msg("this is not JSON: {reason}", reason=str(first.get("ctx", {}).get("error", ""))))
    return error_response(request, 422, validation_message(first))


async def on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = error_response(request, error.status_code, msg("page not found") if error.status_code == 404 else str(error.detail))
    response.headers.update(error.headers or {})
    return response


def validation_message(error: Mapping[str, Any]) -> Message:
    """Return the message of one of pydantic's errors."""
    where = ".".join(str(part) for part in error["loc"] if part not in SKIPPED_LOCATIONS) or "body"
    return msg("{where}: {reason}", where=where, reason=_reason(error))


def _reason(error: Mapping[str, Any]) -> Message | str:
    kind, context = error["type"], {"expected_tags": "'human', 'program', 'bot'"} | error.get("ctx", {})
    if kind in COUNTED_REASONS:
        limit, sentence = COUNTED_REASONS[kind]
        return msg(*sentence, count=context[limit])
    return msg(REASONS[kind], **context) if kind in REASONS else str(error["msg"])
