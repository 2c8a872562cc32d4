"""Points in characters, for the page and the terminal: a loss has a minus sign, not a hyphen, and a sum says what is taken away."""

from __future__ import annotations

from collections.abc import Sequence

MINUS = "\N{MINUS SIGN}"


def shown(points: int) -> str:
    """Points as they stand: 26, \N{MINUS SIGN}15."""
    return str(points).replace("-", MINUS)


def signed(points: int) -> str:
    """Points as a change: +26, \N{MINUS SIGN}15."""
    return f"{'+' if points >= 0 else ''}{shown(points)}"


def summed(parts: Sequence[tuple[str, int]]) -> str:
    """Named parts of a score as a sum: cards 26 \N{MINUS SIGN} the row's cost 15."""
    (first, points), *others = parts
    more = (f" {MINUS if each < 0 else '+'} {what} {abs(each)}" for what, each in others)
    return f"{first} {shown(points)}{''.join(more)}"
