"""How often a slow proof is repeated: a few times in `make test`, and many times where `TABLEE_ROUNDS=many` asks for it."""

from __future__ import annotations

import os

MANY = os.environ.get("TABLEE_ROUNDS") == "many"


def rounds(few: int, many: int) -> int:
    return many if MANY else few
