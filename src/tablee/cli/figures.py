"""Figures for people: columns, percentages with their intervals, and a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as lines, each column as wide as its widest text."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def share_within(share: float, low: float, high: float) -> str:
    return f"{percent(share)} ({percent(low)} - {percent(high)})"


def mean_within(mean: float, high: float) -> str:
    return f"{mean:.1f} ± {high - mean:.1f}"


def progress(games: int, played: int = 0) -> Any:
    """Return a progress bar of games, shown on a terminal only."""
    from tqdm import tqdm  # noqa: PLC0415  only long commands need it

    return tqdm(total=games, initial=played, unit="game", disable=not sys.stderr.isatty())
