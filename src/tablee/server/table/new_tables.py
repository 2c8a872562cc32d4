"""New tables, ready to be stored: with new seats, with those of an earlier game, from a position, from a record, or for a tutorial."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from tablee import bots
from tablee.core import tutorial
from tablee.core.errors import RecordError, TableeError
from tablee.core.game import FIRST, NATURE, Game, Seat
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.server.table.models import BOT, HUMAN, SEED_BYTES, LogLine, StoredSeat, StoredTable, TableSettings, new_id
from tablee.server.table.seats import Seating, SeatSpec, assign_seats
from tablee.server.table.state import TableState

Tokens = list[str | None]  # of each person's seat, None for a bot's


class NoTutorial(TableeError):
    pass


class NotOver(TableeError):
    """Refusal of an action that needs a finished game."""


def new_table(game: Game, seating: Seating, options: dict[str, Any], settings: TableSettings, seed: bytes) -> StoredTable:
    """Return a new table for people who have their tokens."""
    return _started(Match(game, len(seating), options, seed), seating, settings)


def new_table_like(table: TableState, seed: bytes) -> StoredTable:
    """Return a new table with the same seats and settings, where the next seat goes first."""
    return new_table(table.game, table.seating, options_with_next_first(table.match), replace(table.settings, lesson=False), seed)


def rematch_of(table: TableState, asked_by: Seat | None, seed: bytes) -> StoredTable:
    if table.match.to_act:
        raise NotOver(msg("you can play again when the game is over"))
    return replace(new_table_like(table, seed), host="" if asked_by is None else table.seating.seats[asked_by].token_hash)


def table_from_position(table: TableState, lines: int, seat_specs: Sequence[SeatSpec], seed: bytes) -> tuple[StoredTable, Tokens]:
    """Return a table that plays on from a finished game's position after `lines` lines, with a seed of its own; and its tokens."""
    if not table.done:
        raise NotOver(msg("one can play on from a game when it is over"))
    match = table.match.at(lines).fork(seed, table.id)
    if match.over:
        raise TableeError(msg("the game is over there; go back a little, and play on from there"))
    return started_table(match, seat_specs, table.settings.club)


def started_table(match: Match, seat_specs: Sequence[SeatSpec], club: str = "") -> tuple[StoredTable, Tokens]:
    """Return a table that plays a match on, with hints where at most one person plays; and its tokens."""
    seating, tokens = assign_seats(seat_specs)
    return _started(match, seating, TableSettings(hints=len(seating.people) <= 1, club=club, aside=bool(club))), tokens


def seats_to_play_on(table: TableState, at: int, mine: Seat | None, people: Collection[int], level: str) -> list[SeatSpec]:
    """Return the seats of a table that plays on: these people keep their names, bots of this level take the others.

    If no people are named, it is the caller's own seat, or for a spectator one that is to act.
    """
    seats = set(people or [_default_seat(table, at) if mine is None else mine])
    if max(seats) >= len(table.seating):
        raise TableeError(msg("this game has {count} seat", "this game has {count} seats", count=len(table.seating)))
    named = [(number, seat.name if seat.kind == HUMAN else "") for number, seat in enumerate(table.seating.seats)]
    return [SeatSpec(HUMAN, name) if number in seats else SeatSpec(BOT, level=level) for number, name in named]


def _default_seat(table: TableState, at: int) -> Seat:
    to_act = table.match.at(min(at, len(table.match.log))).to_act
    return next((seat for seat in to_act if seat != NATURE), Seat(0))


def tutorial_table(game: Game, seed: bytes) -> tuple[StoredTable, str]:
    """Return a table for the tutorial of the game, and the learner's token."""
    lesson = tutorial.tutorial_of(game)
    if lesson is None:
        raise NoTutorial(msg("{game} has no first game to learn by", game=msg(game.title)))
    seating, (token, *_) = assign_seats([SeatSpec(HUMAN), *(SeatSpec(BOT, name, bots.EASY.name) for name in lesson.opponents)])
    match = Match(game, len(seating), dict(lesson.options), seed)
    lesson.play_scripted(match)
    return _started(match, seating, TableSettings(lesson=True)), str(token)


def table_of_record(match: Match) -> StoredTable:
    """Return a table that shows the match of a verified record."""
    if match.seed and len(match.seed) != SEED_BYTES:
        raise RecordError(msg("the record's {key} is missing or of the wrong kind", key="fairness.seed"))
    stored = _to_stored(match, Seating((StoredSeat(HUMAN, ""),) * match.seats), TableSettings())
    return replace(stored, outcome=match.outcome, brought=True)


def _started(match: Match, seating: Seating, settings: TableSettings) -> StoredTable:
    match.play_nature()
    return _to_stored(match, seating, settings)


def _to_stored(match: Match, seating: Seating, settings: TableSettings) -> StoredTable:
    return StoredTable(
        id=new_id(),
        game=match.game.key,
        rules=match.game.rules,
        box=match.game.components,
        options=dict(match.options),
        seats=tuple(replace(seat, used=0, owner_hash="", owner_name="") for seat in seating.seats),
        seed=match.seed or b"",
        derivation=match.derivation,
        lines=tuple(LogLine(line, None) for line in match.lines()),
        settings=settings,
        origin=match.origin,
    )


def options_with_next_first(match: Match) -> dict[str, Any]:
    """Return the match's options with the first turn passed to the next seat, where the game has a first seat."""
    options = dict(match.options)
    if FIRST.key in options:
        drawn = [line.split()[-1] for line in match.lines()[:1] if line.startswith("- first ")]
        options[FIRST.key] = (int(drawn[0] if drawn else options[FIRST.key]) + 1) % match.seats
    return options
