"""The kinds of lines in a table's log: moves of the game, and lines of the platform that are none."""

from __future__ import annotations

MOVE = "move"
UNDO = "undo"  # the seat's last line is taken back
HURRIED = "hurried"  # a bot was not done in time
