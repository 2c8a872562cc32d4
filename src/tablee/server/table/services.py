"""Services shared by all tables of a process: the store as far as a table needs it, the bots' threads, and the other processes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from tablee.core.game import Seat
from tablee.server.table.bot_executor import BotExecutor
from tablee.server.table.models import ChatMessage, LogAppend, TableChanges


class TableStore(Protocol):
    """Storage of open tables."""

    @property
    def shared(self) -> bool:
        """Return whether other processes may write to it too."""

    def changes_since(self, table: str, position: int) -> TableChanges:
        """Return the log from this position on, and the other data of the table."""

    def stop_clocks(self, table: str, version: int, used: Mapping[int, int]) -> None:
        """Stop the clocks of a closed table with the time that each seat has used."""

    def add_chat_message(self, table: str, message: ChatMessage, keep: int) -> None:
        """Store a chat message, and keep only the newest ones."""

    def load_review(self, table: str) -> str | None: ...

    def save_review(self, table: str, text: str) -> None: ...


@dataclass(frozen=True)
class Services:
    store: TableStore
    append: Callable[[LogAppend], Awaitable[None]]  # returns when the lines are on disk
    acquire_lease: Callable[[str], Awaitable[bool]]  # whether this process computes the bots of the table
    announce_reaction: Callable[[str, Seat, str], None]  # to the other processes
    bot_executor: BotExecutor
