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
from tablee.core.contract import BaseState
from tablee.core.errors import TableeError
from tablee.core.game import Game, Move
from tablee.core.i18n import msg
from tablee.core.jit import specialize
from tablee.core.kernel import check_list, list_buffer
from tablee.core.struct import array_view

TENSORS_MODULE = "tensors"


def known() -> tuple[str, ...]:
    """The keys of the games that learners can play."""
    return tuple(key for key in games.known() if find_spec(f"{games.package(key)}.{TENSORS_MODULE}"))


@cache
def specialized_for(key: str) -> tuple[ModuleType, SimpleNamespace]:
    """A room's `tensors.py`, and its functions with the loops of `stepping.py` bound to the room; the same for every box."""
    if key not in known():
        raise TableeError(msg("{game} has no environment; there are: {known}", game=key, known=", ".join(known())))
    room, kernel = import_module(f"{games.package(key)}.{TENSORS_MODULE}"), games.find(key).kernel
    rules = {each.__name__: getattr(room, each.__name__) for each in tensors.EXPORTS}
    rules |= vars(kernel.rules) | {"choose": kernel.loops.choose} | specialize((loops.lowest_seat, loops.nature_number), {}, room.__name__)
    return room, SimpleNamespace(**rules, **specialize(stepping.LOOPS, rules, room.__name__))


class Spaces:
    """The observations and actions of a game at a table of so many seats."""

    def __init__(self, game: Game, seats: int) -> None:
        room, self.loops = specialized_for(game.key)
        self.game, self.seats = game, seats
        self.table_fields: tuple[tensors.Field, ...] = room.TABLE
        self.seat_fields: tuple[tensors.Field, ...] = room.SEAT
        self.action_kinds: tuple[tensors.Action, ...] = room.ACTIONS
        self.show_half: Callable[[int], str] = getattr(room, "show_half", tensors.show_half)
        self._game_bounds = getattr(room, "bounds", tensors.bounds)
        self.size = tensors.size_of(self.table_fields) + seats * tensors.size_of(self.seat_fields)
        self.actions = sum(kind.size for kind in self.action_kinds)
        self._move_buffer = list_buffer(game.kernel.most_moves)

    def fields(self, observation: Any) -> dict[str, Any]:
        """Each field as a window on an observation, or on a whole batch of them: nothing is copied. A field of the seats has their number
        in front of its own shape."""
        lead, head, found = observation.shape[:-1], tensors.size_of(self.table_fields), {}
        for field, place in _with_offsets(self.table_fields):
            found[field.name] = observation[..., place : place + field.size].reshape(*lead, *field.shape)
        seats = observation[..., head:].reshape(*lead, self.seats, tensors.size_of(self.seat_fields))
        for field, place in _with_offsets(self.seat_fields):
            found[field.name] = seats[..., place : place + field.size].reshape(*lead, self.seats, *field.shape)
        return found

    def bounds(self) -> tuple[Any, Any]:
        """The least and the most that each number of an observation can be."""
        everything = [*self.table_fields, *self.seat_fields * self.seats]
        least, most = ([value for field in everything for value in [getattr(field, name)] * field.size] for name in ("least", "most"))
        return np.array(least, np.int16), np.array(most, np.int16)

    def game_bounds(self, start: BaseState) -> tensors.Bounds | None:
        """How long games from this state can last, and how many points they can bring; None where the rules set no end."""
        found: tensors.Bounds | None = self._game_bounds(self.game.kernel.box, start)
        return found

    def observe(self, state: BaseState, seat: int, half: int = tensors.NOTHING_CHOSEN) -> Any:
        """What a seat knows, in an array of its own."""
        found = np.zeros(self.size, np.int16)
        self.loops.observe(self.game.kernel.box, state, half, seat, array_view(found))
        return found

    def observe_and_mask(self, state: BaseState, seat: int, half: int = tensors.NOTHING_CHOSEN) -> tuple[Any, Any]:
        """Both for an awaited seat: what it knows, and a 1 for each action that it may choose."""
        seen, mask = np.zeros(self.size, np.int16), np.zeros(self.actions, np.int8)
        self.loops.observe_and_mask(self.game.kernel.box, state, half, seat, array_view(seen), array_view(mask), self._move_buffer)
        self._check_move_list()
        return seen, mask

    def mask(self, state: BaseState, seat: int, half: int = tensors.NOTHING_CHOSEN) -> Any:
        """The mask alone."""
        found = np.zeros(self.actions, np.int8)
        self.loops.write_mask(self.game.kernel.box, state, half, seat, array_view(found), self._move_buffer)
        self._check_move_list()
        return found

    def _check_move_list(self) -> None:
        check_list(self.game.kernel.rules.legal, self.game.kernel.most_moves, self._move_buffer)

    def allows(self, mask: Any, action: Any) -> bool:
        """Whether this is one of the actions that a mask allows; anything may be asked, and a whole number may come as an array of one."""
        given = np.asarray(action)
        return given.shape == () and given.dtype.kind in "iu" and 0 <= int(given) < len(mask) and bool(mask[int(given)])

    def check(self, mask: Any, action: Any) -> int:
        """The action, if it may be taken: the rules are not asked about others, which mean nothing to them."""
        if not self.allows(mask, action):
            raise TableeError(msg("action {action} is not legal here", action=str(action)))
        return int(action)

    def encode(self, state: BaseState, seat: int, move: Move) -> list[int]:
        """The actions that make this legal move, one after the other: `encode(state, seat, game.read("lay 1,3 2"))`."""
        if move not in self.game.kernel.legal(state, seat):
            raise TableeError(msg("{move!r} is not legal here", move=self.game.show(move)))
        found, half = list[int](), tensors.NOTHING_CHOSEN
        while True:
            found.append(int(self.loops.action_of(self.game.kernel.box, state, half, seat, move)))
            made = int(self.loops.move_of(self.game.kernel.box, state, half, seat, found[-1]))
            if made >= 0:
                return found
            half = made

    def decode(self, state: BaseState, seat: int, actions: Sequence[int]) -> Move | None:
        """The move that these actions make, for `game.show`; None while it is only half chosen."""
        made = tensors.NOTHING_CHOSEN
        for place, given in enumerate(actions):
            action = self.check(self.mask(state, seat, made), given)
            made = int(self.loops.move_of(self.game.kernel.box, state, made, seat, action))
            if made >= 0:
                _check_no_more(actions[place + 1 :])
                return made
        return None


def _check_no_more(actions: Sequence[int]) -> None:
    if len(actions):
        raise TableeError(msg("the move is finished before action {action}", action=str(actions[0])))


def _with_offsets(fields: Sequence[tensors.Field]) -> Iterator[tuple[tensors.Field, int]]:
    return ((field, tensors.offset_of(fields, field.name)) for field in fields)
