"""The goods: cubes of 24 by 24, each with its colour, a letter on its face and a shape on top, so that no one needs the colour."""

from __future__ import annotations

from tablee.games.amerique_1500.art.shapes import Drawing, dot, oval, shape, slab, stroke, symbol, use

LETTERS = {
    "G": "M15.5 14.3Q14.3 12.6 12 12.6C9.6 12.6 8.2 14.4 8.2 16.9S9.6 21.2 12 21.2Q15.4 21.2 15.6 17.5H12.7",
    "M": "M7.2 21.2V12.8L11.3 18.5L15.4 12.8V21.2",
    "F": "M9 21.2V12.8H14.6M9 16.8H13.6",
    "C": "M15 14.5Q14 12.6 11.9 12.6C9.6 12.6 8.3 14.4 8.3 16.9S9.6 21.2 11.9 21.2Q14 21.2 15 19.3",
    "W": "M6.2 12.8L8.6 21.2L11.3 14.6L14 21.2L16.4 12.8",
    "S": "M14.4 14.1Q13.6 12.6 11.5 12.6Q8.8 12.6 8.8 14.7C8.8 17.6 14.3 16.1 14.3 19.1Q14.3 21.2 11.5 21.2Q9.2 21.2 8.4 19.5",
}


def _berries() -> Drawing:
    return dot(8, 6.4, 2.9, "good-G") + dot(14.4, 6.4, 2.9, "good-G") + dot(11.2, 3.4, 2.9, "good-G")


def _joint() -> Drawing:
    bone = "M12 5L17 3.2M17 3.2L19 1.6M17 3.2L19.6 3.8"
    return stroke(bone, "ink", 3.8) + stroke(bone, "cream", 1.8) + oval(9, 5.8, 5.4, 3.5, "good-M", turn=-12)


def _fish() -> Drawing:
    return shape("M14.5 5L20 1.5V8.5Z", "good-F") + oval(10, 5, 6, 3.4, "good-F") + dot(6.8, 4.4, 0.9, "cream", edge=False)


def _ear() -> Drawing:
    return shape("M11.5 9C6 8.5 4.8 5 4.5 2.5C8 2.5 10.5 4 11.5 9C12.5 4 15 2.5 18.5 2.5C18.2 5 17 8.5 11.5 9Z", "leaf") + oval(
        11.5, 4.3, 2.9, 4, "good-C"
    )


def _log() -> Drawing:
    return slab(3.5, 2, 15, 6.4, "good-W", soft=3) + oval(5.5, 5.2, 2.4, 3.2, "cream") + dot(5.5, 5.2, 0.8, "ink", edge=False)


def _rock() -> Drawing:
    return shape("M3.5 9L6.5 3L11 0.9L16.5 3.5L19.5 9Z", "good-S") + stroke("M11 0.9L10 5L6.5 9M10 5L16 6.5")


SHAPES = {"G": _berries, "M": _joint, "F": _fish, "C": _ear, "W": _log, "S": _rock}


def cube(good: str) -> Drawing:
    """A cube with its thing on top; 24 by 24."""
    box = shape("M1.5 10.5H21V23H1.5ZM1.5 10.5L4 8H23V20.5L21 23", f"good-{good}")
    side = shape("M21 10.5L23 8V20.5L21 23Z", "shade", edge=False) + stroke("M21 10.5V23M21 10.5L23 8")
    letter = stroke(LETTERS[good], f"on-{good}", 2.1)
    return f'<g stroke-width="1.1">{box}{side}{SHAPES[good]()}</g>{letter}'


def small(good: str, x: float, y: float, size: float) -> Drawing:
    """The cube of the sheet, inside another drawing."""
    return use(f"good-{good}", x, y, size)


def stack(good: str, times: int) -> Drawing:
    """A multiplier card with one cube on it that stands for three or five (A20); 46 by 30."""
    card = slab(1, 1.5, 44, 27, "cream", soft=4)
    count = "M28 13l4.5 6M32.5 13l-4.5 6" + {3: THREE, 5: FIVE}[times]
    return f'<g stroke-width="1.3">{card}</g>' + small(good, 3, 3.5, 22.5) + stroke(count, "ink", 2.2)


THREE = "M36 9.5Q37 7.5 39 8Q41.5 8.8 40.5 11.5Q40 13.2 38 13.4Q41.2 13.8 41.5 16.5Q41.5 20.5 38.3 21Q36 21 35 19"
FIVE = "M41 8H36.7L36.1 13.5Q38 12.5 39.7 13Q42 14 41.7 17Q41.2 21 38 21Q36.2 21 35.1 19.7"


def symbols() -> list[str]:
    found = [symbol(f"good-{good}", cube(good), 24, 24) for good in SHAPES]
    return found + [symbol(f"good-{good}-x{times}", stack(good, times), 46, 30) for good in SHAPES for times in (3, 5)]
