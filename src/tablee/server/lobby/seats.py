"""Seats and settings of a lobby, as pure functions: each returns the changed StoredTable or raises a refusal.

A seat is a person's ("human", with a token), a bot's, or open. An option that each seat chooses for itself is stored as one list of
distinct choices in seat order, so no two seats ever have the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tablee import bots
from tablee.core.errors import TableeError
from tablee.core.game import FIRST, Game, Option
from tablee.core.i18n import msg
from tablee.server.table.models import BOT, HUMAN, OPEN, StoredSeat, StoredTable, TableSettings
from tablee.server.table.seats import COLOURS, normalize_name

CLOCKS = (0, 300, 600, 1200, 1800, 3600)  # seconds


class SeatUnavailable(TableeError):
    """Refusal because another player was quicker, or the seat was removed."""


def per_seat_options(game: Game) -> list[Option]:
    """Return the options that every seat chooses for itself."""
    return [option for option in game.options if option.seat_choices]


def common_options(game: Game) -> list[Option]:
    return [option for option in game.options if not option.seat_choices and option is not FIRST]


def seat_at(stored: StoredTable, number: int) -> StoredSeat:
    if number >= len(stored.seats):
        raise SeatUnavailable(msg("that seat was removed; choose another one"))
    return stored.seats[number]


def take_seat(stored: StoredTable, game: Game, number: int, name: str, colour: int, token_hash: str) -> StoredTable:
    """Seat a person on an open or a bot's seat; idempotent by token.

    If no open seat is left and the game allows more players, add one for the next visitor.
    """
    if any(seat.token_hash == token_hash for seat in stored.seats):
        return stored
    if seat_at(stored, number).kind == HUMAN:
        raise SeatUnavailable(msg("somebody else has just sat down there; choose another seat"))
    taken = _replace_seat(
        stored, number, StoredSeat(HUMAN, normalize_name(name), token_hash=token_hash, colour=stored.seats[number].colour)
    )
    if colour in free_colours(taken, number):
        taken = set_colour(taken, number, colour)
    full = all(seat.kind != OPEN for seat in taken.seats) and len(taken.seats) == game.seats[-1]
    return taken if full or any(seat.kind == OPEN for seat in taken.seats) else add_seat(taken, game)


def vacate(stored: StoredTable, number: int) -> StoredTable:
    """Open the seat again and revoke its token; a host who leaves a seat remains the host."""
    return _replace_seat(stored, number, StoredSeat(OPEN, "", colour=seat_at(stored, number).colour))


def seat_bot(stored: StoredTable, number: int, level: str) -> StoredTable:
    bots.find_for_table(level)
    return _replace_seat(vacate(stored, number), number, StoredSeat(BOT, "", level=level, colour=stored.seats[number].colour))


def add_seat(stored: StoredTable, game: Game) -> StoredTable:
    if len(stored.seats) == game.seats[-1]:
        raise SeatUnavailable(
            msg("{game} is for at most {count} player", "{game} is for at most {count} players", game=msg(game.title), count=game.seats[-1])
        )
    used = {seat.colour for seat in stored.seats}
    colour = next(each for each in (len(stored.seats), *range(COLOURS)) if each not in used)
    return replace(stored, seats=(*stored.seats, StoredSeat(OPEN, "", colour=colour)))


def remove_seat(stored: StoredTable, game: Game, number: int) -> StoredTable:
    seat_at(stored, number)
    return _reorder(stored, game, [each for each in range(len(stored.seats)) if each != number])


def move_seat(stored: StoredTable, game: Game, number: int, by: int) -> StoredTable:
    """Exchange the seat with its neighbour; the choices move with their players."""
    seat_at(stored, number)
    other, order = number + by, list(range(len(stored.seats)))
    if not 0 <= other < len(order):
        return stored
    order[number], order[other] = other, number
    return _reorder(stored, game, order)


def rename_seat(stored: StoredTable, number: int, name: str) -> StoredTable:
    return _replace_seat(stored, number, replace(seat_at(stored, number), name=normalize_name(name)))


def free_colours(stored: StoredTable, number: int) -> list[int]:
    """Return the colours that no other person has; bots and open seats give theirs up."""
    others = {seat.colour for each, seat in enumerate(stored.seats) if each != number and seat.kind == HUMAN}
    return [colour for colour in range(COLOURS) if colour not in others]


def set_colour(stored: StoredTable, number: int, colour: int) -> StoredTable:
    seat = seat_at(stored, number)
    if colour not in free_colours(stored, number):
        raise SeatUnavailable(msg("somebody else has just chosen this colour"))
    seats = [replace(each, colour=seat.colour) if each.colour == colour else each for each in stored.seats]
    seats[number] = replace(seat, colour=colour)
    return replace(stored, seats=tuple(seats))


def seat_choices(stored: StoredTable, option: Option) -> list[str]:
    """Return the choice of each seat, followed by the choices that are left."""
    return str(stored.options[option.key]).split("-")


def free_choices(stored: StoredTable, option: Option, number: int) -> list[str]:
    choices = seat_choices(stored, option)
    taken = {choices[each] for each, seat in enumerate(stored.seats) if each != number and seat.kind == HUMAN}
    return [key for key in option.seat_choices if key not in taken]


def set_choice(stored: StoredTable, game: Game, number: int, key: str, value: str) -> StoredTable:
    """Set a seat's choice; a bot or an open seat that had it gets the old one in exchange."""
    seat_at(stored, number)
    option = next((each for each in per_seat_options(game) if each.key == key), None)
    if option is None or value not in option.seat_choices:
        raise TableeError(msg("{game} has no such choice", game=msg(game.title)))
    if value not in free_choices(stored, option, number):
        raise SeatUnavailable(msg("{thing} can be chosen only once: everybody takes another one", thing=msg(option.seat_choices[value])))
    choices = seat_choices(stored, option)
    choices[choices.index(value)], choices[number] = choices[number], value
    return _with_options(stored, {option.key: option.assign_seats(choices)})


def set_option(stored: StoredTable, game: Game, key: str, value: str) -> StoredTable:
    """Set one of the game's options to a value given as in a form."""
    for option in common_options(game):
        for known in option.values:
            if (option.key, str(known)) == (key, value):
                return _with_options(stored, {key: known})
    raise TableeError(msg("{game} has no such choice", game=msg(game.title)))


def set_setting(stored: StoredTable, key: str, value: str) -> StoredTable:
    """Set one of the host's settings, which are not rules of the game: hints, clock or chat."""
    known: Mapping[str, Mapping[str, int | bool]] = {
        "hints": {"yes": True, "no": False},
        "clock": {str(seconds): seconds for seconds in CLOCKS},
        "chat": {"yes": True, "no": False},
    }
    if value not in known.get(key, {}):
        raise TableeError(msg("there is no such setting"))
    return replace(stored, settings=TableSettings(**(vars(stored.settings) | {key: known[key][value]})))


def without_open_seats(stored: StoredTable, game: Game) -> StoredTable:
    """Return the table with only the seats that play."""
    return _reorder(stored, game, [number for number, seat in enumerate(stored.seats) if seat.kind != OPEN])


def why_cannot_start(stored: StoredTable, game: Game) -> TableeError | None:
    players = sum(seat.kind != OPEN for seat in stored.seats)
    if players >= game.seats[0]:
        return None
    if game.seats[0] == 1:
        return SeatUnavailable(msg("somebody has to play"))
    return SeatUnavailable(
        msg("{game} needs at least {count} player", "{game} needs at least {count} players", game=msg(game.title), count=game.seats[0])
    )


def _replace_seat(stored: StoredTable, number: int, seat: StoredSeat) -> StoredTable:
    seat_at(stored, number)
    return replace(stored, seats=(*stored.seats[:number], seat, *stored.seats[number + 1 :]))


def _reorder(stored: StoredTable, game: Game, order: Sequence[int]) -> StoredTable:
    chosen = {option.key: option.assign_seats([seat_choices(stored, option)[each] for each in order]) for option in per_seat_options(game)}
    return replace(_with_options(stored, chosen), seats=tuple(stored.seats[each] for each in order))


def _with_options(stored: StoredTable, options: Mapping[str, str | int | bool]) -> StoredTable:
    return replace(stored, options=stored.options | dict(options))
