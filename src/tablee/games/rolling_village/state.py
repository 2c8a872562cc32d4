"""State of a table: every seat's sheet, its open duties of this round, and its scores."""

from __future__ import annotations

from tablee.core.contract import BaseState
from tablee.core.struct import Array, Grid, array_field, field
from tablee.games.rolling_village.box import MAX_ROUNDS, MAX_SEATS

# Duties of a seat in the round, as bits of `todo`: first the building, in any order, then the bonus, then the avenue.
FIRST_DIE, SECOND_DIE, A_PARK, A_BONUS, AN_AVENUE = 1, 2, 4, 8, 16
BUILDING = FIRST_DIE | SECOND_DIE | A_PARK

SETUP = 0  # the round before round 1
NOT_ROLLED = -1


class State(BaseState):
    free_types: int = field()  # option setup_types = "free" (R1)
    turn: int = field()  # NOT_ROLLED, SETUP, then the round 1..9
    dice: Array = array_field(2)  # the higher first
    todo: Array = array_field(MAX_SEATS, bits=8)
    marks: Grid = array_field(MAX_SEATS, 4, bits=32)  # a bitboard per project type
    bonus: Array = array_field(MAX_SEATS, bits=8)  # bit per type already taken as a bonus (V8)
    avenue: Grid = array_field(MAX_SEATS, MAX_ROUNDS + 1, bits=8)  # row scored in each round
    points: Grid = array_field(MAX_SEATS, MAX_ROUNDS + 1, bits=16)
    parks: Array = array_field(MAX_SEATS, bits=16)  # points of the parks at the end (V10)
