"""Basic shapes of all drawings, on a square of 100 by 100; a colour is a name of the palette in static/drawings/palette.css.

A shape has an ink edge unless it says `edge=False`; a stroke is only a line.
"""

from __future__ import annotations

from html import escape

Svg = str
Number = int | float

INK = 'stroke="var(--am-ink)" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round" fill="none"'


def colour(name: str) -> str:
    return f"var(--am-{name})"


def _short(number: Number) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _dress(fill: str, edge: bool) -> str:
    return f'fill="{colour(fill)}"' + ("" if edge else ' stroke="none"')


def _turned(turn: Number, x: Number, y: Number) -> str:
    return f' transform="rotate({_short(turn)} {_short(x)} {_short(y)})"' if turn else ""


def shape(d: str, fill: str, *, edge: bool = True) -> Svg:
    """Draw a closed outline, given as an SVG path."""
    return f'<path d="{d}" {_dress(fill, edge)}/>'


def oval(x: Number, y: Number, rx: Number, ry: Number, fill: str, *, edge: bool = True, turn: Number = 0) -> Svg:
    place = f'cx="{_short(x)}" cy="{_short(y)}" rx="{_short(rx)}" ry="{_short(ry)}"'
    return f"<ellipse {place} {_dress(fill, edge)}{_turned(turn, x, y)}/>"


def dot(x: Number, y: Number, radius: Number, fill: str, *, edge: bool = True) -> Svg:
    return f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(radius)}" {_dress(fill, edge)}/>'


def slab(x: Number, y: Number, width: Number, height: Number, fill: str, *, edge: bool = True, soft: Number = 0, turn: Number = 0) -> Svg:
    """Draw a rectangle with corners of radius `soft`, turned about its middle."""
    place = f'x="{_short(x)}" y="{_short(y)}" width="{_short(width)}" height="{_short(height)}"'
    corner = f' rx="{_short(soft)}"' if soft else ""
    return f"<rect {place}{corner} {_dress(fill, edge)}{_turned(turn, x + width / 2, y + height / 2)}/>"


def stroke(d: str, ink: str = "ink", width: Number = 0) -> Svg:
    thick = f' stroke-width="{_short(width)}"' if width else ""
    line = f' stroke="{colour(ink)}"' if ink != "ink" else ""
    return f'<path d="{d}"{line}{thick}/>'


def stick(d: str, fill: str, width: Number) -> Svg:
    """Draw a rounded pole, branch or limb along a line; its ink edge is a wider line below."""
    return stroke(d, "ink", width + 3.2) + stroke(d, fill, width)


def leaf(x: Number, y: Number, length: Number, turn: Number, fill: str = "leaf", *, edge: bool = True) -> Svg:
    """Draw a leaf that grows from its stem at (x, y); straight up unless turned."""
    wide, high = _short(length * 0.32), _short(length)
    d = f"M{_short(x)} {_short(y)}c-{wide} -{_short(length * 0.3)} -{wide} -{_short(length * 0.7)} 0 -{high}"
    d += f"c{wide} {_short(length * 0.3)} {wide} {_short(length * 0.7)} 0 {high}z"
    return f'<path d="{d}" {_dress(fill, edge)}{_turned(turn, x, y)}/>'


def put(drawing: Svg, x: Number = 0, y: Number = 0, size: Number = 1, turn: Number = 0, *, flip: bool = False) -> Svg:
    """Move the drawing to (x, y), and scale, turn or mirror it."""
    parts = [f"translate({_short(x)} {_short(y)})"] if x or y else []
    parts += [f"rotate({_short(turn)})"] if turn else []
    parts += [f"scale({'-' if flip else ''}{_short(size)} {_short(size)})"] if size != 1 or flip else []
    return f'<g transform="{" ".join(parts)}">{drawing}</g>' if parts else drawing


def use(key: str, x: Number, y: Number, width: Number, height: Number = 0) -> Svg:
    """Show another symbol of the sheet inside this one; as high as it is wide unless given a height."""
    place = f'x="{_short(x)}" y="{_short(y)}" ' if x or y else ""
    return f'<use href="#{key}" {place}width="{_short(width)}" height="{_short(height or width)}"/>'


def flame(x: Number, y: Number, size: Number = 1) -> Svg:
    """Draw a fire that stands on (x, y)."""
    outer = shape("M0 0C-16 0 -17 -14 -9 -22C-8 -17 -5 -17 -4 -20C-4 -28 0 -33 5 -37C4 -29 14 -22 14 -11C14 -3 8 0 0 0Z", "fire")
    inner = shape("M0 -1C-8 -1 -8 -9 -3 -14C-1 -10 1 -12 3 -18C4 -12 8 -10 7 -6C6 -2 4 -1 0 -1Z", "gold", edge=False)
    return put(outer + inner, x, y, size)


def steam(x: Number, y: Number, size: Number = 1) -> Svg:
    curl = "c-4 -4 4 -7 0 -12c-3 -4 2 -6 0 -9"
    return put(stroke(f"M-11 0{curl}M0 -3{curl}M11 0{curl}", "smoke", 3), x, y, size)


def symbol(key: str, drawing: Svg, width: Number = 100, height: Number = 100) -> str:
    """Return the drawing as a symbol, to be shown with `<svg viewBox="0 0 width height"><use href="#key"/></svg>`."""
    return f'<symbol id="{escape(key)}" viewBox="0 0 {_short(width)} {_short(height)}" {INK}>{drawing}</symbol>'
