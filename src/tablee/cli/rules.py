"""`tablee rules`: a game's rules, numbered as in the code and in refusals."""

from __future__ import annotations

import argparse

from tablee import games
from tablee.cli.arguments import ask_game, ask_language
from tablee.core.words import Words

HELP = "print the rules of a game"


def arguments(parser: argparse.ArgumentParser) -> None:
    ask_game(parser)
    ask_language(parser)


def run(args: argparse.Namespace, words: Words) -> int:
    name = "RULES.md" if words.language == "en" else f"RULES.{words.language}.md"
    print((games.find(args.game).folder / name).read_text(encoding="utf-8").rstrip())
    return 0
