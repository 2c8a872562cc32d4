"""Kernel of Mayflower: the functions over (box, state, ...) that `core/contract.py` specifies for every room."""

from __future__ import annotations

from tablee.core.perfect_information import SECRETS, determinize, redact
from tablee.games.mayflower.evaluation import search_value, value
from tablee.games.mayflower.scoring import score, wins
from tablee.games.mayflower.turn import MOST_MOVES, apply, legal, odds, to_act

CANDIDATES, ROLLOUT_LINES = 20, 18  # turns that a search rolls out, and lines per rollout: three turns of each of two seats
PRIOR_ROLLOUTS = 8  # rollouts that `search_value` weighs in a search

__all__ = [
    "CANDIDATES",
    "MOST_MOVES",
    "PRIOR_ROLLOUTS",
    "ROLLOUT_LINES",
    "SECRETS",
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
