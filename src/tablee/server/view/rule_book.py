"""A room's rule book: its page with an anchor at every rule, and the text of each rule by its number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markupsafe import Markup

from tablee.core.errors import IllegalMove, TableeError
from tablee.core.game import Game
from tablee.core.i18n import Translator

RULE = re.compile(r"^- \*\*(\w+)\*\* (.*(?:\n  .*)*)", re.MULTILINE)
RULE_ITEM = re.compile(r"<li>(?=(?:\s*<p>)?\s*<strong>([A-Z]\d+)</strong>)")
EMPHASIS = re.compile(r"\*+([^*]+)\*+")
NESTED = re.compile(r"\n\s+- ")


@cache
def text(folder: Path, language: str) -> str:
    """Return the rule book in this language, else in English; "" for a plugin game without one."""
    files = [folder / f"RULES.{language}.md", folder / "RULES.md"]
    return next((file.read_text(encoding="utf-8") for file in files if file.exists()), "")


@cache
def sentences(folder: Path, language: str) -> Mapping[str, str]:
    """Return every rule by its number, as plain text."""
    return {number: _plain(text) for number, text in RULE.findall(text(folder, language))}


def _plain(text: str) -> str:
    return " ".join(EMPHASIS.sub(r"\1", NESTED.sub(" ", text)).split())


def to_html(game: Game, translator: Translator) -> Markup:
    """Return the rule book as HTML without its title; `#M6` leads to rule M6."""
    html = MarkdownIt().render(text(game.folder, translator.language).partition("\n")[2])
    return Markup(RULE_ITEM.sub(r'<li id="\1">', html))


def violated_rule(game: Game, error: TableeError | None, translator: Translator) -> dict[str, str] | None:
    """Return the number, text and link of the rule that forbids a move; None for another error."""
    if not isinstance(error, IllegalMove):
        return None
    sentence = sentences(game.folder, translator.language).get(error.rule, "")
    return {"rule": error.rule, "sentence": sentence, "link": f"/rules/{game.key}#{error.rule}"}
