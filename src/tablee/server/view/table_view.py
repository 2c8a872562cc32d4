"""The message `TableView`: all that one viewer sees of a table, made once for equal viewers.

The page's templates, the scripts in the browser, the picture and the JSON API are made from it. Every field is built from what the viewer
may know; none leads to a match, a state or a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, NamedTuple, get_type_hints

from typing_extensions import TypedDict

from tablee.core.game import Outcome, Seat
from tablee.core.match import Origin
from tablee.core.narration import NarrationEntry
from tablee.server.table.clock import ClockReading
from tablee.server.view.company import ChatView, Notices, TutorialNote
from tablee.server.view.narration import Turn, TurnSummary
from tablee.server.view.review_view import BenchmarkScore, CoachView, ReplayStop

RoomView = dict[str, Any]  # a room's own view: each game has its own schema (its `view_types.py`)


@dataclass(frozen=True, slots=True)
class GameSummary:
    """Facts about a game for its page."""

    key: str
    title: str
    author: str
    spelled: bool  # whether moves have descriptions in words
    box: str  # checksum of its components


@dataclass(frozen=True, slots=True)
class TablePart:
    """Facts about the table, the same for all viewers."""

    table: str
    version: int
    game: GameSummary
    options: Mapping[str, Any]
    secrets: bool  # whether the game hides anything
    hints: bool
    seat_colours: str
    is_imported: bool
    origin: Origin | None
    commitment: str
    seed: str | None  # once the game is over
    rematch: str | None
    inviter: Seat | None


@dataclass(frozen=True, slots=True)
class PositionPart:
    """The position that is shown: the current one, or a past one of a finished game."""

    view: RoomView  # with the draft played
    before: RoomView
    scene: Mapping[str, Any]
    to_act: Sequence[Seat]
    scores: Sequence[int]  # without the draft, in seat order; those of `players` are as far as the viewer may know them
    over: bool
    looks_back: bool
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class ViewerPart:
    """The viewer, and what they may do now."""

    me: Seat | None
    mine: Sequence[Seat]
    covered: bool
    plays_alone: bool  # whether only bots sit elsewhere
    next_viewer: Seat | None  # whose secrets are uncovered next, while the screen is passed on
    my_turn: bool
    legal: Sequence[str]
    move_labels: Sequence[tuple[str, str]]
    can_undo: UndoOffer | None


@dataclass(frozen=True, slots=True)
class UndoOffer:
    """The own seat that can take back its turn, and whether others are asked first."""

    seat: Seat
    asks: bool


class ViolatedRule(TypedDict):
    """The rule that forbids a move."""

    rule: str
    sentence: str
    link: str


@dataclass(frozen=True, slots=True)
class DraftPart:
    """The moves tried out, what they would add to the log, and why the rest of the draft is refused."""

    draft: Sequence[str]
    ready: bool  # whether they make a complete turn
    preview: Sequence[NarrationEntry]
    refused: str
    why: ViolatedRule | None
    kindly: bool  # whether nothing is wrong with the refused move but the moment


class PlayerView(NamedTuple):
    """A player as the others see them; there are many of these, and most are part of the key of a fragment."""

    seat: int
    name: str
    initial: str
    score: int
    bot: bool
    has_stand_in: bool
    here: bool
    awaited: bool
    won: bool
    reaction: tuple[str, str] | None  # the sign and its meaning
    clock: ClockReading | None
    last: TurnSummary | None  # of the seat's last turn, if recent


@dataclass(frozen=True, slots=True)
class PlayersPart:
    players: Sequence[PlayerView]
    ranked: Sequence[PlayerView]  # winners first, once the game is over
    names: tuple[str, ...]
    initials: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LogPart:
    """The game in words, as far as the viewer may know it."""

    narration: Sequence[NarrationEntry]
    log: Sequence[Turn]
    bundles: Sequence[Sequence[Turn]]
    news: Sequence[TurnSummary]  # what the others did since the viewer's last move
    finale: Sequence[NarrationEntry]
    standings: Sequence[tuple[int, ...]]  # the scores after each step of the finale; none where it scores nothing


@dataclass(frozen=True, slots=True)
class CompanyPart:
    """What the people at the table ask, say and are told."""

    notices: Notices
    claims: Sequence[int]  # seats with a claim from another device
    chat: ChatView | None
    lesson: TutorialNote | None


@dataclass(frozen=True, slots=True)
class FinishedPart:
    """Replay, review and benchmark of a finished game."""

    replay: Sequence[ReplayStop]
    coach: CoachView | None
    benchmark: Sequence[BenchmarkScore]


@dataclass(frozen=True, slots=True)
class TableView:
    table: TablePart
    position: PositionPart
    viewer: ViewerPart
    draft: DraftPart
    players: PlayersPart
    log: LogPart
    company: CompanyPart
    finished: FinishedPart

    def variables(self) -> Iterator[tuple[str, Any]]:
        """Yield the fields of all parts with their names: the variables of a room's templates."""
        for part_name, name in _names():
            yield name, getattr(getattr(self, part_name), name)


@cache
def _names() -> tuple[tuple[str, str], ...]:
    return tuple((part, field.name) for part, kind in get_type_hints(TableView).items() for field in fields(kind))
