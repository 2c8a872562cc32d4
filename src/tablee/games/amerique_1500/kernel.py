"""Exports of the room, in the signatures of core/contract.py."""

from __future__ import annotations

from tablee.games.amerique_1500.ending import score, wins
from tablee.games.amerique_1500.evaluation import value
from tablee.games.amerique_1500.hidden_information import SECRETS, determinize, redact
from tablee.games.amerique_1500.learned_value import search_value
from tablee.games.amerique_1500.nature import odds
from tablee.games.amerique_1500.turn import MOST_MOVES, apply, legal, to_act
from tablee.games.amerique_1500.win_model import leaf_value

# A search plays out the WIDTH best moves for AHEAD lines each: about a round and a half of two seats. Many moves of a turn have the same
# value, and it is better to choose among them in every playout than once: no BEAM of whole turns.
WIDTH, AHEAD, BEAM = 10, 30, 0
PRIOR = 0  # as a prior the learned value gains at few nodes and loses at many (docs/experiments/search-settings.md)

__all__ = [
    "AHEAD",
    "BEAM",
    "MOST_MOVES",
    "PRIOR",
    "SECRETS",
    "WIDTH",
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
