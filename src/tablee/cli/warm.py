"""`tablee warm`: compile every rule now, so that later starts find the machine code on disk.

A room that cannot be compiled does not stop the others.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from tablee import games
from tablee.bots import warmup
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator
from tablee.core.jit import NotCompiled

SOME_FAILED = 1  # exit status where a room could not be compiled
RESEARCH_WARMUP = "tablee.research.warmup"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these games (default: all)")
    parser.add_argument("--research", action="store_true", help="also the loops that step the games for learners")


def run(args: argparse.Namespace, translator: Translator) -> int:
    rooms = args.games or games.known()
    for key in rooms:
        games.package(key)  # a game that is not there is refused before anything is compiled

    def warm(number: int, key: str) -> bool:
        print_status(translator("compiling the rules of {game} ({number} of {total})", game=key, number=number, total=len(rooms)))
        try:
            warmup.wait_for(warmup.start(key, RESEARCH_WARMUP) if args.research else warmup.start(key))
        except TableeError as error:
            print_status(f"{key}: {error.translate(translator)}")
            return False
        return True

    with ThreadPoolExecutor(warmup.MAX_PARALLEL) as pool:
        done = list(pool.map(warm, range(1, len(rooms) + 1), rooms))
    if all(done):
        print_status(translator("the rules are compiled"))
    return 0 if all(done) else SOME_FAILED


def compile_first(key: str, translator: Translator) -> None:
    """Compile a room before long work; one that cannot be compiled reports it when it is played."""
    if warmup.is_warm(key):
        return
    print_status(translator("compiling the rules of {game}, once and for all", game=key))
    with suppress(NotCompiled):
        warmup.warm(key)


def print_status(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
