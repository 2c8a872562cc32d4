"""What every room exports, in one signature over (box, state, ...): core/contract.py says what each function does."""

from __future__ import annotations

from tablee.core.open_table import SECRETS, hide, imagine
from tablee.games.rolling_village.scoring import score, wins
from tablee.games.rolling_village.turn import MOST_MOVES, apply, awaited, legal, odds
from tablee.games.rolling_village.worth import value

WIDTH, AHEAD = MOST_MOVES, 0  # a search plays every move out, to the end
PER_POINT = 20_000_000  # sheets do not touch, so points win; who won is a rougher measure

__all__ = [
    "AHEAD",
    "MOST_MOVES",
    "PER_POINT",
    "SECRETS",
    "WIDTH",
    "apply",
    "awaited",
    "hide",
    "imagine",
    "legal",
    "odds",
    "score",
    "value",
    "wins",
]
