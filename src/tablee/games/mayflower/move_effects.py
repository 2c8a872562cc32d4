"""Effects of a move, recorded by the rules and read by `events`: each entry is one integer with these bit fields.

what | seat | where (as in `stands`) | tiles | extra | explorers
"""

from __future__ import annotations

from dataclasses import dataclass

from tablee.core.jit import jit
from tablee.games.mayflower.state import State

SCORED, FINAL, OUTNUMBERED, MOVED, WENT_HOME, ASIDE, ENDED = range(7)


@dataclass(frozen=True)
class Effect:
    what: int
    seat: int
    where: int  # the stand of a settler; the column an explorer enters; the design set aside
    tiles: int
    extra: int
    explorers: int


@jit
def record_effect(state: State, what: int, seat: int, where: int) -> None:
    state.effects[state.effect_count] = ((what << 3 | seat) << 11 | where) << 26
    state.effect_count += 1


@jit
def add_score_parts(state: State, tiles: int, extra: int, explorers: int) -> None:
    """Add the terms of the score to the effect just recorded."""
    state.effects[state.effect_count - 1] |= (tiles << 13 | extra) << 5 | explorers


@jit
def clear_effects(state: State) -> None:
    for number in range(state.effect_count):
        state.effects[number] = 0
    state.effect_count = 0


def read_effects(state: State) -> list[Effect]:
    return [_decode(state.effects[number]) for number in range(state.effect_count)]


def _decode(entry: int) -> Effect:
    return Effect(entry >> 40, entry >> 37 & 7, entry >> 26 & 2047, entry >> 18 & 255, entry >> 5 & 8191, entry & 31)
