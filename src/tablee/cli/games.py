"""`tablee games`: the installed games with their seats and options."""

from __future__ import annotations

import argparse
import json
from typing import Any

from tablee import games
from tablee.cli.arguments import add_language_argument
from tablee.cli.figures import columns
from tablee.core.game import Game, Option, allowed
from tablee.core.i18n import Translator


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    found = games.open_all()
    print(
        json.dumps({"games": [_as_json(game, translator) for game in found]})
        if args.json
        else "\n\n".join(_as_text(game, translator) for game in found)
    )
    return 0


def _as_json(game: Game, translator: Translator) -> dict[str, Any]:
    """Return a game as `GET /api/games` describes it."""
    options = [
        {"key": option.key, "label": translator(option.label), "values": list(allowed(option, game.seats[-1])), "default": option.default}
        for option in game.options
    ]
    return {"game": game.key, "title": translator(game.title), "author": game.author, "seats": list(game.seats), "options": options}


def _as_text(game: Game, translator: Translator) -> str:
    seats = "-".join(map(str, sorted({game.seats[0], game.seats[-1]})))
    rows = [(f"    {option.key}", _values(option, game.seats[-1], translator), translator(option.label)) for option in game.options]
    return "\n".join(
        [
            translator("{key}: {title}, seats: {seats}", key=game.key, title=translator(game.title), seats=seats),
            *(columns(rows) if rows else ()),
        ]
    )


def _values(option: Option, seats: int, translator: Translator) -> str:
    """Return the values as `--option` takes them; the first is the default."""
    if option.seat_choices:
        return translator("{example}, or another order", example=option.default)
    return " | ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in allowed(option, seats))
