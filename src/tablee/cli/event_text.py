"""Events and results as lines for a terminal, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablee.core.game import Event, Seat
from tablee.core.i18n import Translator
from tablee.core.match import Match
from tablee.core.points import format_points, format_sum


def event_lines(event: Event, viewer: Seat | None, translator: Translator, names: Sequence[str] = ()) -> list[str]:
    """Return what a viewer may know of an event: one line with the parts of its score, or none; seats appear by name."""
    message = event.message_for(viewer)
    if message is None:
        return []
    parts = format_sum([(translator(part), points) for part, points in event.parts]) if event.parts else ""
    sentence = re.sub(r"<(\d+)>", lambda seat: names[int(seat[1])] if names else f"{translator('seat')} {seat[1]}", translator(message))
    return [sentence + (f" ({parts})" if parts else "")]


def result_lines(match: Match, translator: Translator, names: Sequence[str] = ()) -> list[str]:
    """Return the winners and the score of every seat, by name where seats have names."""
    outcome = match.outcome
    if outcome is None:
        return [translator("the game is not over: line {lines}", lines=len(match.log))]
    scores = ", ".join(
        translator("{name}: {points}", name=names[seat], points=format_points(points))
        if names
        else translator("seat {seat}: {points}", seat=seat, points=format_points(points))
        for seat, points in enumerate(outcome.scores)
    )
    if outcome.won is not None:
        return [translator("the table has won") if outcome.won else translator("the table has lost"), scores]
    if names:
        return [
            translator(
                "winner: {names}", "winners: {names}", count=len(outcome.winners), names=tuple(names[seat] for seat in outcome.winners)
            ),
            scores,
        ]
    return [translator("winner: seat {seats}", "winners: seats {seats}", count=len(outcome.winners), seats=tuple(outcome.winners)), scores]
