"""The coast board as a chart (M3, R2): start spaces with their west edges as on any tile, a shoreline, three named towns, two harbours.

Everything is in map coordinates: column 0 from x = 0 to 100, row 0 from y = 0 southwards.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html import escape

from tablee.games.mayflower.art.faces_svg import OVER, WASH, palisade, stamped
from tablee.games.mayflower.art.geometry import Line, Point, along, beside, path, short
from tablee.games.mayflower.art.ground import Ground, PlacedStamp
from tablee.games.mayflower.art.layout import ROAD_WIDTH
from tablee.games.mayflower.art.sea_svg import sea, sea_marks
from tablee.games.mayflower.art.shore import harbour_road, plain_ring, shore, shore_x, town_ring, town_walls
from tablee.games.mayflower.faces import Coast

BEACH = 5.0


def upright_coast_svg(coast: Coast) -> str:
    """Return what stands on the coast: houses, trees and boats."""
    return "".join(_standing(coast, row) for row in range(len(coast.spaces)))


def coast_svg(coast: Coast, north: int = -2, south: int = 11, upright: Callable[[Coast], str] = upright_coast_svg) -> str:
    """Return the whole coast with the sea of the rows from `north` to `south` and its names; it is drawn under the tiles of a map."""
    return nameless_coast_svg(coast, north, south, upright) + coast_names(coast)


@cache
def nameless_coast_svg(coast: Coast, north: int, south: int, upright: Callable[[Coast], str] = upright_coast_svg) -> str:
    rows = range(len(coast.spaces))
    land = _land(coast, north, south) + "".join(_flat(coast, row) for row in rows)
    return f'{sea(coast, north, south)}{sea_marks()}<g class="coast">{land}{upright(coast)}</g>'


@cache
def coast_names(coast: Coast) -> str:
    """Return the names of the coast's places, which keep their size on the screen when a map is zoomed."""
    return "".join(_name(coast, row) for row in range(len(coast.spaces)))


def coast_outline(coast: Coast, row: int) -> dict[str, str]:
    """Return the area of each segment of a start space, keyed as in `outline`: "town W", "road W", "plain Wb", "plain Wt"."""
    kind, top, bottom = coast.spaces[row].kind, 100.0 * row, 100.0 * row + 100
    if kind == "town":
        return {"town W": path(town_ring(coast, row), closed=True)}
    if kind == "plain":
        return {"plain Wb": path(plain_ring(coast, top, bottom), closed=True)}
    centreline, verge = harbour_road(coast, row), ROAD_WIDTH / 2 + 1.5
    return {
        "plain Wb": path(plain_ring(coast, top + 50 + verge, bottom), closed=True),
        "plain Wt": path(plain_ring(coast, top, top + 50 - verge), closed=True),
        "road W": path(beside(centreline, -ROAD_WIDTH / 2) + beside(centreline, ROAD_WIDTH / 2)[::-1], closed=True),
    }


def _land(coast: Coast, north: int, south: int) -> str:
    top, bottom = 100.0 * north, 100.0 * (south + 1)
    line = shore(coast, top, bottom)
    sand = path([(-OVER, top), *line, (-OVER, bottom)], closed=True)
    end = 100.0 * len(coast.spaces)
    grass = path([(-OVER, 0), *((max(0.0, x - BEACH), y) for x, y in shore(coast, 0, end, 0.7)), (-OVER, end)], closed=True)
    return f'<path class="sand" d="{sand}"/><path class="shoreline" d="{path(line)}"/><path class="meadow" d="{grass}"/>'


def _flat(coast: Coast, row: int) -> str:
    kind = coast.spaces[row].kind
    if kind == "town":
        return _town_floor(coast, row)
    return _harbour(coast, row) if kind == "road" else ""


def _town_floor(coast: Coast, row: int) -> str:
    north, south = town_walls(coast, row)
    ring = [(-OVER, north[0][1]), *town_ring(coast, row)[1:-1], (-OVER, south[-1][1])]
    washes = "".join(path([*wall, *((max(-OVER, x), y) for x, y in beside(wall, WASH)[::-1])], closed=True) for wall in (north, south))
    quay = shore(coast, north[-1][1], south[0][1])
    floor = f'<path class="floor" d="{path(ring, closed=True)}"/><path class="wash-town" d="{washes}"/>'
    return f'{floor}<path class="quay-edge" d="{path(quay)}"/><path class="quay" d="{path(quay)}"/>{_pier(coast, 100.0 * row + 60, 17)}'


def _pier(coast: Coast, y: float, length: float) -> str:
    """Draw a pier: planks on piles, out into the water."""
    start = shore_x(coast, y) - 1
    planks = "".join(f"M{short(start + step)} {short(y - 2.6)}v5.2" for step in range(2, int(length), 3))
    deck = f'<rect class="pier" x="{short(start)}" y="{short(y - 2.6)}" width="{short(length)}" height="5.2" rx=".8"/>'
    return f'{deck}<path class="planks" d="{planks}"/>'


def _harbour(coast: Coast, row: int) -> str:
    """Draw the road that ends at the harbour, and its pier."""
    centreline = harbour_road(coast, row)
    edge, surface = (path([(-over, centreline[0][1]), *centreline[1:]]) for over in (OVER, 2 * OVER))
    return f'{_pier(coast, 100.0 * row + 50, 26)}<path class="way-edge" d="{edge}"/><path class="way" d="{surface}"/>'


def _standing(coast: Coast, row: int) -> str:
    kind, top = coast.spaces[row].kind, 100.0 * row
    beach = (_lowered(shore(coast, top, top + 100), top), BEACH + 2)
    if kind == "town":
        walls = [_lowered(wall, top) for wall in town_walls(coast, row)]
        ground = Ground(f"coast {row}", [beach, *((wall, 2.5) for wall in walls)])
        placed = [*ground.build(_lowered(town_ring(coast, row), top), halls=1, houses=6)]
        return palisade(town_walls(coast, row), []) + _raised(placed, top) + _boat(coast, top + 69)
    lines = [beach, ([(0.0, 0.0), (0.0, 100.0)], 3.0)]
    if kind == "plain":
        return _raised([*Ground(f"coast {row}", lines).plant(_lowered(plain_ring(coast, top, top + 100), top), 3)], top)
    centreline = _lowered(harbour_road(coast, row), top)
    ground = Ground(f"coast {row}", [*lines, (centreline, ROAD_WIDTH / 2 + 2)])
    store = (along(centreline, 0.8)[0], 38.5)
    ground.take(store, 8)
    placed = [PlacedStamp("house", *store, "slate"), *ground.plant(_lowered(plain_ring(coast, top, top + 100), top), 3)]
    return _raised(placed, top) + _boat(coast, top + 59)


def _lowered(line: Line, top: float) -> Line:
    return [(x, y - top) for x, y in line]


def _raised(placed: list[PlacedStamp], top: float) -> str:
    return "".join(stamped(PlacedStamp(each.stamp, each.x, each.y + top, each.roof)) for each in sorted(placed, key=lambda each: each.y))


def _boat(coast: Coast, y: float) -> str:
    return stamped(PlacedStamp("boat", shore_x(coast, y) + 14, y))


def _name(coast: Coast, row: int) -> str:
    space = coast.spaces[row]
    place: Point = (shore_x(coast, 100.0 * row + 40) + 13, 100.0 * row + 44)
    return f'<text class="place" x="{short(place[0])}" y="{short(place[1])}">{escape(space.name)}</text>' if space.name else ""
