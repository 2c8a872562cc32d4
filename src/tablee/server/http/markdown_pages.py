"""Pages written in Markdown: a room's sheet for teachers, and the privacy notice."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from markdown_it import MarkdownIt
from markupsafe import Markup

from tablee.core.i18n import msg
from tablee.server.http.api import TranslatorDep
from tablee.server.http.pages import GameDep, NoSuchGame, page
from tablee.server.view.assets import SERVER_FOLDER

TEACH, PRIVACY = "TEACH", "PRIVACY"

router = APIRouter(include_in_schema=False)


@router.get("/teach/{key}")
def teachers_page(request: Request, translator: TranslatorDep, game: GameDep) -> HTMLResponse:
    if not (game.folder / f"{TEACH}.md").exists():
        raise NoSuchGame(msg("there is no sheet for teachers about {game}", game=msg(game.title)))
    return page(request, translator, "platform/teach.html", game=game, text=localized_markdown(game.folder, TEACH, translator.language))


@router.get("/privacy")
def privacy(request: Request, translator: TranslatorDep) -> HTMLResponse:
    return page(
        request, translator, "platform/privacy.html", text=localized_markdown(SERVER_FOLDER / "texts", PRIVACY, translator.language)
    )


def localized_markdown(folder: Path, name: str, language: str) -> Markup:
    """Return a text in the reader's language, else in English, which always exists."""
    file = folder / f"{name}.{language}.md"
    text = (file if file.exists() else folder / f"{name}.md").read_text(encoding="utf-8")
    return Markup(MarkdownIt().enable("table").render(text))
