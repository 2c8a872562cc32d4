"""How much of a slow proof is run: a little in `make test`, and much where `TABLEE_ROUNDS=many` asks for it.

What repeats itself says here how often, and what is the same in every game says for which of them it is shown:

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
