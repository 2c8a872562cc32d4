"""What every room exports, in one signature over (box, state, ...): core/contract.py says what each function does."""

from __future__ import annotations

from tablee.core.open_table import SECRETS, hide, imagine
from tablee.games.mayflower.scoring import score, wins
from tablee.games.mayflower.turn import MOST_MOVES, apply, awaited, legal, odds
from tablee.games.mayflower.worth import value

PRIOR = 4  # games that the value counts for besides those that a search plays

__all__ = ["MOST_MOVES", "PRIOR", "SECRETS", "apply", "awaited", "hide", "imagine", "legal", "odds", "score", "value", "wins"]
