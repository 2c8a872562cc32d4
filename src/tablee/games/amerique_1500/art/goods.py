"""The goods: cubes of 24 by 24, each with its colour and a thing on its face, so that neither colour nor letters are needed."""

from __future__ import annotations

from tablee.games.amerique_1500.art.shapes import Svg, dot, oval, shape, slab, stroke, symbol, use


def _berries() -> Svg:
    return (
        dot(6.9, 17.4, 3.2, "cream")
        + dot(13.9, 17.4, 3.2, "cream")
        + dot(10.4, 12, 3.2, "cream")
        + stroke("M10.4 8.8L12.6 7.2", "ink", 1.5)
    )


def _joint() -> Svg:
    bone = "M12 14L16.6 10.2M16.6 10.2L16.4 8.4M16.6 10.2L18.4 10.6"
    return stroke(bone, "ink", 4) + stroke(bone, "cream", 2) + oval(8.6, 16.2, 5.4, 4.1, "cream", turn=-38)


def _fish() -> Svg:
    return shape("M13 14.6L18.6 10.4V18.8Z", "cream") + oval(8.8, 14.6, 6, 4, "cream") + dot(6, 13.6, 1, "ink", edge=False)


def _ear() -> Svg:
    husk = shape(
        "M10.4 21.4C4.6 20.4 3.6 16 3.6 12.8C7.4 13.6 9.8 16 10.4 21.4C11 16 13.4 13.6 17.2 12.8C17.2 16 16.2 20.4 10.4 21.4Z", "leaf"
    )
    return oval(10.4, 13, 3.3, 5.6, "cream") + husk


def _log() -> Svg:
    bark = slab(3, 10.4, 15, 8.6, "cream", soft=4) + stroke("M10.6 13h4M12 16.4h3.6", "ink", 1.1)
    return bark + oval(5.8, 14.7, 2.8, 4.3, "tan") + dot(5.8, 14.7, 1, "ink", edge=False)


def _rock() -> Svg:
    return shape("M2.8 20.2L5.8 12.6L10.6 9L15.6 12L18.4 20.2Z", "cream") + stroke(
        "M10.6 9L9.4 14.4L5.8 20.2M9.4 14.4L16.4 16.4", "ink", 1.1
    )


SHAPES = {"G": _berries, "M": _joint, "F": _fish, "C": _ear, "W": _log, "S": _rock}


def cube(good: str) -> Svg:
    """Draw a cube with its thing on the face, 24 by 24."""
    box = shape("M1 5.5H20V23.2H1ZM1 5.5L4 2H23V19.5L20 23.2", f"good-{good}")
    side = shape("M20 5.5L23 2V19.5L20 23.2Z", "shade", edge=False) + stroke("M20 5.5V23.2M20 5.5L23 2")
    return f'<g stroke-width="1.1">{box}{side}{SHAPES[good]()}</g>'


def small(good: str, x: float, y: float, size: float) -> Svg:
    """Show the cube of the sheet inside another drawing."""
    return use(f"good-{good}", x, y, size)


def stack(good: str, times: int) -> Svg:
    """Draw a multiplier card with one cube that stands for three or five (A20), 46 by 30."""
    card = slab(1, 1.5, 44, 27, "cream", soft=4)
    count = "M28 13l4.5 6M32.5 13l-4.5 6" + {3: THREE, 5: FIVE}[times]
    return f'<g stroke-width="1.3">{card}</g>' + small(good, 3, 3.5, 22.5) + stroke(count, "ink", 2.2)


THREE = "M36 9.5Q37 7.5 39 8Q41.5 8.8 40.5 11.5Q40 13.2 38 13.4Q41.2 13.8 41.5 16.5Q41.5 20.5 38.3 21Q36 21 35 19"
FIVE = "M41 8H36.7L36.1 13.5Q38 12.5 39.7 13Q42 14 41.7 17Q41.2 21 38 21Q36.2 21 35.1 19.7"


def symbols() -> list[str]:
    found = [symbol(f"good-{good}", cube(good), 24, 24) for good in SHAPES]
    heap = small("W", 0, 10, 13) + small("C", 11, 10, 13) + small("M", 5.5, 0, 13)
    found.append(symbol("heap", heap, 24, 24))
    return found + [symbol(f"good-{good}-x{times}", stack(good, times), 46, 30) for good in SHAPES for times in (3, 5)]
