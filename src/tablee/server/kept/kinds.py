"""The kinds of lines in a table's log: moves of the game, and lines of the platform that are none."""

from __future__ import annotations

MOVE = "move"
UNDO = "undo"  # the seat's last line is taken back
HURRIED = "hurried"  # a bot was not done in time
SEATED = "seated"  # somebody else sits there from now on
STANDS_IN = "stands-in"  # a bot plays for the person who sits there
IS_BACK = "is-back"  # the person plays again
