"""Models of stored data: a table with its seats, log lines and settings."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tablee.core.components import Components
from tablee.core.game import Outcome
from tablee.core.match import Origin
from tablee.server.storage.chat_messages import ChatMessage
from tablee.server.storage.schema import MOVE, PLAYING


@dataclass(frozen=True)
class StoredSeat:
    """Seat of a bot, with its level, or of a person, with the hash of their token; a person's seat with a level has a stand-in bot."""

    kind: str
    name: str
    level: str = ""
    token_hash: str = ""
    colour: int = -1  # -1: the seat's own
    used: int = 0  # milliseconds of thinking time, where there are clocks
    owner_hash: str = ""  # hash of the token that takes back a seat which was given away, until the newcomer has moved
    owner_name: str = ""  # name of the owner who may take it back

    @property
    def keys(self) -> frozenset[str]:
        """Return the hashes of the tokens that open this seat."""
        return frozenset(filter(None, (self.token_hash, self.owner_hash)))


@dataclass(frozen=True)
class TableSettings:
    """Decisions of the host that are not rules of the game."""

    hints: bool = False  # whether the coach may be asked during the game
    clock: int = 0  # seconds of each seat for the whole game; 0: no clock
    club: str = ""  # the class or club that owns the table
    aside: bool = False  # outside the club's rounds: a member plays on from a game of the club, and is not called to another table
    lesson: bool = False  # whether it follows the tutorial of its room
    chat: bool = False  # whether people may write to each other; never at the table of a club


@dataclass(frozen=True)
class LogLine:
    line: str
    client_id: str | None
    kind: str = MOVE


@dataclass(frozen=True)
class LogAppend:
    """New lines of one table, with the seats that change, and the outcome if they end the game."""

    table: str
    position: int
    lines: tuple[LogLine, ...]
    outcome: Outcome | None = None
    seats: Mapping[int, StoredSeat] = field(default_factory=dict)  # only those that change
    ticking: int | None = None  # start of the clocks, in milliseconds of the wall clock; None: unchanged


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
    outcome: Outcome | None = None  # once the game is over
    phase: str = PLAYING
    revision: int = 0  # number of changes in the lobby
    code: str = ""
    host: str = ""
    inviter: str = ""  # hash of the token of the player who asked for the rematch
    former_tokens: frozenset[str] = frozenset()  # hashes of tokens whose seat has another owner now
    origin: Origin | None = None  # the game that its first lines come from
    brought: bool = False  # an imported record, in which nobody plays on
    chat_messages: tuple[ChatMessage, ...] = ()
    ticking: int = 0  # start of its clocks, in milliseconds of the wall clock; 0: stopped
    unseen: bool = False  # whether nobody has opened it for a day


@dataclass(frozen=True)
class TableChanges:
    """Data of an open table that another process may have written."""

    lines: tuple[LogLine, ...]
    seats: tuple[StoredSeat, ...]
    former_tokens: frozenset[str]
    rematch: str
    inviter: str
    chat_messages: tuple[ChatMessage, ...]
    ticking: int


@dataclass(frozen=True)
class TableSummary:
    """Table as a list of tables shows it, without opening it."""

    id: str
    game: str
    phase: str
    outcome: Outcome | None
    seats: tuple[StoredSeat, ...]


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
