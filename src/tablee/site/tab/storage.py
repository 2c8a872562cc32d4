"""Storage of tables on the device: a copy in memory, and a queue of writes that are on the device when `flush` returns."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.table.models import (
    ID_LETTERS,
    IN_LOBBY,
    ChatMessage,
    ConflictError,
    LogAppend,
    LogLine,
    NoSuchTable,
    StoredTable,
    StoreError,
    TableChanges,
    TableSummary,
)
from tablee.site.tab.documents import lines_from_json, lines_to_json, table_from_json, table_to_json

WRITTEN, TAKEN, FULL = "", "taken", "QuotaExceededError"  # what the device answers to a write; else the name of the error


class Device(Protocol):
    """What keeps the tables, in the browser an IndexedDB that all tabs share."""

    async def read(self, table: str) -> Sequence[str] | None:
        """Return the table and its lines as JSON; None if it is not there."""

    async def write(self, table: str, document: str, position: int, lines: str, review: str | None) -> str:
        """Write all or nothing in one transaction; "taken" if another tab wrote lines at these positions first."""

    async def acquire(self, table: str) -> bool:
        """Return whether this tab may play the bots of the table."""


@dataclass(frozen=True)
class _Write:
    table: str
    position: int
    lines: tuple[LogLine, ...] = ()
    review: str | None = None


class DeviceStorage:
    def __init__(self, device: Device) -> None:
        self._device = device
        self._tables: dict[str, StoredTable] = {}
        self._reviews: dict[str, str] = {}
        self._queue: list[_Write] = []

    @property
    def shared(self) -> bool:
        """Return True: other tabs write to it too."""
        return True

    async def fetch(self, table: str) -> bool:
        """Read a table from the device; return whether it is there."""
        found = await self._device.read(table)
        if found is None:
            return table in self._tables
        document, lines, review = found
        self._tables[table] = table_from_json(document, lines_from_json(lines))
        if review:
            self._reviews[table] = review
        return True

    async def flush(self) -> None:
        """Return when everything that was written is on the device."""
        while self._queue:
            await self._write(self._queue.pop(0))

    async def append(self, entry: LogAppend) -> None:
        """Write the lines of a move; they count when this returns."""
        before = self._known(entry.table)
        seats = tuple(entry.seats.get(number, seat) for number, seat in enumerate(before.seats))
        self._tables[entry.table] = replace(
            before,
            lines=(*before.lines, *entry.lines),
            seats=seats,
            outcome=entry.outcome or before.outcome,
            ticking=before.ticking if entry.ticking is None else entry.ticking,
        )
        try:
            await self._write(_Write(entry.table, entry.position, entry.lines))
        except TableeError:
            self._tables[entry.table] = before
            await self.fetch(entry.table)
            raise

    async def _write(self, write: _Write) -> None:
        document, lines = table_to_json(self._known(write.table)), lines_to_json(write.lines)
        answer = await self._device.write(write.table, document, write.position, lines, write.review)
        if answer == TAKEN:
            raise ConflictError(msg("the game has moved on"))
        if answer == FULL:
            raise StoreError(msg("there is no room left on this device: the turn is saved as soon as there is some"))
        if answer != WRITTEN:
            raise StoreError(msg("this device could not save the move: {reason}", reason=answer))

    def _known(self, table: str) -> StoredTable:
        if table not in self._tables:
            raise NoSuchTable(table)
        return self._tables[table]

    async def acquire(self, table: str) -> bool:
        return await self._device.acquire(table)

    def add_table(self, table: StoredTable, after: str | None = None) -> None:
        if after is not None:
            before = self._known(after)
            if before.rematch:
                raise ConflictError(msg("the game has moved on"))
            self._tables[after] = replace(before, rematch=table.id, inviter=table.host)
            self._queue.append(_Write(after, len(before.lines)))
        self._tables[table.id] = table
        self._queue.append(_Write(table.id, 0, table.lines))

    def update_lobby(self, table: StoredTable) -> None:
        before = self._known(table.id)
        if before.phase != IN_LOBBY or before.revision != table.revision:
            raise ConflictError(msg("the game has moved on"))
        self._tables[table.id] = replace(table, revision=table.revision + 1)
        self._queue.append(_Write(table.id, 0, table.lines))

    def load(self, table: str) -> StoredTable | None:
        return self._tables.get(table)

    def mark_opened(self, table: str) -> None:
        """Do nothing: the device deletes no table by itself."""

    def changes_since(self, table: str, position: int) -> TableChanges:
        found = self._known(table)
        return TableChanges(
            lines=found.lines[position:],
            seats=found.seats,
            former_tokens=found.former_tokens,
            rematch=found.rematch,
            inviter=found.inviter,
            chat_messages=(),
            ticking=found.ticking,
            club_paused=False,
        )

    def summary(self, table: str) -> TableSummary | None:
        found = self._tables.get(table)
        return TableSummary(found.id, found.game, found.phase, found.outcome, found.seats) if found else None

    def stop_clocks(self, table: str, version: int, used: Mapping[int, int]) -> None:
        """Do nothing: the device has no tables with clocks."""

    def add_chat_message(self, table: str, message: ChatMessage, keep: int) -> None:
        raise StoreError(msg("there is no chat at this table"))

    def load_review(self, table: str) -> str | None:
        return self._reviews.get(table)

    def save_review(self, table: str, text: str) -> None:
        self._reviews[table] = text
        self._queue.append(_Write(table, len(self._known(table).lines), review=text))

    def new_code(self) -> str:
        return "".join(secrets.choice(ID_LETTERS) for _ in range(6))

    def find_by_code(self, code: str) -> tuple[str, bool] | None:
        """Return None: nobody comes to a device by code."""
        return None
