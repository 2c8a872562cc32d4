"""Observations and actions for learners: the spaces of all runners, and the die."""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.core.tensors import Action, Field, size_of
from tablee.games.examples.dice_race.box import MAX_LENGTH, RUNNERS, Box
from tablee.games.examples.dice_race.kernel import State

TABLE = (Field("die", (1,), 0, 6, "0 before it is thrown"), Field("active", (1,), 0, 3, "whose turn it is, seats after the one that looks"))
SEAT = (Field("at", (RUNNERS,), 0, MAX_LENGTH, "the spaces of its runners"),)
ACTIONS = (Action("run", RUNNERS, "`run 1`, `run 2`"),)
SEATS_OFFSET = size_of(TABLE)


@jit
def observe(box: Box, state: State, half: int, seat: int, out: Array) -> None:
    out[0], out[1] = state.die, (state.active - seat) % state.seats
    for place in range(state.seats):
        for runner in range(RUNNERS):
            out[SEATS_OFFSET + place * RUNNERS + runner] = state.at[(seat + place) % state.seats, runner]
