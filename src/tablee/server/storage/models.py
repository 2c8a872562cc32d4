"""What is kept, as data: a table with its chairs and its lines, and what the host decided."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tablee.core.components import Components
from tablee.core.game import Outcome
from tablee.core.match import Origin
from tablee.server.storage.chat_messages import ChatMessage
from tablee.server.storage.line_kinds import MOVE
from tablee.server.storage.schema import PLAYING


@dataclass(frozen=True)
class StoredSeat:
    """A chair at the table: a bot's level, or a person's name and the hash of their token. A person's chair with a level is one that a bot
    sits in for."""

    kind: str
    name: str
    level: str = ""
    token_hash: str = ""
    colour: int = -1  # the seat's own, unless it chose another
    used: int = 0  # milliseconds of its time, where there are clocks
    owner_hash: str = ""  # after the seat was given away, until the newcomer has moved: the hash of the token that takes it back,
    owner_name: str = ""  # and whose that is

    @property
    def keys(self) -> frozenset[str]:
        """The hashes of the tokens that open this seat."""
        return frozenset(filter(None, (self.token_hash, self.owner_hash)))


@dataclass(frozen=True)
class TableSettings:
    """What the host decided that is no rule of the game."""

    hints: bool = False  # whether the coach may be asked during the game
    clock: int = 0  # seconds that each seat has for the whole game; none
    club: str = ""  # the class or club whose table it is
    aside: bool = False  # one that nobody was seated at: a member plays on from a game of the club, and is not called away
    lesson: bool = False  # whether it follows the lesson of its room
    chat: bool = False  # whether people may write to each other; never at the table of a club


@dataclass(frozen=True)
class LogLine:
    line: str
    client_id: str | None
    kind: str = MOVE


@dataclass(frozen=True)
class LogAppend:
    """New lines of one table, with them who sits where from now on, and how its game ended if they end it."""

    table: str
    position: int
    lines: tuple[LogLine, ...]
    outcome: Outcome | None = None
    seats: Mapping[int, StoredSeat] = field(default_factory=dict)  # those that changed
    ticking: int | None = None  # where there are clocks, since when they run, in milliseconds of the wall


@dataclass(frozen=True)
class StoredCheckpoint:
    """A position that the log's first lines lead to: see `checkpoints.py`."""

    position: int
    made_by: str
    state: bytes
    rest: bytes


@dataclass(frozen=True)
class StoredTable:
    id: str
    game: str
    rules: int
    box: Components
    options: dict[str, Any]
    seats: tuple[StoredSeat, ...]
    seed: bytes
    derivation: int
    lines: tuple[LogLine, ...] = ()
    rematch: str = ""
    settings: TableSettings = TableSettings()
    checkpoint: StoredCheckpoint | None = None
    outcome: Outcome | None = None  # once the game is over
    phase: str = PLAYING
    revision: int = 0  # how often it was changed while it gathered
    code: str = ""
    host: str = ""
    inviter: str = ""  # the hash of the token of whoever asked for the rematch
    former_tokens: frozenset[str] = frozenset()  # the hashes of tokens whose seat has another owner now
    origin: Origin | None = None  # where its first lines were taken over from
    brought: bool = False  # a record that somebody brought: nothing more is played here
    chat_messages: tuple[ChatMessage, ...] = ()  # what people said to each other
    ticking: int = 0  # since when its clocks run, in milliseconds of the wall; 0 where they stand
    unseen: bool = False  # whether nobody has wanted to see it for a day


@dataclass(frozen=True)
class TableChanges:
    """What another process may have written about an open table."""

    lines: tuple[LogLine, ...]
    seats: tuple[StoredSeat, ...]
    former_tokens: frozenset[str]
    rematch: str
    inviter: str
    chat_messages: tuple[ChatMessage, ...]
    ticking: int


@dataclass(frozen=True)
class TableSummary:
    """What a list of tables says of one without opening it."""

    id: str
    game: str
    phase: str
    outcome: Outcome | None
    seats: tuple[StoredSeat, ...]


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
