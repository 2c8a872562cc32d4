"""The land as people read it: which spot a segment is, who stands where, and every feature with its extent, owners and worth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

from tablee.games.mayflower.box import COAST_FACES, COAST_PLAIN, FARM, KINDS, PLAIN, SETTLERS, Pieces
from tablee.games.mayflower.explorers import can_move, column_under, next_explorer
from tablee.games.mayflower.faces import EDGES, HALVES, Face
from tablee.games.mayflower.features import NEIGHBOURS, is_complete, kind_of, subject_kind, subject_of, tile_under
from tablee.games.mayflower.final import final_points
from tablee.games.mayflower.notation import column_of, row_of
from tablee.games.mayflower.scoring import extra_of, full_points, tiles_of
from tablee.games.mayflower.state import AT_HOME, ON_FARM, State

ROLES = {"plain": "trapper", "town": "merchant", "road": "robber", "farm": "farmer"}
Part = tuple[int, int, str]


def face_of(pieces: Pieces, design: int) -> Face:
    return pieces.faces[design] if design < COAST_PLAIN else list(COAST_FACES.values())[design - COAST_PLAIN]


@cache
def spot_names(face: Face, turned: int) -> tuple[str, ...]:
    """For each segment its first edge or half-edge clockwise from N, as the tile lies."""
    segments = [town.edges for town in face.towns] + [road.edges for road in face.roads]
    on_edges = [EDGES[min((EDGES.index(edge) + turned) % 4 for edge in edges)] for edges in segments]
    return (*on_edges, *(HALVES[min((HALVES.index(half) + 2 * turned) % 8 for half in plain.halves)] for plain in face.plains))


def where(pieces: Pieces, state: State, stand: int) -> Part:
    """Column, row and spot of a place where a settler stands or could."""
    tile = int(tile_under(state, stand))
    cell = int(state.place[tile])
    return column_of(cell), row_of(cell), "" if stand >= ON_FARM else _spot(pieces, state, tile, stand - 1)


def _spot(pieces: Pieces, state: State, tile: int, segment: int) -> str:
    return spot_names(face_of(pieces, int(state.design[tile])), int(state.turned[tile]))[segment - int(state.first[tile])]


def standing(state: State) -> Iterator[tuple[int, int]]:
    """Every settler on the land: its seat, and where it stands."""
    for seat in range(state.seats):
        for number in range(SETTLERS):
            if state.stands[seat, number] != AT_HOME:
                yield seat, int(state.stands[seat, number])


def settlers(pieces: Pieces, state: State) -> list[dict[str, Any]]:
    return [_settler(pieces, state, seat, stand) for seat, stand in standing(state)]


def _settler(pieces: Pieces, state: State, seat: int, stand: int) -> dict[str, Any]:
    column, row, spot = where(pieces, state, stand)
    kind = KINDS[subject_kind(pieces.box, state, stand)]
    return {
        "seat": seat,
        "role": ROLES[kind],
        "col": column,
        "row": row,
        "spot": spot,
        "lying": kind == "plain",
        "feature": int(subject_of(state, stand)),
    }


def explorer_next(state: State) -> int | None:
    """M15: the column that the next explorer would enter."""
    return int(state.explorers[next_explorer(state)]) + 1 if can_move(state) else None


def safe_column(state: State) -> int:
    """M16: after the next move of an explorer, settlers east of this column go home; 0 if none can move."""
    entered = explorer_next(state)
    return min(entered, int(state.explorers[0])) if entered else 0


def leaving(pieces: Pieces, state: State) -> list[int]:
    """Which settlers on the land, by number, that move would send home; trappers never leave (M17)."""
    column = safe_column(state)
    return [
        number
        for number, (_, stand) in enumerate(standing(state))
        if subject_kind(pieces.box, state, stand) != PLAIN and column_under(state, stand) < column
    ]


def features(pieces: Pieces, state: State) -> list[dict[str, Any]]:
    """Roads, towns and plains in the order their first segment was laid, then the farms."""
    parts: dict[int, list[Part]] = defaultdict(list)
    for segment in range(state.segments):
        parts[1 + int(state.feature[segment])].append(where(pieces, state, 1 + segment))
    for tile in range(state.tiles):
        if pieces.box.farm[state.design[tile]]:
            parts[ON_FARM + tile].append(where(pieces, state, ON_FARM + tile))
    crews: dict[int, Counter[int]] = defaultdict(Counter)
    for seat, stand in standing(state):
        crews[int(subject_of(state, stand))][seat] += 1
    return [_feature(pieces, state, subject, parts[subject], crews[subject]) for subject in parts]


def _feature(pieces: Pieces, state: State, subject: int, parts: list[Part], crew: Counter[int]) -> dict[str, Any]:
    kind, tiles, extra = measure(pieces, state, subject)
    complete = bool(is_complete(pieces.box, state, subject))
    return {
        "id": subject,
        "kind": KINDS[kind],
        "parts": parts,
        "tiles": tiles,
        "extra": extra,
        "open": 0 if kind in (PLAIN, FARM) else int(state.open[subject - 1]),
        "complete": complete,
        "waiting": complete and bool(crew),
        "settlers": {str(seat): count for seat, count in sorted(crew.items())},
        "owners": owners(crew),
        "points": int(final_points(kind, tiles, extra)),
        "full": full_value(kind, tiles, extra),
    }


def owners(crew: Counter[int]) -> list[int]:
    """M12: who would take the points."""
    return sorted(seat for seat, count in crew.items() if count == max(crew.values()))


def measure(pieces: Pieces, state: State, subject: int) -> tuple[int, int, int]:
    """A feature's kind, its tiles, and its post stations, shields or animals."""
    kind = FARM if subject >= ON_FARM else int(kind_of(pieces.box, state, subject - 1))
    return kind, int(tiles_of(pieces.box, state, subject)), int(extra_of(state, subject))


def full_value(kind: int, tiles: int, extra: int) -> int:
    """A farm completed has all its neighbours, a road or town is completed as it stands, a plain is worth its animals."""
    if kind == PLAIN:
        return extra
    return int(full_points(kind, 1 + NEIGHBOURS if kind == FARM else tiles, extra))
