"""`tablee verify`: replay a record and check its result, its commitment and every draw.

It runs as Python, which takes less time for one game than loading the machine code.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tablee import games
from tablee.cli.arguments import add_components_argument, add_language_argument, open_game, read_boxes
from tablee.core import record
from tablee.core.files import read_text
from tablee.core.i18n import Translator
from tablee.core.jit import using_python


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="a record")
    add_components_argument(parser)
    add_language_argument(parser)


def run(args: argparse.Namespace, translator: Translator) -> int:
    boxes = read_boxes(args)
    with using_python(*games.rooms().values()):
        verdict = record.verify(lambda key: open_game(key, boxes), read_text(args.file))
    lines, origin = len(verdict.match.log), verdict.match.origin
    print(
        translator(
            "{file}: its {count} line follows the rules, and the result is right",
            "{file}: all {count} lines follow the rules, and the result is right",
            file=str(args.file),
            count=lines,
        )
    )
    if origin:
        print(
            translator(
                "the first line was taken over from another game, whose own record shows whether its draws were fair",
                "the first {count} lines were taken over from another game, whose own record shows whether their draws were fair",
                count=origin.lines,
            )
        )
    if verdict.match.seed:
        print(
            translator(
                "the seed is the one promised at the start, and its {count} draw follows from it",
                "the seed is the one promised at the start, and all {count} draws follow from it",
                count=verdict.draws,
            )
        )
    else:
        print(translator("no seed is in the record, so its draws were not checked"))
    return 0
