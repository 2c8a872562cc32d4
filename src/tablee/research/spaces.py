"""Observation and action spaces of a game: fields, bounds and masks, and the conversion between moves and actions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from tablee import games
from tablee.core import candidates, derived_tensors, stepping, tensors
from tablee.core.contract import BaseState
from tablee.core.errors import TableeError
from tablee.core.game import Game, Move
from tablee.core.i18n import msg
from tablee.core.jit import specialize
from tablee.core.kernel import check_list, list_buffer
from tablee.core.struct import array_view

TENSORS_MODULE, FEATURES_MODULE = "tensors", "candidate_features"
FINGERPRINT_DIGITS = 16
LARGE = 50  # points, tiles, goods and turns seldom exceed a few times this


def known() -> tuple[str, ...]:
    """Return the keys of the games that have an environment."""
    return tuple(key for key in games.known() if (game := games.open_or_skip(key)) and has_environment(game))


def has_environment(game: Game) -> bool:
    """Tell whether a room has `tensors.py`, or lists its actions, from which it is derived."""
    return bool(game.actions) or _has_tensors(game.key)


def _has_tensors(key: str) -> bool:
    return (games.folder(key) / f"{TENSORS_MODULE}.py").exists()


@cache
def specialized_for(key: str) -> tuple[ModuleType, ModuleType]:
    """Return a room's module `tensors`, and its functions with the loops of `stepping.py` specialised for the room; any box may be used."""
    game, kernel = games.find(key), games.find(key).kernel
    if not has_environment(game):
        raise TableeError(msg("{game} has no environment; there are: {known}", game=key, known=", ".join(known())))
    room = import_module(f"{games.package(key)}.{TENSORS_MODULE}") if _has_tensors(key) else derived_tensors.derive(game)
    rules: dict[str, object] = {"REDACTED": getattr(room, "REDACTED", tensors.REDACTED)}
    rules |= {each.__name__: getattr(room, each.__name__, each) for each in tensors.EXPORTS}
    rules |= vars(kernel.rules) | {"choose": kernel.loops.choose, "play_nature": kernel.loops.play_nature}
    return room, specialize(stepping, f"{kernel.package}.core_stepping", rules)


@cache
def features_module(key: str) -> ModuleType | None:
    """Return a room's module `candidate_features`, if it has one."""
    named = (games.folder(key) / f"{FEATURES_MODULE}.py").exists()
    return import_module(f"{games.package(key)}.{FEATURES_MODULE}") if named else None


@cache
def candidate_loops_for(key: str) -> ModuleType:
    """Return the loops of `candidates.py` specialised for a room that describes positions after a move."""
    room = features_module(key)
    if room is None:
        raise TableeError(msg("{game} names no features of candidates", game=key))
    kernel = games.find(key).kernel
    return specialize(candidates, f"{kernel.package}.core_candidates", vars(kernel.rules) | {"write_features": room.write_features})


class Spaces:
    """Observation and action spaces of a game with a given number of seats."""

    def __init__(self, game: Game, seats: int) -> None:
        room, self.loops = specialized_for(game.key)
        self.game, self.seats = game, seats
        self.table_fields: tuple[tensors.Field, ...] = room.TABLE
        self.seat_fields: tuple[tensors.Field, ...] = room.SEAT
        self.action_kinds: tuple[tensors.Action, ...] = room.ACTIONS
        features = features_module(game.key)
        self.table_features: tuple[tensors.Field, ...] = features.TABLE_FEATURES if features else ()
        self.seat_features: tuple[tensors.Field, ...] = features.SEAT_FEATURES if features else ()
        self.show_half: Callable[[int], str] = getattr(room, "show_half", tensors.show_half)
        self._game_bounds = getattr(room, "bounds", tensors.bounds)
        self.size = tensors.size_of(self.table_fields) + seats * tensors.size_of(self.seat_fields)
        self.feature_size = tensors.size_of(self.table_features) + seats * tensors.size_of(self.seat_features)
        self.actions = sum(kind.size for kind in self.action_kinds)
        self._move_buffer, self._seen = list_buffer(game.kernel.most_moves), game.kernel.state()

    def __reduce__(self) -> tuple[Any, ...]:
        return Spaces, (self.game, self.seats)

    @property
    def fingerprint(self) -> str:
        """Return a hash of what a version of an environment promises: rules, box, observation, actions and features."""
        parts = self.table_fields, self.seat_fields, self.action_kinds, self.table_features, self.seat_features
        layout = [[_specification(each) for each in part] for part in parts]
        promised = {"game": self.game.key, "rules": self.game.rules, "box": self.game.components.sha256, "layout": layout}
        return hashlib.sha256(json.dumps(promised, sort_keys=True).encode()).hexdigest()[:FINGERPRINT_DIGITS]

    def fields(self, observation: Any) -> dict[str, Any]:
        """Return each field of an observation, or of a batch, as a view; a field of the seats has the seat as its first axis."""
        return self._views(observation, self.table_fields, self.seat_fields)

    def features(self, rows: Any) -> dict[str, Any]:
        """Return each feature of candidates as a view, like `fields`."""
        return self._views(rows, self.table_features, self.seat_features)

    def _views(self, rows: Any, of_table: Sequence[tensors.Field], of_seat: Sequence[tensors.Field]) -> dict[str, Any]:
        lead, head, found = rows.shape[:-1], tensors.size_of(of_table), {}
        for field, place in _with_offsets(of_table):
            found[field.name] = rows[..., place : place + field.size].reshape(*lead, *field.shape)
        seats = rows[..., head:].reshape(*lead, self.seats, tensors.size_of(of_seat))
        for field, place in _with_offsets(of_seat):
            found[field.name] = seats[..., place : place + field.size].reshape(*lead, self.seats, *field.shape)
        return found

    def bounds(self) -> tuple[Any, Any]:
        """Return the lower and upper bounds of an observation's numbers."""
        everything = [*self.table_fields, *self.seat_fields * self.seats]
        least, most = ([value for field in everything for value in [getattr(field, name)] * field.size] for name in ("least", "most"))
        return np.array(least, np.int16), np.array(most, np.int16)

    def scales(self) -> Any:
        """Return by what to divide an observation's numbers: their bound, or LARGE where that is larger than what games usually reach."""
        least, most = (bound.astype(np.float32) for bound in self.bounds())
        return np.clip(np.maximum(-least, most), 1, LARGE)

    def game_bounds(self, start: BaseState) -> tensors.Bounds | None:
        """Return bounds on the length and the points of games from this state; None where the rules set no end."""
        found: tensors.Bounds | None = self._game_bounds(self.game.kernel.box, start)
        return found

    def observe(self, state: BaseState, seat: int, half: int = tensors.NOTHING_CHOSEN) -> Any:
        """Return a seat's observation in a new array."""
        found = np.zeros(self.size, np.int16)
        self.observe_into(found, state, seat, half)
        return found

    def observe_into(self, found: Any, state: BaseState, seat: int, half: int = tensors.NOTHING_CHOSEN) -> None:
        """Write a seat's observation over an earlier one of the same game."""
        self.loops.write_observation(self.game.kernel.box, state, half, seat, self._seen, array_view(found))

    def observe_and_mask(self, state: BaseState, seat: int, half: int = tensors.NOTHING_CHOSEN) -> tuple[Any, Any]:
        """Return the observation and the action mask (1: legal) of an acting seat."""
        seen, mask = np.zeros(self.size, np.int16), np.zeros(self.actions, np.int8)
        outputs = array_view(seen), array_view(mask), self._move_buffer
        self.loops.observe_and_mask(self.game.kernel.box, state, half, seat, self._seen, *outputs)
        self._check_move_list()
        return seen, mask

    def mask(self, state: BaseState, seat: int, half: int = tensors.NOTHING_CHOSEN) -> Any:
        """Return the action mask of an acting seat; `half` is the partial choice in a move of several actions."""
        found = np.zeros(self.actions, np.int8)
        self.loops.write_mask(self.game.kernel.box, state, half, seat, array_view(found), self._move_buffer)
        self._check_move_list()
        return found

    def _check_move_list(self) -> None:
        check_list(self.game.kernel.rules.legal, self.game.kernel.most_moves, self._move_buffer)

    def allows(self, mask: Any, action: Any) -> bool:
        """Return whether a mask allows an action, which may be any object; integers may be zero-dimensional arrays."""
        given = np.asarray(action)
        return given.shape == () and given.dtype.kind in "iu" and 0 <= int(given) < len(mask) and bool(mask[int(given)])

    def check(self, mask: Any, action: Any) -> int:
        """Return the action as an int, or raise if it is not legal: the rules are undefined for other actions."""
        if not self.allows(mask, action):
            raise TableeError(msg("action {action} is not legal here", action=str(action)))
        return int(action)

    def encode(self, state: BaseState, seat: int, move: Move) -> list[int]:
        """Return the actions that make up a legal move: `encode(state, seat, game.read("lay 1,3 2"))`."""
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
        """Return the move that these actions make up, or None if it is incomplete."""
        made = tensors.NOTHING_CHOSEN
        for place, given in enumerate(actions):
            action = self.check(self.mask(state, seat, made), given)
            made = int(self.loops.move_of(self.game.kernel.box, state, made, seat, action))
            if made >= 0:
                _check_no_more(actions[place + 1 :])
                return made
        return None


def _specification(part: tensors.Field | tensors.Action) -> list[Any]:
    """Return what a field or a kind of action promises: everything but its description in words."""
    return [*part[:-1]]


def _check_no_more(actions: Sequence[int]) -> None:
    if len(actions):
        raise TableeError(msg("the move is finished before action {action}", action=str(actions[0])))


def _with_offsets(fields: Sequence[tensors.Field]) -> Iterator[tuple[tensors.Field, int]]:
    return ((field, tensors.offset_of(fields, field.name)) for field in fields)
