"""The figures on the map: settlers of every seat and role, the two explorers, and the band of an explorer's column (M2, M7, M13).

Colour, the pattern of the cloth and an initial show the seat; the outline shows the role, and a trapper lies down.
"""

from __future__ import annotations

from html import escape

from tablee.games.mayflower.art.geometry import short

ROLES = ("merchant", "robber", "farmer", "trapper")
SEATS = 5

_CLOTHS = (
    '<path class="thread" d="M-1 5L5-1M-1 1L1-1M3 5L5 3" stroke-width="1.1"/>',  # stripes
    '<circle class="knot" cx="1" cy="1" r=".8"/><circle class="knot" cx="3" cy="3" r=".8"/>',  # dots
    "",  # plain, with a dark edge
    '<path class="thread" d="M-.5 1.5L2-.6L4.5 1.5M-.5 5.5L2 3.4L4.5 5.5" stroke-width="1"/>',  # chevrons
    '<circle class="thread" cx="2" cy="2" r="1.3" stroke-width=".7"/>',  # rings
)

# body: the cloth that shows the seat; head: the rest of the light outline; under and over: clothes and tools of the role, behind the cloth
# and before it; plate: the centre of the initial
_FIGURES = {
    "merchant": {
        "body": "M-8 12C-8 4-7-2-4.6-4.4H4.6C7-2 8 4 8 12Z",
        "head": "M0-12.6a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2Z",
        "under": '<path class="sack" d="M4-6C9-9 14-6 13.4 0C13 5 8 6 5 4Z"/><path class="tie" d="M3.4-4.4C5-7.4 6-8.6 8.4-8.2"/>',
        "over": '<circle class="skin" cy="-8" r="4"/><path class="felt" d="M-4.8-9.4C-5-14 4-14.6 5.2-10.4C5.4-9.2 2-8.8-1-9.4Z"/>',
        "plate": "0 4.6",
    },
    "robber": {
        "body": "M-9.6 12C-8 6-7-1-4.8-4.2H4.8C7-1 8 6 9.6 12C5 10.6 3 12 0 11C-3 12-5 10.6-9.6 12Z",
        "head": "M0-12.6a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2Z",
        "under": "",
        "over": '<circle class="skin" cy="-7.4" r="3.9"/><path class="mask" d="M-4-7.6C-2-8.6 2-8.6 4-7.6C3.6-4.6-3.6-4.6-4-7.6Z"/>'
        '<path class="felt" d="M-9.4-9.6C-5-8.2 5-8.2 9.4-9.6C7.6-11.4 5-11.6 4.2-11.8L3-16.2H-3L-4.2-11.8C-5-11.6-7.6-11.4-9.4-9.6Z"/>'
        '<path class="plume" d="M3.4-13C7-18 10-16 9.4-13C8-13.8 6-13 3.8-11.6Z"/>',
        "plate": "0 4",
    },
    "farmer": {
        "body": "M-8 12C-8 4-7-2-4.6-4.4H4.6C7-2 8 4 8 12Z",
        "head": "M0-12.6a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2Z",
        "under": "",
        "over": '<circle class="skin" cy="-7.6" r="4"/>'
        '<path class="straw-hat" d="M-7.6-8.6C-4-9.4-3.6-13.4 0-13.4C3.6-13.4 4-9.4 7.6-8.6C4-7-4-7-7.6-8.6Z"/>'
        '<path class="shaft" d="M10.6 12V-8"/><path class="tines" d="M7.4-14.6V-10C7.4-7.4 13.8-7.4 13.8-10V-14.6M10.6-8V-15"/>',
        "plate": "0 4.6",
    },
    "trapper": {
        "body": "M-6 7.4C-6.6 1-3-3 3-3.4C9-3.6 15-1 15.4 3C15.6 5.6 15 7 14 7.4Z",
        "head": "M-9.6-2.6a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2Z",
        "under": '<path class="shaft" d="M-16.4 9.6L13-7"/>',
        "over": (
            '<circle class="skin" cx="-9.6" cy="2" r="4"/>'
            '<path class="fur-cap" d="M-13.4.6C-14.4-5-6-6.4-5.2-.4C-7-2-11-1.4-13.4.6ZM-5.4-1C-2.8-1-3 4-5.4 6C-6.6 4-6.4 1-5.4-1Z"/>'
        ),
        "plate": "5 2.4",
    },
}
_EXPLORERS = (
    '<path class="halo" d="M-9 13C-8 5-7-3-4-5C-7-12 5-17 5-7C8-4 8 5 9 13ZM10 13V-20L24-16L10-11"/>'
    '<path class="shaft" d="M10 13V-20"/><path class="banner" d="M10-19.6C14-22 17-16 23-18.4V-10.4C17-8 14-14 10-11.6Z"/>'
    '<path class="banner-cross" d="M16.4-17.6V-11M10.2-15.4C14-17.6 17-12 22.8-14.2"/>'
    '<path class="cape one" d="M-9 13C-8 5-7-2-4.6-5H4.6C7-2 8 5 9 13C4 11.6-4 11.6-9 13Z"/>'
    '<path class="ruff" d="M-5-4.6C-3-6.4 3-6.4 5-4.6C3-2.6-3-2.6-5-4.6Z"/>'
    '<circle class="skin" cy="-9" r="4.2"/>'
    '<path class="steel" d="M-8-9.4C-5-11-4.6-16.8 0-18C4.6-16.8 5-11 8-9.4C4-10.4-4-10.4-8-9.4Z"/><path class="tie" d="M0-17.6V-11"/>',
    '<path class="halo" d="M-9 13C-8 5-7-3-4-5C-7-12 5-20 5-7C8-4 8 5 9 13ZM3-8L16-13"/>'
    '<path class="cape two" d="M-9 13C-8 5-7-2-4.6-5H4.6C7-2 8 5 9 13C4 11.6-4 11.6-9 13Z"/>'
    '<path class="collar" d="M-5-5H5L2.6-.6L0-3L-2.6-.6Z"/>'
    '<circle class="skin" cy="-9" r="4.2"/><path class="felt" d="M-8.4-10.6C-4-9.4 4-9.4 8.4-10.6L4.4-12.4L3.4-20H-3.4L-4.4-12.4Z"/>'
    '<path class="buckle" d="M-1.4-14.6H1.4V-12H-1.4Z"/>'
    '<path class="brass" d="M2.6-9.4L15-14.8L16.4-11.6L3.4-7Z"/><path class="sleeve" d="M5-2C9-3 10-6 10.4-9.6"/>',
)


def figure_defs(seats: int = SEATS) -> str:
    """Return the cloths, the settlers of these seats and the explorers, for a page's <defs>."""
    cloths = "".join(_cloth(seat) for seat in range(seats))
    settlers = "".join(_settler(role, seat) for seat in range(seats) for role in ROLES)
    explorers = "".join(f'<symbol id="explorer-{number}" overflow="visible">{art}</symbol>' for number, art in enumerate(_EXPLORERS))
    return f"{cloths}{settlers}{explorers}"


def _cloth(seat: int) -> str:
    weave = f'<rect class="dye-{seat}" width="4" height="4"/>{_CLOTHS[seat]}'
    return f'<pattern id="cloth-{seat}" width="4" height="4" patternUnits="userSpaceOnUse">{weave}</pattern>'


def _settler(role: str, seat: int) -> str:
    art = _FIGURES[role]
    halo = f'<path class="halo" d="{art["body"]}{art["head"]}"/>'
    body = f'<path class="body{" edged" if seat == 2 else ""}" fill="url(#cloth-{seat})" d="{art["body"]}"/>'
    x, y = art["plate"].split()
    plate = f'<circle class="plate" cx="{x}" cy="{y}" r="4.6"/>'
    return f'<symbol id="{role}-{seat}" overflow="visible">{halo}{art["under"]}{body}{art["over"]}{plate}</symbol>'


def settler(role: str, seat: int, initial: str, x: float = 0, y: float = 0) -> str:
    """Draw a settler around (x, y), about 28 units high; a trapper 14."""
    plate_x, plate_y = (float(each) for each in _FIGURES[role]["plate"].split())
    letter = f'<text class="initial" x="{short(x + plate_x)}" y="{short(y + plate_y + 2.5)}">{escape(initial)}</text>'
    return f'<use href="#{role}-{seat}" x="{short(x)}" y="{short(y)}"/>{letter}'


def explorer(number: int, x: float = 0, y: float = 0) -> str:
    """Draw an explorer around (x, y); the first carries the banner, the second the spyglass."""
    return f'<use href="#explorer-{number}" x="{short(x)}" y="{short(y)}"/>'


def explorer_band(column: int, north: int, south: int) -> str:
    """Draw the band of an explorer's column, where settlers score a bonus (M13), from row `north` to row `south`."""
    x, top, height = -100 * column, 100 * north, 100 * (south - north + 1)
    sides = f"M{x} {top}v{height}M{x + 100} {top}v{height}"
    return f'<g class="band"><rect x="{x}" y="{top}" width="100" height="{height}"/><path d="{sides}"/></g>'
