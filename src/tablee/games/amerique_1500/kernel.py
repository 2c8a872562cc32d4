"""What every room exports, in one signature over (box, state, ...): core/contract.py says what each function does."""

from __future__ import annotations

from tablee.games.amerique_1500.ending import score, wins
from tablee.games.amerique_1500.evaluation import value
from tablee.games.amerique_1500.hidden_information import SECRETS, determinize, redact
from tablee.games.amerique_1500.learned_value import search_value
from tablee.games.amerique_1500.nature import odds
from tablee.games.amerique_1500.turn import MOST_MOVES, apply, legal, to_act
from tablee.games.amerique_1500.win_model import leaf_value

# Of the moves that promise most a search plays WIDTH on, for AHEAD lines each: about a round and a half of two seats. A turn has many moves
# that promise the same, and which of them come next is better decided anew in every playout: no BEAM of whole turns.
WIDTH, AHEAD, BEAM = 10, 30, 0
PRIOR = 0  # counted in, the insight gains at few nodes and loses at many (docs/bots.md)

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
