"""Turns of a game: which event begins one, and where each ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from tablee.core.game import NATURE
from tablee.core.match import Match
from tablee.core.narration import TurnEvent

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
