"""Exports of the room, in the signatures of tablee/core/contract.py."""

from __future__ import annotations

from dice_race.evaluation import value
from dice_race.turn import MOST_MOVES, apply, legal, odds, score, to_act, wins
from tablee.core.perfect_information import SECRETS, determinize, redact

__all__ = ["MOST_MOVES", "SECRETS", "apply", "determinize", "legal", "odds", "redact", "score", "to_act", "value", "wins"]
