"""The land as people read it: which spot a segment is, who stands where, and every feature with its extent, owners and worth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

from tablee.games.mayflower.box import COAST_FACES, COAST_PLAIN, FARM, KINDS, PLAIN, ROAD, SETTLERS, TOWN, Pieces
from tablee.games.mayflower.explorers import can_move, column_under, next_explorer
from tablee.games.mayflower.faces import EDGES, HALVES, Face
from tablee.games.mayflower.features import NEIGHBOURS, kind_of, subject_kind, subject_of, tile_under
from tablee.games.mayflower.final import final_points
from tablee.games.mayflower.notation import column_of, row_of
from tablee.games.mayflower.scoring import extra_of, full_points, tiles_of
from tablee.games.mayflower.state import AT_HOME, ON_FARM, State

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


class Books:
    """The state's books as lists: a record gives its fields slowly, and a view needs nearly all of them."""

    def __init__(self, pieces: Pieces, state: State) -> None:
        self.extent, self.extra, self.open, self.around = list(state.extent), list(state.extra), list(state.open), list(state.around)
        self.parts: dict[int, list[Part]] = {}
        self.kinds: dict[int, int] = {}
        place, design, turned, feature = list(state.place), list(state.design), list(state.turned), iter(state.feature)
        for tile in range(state.tiles):
            face, column, row = face_of(pieces, design[tile]), column_of(place[tile]), row_of(place[tile])
            for kind, spot in zip(_slot_kinds(face), spot_names(face, int(turned[tile])), strict=True):
                self.add(1 + int(next(feature)), kind, (column, row, spot))
            if face.farm:
                self.add(ON_FARM + tile, FARM, (column, row, ""))

    def add(self, subject: int, kind: int, part: Part) -> None:
        self.parts.setdefault(subject, []).append(part)
        self.kinds[subject] = kind

    def size(self, subject: int) -> tuple[int, int]:
        """Its tiles, and its post stations, shields or animals."""
        if subject >= ON_FARM:
            return 1 + int(self.around[subject - ON_FARM]), 0
        return int(self.extent[subject - 1]), int(self.extra[subject - 1])

    def missing(self, subject: int) -> int:
        """Open edges of a road or town, neighbours that a farm lacks; a plain lacks nothing."""
        if subject >= ON_FARM:
            return NEIGHBOURS - int(self.around[subject - ON_FARM])
        return 0 if self.kinds[subject] == PLAIN else int(self.open[subject - 1])


@cache
def _slot_kinds(face: Face) -> tuple[int, ...]:
    return (TOWN,) * len(face.towns) + (ROAD,) * len(face.roads) + (PLAIN,) * len(face.plains)


def features(pieces: Pieces, state: State) -> list[dict[str, Any]]:
    """In the order in which their first segment was laid, farms among them."""
    books = Books(pieces, state)
    crews: dict[int, Counter[int]] = defaultdict(Counter)
    for seat, stand in standing(state):
        crews[int(subject_of(state, stand))][seat] += 1
    return [_feature(books, subject, crews[subject]) for subject in books.parts]


def _feature(books: Books, subject: int, crew: Counter[int]) -> dict[str, Any]:
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
        "points": int(final_points(kind, tiles, extra)),
        "full": full_value(kind, tiles, extra),
    }


def owners(crew: Counter[int]) -> list[int]:
    """M12: who would take the points."""
    return sorted(seat for seat, count in crew.items() if count == max(crew.values()))


def measure(pieces: Pieces, state: State, subject: int) -> tuple[int, int, int]:
    """A feature's kind, its tiles, and its post stations, shields or animals."""
    kind = FARM if subject >= ON_FARM else int(kind_of(pieces.box, state, subject - 1))
    return kind, int(tiles_of(state, subject)), int(extra_of(state, subject))


def full_value(kind: int, tiles: int, extra: int) -> int:
    """A farm completed has all its neighbours, a road or town is completed as it stands, a plain is worth its animals."""
    if kind == PLAIN:
        return extra
    return int(full_points(kind, 1 + NEIGHBOURS if kind == FARM else tiles, extra))
