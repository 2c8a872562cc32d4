"""`tablee components`: a page that shows a game's box, to compare it with the real one; or a check of a corrected box."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tablee import games
from tablee.cli.arguments import add_components_argument, add_game_argument, open_game, read_boxes
from tablee.core.files import write_text
from tablee.core.i18n import Translator, msg
from tablee.server.view.rendering import box_page


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game_argument(parser)
    parser.add_argument("--check", metavar="FILE", type=Path, help="say whether FILE describes a box that can be played with")
    add_components_argument(parser)
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the page there (default: GAME-components.html, or the pipe)")


def run(args: argparse.Namespace, translator: Translator) -> int:
    if args.check:
        return _check(args.game, args.check, translator)
    page = box_page(open_game(args.game, read_boxes(args)), translator)
    if args.out is None and not sys.stdout.isatty():
        print(page)
        return 0
    file = args.out or Path(f"{args.game}-components.html")
    write_text(file, page)
    print(translator("{file} shows what lies in the box; open it in a browser", file=str(file)))
    return 0


def _check(key: str, file: Path, translator: Translator) -> int:
    game = games.find(key, file)
    box = msg(
        "{game}, {low} to {high} players, hash {hash}",
        game=msg(game.title),
        low=game.seats[0],
        high=game.seats[-1],
        hash=game.components.sha256[:12],
    )
    print(translator("{file} is a valid box: {box}", file=str(file), box=box))
    return 0
