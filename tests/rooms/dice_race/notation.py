"""Notation of moves: numbers for the rules, text for everything else: `run 1`, `run 2`, and nature's `roll 4`."""

from __future__ import annotations

from tablee.core.notation import MoveKind, Notation

ROLL = 10  # plus the face

NOTATION = Notation([MoveKind("run", 0, ("1", "2")), MoveKind("roll", ROLL + 1, tuple("123456"))], "run 1, run 2")
