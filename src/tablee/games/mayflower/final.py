"""Final scoring (M18-M20): incomplete features count less, plains count their animals, explorers count nothing."""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.games.mayflower.box import PLAIN, ROAD, SETTLERS, TOWN, Box
from tablee.games.mayflower.features import subject_kind, subject_of
from tablee.games.mayflower.move_effects import FINAL, add_score_parts, record_effect
from tablee.games.mayflower.scoring import earn, extra_of, record_outnumbered, tiles_of
from tablee.games.mayflower.settlers import count_on, most_on
from tablee.games.mayflower.stands import AT_HOME, Subject
from tablee.games.mayflower.state import State, stand_of


@jit
def final_points(kind: int, tiles: int, extra: int) -> int:
    """Return 1 point per tile, 2 per post station of a road, 1 per shield of a town (M19, R5); for a plain 1 per animal (M20)."""
    if kind == ROAD:
        return tiles + 2 * extra
    if kind == TOWN:
        return tiles + extra
    if kind == PLAIN:
        return extra
    return tiles


@jit
def final_score(box: Box, state: State) -> None:
    """Score incomplete features (M19), then plains (M20); settlers stay on the land, so that everybody sees them."""
    for plains in range(2):
        for seat in range(state.seats):
            for number in range(SETTLERS):
                stand = stand_of(state, seat, number)
                if stand != AT_HOME and is_first_on(state, seat, number):
                    subject = subject_of(state, stand)
                    if plains == int(subject_kind(box, state, subject) == PLAIN):
                        score_final(box, state, subject)


@jit
def is_first_on(state: State, seat: int, number: int) -> bool:
    """Return whether this settler is the first of all on its feature, so that each feature is scored once."""
    subject = subject_of(state, stand_of(state, seat, number))
    for earlier in range(number):
        stand = stand_of(state, seat, earlier)
        if stand != AT_HOME and subject_of(state, stand) == subject:
            return False
    for other in range(seat):
        if count_on(state, other, subject):
            return False
    return True


@jit
def score_final(box: Box, state: State, subject: Subject) -> None:
    kind, tiles, extra = subject_kind(box, state, subject), tiles_of(state, subject), extra_of(state, subject)
    most = most_on(state, subject)
    for seat in range(state.seats):
        if count_on(state, seat, subject) == most:  # M12
            earn(state, seat, kind, final_points(kind, tiles, extra), 0)
            record_effect(state, FINAL, seat, subject)
            add_score_parts(state, tiles, extra, 0)
    record_outnumbered(state, subject, most)
