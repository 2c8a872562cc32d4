"""Example turn in pictures at the head of the rules page.

A room's `example.json` is a record with a list of positions to show; its `templates/turn.html` draws them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from markupsafe import Markup

from tablee import games
from tablee.core import record
from tablee.core.errors import RecordError
from tablee.core.game import Game, Seat
from tablee.core.i18n import Message, Translator, msg
from tablee.core.match import Match
from tablee.server.view.rendering import style_link, templates

EXAMPLE_FILE = "example.json"
EXAMPLE_TEMPLATE = "turn.html"


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
    return {
        "seat": seat,
        "seats": match.seats,
        "view": view,
        "scene": match.game.scene(view),
        "lines": lines,
        "events": [
            _event_view(event.kind, message, event)
            for events in match.events[start:end]
            for event in events
            if (message := event.message_for(seat))
        ],
    }


def _event_view(kind: str, sentence: Message, event: Any) -> dict[str, Any]:
    return {"kind": kind, "sentence": sentence, "seat": event.seat, "points": event.points, "parts": event.parts, "place": event.place}
