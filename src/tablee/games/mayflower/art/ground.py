"""The free room on one tile: every object placed takes room from the next; the random order is seeded, so every run agrees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from tablee.core.optional_numpy import np

from tablee.games.mayflower.art.geometry import Floats, Line, Point, distances, grid, inside
from tablee.games.mayflower.art.layout import seeded_rng
from tablee.games.mayflower.art.stamps import HOUSES, TREES

ROOFS = ("tiled", "brick", "slate", "straw")


@dataclass(frozen=True)
class PlacedStamp:
    stamp: str
    x: float
    y: float
    roof: str = ""


class Ground:
    def __init__(self, name: str, lines: list[tuple[Line, float]]) -> None:
        """Prepare the free spots; `lines` are obstacles, each with the distance to keep from it."""
        self.dice = seeded_rng(name, "planting")
        spots = grid(1.5)
        order = list(range(len(spots)))
        self.dice.shuffle(order)
        self.spots: Floats = spots[order]
        self.rim: Floats = np.minimum(self.spots, 100 - self.spots).min(axis=1)
        self.room: Floats = np.full(len(spots), 100.0)
        self._within: dict[int, tuple[Line, NDArray[np.bool_]]] = {}
        for line, margin in lines:
            self.room = np.minimum(self.room, distances(self.spots, line) - margin)

    def away(self, point: Point) -> Floats:
        return np.hypot(self.spots[:, 0] - point[0], self.spots[:, 1] - point[1])

    def take(self, point: Point, room: float) -> None:
        self.room = np.minimum(self.room, self.away(point) - room)

    def room_at(self, point: Point) -> float:
        return float(self.room[int(self.away(point).argmin())])

    def within(self, ring: Line) -> NDArray[np.bool_]:
        """Return which spots lie in a ring; cached, because the same few rings recur."""
        if id(ring) not in self._within:
            self._within[id(ring)] = (ring, inside(self.spots, ring))
        return self._within[id(ring)][1]

    def find(self, ring: Line, room: float, rim: float, near: Point | None = None) -> Point | None:
        """Return a random spot in the ring with that much room, that far from the tile's rim and within 13 units of `near`, or None."""
        fits = self.within(ring) & (self.room >= room) & (self.rim >= rim)
        if near:
            fits &= self.away(near) < 13
        return self._settle(int(fits.argmax()), room) if fits.any() else None

    def roomiest(self, ring: Line, room: float, rim: float) -> Point:
        """Return the spot with most room, for objects that fit nowhere."""
        left = np.where(self.within(ring), np.minimum(self.room, self.rim - rim), -100.0)
        return self._settle(int(left.argmax()), room)

    def _settle(self, spot: int, room: float) -> Point:
        x, y = (float(each) for each in self.spots[spot])
        self.take((x, y), room)
        return (x, y)

    def build(self, ring: Line, halls: int, houses: int) -> Iterator[PlacedStamp]:
        """Yield a town's houses, the largest first, as many as there is room for."""
        for kind, most in (("hall", halls), ("house", houses), ("cabin", 30)):
            for _ in range(most):
                place = self.find(ring, HOUSES[kind], HOUSES[kind] + 0.5)
                if not place:
                    break
                roof = self.dice.choice(ROOFS)
                yield PlacedStamp(kind + self.dice.choice(("", "-m")), *place, roof)

    def plant(self, ring: Line, woods: int) -> Iterator[PlacedStamp]:
        """Yield a few woods, each of one kind of tree; a hill and a bush where there is room."""
        for _ in range(woods):
            kind = self.dice.choice(("oak", "oak", "pine"))
            first = self.find(ring, TREES[kind] + 1.5, 8)
            if first:
                yield PlacedStamp(kind, *first)
                yield from self._wood(ring, kind, first)
        for kind in ("hill", "bush"):
            place = self.find(ring, TREES[kind] + 1.5, 8)
            if place:
                yield PlacedStamp(kind, *place)

    def _wood(self, ring: Line, kind: str, first: Point) -> Iterator[PlacedStamp]:
        for _ in range(self.dice.randrange(3)):
            place = self.find(ring, TREES[kind] - 0.6, 7, near=first)
            if place:
                yield PlacedStamp(kind, *place)
