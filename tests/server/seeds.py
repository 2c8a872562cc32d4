"""Seeds of the games that tests begin: they follow from the running test, so that it meets the same deals in every run.

/conftest.py names the running test in a file, which the servers of the test process read. With TABLEE_ROUNDS=many, and where no test runs,
seeds are random as they are for players.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from typing import Any

from tablee.bots.search import Search
from tablee.core import fairness
from tablee.server.table.config import CoachBudget, TableConfig
from tests.rounds import MANY

FILE = "RUNNING_TEST"  # environment variable: the path of the file
FEW = Search(nodes=100)
COACH = CoachBudget() if MANY else CoachBudget(review=FEW, hint=FEW, follow_up=FEW, playouts=2, lines=0)


def begin_test(name: str) -> None:
    """Name the running test."""
    with open(os.environ[FILE], "w", encoding="utf-8") as file:
        file.write(f"{name}\n")


def new_seed() -> bytes:
    """Return the next seed of the running test; each adds a byte to the file, so that seeds of several processes differ."""
    if MANY or FILE not in os.environ:
        return fairness.new_seed()
    file = os.open(os.environ[FILE], os.O_RDWR | os.O_APPEND)
    try:
        os.write(file, b".")
        count = os.lseek(file, 0, os.SEEK_CUR)
        return hashlib.sha256(os.pread(file, count, 0)).digest()
    finally:
        os.close(file)


def table_config(**changes: Any) -> TableConfig:
    """Return the configuration of tables with these seeds, where bots move at once and the coach thinks little.

    Bots have the priority of everything else: beside many tests their threads would otherwise hardly run.
    """
    return replace(TableConfig(bot_pace=0, bot_niceness=0, new_seed=new_seed, coach=COACH), **changes)
