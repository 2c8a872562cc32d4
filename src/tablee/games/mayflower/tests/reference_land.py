"""Reference implementation of the land: computed only from the faces and the tiles as they lie, without the rules' tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tablee.games.mayflower.box import COAST_PLAIN, Pieces
from tablee.games.mayflower.compass import COLUMN, NORTH
from tablee.games.mayflower.faces import COAST_FACES, EDGES, HALVES, Face
from tablee.games.mayflower.stands import AT_HOME, ON_FARM
from tablee.games.mayflower.state import State

Cell = tuple[int, int]  # column, row
Rim = tuple[Cell, str]  # a cell's edge or half-edge
AWAY = {"N": (0, -1), "E": (-1, 0), "S": (0, 1), "W": (1, 0)}
FACING = {
    "N": "S",
    "E": "W",
    "S": "N",
    "W": "E",
    "Nl": "Sl",
    "Nr": "Sr",
    "Sl": "Nl",
    "Sr": "Nr",
    "Et": "Wt",
    "Eb": "Wb",
    "Wt": "Et",
    "Wb": "Eb",
}


@dataclass
class Region:
    kind: str
    segments: set[int] = field(default_factory=set)
    cells: set[Cell] = field(default_factory=set)
    rims: set[Rim] = field(default_factory=set)
    extra: int = 0
    settlers: Counter[int] = field(default_factory=Counter)


@dataclass
class Piece:
    """One segment of one tile: its kind, and the edges or half-edges that it meets as the tile lies."""

    number: int
    kind: str
    cell: Cell
    rims: set[Rim]
    extra: int


def turned(rim: str, turns: int) -> str:
    ring, steps = (EDGES, turns) if len(rim) == 1 else (HALVES, 2 * turns)
    return ring[(list(ring).index(rim) + steps) % len(ring)]


def cell_of(code: int) -> Cell:
    return int(code) // COLUMN, int(code) % COLUMN - NORTH


def beside(cell: Cell, rim: str) -> Rim:
    """Return the same edge or half-edge, seen from the neighbour."""
    dc, dr = AWAY[rim[0]]
    return (cell[0] + dc, cell[1] + dr), FACING[rim]


class ReferenceLand:
    def __init__(self, pieces: Pieces, state: State) -> None:
        self.box, self.state = pieces, state
        self.design, self.turned, self.first = list(state.design), list(state.turned), list(state.first)
        self.tiles = {cell_of(state.place[tile]): tile for tile in range(state.tiles)}
        self.pieces = [piece for tile in range(state.tiles) for piece in self.cut(tile)]
        self.regions = self.flood()
        self.farms = {ON_FARM + tile: cell for cell, tile in self.tiles.items() if self.face(tile).farm}

    def face(self, tile: int) -> Face:
        design = int(self.design[tile])
        return self.box.faces[design] if design < COAST_PLAIN else list(COAST_FACES.values())[design - COAST_PLAIN]

    def cut(self, tile: int) -> list[Piece]:
        face, turns, cell = self.face(tile), int(self.turned[tile]), cell_of(self.state.place[tile])
        found = [("town", list(town.edges), town.shields) for town in face.towns]
        found += [("road", list(road.edges), int(road.station)) for road in face.roads]
        found += [("plain", list(plain.halves), plain.animals) for plain in face.plains]
        start = int(self.first[tile])
        return [
            Piece(start + number, kind, cell, {(cell, turned(rim, turns)) for rim in rims}, extra)
            for number, (kind, rims, extra) in enumerate(found)
        ]

    def flood(self) -> list[Region]:
        owner = {(rim, piece.kind == "plain"): piece for piece in self.pieces for rim in piece.rims}
        unseen, regions = {piece.number: piece for piece in self.pieces}, []
        while unseen:
            region, edge = Region(""), [unseen.pop(min(unseen))]
            while edge:
                piece = edge.pop()
                self.add(region, piece)
                for near in self.near(piece, owner):
                    if near.number in unseen:
                        edge.append(unseen.pop(near.number))
            regions.append(region)
        for seat in range(self.state.seats):
            for stand in self.state.stands[seat]:
                if AT_HOME < stand < ON_FARM:
                    next(region for region in regions if stand - 1 in region.segments).settlers[seat] += 1
        return regions

    def near(self, piece: Piece, owner: dict[tuple[Rim, bool], Piece]) -> list[Piece]:
        plain = piece.kind == "plain"
        found = [owner.get((beside(*rim), plain)) for rim in piece.rims]
        if plain and piece.cell[0] == 0:  # R2: along the coast, half-edge to half-edge
            (column, row), names = piece.cell, {name for _, name in piece.rims}
            found += [owner.get((((column, row + 1), "Wt"), True))] if "Wb" in names else []
            found += [owner.get((((column, row - 1), "Wb"), True))] if "Wt" in names else []
        return [each for each in found if each is not None]

    def add(self, region: Region, piece: Piece) -> None:
        region.kind = piece.kind
        region.segments.add(piece.number)
        region.cells.add(piece.cell)
        region.rims |= piece.rims
        region.extra += piece.extra

    def open_edges(self, region: Region) -> int:
        return sum(beside(*rim)[0] not in self.tiles for rim in region.rims)

    def around(self, cell: Cell) -> int:
        return sum((cell[0] + dc, cell[1] + dr) in self.tiles for dc in (-1, 0, 1) for dr in (-1, 0, 1) if dc or dr)

    def sign(self, rim: Rim) -> str:
        """Return the sign of a tile at an edge: "T", "R" or "P"; "" where no tile lies."""
        cell, edge = rim
        if cell not in self.tiles:
            return ""
        tile = self.tiles[cell]
        return self.face(tile).edges[(EDGES.index(edge) - int(self.turned[tile])) % 4]

    def gaps(self) -> dict[Cell, str]:
        """Return every empty cell where a tile might be laid, with the signs N E S W of it, "." for none."""
        found = {beside(cell, edge)[0] for cell, tile in self.tiles.items() for edge in (EDGES if cell[0] else "W")} - set(self.tiles)
        rows = int(self.state.rows)
        allowed = {(column, row) for column, row in found if column > 0 and (not rows or 0 <= row < rows)}
        return {cell: "".join(self.sign(beside(cell, edge)) or "." for edge in EDGES) for cell in allowed}


def fits(face: Face, around: str, turns: int) -> bool:
    """Return whether every touching edge matches (M6)."""
    return all(there in (".", face.edges[(edge - turns) % 4]) for edge, there in enumerate(around))
