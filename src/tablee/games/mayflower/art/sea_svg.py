"""The sea: engraved lines along the shore, scattered waves, a compass rose whose rays cross the chart, and a ship under way."""

from __future__ import annotations

from math import cos, pi, sin

from tablee.games.mayflower.art.geometry import Line, Point, path, short
from tablee.games.mayflower.art.layout import seeded_rng
from tablee.games.mayflower.art.shore import shore
from tablee.games.mayflower.faces import Coast

EAST = 440.0  # x at which the chart ends
WATERLINES = (5.0, 9.5, 15.0, 21.5, 29.0, 37.5)
ROSE: Point = (285.0, 250.0)
SHIP: Point = (265.0, 640.0)
OCEAN: Point = (246.0, 412.0)
WIDE, HIGH = 210, 160  # of the wave pattern

_SHIP = (
    '<path class="foam" d="M-44 22C-38 18-34 24-28 21M32 23C38 19 42 25 48 22M-20 27C-12 24-6 29 2 26C10 24 16 29 24 26"/>'
    '<path class="spar" d="M-27 6L-46-6M-16 8V-34M1 8V-50M19 0V-26"/>'
    '<path class="sail" d="M-26-3C-32-10-31-19-25-24L-9-24C-14-17-14-10-9-3Z"/>'
    '<path class="sail" d="M-9-6C-16-15-15-25-8-30L12-30C6-23 6-13 12-6Z"/>'
    '<path class="sail" d="M-5-32C-9-37-8-42-4-45L8-45C5-41 5-36 9-32Z"/>'
    '<path class="sail" d="M-22-26C-25-29-24-32-21-34L-12-34C-14-31-14-28-11-26Z"/>'
    '<path class="sail" d="M12-23L30-1L16-3C20-9 18-16 12-23Z"/><path class="sail" d="M-30 3L-42-4L-29-8Z"/>'
    '<path class="reef" d="M-8-24C-2-22 4-22 9-24M-24-18C-20-17-16-17-12-18"/>'
    '<path class="hull" d="M-32 5L-22 9H13L17 3L31-2L29 13C26 20 20 23 8 23H-12C-23 23-29 16-32 5Z"/>'
    '<path class="strake" d="M-29 12C-20 16 10 16 29 8M-26 17C-16 20 12 20 27 14"/>'
    '<path class="port" d="M-14 13h3M-6 13.6h3M2 13.6h3M10 13h3M20 6.5h2.4M25 4.8h2.4"/>'
    '<path class="flag" d="M1-50C-3-53-6-48-11-51V-45C-6-42-3-47 1-44Z"/>'
    '<path class="flag" d="M-16-34C-19-36-21-33-24-35V-31C-21-29-19-32-16-30Z"/>'
)


_LILY = (
    '<path class="lily" d="M0-64C4-59 4-55 1.4-50.5H-1.4C-4-55-4-59 0-64ZM-1.6-51C-4-57-9.5-57-8.6-52C-6.6-54-4-53-3.4-50Z'
    'M1.6-51C4-57 9.5-57 8.6-52C6.6-54 4-53 3.4-50ZM-5-49.6H5V-47.6H-5Z"/>'
)
_WINDS = {  # length, breadth, which of the sixteen
    "fine": (27.0, 9.5, range(1, 16, 2)),
    "half": (34.0, 7.5, range(2, 16, 4)),
    "chief": (46.0, 9.0, range(0, 16, 4)),
}


def sea_defs() -> str:
    return f"{_waves()}<symbol id='ship' overflow='visible'>{_SHIP}</symbol><symbol id='rose' overflow='visible'>{_rose()}</symbol>"


def sea(coast: Coast, north: int, south: int) -> str:
    """Return the water of the rows from `north` to `south`, both included."""
    top, bottom = 100.0 * north, 100.0 * (south + 1)
    frame = f'x="0" y="{short(top)}" width="{short(EAST)}" height="{short(bottom - top)}"'
    ground = f'<rect class="sea" {frame}/><rect class="waves" {frame}/><path class="rhumbs" d="{_rhumbs(top, bottom)}"/>'
    shallows = f'<path class="shallows" d="{path([(0, top), *shore(coast, top, bottom, 0.6, 24), (0, bottom)], closed=True)}"/>'
    lines = "".join(
        f'<path class="waterline w{number}" d="{path(shore(coast, top, bottom, 0.75 - number / 8, out))}"/>'
        for number, out in enumerate(WATERLINES)
    )
    return f"{ground}{shallows}{lines}"


def sea_marks() -> str:
    """Return the rose, the ship and the ocean's Latin name, along the coast so that a narrow strip of sea holds it."""
    ocean = f'<text class="ocean" transform="translate({short(OCEAN[0])} {short(OCEAN[1])})rotate(-90)">Mare Atlanticum</text>'
    return "".join(f'<use href="#{name}" x="{short(x)}" y="{short(y)}"/>' for name, (x, y) in (("rose", ROSE), ("ship", SHIP))) + ocean


def _waves() -> str:
    rng = seeded_rng("sea", "waves")
    places = [(x + rng.uniform(4, 30), y + rng.uniform(4, 22)) for y in range(0, HIGH - 20, 27) for x in range(0, WIDE - 30, 42)]
    strokes = "".join(f"M{short(x)} {short(y)}q2.5-3 5 0t5 0" + ("m-7 4q2-2.4 4 0t4 0" if rng.random() < 0.5 else "") for x, y in places)
    return f'<pattern id="waves" width="{WIDE}" height="{HIGH}" patternUnits="userSpaceOnUse"><path class="wave" d="{strokes}"/></pattern>'


def _rhumbs(top: float, bottom: float) -> str:
    """Return sixteen rays from the rose to the borders of the chart."""
    rays = (pi * step / 8 for step in range(16))
    return "".join(path([ROSE, _border(ROSE, (cos(angle), sin(angle)), top, bottom)]) for angle in rays)


def _border(start: Point, direction: Point, top: float, bottom: float) -> Point:
    """Return the point where a ray leaves the chart."""
    sides = [((0.0, EAST)[direction[0] > 0] - start[0]) / direction[0] if abs(direction[0]) > 1e-9 else 1e9]
    sides.append(((top, bottom)[direction[1] > 0] - start[1]) / direction[1] if abs(direction[1]) > 1e-9 else 1e9)
    reach = min(sides)
    return (start[0] + reach * direction[0], start[1] + reach * direction[1])


def _rose() -> str:
    """Return the compass rose of sixteen winds, the four chief ones uppermost; a lily points north."""
    winds = "".join(_wind(step, kind) for kind in _WINDS for step in _WINDS[kind][2])
    rings = '<circle class="rose-disc" r="30"/><circle class="rose-ring" r="30"/><circle class="rose-ring" r="26.5"/>'
    return f'{rings}{winds}<circle class="rose-hub" r="3.2"/>{_LILY}'


def _wind(step: int, kind: str) -> str:
    """Return one point of the star: a light and a dark half."""
    angle = pi * step / 8 - pi / 2
    length, waist, _ = _WINDS[kind]
    tip = (length * cos(angle), length * sin(angle))
    halves: list[Line] = [[(0, 0), tip, (waist * cos(angle + side), waist * sin(angle + side))] for side in (-pi / 4, pi / 4)]
    return "".join(
        f'<path class="wind {kind} {tone}" d="{path(half, closed=True)}"/>' for tone, half in zip(("light", "deep"), halves, strict=True)
    )
