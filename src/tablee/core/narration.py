"""Narration of a game: its events in words, as one reader may know them, and its turns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tablee.core.game import NATURE
from tablee.core.match import Match


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


AnyEvent = TypeVar("AnyEvent", bound=TurnEvent)


def starts_turn(event: TurnEvent, block: Iterable[TurnEvent], opening_kinds: Collection[str]) -> bool:
    """Return whether a turn begins with this event: one of `opening_kinds`, or another seat's where the game names no such kinds.

    Asides begin no turn.
    """
    if event.aside:
        return False
    if opening_kinds:
        return event.kind in opening_kinds and any(each.kind not in opening_kinds for each in block)
    return event.seat is not None and any(each.seat not in (None, event.seat) for each in block)


def group_turns(events: Iterable[AnyEvent], opening_kinds: Collection[str]) -> list[list[AnyEvent]]:
    """Group events by turn."""
    turns: list[list[AnyEvent]] = []
    for event in events:
        if not turns or starts_turn(event, turns[-1], opening_kinds):
            turns.append([event])
        else:
            turns[-1].append(event)
    return turns


def turn_ends_of(match: Match) -> list[int]:
    """Return 0 and the end of each turn, as numbers of lines."""
    return [
        0,
        *(_end_of_turn(match, turn[-1].position) for turn in group_turns(_events(match), match.game.turn_opening_kinds)[:-1]),
        len(match.log),
    ]


def _events(match: Match) -> Sequence[TurnEvent]:
    return [
        TurnEvent(position, aside=False, kind=event.kind, seat=None if seat == NATURE else seat)
        for position, (line, events) in enumerate(zip(match.log, match.events, strict=True))
        for event in events
        for seat in [line.seat if event.seat is None else event.seat]
    ]


def _end_of_turn(match: Match, last: int) -> int:
    """Return the end of the turn, including trailing moves that produced no event: they only end a step."""
    end = last + 1
    while end < len(match.log) and match.log[end].seat != NATURE and not match.events[end]:
        end += 1
    return end
