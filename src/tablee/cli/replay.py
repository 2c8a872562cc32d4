"""`tablee replay`: a record told in words, line by line, with the table as it stood at the end or after a given line.
One game is told sooner by Python than machine code is loaded.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tablee import games
from tablee.cli.arguments import ask_boxes, ask_language, open_game, read_boxes, whole
from tablee.cli.event_text import result, sentences
from tablee.core import record
from tablee.core.errors import TableeError
from tablee.core.files import read_text
from tablee.core.i18n import Words, say
from tablee.core.jit import as_python
from tablee.core.match import Match

HELP = "tell a recorded game, line by line"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="a record")
    parser.add_argument("--to", metavar="LINE", type=whole(0, 1_000_000), help="stop after this line of the log")
    ask_boxes(parser)
    ask_language(parser)


def run(args: argparse.Namespace, words: Words) -> int:
    with as_python(*games.rooms().values()):
        return _run(args, words)


def _run(args: argparse.Namespace, words: Words) -> int:
    boxes = read_boxes(args)
    kept = record.parse(read_text(args.file))
    if args.to is not None and args.to > len(kept["log"]):
        raise TableeError(
            say("{file} ends with line {lines}; there is no line {to}", file=str(args.file), lines=len(kept["log"]), to=args.to)
        )
    if args.to is not None:
        kept["log"] = kept["log"][: args.to]
    match = record.replay(open_game(kept["game"], boxes), kept)
    print("\n".join([*_told(match, words), "", match.game.draw(match.state), *result(match, words)]))
    return 0


def _told(match: Match, words: Words) -> list[str]:
    width = len(str(len(match.log)))
    told = []
    for number, (line, events) in enumerate(zip(match.lines(), match.told, strict=True), start=1):
        told.append(f"{number:>{width}}  {line}")
        told += [" " * width + f"      {sentence}" for event in events for sentence in sentences(event, event.only, words)]
    return told
