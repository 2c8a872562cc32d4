"""Exports of the room, in the signatures of core/contract.py."""

from __future__ import annotations

from tablee.core.perfect_information import SECRETS, determinize, redact
from tablee.games.rolling_village.evaluation import value
from tablee.games.rolling_village.learned_value import search_value
from tablee.games.rolling_village.scoring import score, wins
from tablee.games.rolling_village.turn import MOST_MOVES, apply, legal, odds, to_act

CANDIDATES, ROLLOUT_LINES, ROLLOUT_BEAM = 16, 16, 2  # a search plays its best turns out for two rounds
PRIOR_ROLLOUTS = 30  # high, because the learned value is nearly as good as many playouts
SHARE_PER_POINT = 20_000_000  # sheets do not interact, so points decide; the win alone is a noisier measure

__all__ = [
    "CANDIDATES",
    "MOST_MOVES",
    "PRIOR_ROLLOUTS",
    "ROLLOUT_BEAM",
    "ROLLOUT_LINES",
    "SECRETS",
    "SHARE_PER_POINT",
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
