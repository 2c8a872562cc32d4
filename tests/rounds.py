"""How much of a slow test runs; the checks of games share it (`tablee/checks/rounds.py`)."""

from __future__ import annotations

from tablee.checks.rounds import MANY, rounds

__all__ = ["MANY", "rounds"]
