"""Scoring a completed feature: its points (M9-M11), who takes them (M12, R4), what follows (M14-M16); totals and winners (M21)."""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.most_points import most_points
from tablee.games.mayflower.box import FARM, ROAD, SETTLERS, TOWN, Box
from tablee.games.mayflower.explorers import BONUS, explore, explorers_beside
from tablee.games.mayflower.features import subject_kind, subject_of
from tablee.games.mayflower.move_effects import OUTNUMBERED, SCORED, add_score_parts, record_effect
from tablee.games.mayflower.settlers import count_on, go_home, most_on
from tablee.games.mayflower.stands import AT_HOME, Subject, farm_under, is_farm, segment_under
from tablee.games.mayflower.state import COVERED, EXTRAS, State, stand_of

EXPLORER_POINTS = 0  # the column of `earned`


@jit
def tiles_of(state: State, subject: Subject) -> int:
    """Return the number of tiles, start spaces included (M3); a farm counts itself and its neighbours."""
    return 1 + state.around[farm_under(subject)] if is_farm(subject) else state.segment[segment_under(subject), COVERED]


@jit
def extra_of(state: State, subject: Subject) -> int:
    return 0 if is_farm(subject) else state.segment[segment_under(subject), EXTRAS]


@jit
def full_points(kind: int, tiles: int, extra: int) -> int:
    """Return the points of a completed feature.

    M9: a road 1 per tile and 2 per post station. M10: a town 2 per tile and per shield. M11: a farm 1 per tile, 9 in all.
    """
    if kind == ROAD:
        return tiles + 2 * extra
    if kind == TOWN:
        return 2 * (tiles + extra)
    return tiles


@jit
def earn(state: State, seat: int, kind: int, points: int, explorers: int) -> None:
    state.earned[seat, kind] += points
    state.earned[seat, EXPLORER_POINTS] += BONUS * explorers


@jit
def score(box: Box, state: State, seat: int) -> int:
    """Return all points earned so far."""
    points = 0
    for kind in range(FARM + 1):
        points += state.earned[seat, kind]
    return points


wins = most_points(__name__, score)  # M21


@jit
def score_feature(box: Box, state: State, subject: Subject) -> None:
    """Score a completed feature (M12-M16).

    All seats with most settlers take the points, those settlers' explorers included (R4); settlers go home, an explorer moves.
    """
    kind, tiles, extra, most = (
        subject_kind(box, state, subject),
        tiles_of(state, subject),
        extra_of(state, subject),
        most_on(state, subject),
    )
    for seat in range(state.seats):
        if count_on(state, seat, subject) == most:
            explorers = explorers_beside(state, seat, subject)
            earn(state, seat, kind, full_points(kind, tiles, extra), explorers)
            record_effect(state, SCORED, seat, subject)
            add_score_parts(state, tiles, extra, explorers)
    record_outnumbered(state, subject, most)
    clear(state, subject)
    explore(box, state)


@jit
def record_outnumbered(state: State, subject: Subject, most: int) -> None:
    for seat in range(state.seats):
        if 0 < count_on(state, seat, subject) < most:
            record_effect(state, OUTNUMBERED, seat, subject)


@jit
def clear(state: State, subject: Subject) -> None:
    for seat in range(state.seats):
        for number in range(SETTLERS):
            stand = stand_of(state, seat, number)
            if stand != AT_HOME and subject_of(state, stand) == subject:
                go_home(state, seat, number)


@jit
def gain(box: Box, state: State, seat: int, subject: Subject) -> int:
    """Return the points that a seat would take from a completed feature now, explorers included."""
    if count_on(state, seat, subject) < most_on(state, subject):
        return 0
    points = full_points(subject_kind(box, state, subject), tiles_of(state, subject), extra_of(state, subject))
    return points + BONUS * explorers_beside(state, seat, subject)
