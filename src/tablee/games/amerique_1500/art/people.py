"""People of the four societies as simple figures, each in clothes of its own land; no feathers, no war paint."""

from __future__ import annotations

from collections.abc import Iterable

from tablee.games.amerique_1500.art.shapes import INK, Svg, dot, oval, put, shape, stroke, symbol, use


def _face(y: float = -52) -> Svg:
    smile = stroke(f"M-4 {y + 5}q4 4 8 0")
    return dot(-4.5, y, 1.5, "ink", edge=False) + dot(4.5, y, 1.5, "ink", edge=False) + smile + _cheeks(y + 4)


def _cheeks(y: float) -> Svg:
    return dot(-8, y, 2, "clay", edge=False) + dot(8, y, 2, "clay", edge=False)


def _body(fill: str) -> Svg:
    arms = shape("M-12 -36C-22 -34 -24 -20 -21 -12L-14 -13L-11 -26ZM12 -36C22 -34 24 -20 21 -12L14 -13L11 -26Z", fill)
    hands = dot(-17.5, -10, 3.6, "skin") + dot(17.5, -10, 3.6, "skin")
    feet = shape("M-11 -4h9v6h-12q0 -4 3 -6ZM11 -4h-9v6h12q0 -4 -3 -6Z", "bark")
    return feet + hands + arms + shape("M-12 -38Q0 -42 12 -38L16 -3Q0 2 -16 -3Z", fill)


def _head(y: float = -52) -> Svg:
    return oval(0, y, 13, 13.5, "skin")


def inca() -> Svg:
    """Draw a woven tunic with a belt of squares, and a headband."""
    belt = shape("M-14.5 -20H14.5L15.2 -12H-15.2Z", "gold") + shape("M-14 -20h7v8h-7.8ZM0 -20h7v8h-7Z", "red", edge=False)
    hair = shape("M-14 -46C-18 -68 -8 -70 0 -70S18 -68 14 -46L11 -54Q0 -62 -11 -54Z", "hair")
    band = shape("M-13 -60Q0 -68 13 -60L13.5 -55Q0 -63 -13.5 -55Z", "gold")
    return _body("incas") + belt + stroke("M-15 -5Q0 0 15 -5", "gold", 2.4) + _head() + hair + band + _face()


def inuk() -> Svg:
    """Draw a parka with fur around the hood and bands of dark skin."""
    hood = oval(0, -52, 19, 20, "inuits") + oval(0, -51, 15.5, 16, "tan") + oval(0, -50, 11.5, 12, "skin")
    bands = stroke("M-14.5 -14Q0 -9 14.5 -14", "slate", 3.4) + stroke("M-15.2 -8Q0 -3 15.2 -8", "slate", 2)
    fringe = shape("M-8 -62Q0 -66 8 -62Q4 -57 0 -58T-8 -62Z", "hair", edge=False)
    return _body("inuits") + bands + hood + fringe + _face(-49)


def haudenosaunee() -> Svg:
    """Draw a deerskin dress with a band of shell beads, and two braids."""
    hair = shape("M-15 -28C-18 -56 -14 -70 0 -70S18 -56 15 -28L9 -28L11 -56Q0 -62 -11 -56L-9 -28Z", "hair")
    beads = stroke("M-13 -30Q0 -25 13 -30", "snow", 5) + stroke("M-12 -30Q0 -25 12 -30", "plum", 2)
    hem = stroke("M-15 -7Q0 -2 15 -7", "snow", 3)
    return _body("iroquois") + beads + hem + _head() + hair + _face()


def algonquin() -> Svg:
    """Draw a skin coat with a painted hem and fringed shoulders, hair tied at the nape."""
    hair = shape("M-14 -48C-17 -66 -9 -70 0 -70S17 -66 14 -48Q13 -60 0 -63Q-13 -60 -14 -48Z", "hair")
    collar = shape("M-9 -38.5L0 -28L9 -38.5Q0 -41 -9 -38.5Z", "tan") + stroke("M-12 -33v5M-8.5 -31v5M12 -33v5M8.5 -31v5", "tan", 1.6)
    hem = stroke("M-14.5 -12Q0 -7 14.5 -12M-15 -6Q0 -1 15 -6", "cream", 2) + stroke("M-10 -8.5l4 1.5M-2 -6.5h4M10 -8.5l-4 1.5", "gold", 2.6)
    return _body("algonquiens") + collar + hem + _head() + hair + _face()


FIGURES = {"incas": inca, "inuits": inuk, "iroquois": haudenosaunee, "algonquiens": algonquin}


def figure(society: str) -> Svg:
    """Draw a person of that society who stands on (0, 0), 72 high."""
    return FIGURES[society]() if society in FIGURES else _body("wood") + _head() + _face()


def standing(society: str, x: float, y: float, size: float) -> Svg:
    """Show the figure of the sheet, its feet on (x, y)."""
    return use(f"person-{society}", x - 26 * size, y - 73 * size, 52 * size, 78 * size)


def portrait(society: str) -> Svg:
    """Return the figure as an SVG document of its own."""
    return f'<svg viewBox="0 0 52 78" {INK}>{put(figure(society), 26, 73)}</svg>'


def symbols(societies: Iterable[str]) -> list[str]:
    everybody = dict.fromkeys((*FIGURES, *societies))
    return [symbol(f"person-{society}", put(figure(society), 26, 73), 52, 78) for society in everybody]
