"""Moves as text, with their words: `run 1`, `run 2`, and nature's `roll 4`."""

from __future__ import annotations

from tablee.core.i18n import mark
from tablee.core.room import Verb

ROLL = 10  # plus the face

RUN = Verb("run", 0, ("1", "2"), label=mark("Run with runner {what}"), rule="D2", refused=mark("runner {what} is at the finish already"))
ROLL_DIE = Verb("roll", ROLL + 1, tuple("123456"), rule="D2", refused=mark("the die is thrown by nobody"))
EXAMPLES = "run 1, run 2"
