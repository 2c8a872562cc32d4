"""Stands: where a settler is, as one integer: at home, on a segment of a tile, or on a tile's farm. Only this file knows the encoding."""

from __future__ import annotations

from typing import NewType

from tablee.core.jit import jit

Tile = NewType("Tile", int)  # the number of a tile on the table
Segment = NewType("Segment", int)
Stand = NewType("Stand", int)
Subject = NewType("Subject", Stand)  # a stand that can be scored: a farm, or a feature by the segment that names it

AT_HOME = Stand(0)
ON_SEGMENT = 1  # + the segment
ON_FARM = 1 << 10  # + the tile


@jit
def is_farm(stand: Stand) -> bool:
    return stand >= ON_FARM


@jit
def on_farm(tile: Tile) -> Subject:
    return ON_FARM + tile  # type: ignore[return-value]  # jitted code cannot call a NewType


@jit
def on_segment(segment: Segment) -> Stand:
    return ON_SEGMENT + segment  # type: ignore[return-value]


@jit
def farm_under(stand: Stand) -> Tile:
    """Return the tile of a farm."""
    return stand - ON_FARM  # type: ignore[return-value]


@jit
def segment_under(stand: Stand) -> Segment:
    """Return the segment of any stand but a farm; of a subject, the segment that names the feature."""
    return stand - ON_SEGMENT  # type: ignore[return-value]


@jit
def as_subject(feature: Segment) -> Subject:
    """Return a feature as a subject."""
    return ON_SEGMENT + feature  # type: ignore[return-value]
