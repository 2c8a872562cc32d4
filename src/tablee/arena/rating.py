"""Ratings on one scale, the Bradley-Terry model: who is 400 points above another comes out ahead ten times for every time behind."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any

import numpy as np

from tablee import bots

ELO_SCALE = 400  # points between two of whom one comes out ahead ten times as often
MAX_ITERATIONS = 10_000  # more than any tournament needs


def ratings(names: Sequence[str], ahead: Any) -> list[float]:
    """From how often each (row) came out ahead of each other (column); `random` is 0 if it is there, otherwise the weakest. One game more
    is counted between any two, and shared: who never lost is not infinitely strong."""
    import choix  # noqa: PLC0415  only a tournament needs it, and it takes its time to load

    shared = (1 - np.eye(len(names))) / 2
    strengths = choix.ilsr_pairwise_dense(ahead + shared, max_iter=MAX_ITERATIONS) * ELO_SCALE / log(10)
    ground = strengths[names.index(bots.RANDOM.name)] if bots.RANDOM.name in names else strengths.min()
    return [round(float(strength - ground), 1) + 0.0 for strength in strengths]  # no -0.0
