"""`tablee rules`: a game's rules, numbered as in the code and in refusals."""

from __future__ import annotations

import argparse

from tablee import games
from tablee.cli.arguments import ask_game, ask_language
from tablee.core.errors import TableeError
from tablee.core.i18n import Words, say

HELP = "print the rules of a game"


def arguments(parser: argparse.ArgumentParser) -> None:
    ask_game(parser)
    ask_language(parser)


def run(args: argparse.Namespace, words: Words) -> int:
    from tablee.server.view import rule_book  # noqa: PLC0415  the other commands start without the server

    rules = rule_book.text(games.folder(args.game), words.language)
    if not rules:
        raise TableeError(say("the game {key!r} brings no written rules", key=args.game))
    print(rules.rstrip())
    return 0
