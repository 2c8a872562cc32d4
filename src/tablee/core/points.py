"""Points in characters, for the page and the terminal: a loss has a minus sign, not a hyphen, and a sum says what is taken away."""

from __future__ import annotations

from collections.abc import Sequence

MINUS = "\N{MINUS SIGN}"


def format_points(points: int) -> str:
    """Points as they stand: 26, \N{MINUS SIGN}15."""
    return str(points).replace("-", MINUS)


def format_change(points: int) -> str:
    """Points as a change: +26, \N{MINUS SIGN}15."""
    return f"{'+' if points >= 0 else ''}{format_points(points)}"


def format_sum(parts: Sequence[tuple[str, int]]) -> str:
    """Named parts of a score as a sum: cards 26 \N{MINUS SIGN} the row's cost 15."""
    (first, points), *others = parts
    more = (f" {MINUS if each < 0 else '+'} {what} {abs(each)}" for what, each in others)
    return f"{first} {format_points(points)}{''.join(more)}"
