"""Where a settler is, as one number: at home, on a segment of a tile, or on a tile's farm. Only this file knows how they are told apart."""

from __future__ import annotations

from typing import NewType

from tablee.core.jit import jit

Tile = NewType("Tile", int)  # the number of a tile on the table
Segment = NewType("Segment", int)
Stand = NewType("Stand", int)
Subject = NewType("Subject", Stand)  # what a settler can score: a farm, or a feature by the segment that it is named by

AT_HOME = Stand(0)
ON_SEGMENT = 1  # and every number after it,
ON_FARM = 1 << 10  # up to this one


@jit
def is_farm(stand: Stand) -> bool:
    return stand >= ON_FARM


@jit
def on_farm(tile: Tile) -> Subject:
    return ON_FARM + tile  # type: ignore[return-value]  # a rule cannot call the name


@jit
def on_segment(segment: Segment) -> Stand:
    return ON_SEGMENT + segment  # type: ignore[return-value]


@jit
def farm_under(stand: Stand) -> Tile:
    """The tile of a farm."""
    return stand - ON_FARM  # type: ignore[return-value]


@jit
def segment_under(stand: Stand) -> Segment:
    """Of any stand but a farm; of a subject, the feature's name."""
    return stand - ON_SEGMENT  # type: ignore[return-value]


@jit
def whole(feature: Segment) -> Subject:
    """A feature as something to score."""
    return ON_SEGMENT + feature  # type: ignore[return-value]
