"""`tablee warm`: compiles every rule now, so that no player waits for it later."""

from __future__ import annotations

import argparse
import sys

from tablee.bots.warm_up import warm_up
from tablee.core.words import Words

HELP = "compile the rules of every game now, so that nobody waits later"


def arguments(parser: argparse.ArgumentParser) -> None:
    """It needs none."""


def run(args: argparse.Namespace, words: Words) -> int:
    def tell(key: str, done: int, total: int) -> None:
        now = words("compiling the rules of {game} ({number} of {total})", game=key, number=done + 1, total=total)
        print(now if done < total else words("the rules are compiled"), file=sys.stderr, flush=True)

    warm_up(tell)
    return 0
