"""A face as two SVG symbols: `land-AB`, everything flat on the ground, and `tile-AB`, everything that stands on it.

A map draws all grass first, then every land, then every tile, so that a tree or a tower on the border of two tiles is never cut.
Both symbols reach a hair over their own tile: no seam shows at any zoom.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import pi

from tablee.games.mayflower.art.geometry import CENTRE, Line, Point, along, beside, circle, distances, length, path, short, spread
from tablee.games.mayflower.art.ground import PlacedStamp
from tablee.games.mayflower.art.layout import farm_fence, layout
from tablee.games.mayflower.art.parcels import rings
from tablee.games.mayflower.art.planting import planting
from tablee.games.mayflower.faces import Face

OVER = 0.4  # overlap of a town or road across the border
GATE = 5.6  # half the opening in a wall
WASH = 7.0  # breadth of the colour along a wall
SPACING = 2.9  # from post to post of a palisade


@cache
def face_symbols(face: Face) -> str:
    """Return both symbols of a face; a page carries each once, in its <defs>."""
    return _symbol(f"land-{face.letter}", _land(face)) + _symbol(f"tile-{face.letter}", _standing(face))


def _symbol(name: str, art: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 100 100" overflow="visible">{art}</symbol>'


def _land(face: Face) -> str:
    parts = [_floor(face, number) for number in range(len(face.towns))]
    parts += [f'<path class="way-edge" d="{_ways(face, OVER)}"/>'] if face.roads else []
    parts += [_fields(face)] if face.farm else []
    parts += [f'<path class="way" d="{_ways(face, 2 * OVER)}"/>'] if face.roads else []
    parts += ['<circle class="plaza" cx="50" cy="50" r="8"/>'] if any(road.stop == "x" for road in face.roads) else []
    return "".join(parts)


def _floor(face: Face, number: int) -> str:
    """Return the town's ground, with a stronger colour along its walls."""
    town = face.towns[number]
    ground = path([_stretched(point) for point in rings(face)[f"town {town.edges[0]}"]], closed=True)
    washes = "".join(
        path([*map(_clamped, wall), *map(_clamped, beside(wall, WASH)[::-1])], closed=True) for wall in layout(face).walls[number]
    )
    return f'<path class="floor" d="{ground}"/>' + (f'<path class="wash-town" d="{washes}"/>' if washes else "")


def _stretched(point: Point, over: float = OVER) -> Point:
    """Move a point on the rim slightly outwards; leave any other where it is."""
    x, y = (-over if each <= 0.01 else 100 + over if each >= 99.99 else each for each in point)
    return (x, y)


def _clamped(point: Point) -> Point:
    x, y = (min(max(each, 0.0), 100.0) for each in point)
    return _stretched((x, y))


def _ways(face: Face, over: float) -> str:
    return "".join(
        path([_stretched(centreline[0], over), *centreline[1:-1], _stretched(centreline[-1], over)]) for centreline in layout(face).roads
    )


def _fields(face: Face) -> str:
    """Return four strips of crops inside the farm's fence."""
    strips = "".join(
        f'<path class="crop-{number % 2}" d="{_sector(number)}"/><path class="furrow" d="{_furrows(number)}"/>' for number in range(4)
    )
    return f'{strips}<path class="fence" d="{path(farm_fence(face), closed=True)}"/>'


def _sector(quarter: int) -> str:
    arc = circle(CENTRE, 18, start=-pi / 2)[quarter * 6 : quarter * 6 + 7]
    return path([CENTRE, *arc, *([(50, 32)] if quarter == 3 else [])], closed=True)


def _furrows(quarter: int) -> str:
    """Return straight furrows, north-south in one quarter and east-west in the next."""
    sx, sy = ((1, -1), (1, 1), (-1, 1), (-1, -1))[quarter]
    lines: list[Line] = []
    for step in (3.5, 7, 10.5, 14):
        reach = (17.2**2 - step**2) ** 0.5
        near, far = ((step, 1.5), (step, reach)) if quarter % 2 else ((1.5, step), (reach, step))
        lines.append([(50 + sx * near[0], 50 + sy * near[1]), (50 + sx * far[0], 50 + sy * far[1])])
    return "".join(path(line) for line in lines)


def _standing(face: Face) -> str:
    return _walls(face) + "".join(stamped(placed) for placed in planting(face))


def _walls(face: Face) -> str:
    plan = layout(face)
    return palisade([wall for town in plan.walls for wall in town], [gate for gate, _, _ in plan.gates])


def palisade(walls: Iterable[Line], gates: list[Point]) -> str:
    """Draw posts side by side along each wall, a tower at every end and on both sides of a gate."""
    runs = [run for wall in walls for run in _open(wall, gates)]
    if not runs:
        return ""
    posts = "".join(f"M{short(x)} {short(y)}h0" for run in runs for x, y in _posts(run))
    towers = "".join(stamped(PlacedStamp("bastion", *end)) for end in dict.fromkeys(end for run in runs for end in (run[0], run[-1])))
    return f'<path class="wall" d="{"".join(path(run) for run in runs)}"/><path class="posts" d="{posts}"/>{towers}'


def _open(wall: Line, gates: list[Point]) -> list[Line]:
    """Return the runs of a wall between its gates."""
    runs: list[Line] = [[]]
    for share in range(101):
        point = along(wall, share / 100)
        if gates and min(distances(spread(gates), [point, point])) < GATE:
            runs += [[]] if runs[-1] else []
        else:
            runs[-1].append(point)
    return [[run[0], *run[5:-1:5], run[-1]] for run in runs if len(run) > 1]


def _posts(run: Line) -> list[Point]:
    count = max(1, round(length(run) / SPACING))
    return [along(run, step / count) for step in range(count + 1)]


def stamped(placed: PlacedStamp) -> str:
    roof = f' class="{placed.roof}"' if placed.roof else ""
    return f'<use href="#stamp-{placed.stamp}"{roof} x="{short(placed.x)}" y="{short(placed.y)}"/>'


def tile(letter: str, turns: int = 0, x: float = 0, y: float = 0) -> str:
    """Draw one tile by itself, with its own grass: in the hand, as a ghost, in a table of faces."""
    return grass(x, y) + laid("land", letter, turns, x, y) + laid("tile", letter, turns, x, y)


def grass(x: float, y: float) -> str:
    return f'<rect class="meadow" x="{short(x - OVER)}" y="{short(y - OVER)}" width="{100 + 2 * OVER}" height="{100 + 2 * OVER}"/>'


def laid(layer: str, letter: str, turns: int, x: float, y: float) -> str:
    """Draw one layer of a laid tile: "land" or "tile"."""
    turn = f' transform="rotate({90 * turns} {short(x + 50)} {short(y + 50)})"' if turns else ""
    return f'<use href="#{layer}-{letter}" class="turn-{turns}" x="{short(x)}" y="{short(y)}" width="100" height="100"{turn}/>'
