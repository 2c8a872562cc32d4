"""Who sits down where while a table gathers: each deed leads from one gathering to the next, or is refused in a sentence.

A chair is a person's ("human", with a token), a bot's, or open to whoever comes by the link. What the game lets every seat choose for
itself is kept as the game's option wants it, one choice for each chair in their order, so that no two ever hold the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tablee import bots
from tablee.core.errors import TableeError
from tablee.core.game import FIRST, Game, Option
from tablee.core.i18n import say
from tablee.server.storage.models import SeatKept, Settings, TableKept
from tablee.server.storage.schema import BOT, HUMAN, OPEN
from tablee.server.table.seats import COLOURS, tidy_name

CLOCKS = (0, 300, 600, 1200, 1800, 3600)  # seconds


class NoChair(TableeError):
    """Somebody else was quicker, or the chair was taken away."""


def own_choices(game: Game) -> list[Option]:
    """What every seat chooses for itself."""
    return [option for option in game.options if option.each]


def common_options(game: Game) -> list[Option]:
    return [option for option in game.options if not option.each and option is not FIRST]


def chair_at(kept: TableKept, number: int) -> SeatKept:
    if number >= len(kept.seats):
        raise NoChair(say("that seat was removed; choose another one"))
    return kept.seats[number]


def sit(kept: TableKept, game: Game, number: int, name: str, colour: int, token_hash: str) -> TableKept:
    """Somebody takes a chair that is open, or a bot's; once, however often it is said. While there is room, there is one for the next."""
    if any(chair.token_hash == token_hash for chair in kept.seats):
        return kept
    if chair_at(kept, number).kind == HUMAN:
        raise NoChair(say("somebody else has just sat down there; choose another seat"))
    taken = _put(kept, number, SeatKept(HUMAN, tidy_name(name), token_hash=token_hash, colour=kept.seats[number].colour))
    if colour in free_colours(taken, number):
        taken = paint(taken, number, colour)
    full = all(chair.kind != OPEN for chair in taken.seats) and len(taken.seats) == game.seats[-1]
    return taken if full or any(chair.kind == OPEN for chair in taken.seats) else one_more(taken, game)


def leave(kept: TableKept, number: int) -> TableKept:
    """The chair is open again, and whoever sat there holds nothing any more; a host without a chair is the host still."""
    return _put(kept, number, SeatKept(OPEN, "", colour=chair_at(kept, number).colour))


def seat_bot(kept: TableKept, number: int, level: str) -> TableKept:
    bots.find_seated(level)
    return _put(leave(kept, number), number, SeatKept(BOT, "", level=level, colour=kept.seats[number].colour))


def one_more(kept: TableKept, game: Game) -> TableKept:
    if len(kept.seats) == game.seats[-1]:
        raise NoChair(
            say("{game} is for at most {count} player", "{game} is for at most {count} players", game=say(game.title), count=game.seats[-1])
        )
    used = {chair.colour for chair in kept.seats}
    colour = next(each for each in (len(kept.seats), *range(COLOURS)) if each not in used)
    return replace(kept, seats=(*kept.seats, SeatKept(OPEN, "", colour=colour)))


def take_away(kept: TableKept, game: Game, number: int) -> TableKept:
    leave(kept, number)
    return _in_order(kept, game, [each for each in range(len(kept.seats)) if each != number])


def move(kept: TableKept, game: Game, number: int, by: int) -> TableKept:
    """Changes places with a neighbour; everybody keeps what they chose."""
    chair_at(kept, number)
    other, order = number + by, list(range(len(kept.seats)))
    if not 0 <= other < len(order):
        return kept
    order[number], order[other] = other, number
    return _in_order(kept, game, order)


def call(kept: TableKept, number: int, name: str) -> TableKept:
    return _put(kept, number, replace(chair_at(kept, number), name=tidy_name(name)))


def free_colours(kept: TableKept, number: int) -> list[int]:
    """Those that no other person has: bots and empty chairs give theirs up."""
    others = {chair.colour for each, chair in enumerate(kept.seats) if each != number and chair.kind == HUMAN}
    return [colour for colour in range(COLOURS) if colour not in others]


def paint(kept: TableKept, number: int, colour: int) -> TableKept:
    chair = chair_at(kept, number)
    if colour not in free_colours(kept, number):
        raise NoChair(say("somebody else has just chosen this colour"))
    seats = [replace(each, colour=chair.colour) if each.colour == colour else each for each in kept.seats]
    seats[number] = replace(chair, colour=colour)
    return replace(kept, seats=tuple(seats))


def choices(kept: TableKept, option: Option) -> list[str]:
    """One for each chair, and those that are left."""
    return str(kept.options[option.key]).split("-")


def free_choices(kept: TableKept, option: Option, number: int) -> list[str]:
    held = choices(kept, option)
    taken = {held[each] for each, chair in enumerate(kept.seats) if each != number and chair.kind == HUMAN}
    return [key for key in option.each if key not in taken]


def choose(kept: TableKept, game: Game, number: int, key: str, value: str) -> TableKept:
    """What somebody else has is theirs; bots and empty chairs take what is left."""
    chair_at(kept, number)
    option = next((each for each in own_choices(game) if each.key == key), None)
    if option is None or value not in option.each:
        raise TableeError(say("{game} has no such choice", game=say(game.title)))
    if value not in free_choices(kept, option, number):
        raise NoChair(say("{thing} can be chosen only once: everybody takes another one", thing=say(option.each[value])))
    held = choices(kept, option)
    held[held.index(value)], held[number] = held[number], value
    return _with_options(kept, {option.key: option.seated(held)})


def decide(kept: TableKept, game: Game, key: str, value: str) -> TableKept:
    """One of the game's options, by what it is called in a form."""
    for option in common_options(game):
        for known in option.values:
            if (option.key, str(known)) == (key, value):
                return _with_options(kept, {key: known})
    raise TableeError(say("{game} has no such choice", game=say(game.title)))


def allow(kept: TableKept, key: str, value: str) -> TableKept:
    """What the host decides that is no rule of the game."""
    known: Mapping[str, Mapping[str, int | bool]] = {
        "hints": {"yes": True, "no": False},
        "clock": {str(seconds): seconds for seconds in CLOCKS},
        "chat": {"yes": True, "no": False},
    }
    if value not in known.get(key, {}):
        raise TableeError(say("there is no such setting"))
    return replace(kept, settings=Settings(**(vars(kept.settings) | {key: known[key][value]})))


def seated(kept: TableKept, game: Game) -> TableKept:
    """Those who play when it begins: chairs that nobody took are put away."""
    return _in_order(kept, game, [number for number, chair in enumerate(kept.seats) if chair.kind != OPEN])


def why_not_yet(kept: TableKept, game: Game) -> TableeError | None:
    players = sum(chair.kind != OPEN for chair in kept.seats)
    if players >= game.seats[0]:
        return None
    if game.seats[0] == 1:
        return NoChair(say("somebody has to play"))
    return NoChair(
        say("{game} needs at least {count} player", "{game} needs at least {count} players", game=say(game.title), count=game.seats[0])
    )


def _put(kept: TableKept, number: int, chair: SeatKept) -> TableKept:
    chair_at(kept, number)
    return replace(kept, seats=(*kept.seats[:number], chair, *kept.seats[number + 1 :]))


def _in_order(kept: TableKept, game: Game, order: Sequence[int]) -> TableKept:
    chosen = {option.key: option.seated([choices(kept, option)[each] for each in order]) for option in own_choices(game)}
    return replace(_with_options(kept, chosen), seats=tuple(kept.seats[each] for each in order))


def _with_options(kept: TableKept, options: Mapping[str, str | int | bool]) -> TableKept:
    return replace(kept, options=kept.options | dict(options))
