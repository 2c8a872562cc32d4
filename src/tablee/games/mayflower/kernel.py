"""What every room exports, in one signature over (box, state, ...): core/contract.py says what each function does."""

from __future__ import annotations

from tablee.core.perfect_information import SECRETS, hide, imagine
from tablee.games.mayflower.evaluation import insight, value
from tablee.games.mayflower.scoring import score, wins
from tablee.games.mayflower.turn import MOST_MOVES, apply, awaited, legal, odds

WIDTH, AHEAD = 20, 18  # a search plays so many turns on for so many lines: three turns of each of two seats
PRIOR = 8  # games that the insight counts for besides

__all__ = [
    "AHEAD",
    "MOST_MOVES",
    "PRIOR",
    "SECRETS",
    "WIDTH",
    "apply",
    "awaited",
    "hide",
    "imagine",
    "insight",
    "legal",
    "odds",
    "score",
    "value",
    "wins",
]
