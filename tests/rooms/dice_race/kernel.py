"""What every room exports, in one signature over (box, state, ...): tablee/core/contract.py says what each function does."""

from __future__ import annotations

from dice_race.evaluation import value
from dice_race.turn import MOST_MOVES, apply, awaited, legal, odds, score, wins
from tablee.core.perfect_information import SECRETS, hide, imagine

__all__ = ["MOST_MOVES", "SECRETS", "apply", "awaited", "hide", "imagine", "legal", "odds", "score", "value", "wins"]
