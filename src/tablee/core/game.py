"""The interface every room keeps: a `Game` is a record of plain functions over one state. Chance is a seat, so the rules never roll.

to_act(state)  (NATURE,)      nature draws one of odds(state)
               (2,)           seat 2 chooses one of legal(state, 2)
               (0, 1, 3)      these choose at the same time, in any order
               ()             it is over: outcome(state)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NewType

from tablee.core.components import Components
from tablee.core.errors import IllegalMove, OptionError
from tablee.core.words import Say, note, say

Seat = NewType("Seat", int)
Move = int
State = Any
Options = Mapping[str, str | int | bool]

NATURE = Seat(-1)
RANDOM_FIRST = "random"


@dataclass(frozen=True)
class Event:
    """Something to tell the table. A score carries its parts: ("tiles", 4), ("post station", 2), ("explorer", 4).

    A secret has `only`: that seat hears the sentence, everybody else hears `otherwise` (or nothing).
    """

    kind: str
    sentence: Say
    seat: Seat | None = None
    points: int = 0
    parts: tuple[tuple[Say, int], ...] = ()
    place: str = ""
    only: Seat | None = None
    otherwise: Say | None = None

    def heard_by(self, listener: Seat | None) -> Say | None:
        return self.sentence if self.only is None or self.only == listener else self.otherwise


@dataclass(frozen=True)
class Step:
    state: State
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Outcome:
    """`won` is None unless the table plays together against the game."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    won: bool | None = None


@dataclass(frozen=True)
class Seen:
    """What one seat may know: its state has every hidden thing blanked. Seat None is a spectator."""

    seat: Seat | None
    state: State

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seen) and self.seat == other.seat and bool(self.state.tobytes() == other.state.tobytes())

    def __hash__(self) -> int:
        return hash((self.seat, self.state.tobytes()))


@dataclass(frozen=True)
class Option:
    """A choice the table makes before it starts; `values` lists what it may be, the first is the default."""

    key: str
    label: str
    values: tuple[str | int | bool, ...]
    names: Mapping[str | int | bool, str | Say] = field(default_factory=dict)

    @property
    def default(self) -> str | int | bool:
        return self.values[0]


FIRST = Option("first", note("Who begins"), (RANDOM_FIRST, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), {RANDOM_FIRST: note("drawn by lot")})


@dataclass(frozen=True)
class Game:
    key: str
    title: str
    author: str
    rules: int  # the version of the rules, raised whenever a record could replay differently
    seats: range
    options: tuple[Option, ...]
    components: Components
    folder: Path

    setup: Callable[[int, Options], State]
    to_act: Callable[[State], tuple[Seat, ...]]
    legal: Callable[[State, Seat], Sequence[Move]]
    odds: Callable[[State], Sequence[tuple[Move, int]]]
    apply: Callable[[State, Seat, Move], Step]
    outcome: Callable[[State], Outcome]
    observe: Callable[[State, Seat | None], Seen]
    imagine: Callable[[Seen, random.Random], State]
    view: Callable[[Seen], dict[str, Any]]
    show: Callable[[Move], str]
    read: Callable[[str], Move]

    scores: Callable[[State], Sequence[int]]  # the points so far, seat by seat
    refuse: Callable[[State, Seat, Move], IllegalMove]  # why this move is not legal now
    hear: Callable[[Seat, Move, Seat | None], str]  # the move as that listener may read it
    appraise: Callable[[State, Seat], float]  # what a position is worth to a seat, for the greedy bot
    random_games: Callable[
        [int, Options, int, int], int
    ]  # (seats, options, games, seed): whole random games inside the compiled rules; returns the moves made
    draw: Callable[[State], str]  # the table in characters, for the terminal
    picture: Callable[[str], str]  # what lies in the box as one HTML page in that language, for comparing with the real one
    secrets: bool = False  # some things only their owner may see, so a shared screen is covered between turns
    scene: Callable[[dict[str, Any]], dict[str, Any]] = dict  # what only the templates need, derived from the view


def choose_options(game: Game, seats: int, wanted: Mapping[str, Any]) -> Options:
    """The table's options with every default filled in; a wrong one is named."""
    if seats not in game.seats:
        raise OptionError(
            say(
                "{game} is for {low} to {high} players, not {seats}",
                game=say(game.title),
                low=game.seats[0],
                high=game.seats[-1],
                seats=seats,
            )
        )
    known = {option.key: option for option in game.options}
    for key in wanted:
        if key not in known:
            raise OptionError(
                say("{game} has no option {key!r}; it has: {known}", game=say(game.title), key=key, known=", ".join(known) or "-")
            )
    return {option.key: _value(option, seats, wanted.get(option.key, option.default)) for option in game.options}


def _value(option: Option, seats: int, wanted: Any) -> str | int | bool:
    allowed = [value for value in option.values if option is not FIRST or type(value) is not int or value < seats]
    for value in allowed:
        if type(value) is type(wanted) and value == wanted:
            return value
    raise OptionError(
        say("option {key} cannot be {value!r}; it is one of: {allowed}", key=option.key, value=wanted, allowed=", ".join(map(str, allowed)))
    )
