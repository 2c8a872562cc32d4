"""The land as people read it: the spots of segments, the settlers, and every feature with its extent, owners and points."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from tablee.core.struct import int_array
from tablee.games.mayflower.box import COAST_PLAIN, FARM, KINDS, PLAIN, ROAD, SETTLERS, TOWN, Pieces
from tablee.games.mayflower.compass import Cell, column_of, row_of
from tablee.games.mayflower.explorers import can_move, next_explorer
from tablee.games.mayflower.faces import COAST_FACES, EDGES, HALVES, Face
from tablee.games.mayflower.features import NEIGHBOURS, slot_of, subject_kind, tile_under
from tablee.games.mayflower.final import final_points
from tablee.games.mayflower.scoring import extra_of, full_points, tiles_of
from tablee.games.mayflower.stands import AT_HOME, ON_FARM, ON_SEGMENT, Segment, Stand, Subject, is_farm, segment_under
from tablee.games.mayflower.state import COVERED, EXTRAS, IN_FEATURE, OPEN_EDGES, State, stand_of, tile_of
from tablee.games.mayflower.view_queries import MOST_SETTLERS, SETTLER_COLUMNS, list_settlers

ROLES = {"plain": "trapper", "town": "merchant", "road": "robber", "farm": "farmer"}
COAST = tuple(COAST_FACES.values())
SegmentPlace = tuple[int, int, str]
CACHE_SIZE = 1 << 13  # tiles as they lie, and points of features


def face_of(pieces: Pieces, design: int) -> Face:
    return pieces.faces[design] if design < COAST_PLAIN else COAST[design - COAST_PLAIN]


@cache
def spot_names(face: Face, turned: int) -> tuple[str, ...]:
    """Return for each segment its first edge or half-edge clockwise from N, as the tile lies."""
    segments = [town.edges for town in face.towns] + [road.edges for road in face.roads]
    on_edges = [EDGES[min((EDGES.index(edge) + turned) % 4 for edge in edges)] for edges in segments]
    return (*on_edges, *(HALVES[min((HALVES.index(half) + 2 * turned) % 8 for half in plain.halves)] for plain in face.plains))


def locate(pieces: Pieces, state: State, stand: Stand) -> SegmentPlace:
    """Return column, row and spot of a stand."""
    cell = state.place[tile_under(state, stand)]
    return column_of(cell), row_of(cell), "" if is_farm(stand) else _spot(pieces, state, segment_under(stand))


def _spot(pieces: Pieces, state: State, segment: Segment) -> str:
    tile = tile_of(state, segment)
    return spot_names(face_of(pieces, state.design[tile]), state.turned[tile])[slot_of(state, segment)]


def settlers_on_land(state: State) -> Iterator[tuple[int, Stand]]:
    """Yield the seat and the stand of every settler on the land."""
    for seat in range(state.seats):
        for number in range(SETTLERS):
            if (stand := stand_of(state, seat, number)) != AT_HOME:
                yield seat, stand


def explorer_next(state: State) -> int | None:
    """Return the column that the next explorer would enter; None if it cannot move (M15)."""
    return state.explorers[next_explorer(state)] + 1 if can_move(state) else None


def safe_column(state: State) -> int:
    """Return the column east of which the next explorer move sends settlers home (M16); 0 if no explorer can move."""
    entered = explorer_next(state)
    return min(entered, state.explorers[0]) if entered else 0


class Land:
    """Land of one position, read once for its view."""

    def __init__(self, pieces: Pieces, state: State) -> None:
        self.state, tiles, out = state, state.tiles, int_array(MOST_SETTLERS * SETTLER_COLUMNS)
        placements = zip(state.place[:tiles].tolist(), state.design[:tiles].tolist(), state.turned[:tiles].tolist(), strict=True)
        self.tile_segments = [_tile_segments(pieces, cell, design, turned) for cell, design, turned in placements]
        rows = out[: list_settlers(pieces.box, state, out) * SETTLER_COLUMNS].tolist()
        self.settler_rows = [rows[at : at + SETTLER_COLUMNS] for at in range(0, len(rows), SETTLER_COLUMNS)]

    def settlers(self) -> list[dict[str, Any]]:
        return [self._settler(*settler) for settler in self.settler_rows]

    def _settler(self, seat: int, subject: int, kind: int, tile: int, place: int) -> dict[str, Any]:
        _, (column, row, spot) = self.tile_segments[tile][place]
        role = ROLES[KINDS[kind]]
        return {"seat": seat, "role": role, "col": column, "row": row, "spot": spot, "lying": kind == PLAIN, "feature": subject}

    def leaving(self) -> list[int]:
        """Return the numbers of the settlers that the next explorer move would send home; trappers never leave (M17)."""
        safe = safe_column(self.state)
        columns = [(kind, self.tile_segments[tile][place][1][0]) for _, _, kind, tile, place in self.settler_rows]
        return [number for number, (kind, column) in enumerate(columns) if kind != PLAIN and column < safe]

    def features(self) -> list[dict[str, Any]]:
        """Return the features, farms included, in the order in which their first segment was laid."""
        kinds: dict[int, int] = {}
        parts: dict[int, list[SegmentPlace]] = {}
        feature = iter(self._column(IN_FEATURE))
        for tile, shown in enumerate(self.tile_segments):
            for kind, part in shown:
                subject = ON_FARM + tile if kind == FARM else ON_SEGMENT + next(feature)
                if subject in parts:
                    parts[subject].append(part)
                else:
                    kinds[subject], parts[subject] = kind, [part]
        totals, counts = self._feature_totals(kinds), self._settler_counts()
        return [_feature(subject, kind, parts[subject], next(totals), counts.get(subject, {})) for subject, kind in kinds.items()]

    def _feature_totals(self, kinds: dict[int, int]) -> Iterator[tuple[int, int, int]]:
        """Yield each feature's tiles, its post stations, shields or animals, and its open edges or the neighbours that a farm lacks."""
        extent, extra, gaps = (self._column(column) for column in (COVERED, EXTRAS, OPEN_EDGES))
        around = self.state.around[: self.state.tiles].tolist()
        for subject, kind in kinds.items():
            if kind == FARM:
                neighbours = around[subject - ON_FARM]
                yield 1 + neighbours, 0, NEIGHBOURS - neighbours
            else:
                segment = subject - ON_SEGMENT
                yield extent[segment], extra[segment], 0 if kind == PLAIN else gaps[segment]

    def _column(self, column: int) -> list[int]:
        """Return one column of the segment table."""
        return [row[column] for row in self.state.segment.rows[: self.state.segments]]

    def _settler_counts(self) -> dict[int, dict[int, int]]:
        """Return for each feature the number of settlers per seat."""
        counts: dict[int, dict[int, int]] = {}
        for seat, subject, *_ in self.settler_rows:
            by_seat = counts.setdefault(subject, {})
            by_seat[seat] = by_seat.get(seat, 0) + 1
        return counts


@lru_cache(maxsize=CACHE_SIZE)
def _tile_segments(pieces: Pieces, cell: Cell, design: int, turned: int) -> tuple[tuple[int, SegmentPlace], ...]:
    """Return the kind and the place of each segment of a tile as it lies, then of its farm."""
    face, column, row = face_of(pieces, design), column_of(cell), row_of(cell)
    segments = zip(_slot_kinds(face), spot_names(face, turned), strict=True)
    farm = ((FARM, (column, row, "")),) if face.farm else ()
    return (*((kind, (column, row, spot)) for kind, spot in segments), *farm)


def _slot_kinds(face: Face) -> tuple[int, ...]:
    return (TOWN,) * len(face.towns) + (ROAD,) * len(face.roads) + (PLAIN,) * len(face.plains)


def _feature(subject: int, kind: int, parts: list[SegmentPlace], totals: tuple[int, int, int], settlers: dict[int, int]) -> dict[str, Any]:
    tiles, extra, missing = totals
    complete = kind != PLAIN and not missing
    points, full = _points_if_ended(kind, tiles, extra)
    return {
        "id": subject,
        "kind": KINDS[kind],
        "parts": parts,
        "tiles": tiles,
        "extra": extra,
        "open": missing,
        "complete": complete,
        "waiting": complete and bool(settlers),
        "settlers": {str(seat): count for seat, count in settlers.items()},
        "owners": owners(settlers) if settlers else [],
        "points": points,
        "full": full,
    }


@lru_cache(maxsize=CACHE_SIZE)
def _points_if_ended(kind: int, tiles: int, extra: int) -> tuple[int, int]:
    return final_points(kind, tiles, extra), full_value(kind, tiles, extra)


def owners(settler_counts: dict[int, int]) -> list[int]:
    """Return the seats that would take the points (M12)."""
    most = max(settler_counts.values())
    return [seat for seat, count in settler_counts.items() if count == most]


def measure(pieces: Pieces, state: State, subject: Subject) -> tuple[int, int, int]:
    """Return a feature's kind, its tiles, and its post stations, shields or animals."""
    return subject_kind(pieces.box, state, subject), tiles_of(state, subject), extra_of(state, subject)


def full_value(kind: int, tiles: int, extra: int) -> int:
    """Return the points of a feature once completed.

    A farm then has all its neighbours, a road or town is completed as it stands, a plain counts its animals.
    """
    if kind == PLAIN:
        return extra
    return full_points(kind, 1 + NEIGHBOURS if kind == FARM else tiles, extra)
