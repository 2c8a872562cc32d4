"""Formatting of points for the page and the terminal, with a minus sign instead of a hyphen."""

from __future__ import annotations

from collections.abc import Sequence

MINUS = "\N{MINUS SIGN}"


def format_points(points: int) -> str:
    """Return points as text: 26, \N{MINUS SIGN}15."""
    return str(points).replace("-", MINUS)


def format_change(points: int) -> str:
    """Return a change of points as text: +26, \N{MINUS SIGN}15."""
    return f"{'+' if points >= 0 else ''}{format_points(points)}"


def format_sum(parts: Sequence[tuple[str, int]]) -> str:
    """Return the named parts of a score as a sum: cards 26 \N{MINUS SIGN} the row's cost 15."""
    (first, points), *others = parts
    more = (f" {MINUS if each < 0 else '+'} {name} {abs(each)}" for name, each in others)
    return f"{first} {format_points(points)}{''.join(more)}"
