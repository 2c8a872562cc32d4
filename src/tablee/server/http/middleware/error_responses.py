"""Error responses in the reader's language: JSON under /api, an HTML page elsewhere."""

from __future__ import annotations

from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, Response

from tablee.core.i18n import Message
from tablee.server.http.middleware.language import translator_for
from tablee.server.view import rendering


def error_response(connection: HTTPConnection, status: int, why: Message | str, /, rule: str | None = None, **more: Any) -> Response:
    translator = translator_for(connection)
    sentence = translator(why)
    if str(connection.scope["path"]).startswith("/api"):
        return JSONResponse({"error": sentence, "rule": rule, **more}, status)
    html = (
        rendering.templates()
        .get_template("platform/error.html")
        .render(_=translator, lang=translator.language, path="/", sentence=sentence)
    )
    return HTMLResponse(html, status)
