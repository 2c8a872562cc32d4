"""The land as people read it: which spot a segment is, who stands where, and every feature with its extent, owners and worth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

from tablee.games.mayflower.box import COAST_PLAIN, FARM, KINDS, PLAIN, ROAD, SETTLERS, TOWN, Pieces
from tablee.games.mayflower.compass import column_of, row_of
from tablee.games.mayflower.explorers import can_move, next_explorer
from tablee.games.mayflower.faces import COAST_FACES, EDGES, HALVES, Face
from tablee.games.mayflower.features import NEIGHBOURS, column_under, slot_of, subject_kind, subject_of, tile_under
from tablee.games.mayflower.final import final_points
from tablee.games.mayflower.scoring import extra_of, full_points, tiles_of
from tablee.games.mayflower.stands import AT_HOME, Segment, Stand, Subject, Tile, farm_under, is_farm, on_farm, segment_under, whole
from tablee.games.mayflower.state import State, stand_of

ROLES = {"plain": "trapper", "town": "merchant", "road": "robber", "farm": "farmer"}
COAST = tuple(COAST_FACES.values())
Part = tuple[int, int, str]


def face_of(pieces: Pieces, design: int) -> Face:
    return pieces.faces[design] if design < COAST_PLAIN else COAST[design - COAST_PLAIN]


@cache
def spot_names(face: Face, turned: int) -> tuple[str, ...]:
    """For each segment its first edge or half-edge clockwise from N, as the tile lies."""
    segments = [town.edges for town in face.towns] + [road.edges for road in face.roads]
    on_edges = [EDGES[min((EDGES.index(edge) + turned) % 4 for edge in edges)] for edges in segments]
    return (*on_edges, *(HALVES[min((HALVES.index(half) + 2 * turned) % 8 for half in plain.halves)] for plain in face.plains))


def where(pieces: Pieces, state: State, stand: Stand) -> Part:
    """Column, row and spot of a place where a settler stands or could."""
    cell = state.place[tile_under(state, stand)]
    return column_of(cell), row_of(cell), "" if is_farm(stand) else _spot(pieces, state, segment_under(stand))


def _spot(pieces: Pieces, state: State, segment: Segment) -> str:
    tile = state.tile_of[segment]
    return spot_names(face_of(pieces, state.design[tile]), state.turned[tile])[slot_of(state, segment)]


def standing(state: State) -> Iterator[tuple[int, Stand]]:
    """Every settler on the land: its seat, and where it stands."""
    for seat in range(state.seats):
        for number in range(SETTLERS):
            if (stand := stand_of(state, seat, number)) != AT_HOME:
                yield seat, stand


def settlers(pieces: Pieces, state: State) -> list[dict[str, Any]]:
    return [_settler(pieces, state, seat, stand) for seat, stand in standing(state)]


def _settler(pieces: Pieces, state: State, seat: int, stand: Stand) -> dict[str, Any]:
    column, row, spot = where(pieces, state, stand)
    kind = KINDS[subject_kind(pieces.box, state, stand)]
    return {
        "seat": seat,
        "role": ROLES[kind],
        "col": column,
        "row": row,
        "spot": spot,
        "lying": kind == "plain",
        "feature": subject_of(state, stand),
    }


def explorer_next(state: State) -> int | None:
    """M15: the column that the next explorer would enter."""
    return state.explorers[next_explorer(state)] + 1 if can_move(state) else None


def safe_column(state: State) -> int:
    """M16: after the next move of an explorer, settlers east of this column go home; 0 if none can move."""
    entered = explorer_next(state)
    return min(entered, state.explorers[0]) if entered else 0


def leaving(pieces: Pieces, state: State) -> list[int]:
    """Which settlers on the land, by number, that move would send home; trappers never leave (M17)."""
    column = safe_column(state)
    return [
        number
        for number, (_, stand) in enumerate(standing(state))
        if subject_kind(pieces.box, state, stand) != PLAIN and column_under(state, stand) < column
    ]


class Books:
    """The state's books as lists: a view needs nearly all of them."""

    def __init__(self, pieces: Pieces, state: State) -> None:
        self.state = state
        self.parts: dict[Subject, list[Part]] = {}
        self.kinds: dict[Subject, int] = {}
        feature = iter(state.feature)
        for tile in map(Tile, range(state.tiles)):
            face, column, row = face_of(pieces, state.design[tile]), column_of(state.place[tile]), row_of(state.place[tile])
            for kind, spot in zip(_slot_kinds(face), spot_names(face, state.turned[tile]), strict=True):
                self.add(whole(next(feature)), kind, (column, row, spot))
            if face.farm:
                self.add(on_farm(tile), FARM, (column, row, ""))

    def add(self, subject: Subject, kind: int, part: Part) -> None:
        self.parts.setdefault(subject, []).append(part)
        self.kinds[subject] = kind

    def size(self, subject: Subject) -> tuple[int, int]:
        """Its tiles, and its post stations, shields or animals."""
        return tiles_of(self.state, subject), extra_of(self.state, subject)

    def missing(self, subject: Subject) -> int:
        """Open edges of a road or town, neighbours that a farm lacks; a plain lacks nothing."""
        if is_farm(subject):
            return NEIGHBOURS - self.state.around[farm_under(subject)]
        return 0 if self.kinds[subject] == PLAIN else self.state.open[segment_under(subject)]


@cache
def _slot_kinds(face: Face) -> tuple[int, ...]:
    return (TOWN,) * len(face.towns) + (ROAD,) * len(face.roads) + (PLAIN,) * len(face.plains)


def features(pieces: Pieces, state: State) -> list[dict[str, Any]]:
    """In the order in which their first segment was laid, farms among them."""
    books = Books(pieces, state)
    crews: dict[Subject, Counter[int]] = defaultdict(Counter)
    for seat, stand in standing(state):
        crews[subject_of(state, stand)][seat] += 1
    return [_feature(books, subject, crews[subject]) for subject in books.parts]


def _feature(books: Books, subject: Subject, crew: Counter[int]) -> dict[str, Any]:
    kind, (tiles, extra), missing = books.kinds[subject], books.size(subject), books.missing(subject)
    complete = kind != PLAIN and not missing
    return {
        "id": subject,
        "kind": KINDS[kind],
        "parts": books.parts[subject],
        "tiles": tiles,
        "extra": extra,
        "open": missing,
        "complete": complete,
        "waiting": complete and bool(crew),
        "settlers": {str(seat): count for seat, count in sorted(crew.items())},
        "owners": owners(crew),
        "points": final_points(kind, tiles, extra),
        "full": full_value(kind, tiles, extra),
    }


def owners(crew: Counter[int]) -> list[int]:
    """M12: who would take the points."""
    return sorted(seat for seat, count in crew.items() if count == max(crew.values()))


def measure(pieces: Pieces, state: State, subject: Subject) -> tuple[int, int, int]:
    """A feature's kind, its tiles, and its post stations, shields or animals."""
    return subject_kind(pieces.box, state, subject), tiles_of(state, subject), extra_of(state, subject)


def full_value(kind: int, tiles: int, extra: int) -> int:
    """A farm completed has all its neighbours, a road or town is completed as it stands, a plain is worth its animals."""
    if kind == PLAIN:
        return extra
    return full_points(kind, 1 + NEIGHBOURS if kind == FARM else tiles, extra)
