"""`tablee replay`: a record in sentences, line by line, with the board at the end or after a given line.

It runs as Python, which takes less time for one game than loading the machine code.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tablee import games
from tablee.cli.arguments import add_components_argument, add_language_argument, bounded_int, open_game, read_boxes
from tablee.cli.event_text import event_lines, result_lines
from tablee.core import record
from tablee.core.errors import TableeError
from tablee.core.files import read_text
from tablee.core.i18n import Translator, msg
from tablee.core.jit import using_python
from tablee.core.match import Match


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="a record")
    parser.add_argument("--to", metavar="LINE", type=bounded_int(0, 1_000_000), help="stop after this line of the log")
    add_components_argument(parser)
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    with using_python(*games.rooms().values()):
        return _run(args, translator)


def _run(args: argparse.Namespace, translator: Translator) -> int:
    boxes = read_boxes(args)
    parsed = record.parse(read_text(args.file))
    if args.to is not None and args.to > len(parsed["log"]):
        raise TableeError(
            msg("{file} ends with line {lines}; there is no line {to}", file=str(args.file), lines=len(parsed["log"]), to=args.to)
        )
    if args.to is not None:
        parsed["log"] = parsed["log"][: args.to]
    match = record.replay(open_game(parsed["game"], boxes), parsed)
    print("\n".join([*_event_lines(match, translator), "", match.game.text_board(match.state), *result_lines(match, translator)]))
    return 0


def _event_lines(match: Match, translator: Translator) -> list[str]:
    width = len(str(len(match.log)))
    lines = []
    for number, (line, events) in enumerate(zip(match.lines(), match.events, strict=True), start=1):
        lines.append(f"{number:>{width}}  {line}")
        lines += [" " * width + f"      {sentence}" for event in events for sentence in event_lines(event, event.visible_to, translator)]
    return lines
