"""Bradley-Terry ratings on the Elo scale: 400 points more mean ten wins for each loss."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any

import numpy as np

from tablee import bots

ELO_SCALE = 400  # points of difference at odds of 10 to 1
MAX_ITERATIONS = 10_000  # more than any tournament needs


def ratings(names: Sequence[str], ahead: Any) -> list[float]:
    """Return ratings from the counts of how often each bot (row) was ahead of each other (column); `random`, or else the weakest, has 0.

    Each pair is credited with one additional drawn game, so that a bot that never lost has a finite rating.
    """
    import choix  # noqa: PLC0415  slow to import, and only a tournament needs it

    shared = (1 - np.eye(len(names))) / 2
    strengths = choix.ilsr_pairwise_dense(ahead + shared, max_iter=MAX_ITERATIONS) * ELO_SCALE / log(10)
    ground = strengths[names.index(bots.RANDOM.name)] if bots.RANDOM.name in names else strengths.min()
    return [round(float(strength - ground), 1) + 0.0 for strength in strengths]  # no -0.0
