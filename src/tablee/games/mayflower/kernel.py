"""What every room exports, in one signature over (box, state, ...): core/contract.py says what each function does."""

from __future__ import annotations

from tablee.core.perfect_information import SECRETS, determinize, redact
from tablee.games.mayflower.evaluation import search_value, value
from tablee.games.mayflower.scoring import score, wins
from tablee.games.mayflower.turn import MOST_MOVES, apply, legal, odds, to_act

WIDTH, AHEAD = 20, 18  # a search plays so many turns on for so many lines: three turns of each of two seats
PRIOR = 8  # games that the insight counts for besides

__all__ = [
    "AHEAD",
    "MOST_MOVES",
    "PRIOR",
    "SECRETS",
    "WIDTH",
    "apply",
    "determinize",
    "legal",
    "odds",
    "redact",
    "score",
    "search_value",
    "to_act",
    "value",
    "wins",
]
