"""How a refusal is said: in the reader's language, as JSON to a program and as a page to a person."""

from __future__ import annotations

from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, Response

from tablee.core.i18n import Message
from tablee.server.http.middleware.language import translator_for
from tablee.server.view import rendering


def error_response(asked: HTTPConnection, status: int, why: Message | str, /, rule: str | None = None, **more: Any) -> Response:
    words = translator_for(asked)
    said = words(why)
    if str(asked.scope["path"]).startswith("/api"):
        return JSONResponse({"error": said, "rule": rule, **more}, status)
    html = rendering.templates().get_template("platform/error.html").render(_=words, lang=words.language, path="/", sentence=said)
    return HTMLResponse(html, status)
