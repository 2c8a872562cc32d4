"""What a room offers to learners, as Python reads it: its observation field by field, its actions kind by kind, and the way from moves to
actions and back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from tablee import games
from tablee.core import loops, stepping, tensors
from tablee.core.contract import Seated
from tablee.core.errors import TableeError
from tablee.core.game import Game, Move
from tablee.core.i18n import say
from tablee.core.jit import bind
from tablee.core.kernel import check_list, list_buffer
from tablee.core.struct import window

TENSORS = "tensors"


def known() -> tuple[str, ...]:
    """The keys of the games that learners can play."""
    return tuple(key for key in games.known() if find_spec(f"{games.package(key)}.{TENSORS}"))


@cache
def bound_to(key: str) -> tuple[ModuleType, SimpleNamespace]:
    """A room's `tensors.py`, and its functions with the loops of `stepping.py` bound to the room; the same for every box."""
    if key not in known():
        raise TableeError(say("{game} has no environment; there are: {known}", game=key, known=", ".join(known())))
    room, kernel = import_module(f"{games.package(key)}.{TENSORS}"), games.find(key).kernel
    rules = {each.__name__: getattr(room, each.__name__) for each in tensors.EXPORTS}
    rules |= vars(kernel.rules) | {"choose": kernel.loops.choose} | bind((loops.lowest, loops.nature_number), {}, room.__name__)
    return room, SimpleNamespace(**rules, **bind(stepping.LOOPS, rules, room.__name__))


class Learners:
    """The observations and actions of a game at a table of so many seats."""

    def __init__(self, game: Game, seats: int) -> None:
        room, self.loops = bound_to(game.key)
        self.game, self.seats = game, seats
        self.table: tuple[tensors.Field, ...] = room.TABLE
        self.seat: tuple[tensors.Field, ...] = room.SEAT
        self.kinds: tuple[tensors.Action, ...] = room.ACTIONS
        self.show_half: Callable[[int], str] = getattr(room, "show_half", tensors.show_half)
        self._bounds = getattr(room, "bounds", tensors.bounds)
        self.size = tensors.size_of(self.table) + seats * tensors.size_of(self.seat)
        self.actions = sum(kind.size for kind in self.kinds)
        self._out = list_buffer(game.kernel.most_moves)

    def fields(self, observation: Any) -> dict[str, Any]:
        """Each field as a window on an observation, or on a whole batch of them: nothing is copied. A field of the seats has their number
        in front of its own shape."""
        lead, head, found = observation.shape[:-1], tensors.size_of(self.table), {}
        for field, place in _placed(self.table):
            found[field.name] = observation[..., place : place + field.size].reshape(*lead, *field.shape)
        seats = observation[..., head:].reshape(*lead, self.seats, tensors.size_of(self.seat))
        for field, place in _placed(self.seat):
            found[field.name] = seats[..., place : place + field.size].reshape(*lead, self.seats, *field.shape)
        return found

    def bounds(self) -> tuple[Any, Any]:
        """The least and the most that each number of an observation can be."""
        everything = [*self.table, *self.seat * self.seats]
        least, most = ([value for field in everything for value in [getattr(field, name)] * field.size] for name in ("least", "most"))
        return np.array(least, np.int16), np.array(most, np.int16)

    def bounds_of(self, start: Seated) -> tensors.Bounds | None:
        """How long games from this state can last, and how many points they can bring; None where the rules set no end."""
        found: tensors.Bounds | None = self._bounds(self.game.kernel.box, start)
        return found

    def observe(self, state: Seated, seat: int, half: int = tensors.NOTHING) -> Any:
        """What a seat knows, in an array of its own."""
        found = np.zeros(self.size, np.int16)
        self.loops.observe(self.game.kernel.box, state, half, seat, window(found))
        return found

    def ask(self, state: Seated, seat: int, half: int = tensors.NOTHING) -> tuple[Any, Any]:
        """Both for an awaited seat: what it knows, and a 1 for each action that it may choose."""
        seen, mask = np.zeros(self.size, np.int16), np.zeros(self.actions, np.int8)
        self.loops.ask(self.game.kernel.box, state, half, seat, window(seen), window(mask), self._out)
        self._check_list()
        return seen, mask

    def mask(self, state: Seated, seat: int, half: int = tensors.NOTHING) -> Any:
        """The mask alone."""
        found = np.zeros(self.actions, np.int8)
        self.loops.allow(self.game.kernel.box, state, half, seat, window(found), self._out)
        self._check_list()
        return found

    def _check_list(self) -> None:
        check_list(self.game.kernel.rules.legal, self.game.kernel.most_moves, self._out)

    def allows(self, mask: Any, action: Any) -> bool:
        """Whether this is one of the actions that a mask allows; anything may be asked, and a whole number may come as an array of one."""
        given = np.asarray(action)
        return given.shape == () and given.dtype.kind in "iu" and 0 <= int(given) < len(mask) and bool(mask[int(given)])

    def check(self, mask: Any, action: Any) -> int:
        """The action, if it may be taken: the rules are not asked about others, which mean nothing to them."""
        if not self.allows(mask, action):
            raise TableeError(say("action {action} is not legal here", action=str(action)))
        return int(action)

    def encode(self, state: Seated, seat: int, move: Move) -> list[int]:
        """The actions that make this legal move, one after the other: `encode(state, seat, game.read("lay 1,3 2"))`."""
        if move not in self.game.kernel.legal(state, seat):
            raise TableeError(say("{move!r} is not legal here", move=self.game.show(move)))
        found, half = list[int](), tensors.NOTHING
        while True:
            found.append(int(self.loops.action_of(self.game.kernel.box, state, half, seat, move)))
            made = int(self.loops.move_of(self.game.kernel.box, state, half, seat, found[-1]))
            if made >= 0:
                return found
            half = made

    def decode(self, state: Seated, seat: int, actions: Sequence[int]) -> Move | None:
        """The move that these actions make, for `game.show`; None while it is only half chosen."""
        made = tensors.NOTHING
        for place, given in enumerate(actions):
            action = self.check(self.mask(state, seat, made), given)
            made = int(self.loops.move_of(self.game.kernel.box, state, made, seat, action))
            if made >= 0:
                _refuse_more(actions[place + 1 :])
                return made
        return None


def _refuse_more(actions: Sequence[int]) -> None:
    if len(actions):
        raise TableeError(say("the move is finished before action {action}", action=str(actions[0])))


def _placed(fields: Sequence[tensors.Field]) -> Iterator[tuple[tensors.Field, int]]:
    return ((field, tensors.place_of(fields, field.name)) for field in fields)
