"""The interface of a room: a `Game` bundles its kernel, its metadata and its functions for people.

Chance is a seat, so the rules never roll.

to_act(state)  (NATURE,)      nature draws one of odds(state)
               (2,)           seat 2 chooses one of legal(state, 2)
               (0, 1, 3)      these choose at the same time, in any order
               ()             it is over: outcome(state)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NewType

from tablee.core import contract
from tablee.core.components import Components
from tablee.core.contract import NATURE_NEXT, SPECTATOR, BaseState
from tablee.core.errors import IllegalMove, OptionError
from tablee.core.i18n import Message, mark, msg
from tablee.core.kernel import Kernel, Value
from tablee.core.rng import Rng
from tablee.core.tensors import Action

Seat = NewType("Seat", int)
Move = int
if TYPE_CHECKING:
    from typing_extensions import TypeVar

    S = TypeVar("S", bound=BaseState, default=BaseState)  # from Python 3.13 on, `typing` has it too
else:
    from typing import TypeVar

    S = TypeVar("S", bound=BaseState)
Options = Mapping[str, str | int | bool]
View = dict[str, Any]  # as JSON

NATURE = Seat(contract.NATURE)
RANDOM_FIRST = "random"


@dataclass(frozen=True)
class Event:
    """Event of a move, narrated to the table.

    A score carries its `parts`: ("tiles", 4), ("post station", 2), ("explorer", 4). `brief` is a word or two ("Town") for narrow places;
    the page steps through events of kind "final" at the end. A secret has `visible_to`: that seat reads the sentence, all others read
    `public_sentence` (or nothing).
    """

    kind: str
    sentence: Message
    seat: Seat | None = None
    points: int = 0
    parts: tuple[tuple[Message, int], ...] = ()
    place: str = ""
    visible_to: Seat | None = None
    public_sentence: Message | None = None
    brief: Message | None = None

    def message_for(self, viewer: Seat | None) -> Message | None:
        return self.sentence if self.visible_to is None or self.visible_to == viewer else self.public_sentence


@dataclass(frozen=True)
class Transition(Generic[S]):
    state: S
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Outcome:
    """Result of a finished game; `won` is None unless the game is cooperative."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    won: bool | None = None

    @classmethod
    def of(cls, scores: Sequence[int], winners: int, cooperative: bool) -> Outcome:
        """Return the outcome for a mask of winners."""
        return cls(tuple(map(int, scores)), seats_in(winners), winners != 0 if cooperative else None)


@lru_cache(maxsize=1 << 12)
def seats_in(mask: int) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat in range(mask.bit_length()) if mask >> seat & 1)


@dataclass(frozen=True)
class Doc:
    """Documentation of a field of a view, for the OpenAPI schema: `Annotated[int, Doc("the round, from 1 on")]`."""

    documentation: str


@dataclass(frozen=True)
class Observation(Generic[S]):
    """Redacted state for one seat; seat None is a spectator."""

    seat: Seat | None
    state: S


@dataclass(frozen=True)
class Option:
    """Option that the table chooses before the game starts; `values` lists the allowed ones, the default first.

    If each seat chooses for itself and no two may choose the same, `seat_choices` maps keys to the names of the choices, and `pictures` may
    map them to SVGs; a value is then the seats' keys in seat order, joined by hyphens.
    """

    key: str
    label: str
    values: tuple[str | int | bool, ...]
    names: Mapping[str | int | bool, str | Message] = field(default_factory=dict)
    seat_choices: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)

    @property
    def default(self) -> str | int | bool:
        return self.values[0]

    def assign_seats(self, chosen: Sequence[str]) -> str:
        """Return the option's value if the first seats choose these keys; the other seats get the remaining ones in order."""
        for key in chosen:
            if chosen.count(key) > 1:
                raise OptionError(
                    msg("{thing} can be chosen only once: everybody takes another one", thing=msg(self.seat_choices.get(key, key)))
                )
        return "-".join([*chosen, *(key for key in self.seat_choices if key not in chosen)])


FIRST = Option(
    "first", mark("Who goes first"), (RANDOM_FIRST, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), {RANDOM_FIRST: mark("drawn at random")}
)


def _not_cooperative(state: BaseState) -> bool:
    return False


@dataclass(frozen=True)
class Game(Generic[S]):
    key: str
    title: str
    author: str
    rules: int  # the version of the rules, raised whenever a record could replay differently
    seats: range
    options: tuple[Option, ...]
    components: Components
    folder: Path
    kernel: Kernel[Any, S]

    setup: Callable[[int, Options], S]
    events: Callable[[S, Seat, Move, S], tuple[Event, ...]]  # the events of a move, from the states before and after it
    refuse: Callable[[S, Seat, Move], IllegalMove]  # the error that says why this move is illegal now
    view: Callable[[Observation[S]], View]
    show: Callable[[Move], str]
    read: Callable[[str], Move]
    text_board: Callable[[S], str]  # the board in characters, for the terminal
    contents: Callable[[], View]  # the box's components, for `templates/box.html`
    scene: Callable[[View], Mapping[str, Any]] = dict  # data for the templates, derived from the view; usually a LazyMapping
    art: Callable[[], str] | None = None  # the drawings of the box that never change, as one SVG document; pages use them by id
    show_redacted: Callable[[Seat, Move, Seat | None], str] | None = None  # a seat's move for a viewer, where some moves are secret
    infinitive: Callable[[S, Seat, Move], Message] | None = None  # a move in this position, for the coach: "lay tile K in column 3"
    describe: Callable[[Move], Message] | None = None  # a legal move in words; the default is its notation
    turn_opening_kinds: frozenset[str] = frozenset()  # kinds of event that open a turn in the log; if empty, a change of seat does
    simultaneous_turns: bool = False  # all seats play a turn at once: the page narrates it only to those who have finished theirs
    is_cooperative: Callable[[S], bool] = _not_cooperative  # whether the table plays as one team against the game
    view_type: type = dict  # the view as a TypedDict with documented fields, for the OpenAPI schema
    progress: Callable[[S], tuple[int, int]] | None = None  # progress for lists of games: (done, total)
    actions: tuple[Action, ...] = ()  # the moves that players choose from, in their order: a learner's actions if there is no `tensors.py`
    conserved: Callable[[S], Sequence[int]] | None = None  # how many there are of each card or piece, wherever they lie: no move changes it

    @property
    def secrets(self) -> bool:
        """Return whether the game has hidden information; a shared screen is then covered between turns."""
        return self.kernel.secrets

    def to_act(self, state: S) -> tuple[Seat, ...]:
        mask = self.kernel.to_act(state)
        return (NATURE,) if mask == NATURE_NEXT else seats_in(mask)

    def legal(self, state: S, seat: Seat) -> list[Move]:
        return self.kernel.legal(state, seat)

    def odds(self, state: S) -> list[tuple[Move, int]]:
        return self.kernel.odds(state)

    def apply(self, state: S, seat: Seat, move: Move) -> Transition[S]:
        after = self.kernel.apply(state, seat, move)
        return Transition(after, self.events(state, seat, move, after))

    def scores(self, state: S) -> list[int]:
        """Return the points so far, seat by seat."""
        return [self.kernel.score(state, seat) for seat in range(state.seats)]

    def outcome(self, state: S) -> Outcome:
        winners = sum(self.kernel.wins(state, seat) << seat for seat in range(state.seats))
        return Outcome.of(self.scores(state), winners, self.is_cooperative(state))

    def observe(self, state: S, seat: Seat | None) -> Observation[S]:
        return Observation(seat, self.kernel.redact(state, SPECTATOR if seat is None else seat))

    def determinize(self, seen: Observation[S], rng: Rng) -> S:
        """Return a determinized state: hidden information sampled, consistent with the observation."""
        return self.kernel.determinize(seen.state, SPECTATOR if seen.seat is None else seen.seat, rng)

    def value(self, state: S, seat: Seat) -> Value:
        """Return the evaluation of a position for a seat, on one scale for all rooms."""
        return self.kernel.value(state, seat)

    def show_to(self, seat: Seat, move: Move, viewer: Seat | None) -> str:
        return self.show(move) if self.show_redacted is None else self.show_redacted(seat, move, viewer)


def choose_options(game: Game[S], seats: int, wanted: Mapping[str, object]) -> Options:
    """Return the table's options with all defaults; raise OptionError naming a wrong one."""
    if seats not in game.seats:
        raise OptionError(
            msg(
                "{game} is for {low} to {high} players, not {seats}",
                game=msg(game.title),
                low=game.seats[0],
                high=game.seats[-1],
                seats=seats,
            )
        )
    known = {option.key: option for option in game.options}
    for key in wanted:
        if key not in known:
            raise OptionError(
                msg("{game} has no option {key!r}; it has: {known}", game=msg(game.title), key=key, known=", ".join(known) or "-")
            )
    return {option.key: _value(option, seats, wanted.get(option.key, option.default)) for option in game.options}


def _value(option: Option, seats: int, wanted: object) -> str | int | bool:
    values = allowed(option, seats)
    for value in values:
        if type(value) is type(wanted) and value == wanted:
            return value
    raise OptionError(
        msg("option {key} cannot be {value!r}; it is one of: {allowed}", key=option.key, value=wanted, allowed=", ".join(map(str, values)))
    )


def allowed(option: Option, seats: int) -> tuple[str | int | bool, ...]:
    """Return the values that a table of that size may choose: `first` must be one of its seats."""
    return tuple(value for value in option.values if option is not FIRST or type(value) is not int or value < seats)
