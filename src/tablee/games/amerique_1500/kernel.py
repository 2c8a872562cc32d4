"""What every room exports, in one signature over (box, state, ...): core/contract.py says what each function does."""

from __future__ import annotations

from tablee.games.amerique_1500.ending import score, wins
from tablee.games.amerique_1500.nature import odds
from tablee.games.amerique_1500.sight import SECRETS, hide, imagine
from tablee.games.amerique_1500.turn import MOST_MOVES, apply, awaited, legal
from tablee.games.amerique_1500.worth import value

AHEAD = 60  # lines that a search plays on: about three rounds of two seats

__all__ = ["AHEAD", "MOST_MOVES", "SECRETS", "apply", "awaited", "hide", "imagine", "legal", "odds", "score", "value", "wins"]
