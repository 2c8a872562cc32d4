"""A room's rule book: its page with an anchor at every rule and an example turn in pictures, and the text of each rule by its number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from tablee import games
from tablee.core import record
from tablee.core.errors import IllegalMove, RecordError, TableeError
from tablee.core.game import Game, Seat
from tablee.core.i18n import Message, Translator, msg
from tablee.core.match import Match
from tablee.server.view.rendering import style_link, templates
from tablee.server.view.table_view import ViolatedRule

RULE = re.compile(r"^- \*\*(\w+)\*\* (.*(?:\n  .*)*)", re.MULTILINE)
RULE_ITEM = re.compile(r"<li>(?=(?:\s*<p>)?\s*<strong>([A-Z]\d+)</strong>)")
EMPHASIS = re.compile(r"\*+([^*]+)\*+")
NESTED = re.compile(r"\n\s+- ")
EXAMPLE_FILE = "example.json"  # a record with a list of positions to show
EXAMPLE_TEMPLATE = "turn.html"  # draws them


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
    from markdown_it import MarkdownIt  # noqa: PLC0415  `tablee rules` prints the text without it

    html = MarkdownIt().render(text(game.folder, translator.language).partition("\n")[2])
    return Markup(RULE_ITEM.sub(r'<li id="\1">', html))


def violated_rule(game: Game, error: TableeError | None, translator: Translator) -> ViolatedRule | None:
    """Return the rule that forbids a move; None for another error."""
    if not isinstance(error, IllegalMove):
        return None
    sentence = sentences(game.folder, translator.language).get(error.rule, "")
    return {"rule": error.rule, "sentence": sentence, "link": f"/rules/{game.key}#{error.rule}"}


@cache
def example_turn(key: str, language: str) -> Markup:
    """Return the example turn of a room as HTML; empty if it has none, or one for an older box."""
    folder = games.folder(key)
    if not (folder / EXAMPLE_FILE).exists() or not (folder / "templates" / EXAMPLE_TEMPLATE).exists():
        return Markup()
    try:
        moments = _moments(games.find(key))
    except RecordError:
        return Markup()
    translator = Translator(language)
    players = [
        {"seat": seat, "name": translator(msg("Player {number}", number=seat + 1)), "initial": str(seat + 1)}
        for seat in range(moments[0]["seats"])
    ]
    context = {"_": translator, "lang": language, "style": style_link, "moments": moments, "players": players, "me": moments[0]["seat"]}
    return Markup(templates().get_template(f"{key}/{EXAMPLE_TEMPLATE}").render(context))


def _moments(game: Game) -> list[dict[str, Any]]:
    """Return the positions of the example, played with the room's own box, whatever box the server uses."""
    example = record.parse((game.folder / EXAMPLE_FILE).read_text(encoding="utf-8"))
    match, seat = record.replay(game, example), Seat(example["seat"])
    ends = example["moments"]
    return [_moment(match, seat, start, end) for start, end in zip((0, *ends), ends, strict=False)]


def _moment(match: Match, seat: Seat, start: int, end: int) -> dict[str, Any]:
    """Return what the seat sees after `end` lines, and the events since line `start`."""
    state = match.at(end).state
    view = match.game.view(match.game.observe(state, seat))
    lines = match.lines()[start:end]
    events = [
        _event_view(event.kind, message, event)
        for events in match.events[start:end]
        for event in events
        if (message := event.message_for(seat))
    ]
    return {
        "seat": seat,
        "seats": match.seats,
        "view": view,
        "scene": match.game.scene(view),
        "lines": lines,
        "events": events,
        "event": {each["kind"]: each for each in reversed(events)},  # the first of each kind
    }


def _event_view(kind: str, sentence: Message, event: Any) -> dict[str, Any]:
    return {"kind": kind, "sentence": sentence, "seat": event.seat, "points": event.points, "parts": event.parts, "place": event.place}
