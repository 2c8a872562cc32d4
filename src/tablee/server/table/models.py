"""Models of a table: its seats, log lines, settings and chat, and the kinds of each. `storage/` maps them to rows."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tablee.core.components import Components
from tablee.core.errors import TableeError
from tablee.core.game import Outcome
from tablee.core.i18n import Message, msg
from tablee.core.match import Origin

IN_LOBBY, PLAYING = "gathering", "playing"  # phases of a table; a game with an outcome is over
OPEN, HUMAN, BOT = "open", "human", "bot"  # kinds of seats
PROGRAM = "program"  # a kind of seat too: somebody's own bot, with a token like a person's
SEED_BYTES = 32
ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"

# kinds of log lines: moves of the game, and lines of the platform
MOVE = "move"
UNDO = "undo"  # takes back the seat's last line
HURRIED = "hurried"  # greedy moved for a bot that failed or ran out of time
ASK_BACK = "ask-back"  # the seat asks to take back its last move; the seats after it have agreed already
AGREE = "agree"
DECLINE = "decline"  # or the seat withdraws its request
STAND_IN = "stand-in"  # a bot plays for an absent player
BACK = "back"  # the player is back, and the bot leaves
OFFER = "offer"  # the seat after it offers this one to another person, and waits for the others
HANDED = "handed"  # the seat has a new owner
CLAIM = "claim"  # a device without a key claims the seat; the id is the hash of its new token
CONSENT = "consent"  # the seat after it accepts the claim
GRANTED = "granted"  # the claim has succeeded
DENIED = "denied"  # the seat after it rejects the claim
PAUSE = "pause"
RESUME = "resume"


class StoreError(TableeError):
    """Failure to read or write: nothing has changed, and the same request may be sent again."""


class NoSuchTable(TableeError):
    def __init__(self, table: str, reason: Message | None = None) -> None:
        """Set the address, and the reason where the table was deleted."""
        super().__init__(reason or msg("there is no table {table!r}", table=table[:40]))


class ConflictError(TableeError):
    """Failure of a write because another came first, such as a log line at a position already taken."""


@dataclass(frozen=True)
class StoredSeat:
    """Seat of a bot, with its level, or of a person or a program, with the hash of their token; theirs with a level has a stand-in bot."""

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
class ChatMessage:
    number: int  # counted from 1, never reused
    seat: int
    name: str  # of the seat's owner at that time
    text: str
    client_id: str


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
    club_paused: bool = False  # whether its club is paused
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
    club_paused: bool


@dataclass(frozen=True)
class TableSummary:
    """Table as a list of tables shows it, without opening it."""

    id: str
    game: str
    phase: str
    outcome: Outcome | None
    seats: tuple[StoredSeat, ...]


class TableStore(Protocol):
    """Storage of tables, of those in their lobbies too."""

    @property
    def shared(self) -> bool:
        """Return whether other processes may write to it too."""

    def add_table(self, table: StoredTable, after: str | None = None) -> None:
        """Insert a table, with the lines of nature before the first move; `after` is the table whose rematch it is."""

    def load(self, table: str) -> StoredTable | None: ...

    def mark_opened(self, table: str) -> None: ...

    def changes_since(self, table: str, position: int) -> TableChanges:
        """Return the log from this position on, and the other data of the table."""

    def stop_clocks(self, table: str, version: int, used: Mapping[int, int]) -> None:
        """Stop the clocks of a closed table with the time that each seat has used."""

    def add_chat_message(self, table: str, message: ChatMessage, keep: int) -> None:
        """Store a chat message, and keep only the newest ones."""

    def load_review(self, table: str) -> str | None: ...

    def save_review(self, table: str, text: str) -> None: ...

    def new_code(self) -> str: ...

    def find_by_code(self, code: str) -> tuple[str, bool] | None:
        """Return the id of the table with this code, and whether it is still in its lobby."""

    def update_lobby(self, table: StoredTable) -> None:
        """Store a changed lobby; raise ConflictError if another process has changed it, or started its game, since it was read."""


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(10))
