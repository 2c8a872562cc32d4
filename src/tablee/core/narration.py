"""Entries of a narration: a game's events in words, as one reader may know them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """One event of a game, or of the table around it, as far as turns go by it."""

    position: int  # index of the line of the game; of an aside, that of the next line
    aside: bool  # whether it is no line of the game, such as a pause
    kind: str
    seat: int | None  # None: nobody's, such as a draw


@dataclass(frozen=True, slots=True)
class NarrationEntry(TurnEvent):
    """One event in words, as a viewer may know it."""

    name: str = ""  # of the player; "" where nobody acted
    by_nature: bool = False
    sentence: str = ""
    brief: str = ""  # a shorter sentence, "" without one
    points: int = 0
    parts: tuple[tuple[str, int], ...] = ()  # what the points are for
    place: str = ""  # where on the board, in the game's own words
