"""Pages to read that are kept as Markdown: a room's sheet for teachers, and what this house knows about whom."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from markdown_it import MarkdownIt
from markupsafe import Markup

from tablee.core.i18n import say
from tablee.server.http.api import Reader
from tablee.server.http.pages import Named, NoSuchGame, page
from tablee.server.view.rendering import HERE

TEACH, PRIVACY = "TEACH", "PRIVACY"

router = APIRouter(include_in_schema=False)


@router.get("/teach/{key}")
def teachers_sheet(request: Request, words: Reader, game: Named) -> HTMLResponse:
    if not (game.folder / f"{TEACH}.md").exists():
        raise NoSuchGame(say("there is no sheet for teachers about {game}", game=say(game.title)))
    return page(request, words, "platform/teach.html", game=game, text=in_language(game.folder, TEACH, words.language))


@router.get("/privacy")
def privacy(request: Request, words: Reader) -> HTMLResponse:
    return page(request, words, "platform/privacy.html", text=in_language(HERE / "texts", PRIVACY, words.language))


def in_language(folder: Path, name: str, language: str) -> Markup:
    """A text in the reader's language; English is the one that is always there."""
    file = folder / f"{name}.{language}.md"
    text = (file if file.exists() else folder / f"{name}.md").read_text(encoding="utf-8")
    return Markup(MarkdownIt().enable("table").render(text))
