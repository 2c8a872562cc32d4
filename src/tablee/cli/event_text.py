"""Events and results as lines for a terminal, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablee.core.game import Event, Seat
from tablee.core.i18n import Translator
from tablee.core.match import Match
from tablee.core.points import format_points, format_sum


def event_lines(event: Event, viewer: Seat | None, words: Translator, names: Sequence[str] = ()) -> list[str]:
    """What this listener hears of an event: one line, with the parts of a score behind it, or nothing. Seats are told by their names."""
    heard = event.message_for(viewer)
    if heard is None:
        return []
    parts = format_sum([(words(part), points) for part, points in event.parts]) if event.parts else ""
    sentence = re.sub(r"<(\d+)>", lambda seat: names[int(seat[1])] if names else f"{words('seat')} {seat[1]}", words(heard))
    return [sentence + (f" ({parts})" if parts else "")]


def result_lines(match: Match, words: Translator, names: Sequence[str] = ()) -> list[str]:
    """Who won, and every seat's score, by name where seats have names."""
    outcome = match.outcome
    if outcome is None:
        return [words("the game is not over: line {lines}", lines=len(match.log))]
    scores = ", ".join(
        words("{name}: {points}", name=names[seat], points=format_points(points))
        if names
        else words("seat {seat}: {points}", seat=seat, points=format_points(points))
        for seat, points in enumerate(outcome.scores)
    )
    if outcome.won is not None:
        return [words("the table has won") if outcome.won else words("the table has lost"), scores]
    if names:
        return [
            words("winner: {names}", "winners: {names}", count=len(outcome.winners), names=tuple(names[seat] for seat in outcome.winners)),
            scores,
        ]
    return [words("winner: seat {seats}", "winners: seats {seats}", count=len(outcome.winners), seats=tuple(outcome.winners)), scores]
