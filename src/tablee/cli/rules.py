"""`tablee rules`: a game's rules, numbered as in the code and in refusals."""

from __future__ import annotations

import argparse

from tablee import games
from tablee.cli.arguments import add_game_argument, add_language_argument
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator, msg


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game_argument(parser)
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    from tablee.server.view import rule_book  # noqa: PLC0415  the other commands start without the server

    rules = rule_book.text(games.folder(args.game), translator.language)
    if not rules:
        raise TableeError(msg("the game {key!r} brings no written rules", key=args.game))
    print(rules.rstrip())
    return 0
