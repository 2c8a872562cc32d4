"""Exports of the room, in the signatures of core/contract.py."""

from __future__ import annotations

from tablee.games.amerique_1500.ending import score, wins
from tablee.games.amerique_1500.evaluation import value
from tablee.games.amerique_1500.hidden_information import SECRETS, determinize, redact
from tablee.games.amerique_1500.learned_value import search_value
from tablee.games.amerique_1500.nature import odds
from tablee.games.amerique_1500.turn import MOST_MOVES, apply, legal, to_act
from tablee.games.amerique_1500.win_model import leaf_value

# A search rolls out the best moves for about a round and a half of two seats. Many moves of a turn have the same value, and it is
# better to choose among them in every rollout than once: no beam of whole turns.
CANDIDATES, ROLLOUT_LINES, ROLLOUT_BEAM = 10, 30, 0
PRIOR_ROLLOUTS = 0  # as a prior the learned value gains at few nodes and loses at many (docs/experiments/search-settings.md)

__all__ = [
    "CANDIDATES",
    "MOST_MOVES",
    "PRIOR_ROLLOUTS",
    "ROLLOUT_BEAM",
    "ROLLOUT_LINES",
    "SECRETS",
    "apply",
    "determinize",
    "leaf_value",
    "legal",
    "odds",
    "redact",
    "score",
    "search_value",
    "to_act",
    "value",
    "wins",
]
