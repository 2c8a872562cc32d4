"""How much of a slow test runs: a little in `make test`, all of it with `TABLEE_ROUNDS=many`.

A test chooses its number of repetitions, or the games it covers:

    KILLS = rounds(few=8, many=60)
    @pytest.mark.parametrize("key", rounds(few=["rolling-village"], many=games.known()))
"""

from __future__ import annotations

import os
from typing import TypeVar

MANY = os.environ.get("TABLEE_ROUNDS") == "many"
Much = TypeVar("Much")


def rounds(few: Much, many: Much) -> Much:
    return many if MANY else few
