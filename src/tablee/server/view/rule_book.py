"""A room's rule book as people read it: the page with an anchor at every rule, and the sentence that a rule's number stands for."""

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
    """The book in this language, else in English; a guest may have none."""
    files = [folder / f"RULES.{language}.md", folder / "RULES.md"]
    return next((file.read_text(encoding="utf-8") for file in files if file.exists()), "")


@cache
def sentences(folder: Path, language: str) -> Mapping[str, str]:
    """Every rule by its number, as plain text."""
    return {number: _plain(text) for number, text in RULE.findall(text(folder, language))}


def _plain(text: str) -> str:
    return " ".join(EMPHASIS.sub(r"\1", NESTED.sub(" ", text)).split())


def to_html(game: Game, words: Translator) -> Markup:
    """The book for its page, without its title; `#M6` leads to rule M6."""
    html = MarkdownIt().render(text(game.folder, words.language).partition("\n")[2])
    return Markup(RULE_ITEM.sub(r'<li id="\1">', html))


def violated_rule(game: Game, error: TableeError | None, words: Translator) -> dict[str, str] | None:
    """The rule that forbids a move, in its own words, and where it stands."""
    if not isinstance(error, IllegalMove):
        return None
    sentence = sentences(game.folder, words.language).get(error.rule, "")
    return {"rule": error.rule, "sentence": sentence, "link": f"/rules/{game.key}#{error.rule}"}
