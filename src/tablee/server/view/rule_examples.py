"""One turn in pictures, at the head of the rules page: a room's `example.json` is a record that names the moments worth a picture, and its
`templates/turn.html` draws them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from markupsafe import Markup

from tablee import games
from tablee.core import record
from tablee.core.errors import RecordError
from tablee.core.game import Game, Seat
from tablee.core.i18n import Message, Translator
from tablee.core.match import Match
from tablee.server.view.rendering import style_link, templates

EXAMPLE_FILE = "example.json"
EXAMPLE_TEMPLATE = "turn.html"


@cache
def example_turn(key: str, language: str) -> Markup:
    """The pictures of a room; nothing where it brings none, or where they are of an older box."""
    folder = games.folder(key)
    if not (folder / EXAMPLE_FILE).exists() or not (folder / "templates" / EXAMPLE_TEMPLATE).exists():
        return Markup()
    try:
        moments = _moments(games.find(key))
    except RecordError:
        return Markup()
    words = Translator(language)
    players = [
        {"seat": seat, "name": words("Player {number}", number=seat + 1), "initial": str(seat + 1)} for seat in range(moments[0]["seats"])
    ]
    context = {"_": words, "lang": language, "style": style_link, "moments": moments, "players": players, "me": moments[0]["seat"]}
    return Markup(templates().get_template(f"{key}/{EXAMPLE_TEMPLATE}").render(context))


def _moments(game: Game) -> list[dict[str, Any]]:
    """The example is played with the box that the room brings, whatever box the house plays with."""
    kept = record.parse((game.folder / EXAMPLE_FILE).read_text(encoding="utf-8"))
    match, seat = record.replay(game, kept), Seat(kept["seat"])
    ends = kept["moments"]
    return [_moment(match, seat, start, end) for start, end in zip((0, *ends), ends, strict=False)]


def _moment(match: Match, seat: Seat, start: int, end: int) -> dict[str, Any]:
    """What that seat sees after so many lines, and what it was told since the moment before."""
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
            _event_view(event.kind, heard, event)
            for events in match.events[start:end]
            for event in events
            if (heard := event.message_for(seat))
        ],
    }


def _event_view(kind: str, sentence: Message, event: Any) -> dict[str, Any]:
    return {"kind": kind, "sentence": sentence, "seat": event.seat, "points": event.points, "parts": event.parts, "place": event.place}
