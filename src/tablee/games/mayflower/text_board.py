"""The land in characters for the terminal, west on the left and the coast on the right.

A tile is three lines of seven characters: towns are #, a shield +, roads | and -, a crossing x, a post station *, a farm F, animals a to i
for one to nine, settlers by seat.
"""

from __future__ import annotations

from tablee.games.mayflower.box import Pieces
from tablee.games.mayflower.compass import column_of, row_of
from tablee.games.mayflower.faces import EDGES, HALVES, SPACES, Face
from tablee.games.mayflower.land import face_of, locate, settlers_on_land
from tablee.games.mayflower.scoring import score
from tablee.games.mayflower.stands import Tile
from tablee.games.mayflower.state import LAY, State

WIDTH, HEIGHT = 7, 3
ON_EDGE = ((0, 3), (1, 5), (2, 3), (1, 1))
ON_HALF = ((0, 1), (0, 5), (0, 6), (2, 6), (2, 5), (2, 1), (2, 0), (0, 0))
MIDDLE = (1, 3)
TOWN_CELLS = (
    ((0, 1), (0, 2), (0, 3), (0, 4), (0, 5)),
    ((0, 6), (1, 5), (1, 6), (2, 6)),
    ((2, 1), (2, 2), (2, 3), (2, 4), (2, 5)),
    ((0, 0), (1, 0), (1, 1), (2, 0)),
)
ROAD_CELLS = (((0, 3),), ((1, 4), (1, 5), (1, 6)), ((2, 3),), ((1, 0), (1, 1), (1, 2)))
Canvas = list[list[str]]


def render(pieces: Pieces, state: State) -> str:
    return "\n".join([*_map(pieces, state), "", *_players(pieces, state), *_in_hand(pieces, state)])


def _map(pieces: Pieces, state: State) -> list[str]:
    drawn = {state.place[tile]: _tile(pieces, state, tile) for tile in map(Tile, range(state.tiles))}
    for seat, stand in settlers_on_land(state):
        column, row, spot = locate(pieces, state, stand)
        y, x = ON_HALF[HALVES.index(spot)] if len(spot) == 2 else ON_EDGE[EDGES.index(spot)] if spot else MIDDLE
        next(canvas for cell, canvas in drawn.items() if (column_of(cell), row_of(cell)) == (column, row))[y][x] = str(seat)
    placed = {(column_of(cell), row_of(cell)): canvas for cell, canvas in drawn.items()}
    columns, rows = range(state.westmost + 1, -1, -1), range(min(row for _, row in placed) - 1, max(row for _, row in placed) + 2)
    lines = ["     " + "".join(_heading(state, column) for column in columns)]
    empty = [[" "] * WIDTH] * HEIGHT
    for row in rows:
        for y in range(HEIGHT):
            label = f"{row:>4} " if y == 1 else "     "
            lines.append(label + "".join("".join(placed.get((column, row), empty)[y]) for column in columns).rstrip())
    return [line.rstrip() for line in lines]


def _heading(state: State, column: int) -> str:
    explorers = "E" * sum(each == column for each in state.explorers)
    return f"{column}{' ' + explorers if explorers else ''}".center(WIDTH)


def _tile(pieces: Pieces, state: State, tile: Tile) -> Canvas:
    if tile < SPACES:
        return _space(pieces, tile)
    return _face(face_of(pieces, state.design[tile]), state.turned[tile])


def _space(pieces: Pieces, row: int) -> Canvas:
    space = pieces.coast.spaces[row]
    canvas = [list(" .  ~ ~"), list(" . ~ ~ "), list(" .  ~ ~")]
    if space.kind == "road":
        canvas[1] = list("---o~ ~")
    if space.kind == "town":
        canvas = [list("##  ~ ~"), list("##" + space.name[:5].ljust(5)), list("##  ~ ~")]
    return canvas


def _face(face: Face, turned: int) -> Canvas:
    canvas = [[" ", ".", " ", " ", " ", ".", " "], [" ", " ", " ", " ", " ", " ", " "], [" ", ".", " ", " ", " ", ".", " "]]
    for plain in face.plains:
        if plain.animals:
            _paint(canvas, [ON_HALF[(HALVES.index(plain.halves[0]) + 2 * turned) % 8]], "abcdefghi"[plain.animals - 1])
    for town in face.towns:
        for edge in town.edges:
            _paint(canvas, TOWN_CELLS[(EDGES.index(edge) + turned) % 4], "#")
        if len(town.edges) > 1:
            _paint(canvas, [(1, 2), MIDDLE, (1, 4)], "#")
        if town.shields:
            _paint(canvas, [ON_EDGE[(EDGES.index(town.edges[0]) + turned) % 4]], "+")
    for road in face.roads:
        _road(canvas, [(EDGES.index(edge) + turned) % 4 for edge in road.edges], road.stop, road.station)
    if face.farm:
        _paint(canvas, [MIDDLE], "F")
    return canvas


def _road(canvas: Canvas, edges: list[int], stop: str, station: bool) -> None:
    for edge in edges:
        _paint(canvas, ROAD_CELLS[edge], "-" if edge % 2 else "|")
    if stop != "t" or canvas[1][3] == " ":
        _paint(canvas, [MIDDLE], "x" if stop == "x" else "|" if edges == [0, 2] else "-" if set(edges) == {1, 3} else "+")
    if station:
        _paint(canvas, [ON_EDGE[edges[0]]], "*")


def _paint(canvas: Canvas, cells: tuple[tuple[int, int], ...] | list[tuple[int, int]], sign: str) -> None:
    for y, x in cells:
        canvas[y][x] = sign


def _players(pieces: Pieces, state: State) -> list[str]:
    return [*(_player(pieces, state, seat) for seat in range(state.seats)), f"{state.left} tiles in the bag"]


def _player(pieces: Pieces, state: State, seat: int) -> str:
    return f"seat {seat}: {score(pieces.box, state, seat):>3} points, {state.supply[seat]}/{pieces.settlers} settlers"


def _in_hand(pieces: Pieces, state: State) -> list[str]:
    """Return the drawn tile in each of its turns."""
    if state.phase != LAY:
        return []
    face = pieces.faces[state.drawn]
    turned = [_face(face, turns) for turns in range(4)]
    lines = ["   ".join("".join(canvas[y]) for canvas in turned).rstrip() for y in range(HEIGHT)]
    return ["", f"tile {face.letter}, turned 0, 1, 2, 3:", *lines]
