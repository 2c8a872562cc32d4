"""What every room exports, in one signature over (box, state, ...): core/contract.py says what each function does."""

from __future__ import annotations

from tablee.games.amerique_1500.ending import score, wins
from tablee.games.amerique_1500.nature import odds
from tablee.games.amerique_1500.sight import SECRETS, hide, imagine
from tablee.games.amerique_1500.turn import MOST_MOVES, apply, awaited, legal
from tablee.games.amerique_1500.worth import value

WIDTH, AHEAD, BEAM = 12, 30, 1  # a search plays so many turns on for so many lines: about a round and a half of two seats
PRIOR = 10  # games that the value counts for besides

__all__ = [
    "AHEAD",
    "BEAM",
    "MOST_MOVES",
    "PRIOR",
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
