"""The store: the seats and one append-only log of each table.

A line is on disk before it is published, and (table, position) is unique, so two writers cannot both win. Everything else is a fold over
the log.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from tablee.core.components import Components
from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.storage import mappers
from tablee.server.storage.database import LOBBY_CHANGED, RESPONSE_TIMEOUT, TABLE_CHANGED, TABLE_DELETED, Database, is_up, reason_of
from tablee.server.storage.migrations import migrate
from tablee.server.storage.schema import boxes, log, reviews, seats, table_club, tables
from tablee.server.table.models import (
    IN_LOBBY,
    ChatMessage,
    ConflictError,
    LogAppend,
    StoredTable,
    StoreError,
    TableChanges,
    TableSummary,
)

DATABASE_FILE = "tablee.db"
DELETE_BATCH = 100  # tables per transaction, so that moves need not wait for long
A_DAY = timedelta(days=1)
RETRY_INTERVAL = 0.5  # seconds between two polls
STARTUP_TIMEOUT = 30.0  # seconds

logger = logging.getLogger(__name__)

# The queries that open a table are built once: after a restart all tables are opened at the same time.
NOT_OPENED_SINCE = sql.or_(tables.c.opened.is_(None), tables.c.opened < sql.bindparam("yesterday", type_=tables.c.opened.type))
SELECT_TABLE = (
    sql.select(tables, boxes.c.name, boxes.c.text, NOT_OPENED_SINCE.label("unseen")).join(boxes).where(tables.c.id == mappers.TABLE_PARAM)
)


@contextmanager
def translate_errors() -> Iterator[None]:
    """Translate errors of a database server, or of its URL, into one sentence."""
    try:
        yield
    except (SQLAlchemyError, ImportError, ValueError) as error:
        raise StoreError(msg("the database cannot be used: {reason}", reason=reason_of(error))) from error


class Store:
    def __init__(self, url: str, is_cancelled: Callable[[], bool] = lambda: False, prepare: Callable[[sql.Engine], None] = migrate) -> None:
        self.database = Database(url, is_cancelled)
        try:
            prepare(self.database.engine)
        except Exception:
            self.database.engine.dispose()
            raise
        self.database.timeout = RESPONSE_TIMEOUT

    @classmethod
    def in_folder(cls, folder: Path) -> Store:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # names, and the seeds of running games, are private
            if not (folder / DATABASE_FILE).exists():
                (folder / DATABASE_FILE).touch(0o600)  # SQLite gives the files beside it the same mode
            return cls(f"sqlite:///{folder / DATABASE_FILE}")
        except (OSError, SQLAlchemyError) as error:
            raise StoreError(
                msg("the data folder {folder} cannot be used: {reason}", folder=str(folder), reason=reason_of(error))
            ) from error

    @classmethod
    def at(cls, url: str, is_cancelled: Callable[[], bool] = lambda: False, prepare: Callable[[sql.Engine], None] = migrate) -> Store:
        """Open the store in a database server, which several processes may share; waiting ends when `is_cancelled` returns True."""
        with translate_errors():
            return cls(url, is_cancelled, prepare)

    @property
    def shared(self) -> bool:
        """Return whether other processes may write to it too."""
        return self.database.shared

    def close(self) -> None:
        self.database.close()

    def check(self) -> None:
        """Raise StoreError if nothing can be written at the moment."""
        with self.database.reading() as connection:
            if not self.shared:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            connection.execute(sql.select(tables.c.id).limit(1)).first()

    def add_table(self, table: StoredTable, after: str | None = None) -> None:
        """Insert a table, with the lines of nature before the first move; `after` is the table whose rematch it is."""
        self.save_box(table.box)
        with self.database.writing() as connection:
            mappers.insert_table(connection, table)
            if after is not None:
                mappers.link_rematch(connection, after, table.id)
                self.database.notify(connection, f"{TABLE_CHANGED} {after} 0")

    def update_lobby(self, table: StoredTable) -> None:
        """Update a table in its lobby, or start its game.

        Once the game has started, this raises ConflictError, as does the second of two simultaneous updates.
        """
        self.save_box(table.box)
        with self.database.writing() as connection:
            unchanged = sql.and_(tables.c.id == table.id, tables.c.phase == IN_LOBBY, tables.c.revision == table.revision)
            columns = mappers.table_columns(table) | {"revision": table.revision + 1}
            if connection.execute(tables.update().where(unchanged).values(**columns)).rowcount != 1:
                raise ConflictError(msg("the game has moved on"))
            connection.execute(seats.delete().where(seats.c.table_id == table.id))
            mappers.write_seats(connection, table.id, dict(enumerate(table.seats)))
            mappers.write_lines(connection, [LogAppend(table.id, 0, table.lines)])
            self.database.notify(connection, f"{LOBBY_CHANGED} {table.id}")

    def new_code(self) -> str:
        with self.database.reading() as connection:
            return mappers.unused_code(connection)

    def find_by_code(self, code: str) -> tuple[str, bool] | None:
        """Return the id of the table with this code, and whether it is still in its lobby."""
        wanted = mappers.normalize_code(code)
        with self.database.reading() as connection:
            found = connection.execute(sql.select(tables.c.id, tables.c.phase).where(tables.c.code == wanted)).first() if wanted else None
            return (found.id, found.phase == IN_LOBBY) if found else None

    def summaries(self, wanted: Sequence[str]) -> list[TableSummary]:
        with self.database.reading() as connection:
            return [found for table in wanted for found in [mappers.read_summary(connection, table)] if found is not None]

    def save_review(self, table: str, text: str) -> None:
        with suppress(ConflictError), self.database.writing() as connection:  # another process has just stored the same
            connection.execute(reviews.delete().where(reviews.c.table_id == table))
            connection.execute(reviews.insert().values(table_id=table, text=text))

    def load_review(self, table: str) -> str | None:
        with self.database.reading() as connection:
            found: str | None = connection.execute(sql.select(reviews.c.text).where(reviews.c.table_id == table)).scalar_one_or_none()
            return found

    def save_box(self, box: Components) -> None:
        with suppress(ConflictError), self.database.writing() as connection:  # another request has just stored the same
            if not connection.execute(sql.select(boxes.c.sha256).where(boxes.c.sha256 == box.sha256)).first():
                connection.execute(boxes.insert().values(sha256=box.sha256, name=box.name, text=box.text))

    def load_box(self, sha256: str) -> Components | None:
        """Return the box with this checksum, if a table was ever played with it."""
        with self.database.reading() as connection:
            found = connection.execute(sql.select(boxes.c.name, boxes.c.text).where(boxes.c.sha256 == sha256)).first()
            return found and Components.parse(found.name, found.text)

    def append_all(self, entries: Sequence[LogAppend]) -> list[TableeError | None]:
        """Commit the lines of many tables at once, of each table all or none; return the error of each."""
        try:
            self._append(entries)
        except ConflictError as error:  # of one entry, which must not fail the others
            return [error] if len(entries) == 1 else [self.append_all([entry])[0] for entry in entries]
        except StoreError as error:
            return [error] * len(entries)
        return [None] * len(entries)

    def _append(self, entries: Sequence[LogAppend]) -> None:
        with self.database.writing() as connection:
            mappers.write_lines(connection, entries)
            self.database.notify(connection, *(f"{TABLE_CHANGED} {entry.table} {entry.position + len(entry.lines)}" for entry in entries))
            for entry in entries:
                mappers.write_seats(connection, entry.table, entry.seats)
                if entry.ticking is not None:
                    connection.execute(tables.update().where(tables.c.id == entry.table).values(ticking=entry.ticking))
                if entry.outcome is not None:
                    mappers.end_game(connection, entry.table, entry.outcome)

    def stop_clocks(self, table: str, version: int, used: Mapping[int, int]) -> None:
        """Stop the clocks of a closed table with the time that each seat has used, unless its log has grown since this version."""
        newer = sql.exists().where(log.c.table_id == table, log.c.position >= version)
        with self.database.writing() as connection:
            if connection.execute(tables.update().where(tables.c.id == table, ~newer).values(ticking=0)).rowcount:
                for seat, spent in used.items():
                    connection.execute(seats.update().where(seats.c.table_id == table, seats.c.seat == seat).values(used=spent))

    def add_chat_message(self, table: str, message: ChatMessage, keep: int) -> None:
        """Store a chat message, delete all but the newest ones, and tell the other processes."""
        with self.database.writing() as connection:
            mappers.write_chat_message(connection, table, message, keep)
            self.database.notify(connection, f"{TABLE_CHANGED} {table} 0")

    def load(self, table: str) -> StoredTable | None:
        with self.database.reading() as connection:
            try:
                found = connection.execute(SELECT_TABLE, {"table": table, "yesterday": datetime.now(UTC) - A_DAY}).mappings().first()
            except (TypeError, ValueError) as error:  # options or seats are not JSON
                raise mappers.damaged_table(table) from error
            if found is None:
                return None
            stored_seats, lines = mappers.read_seats(connection, table), mappers.read_lines(connection, table, 0)
            former_tokens, messages = mappers.read_former_tokens(connection, table), mappers.read_chat_messages(connection, table)
            inviter = mappers.read_host(connection, found["rematch"])
            built = mappers.build_table(table, found, stored_seats, lines)
            paused = mappers.read_club_paused(connection, built.settings.club)
        return replace(built, inviter=inviter, former_tokens=former_tokens, chat_messages=messages, club_paused=paused)

    def ids(self) -> list[str]:
        """Return the ids of all tables, oldest first."""
        with self.database.reading() as connection:
            return list(connection.execute(sql.select(tables.c.id).order_by(tables.c.created, tables.c.id)).scalars())

    def mark_opened(self, table: str) -> None:
        """Record that the table was opened; callers do so once a day."""
        with self.database.writing() as connection:
            connection.execute(tables.update().where(tables.c.id == table).values(opened=datetime.now(UTC)))

    def delete_idle(self, since: datetime, but: Collection[str] = ()) -> int:
        """Delete a batch of idle tables that nobody has opened since `since`, except those in `but`; return how many were deleted.

        Idle are finished games, imported records and lobbies; tables of a class stay.
        """
        idle = sql.or_(tables.c.outcome.is_not(None), tables.c.brought, tables.c.phase == IN_LOBBY)
        old = sql.select(tables.c.id).where(idle, table_club == "", sql.func.coalesce(tables.c.opened, tables.c.created) < since)
        with self.database.writing() as connection:
            deleted = [table for table in connection.execute(old).scalars() if table not in but][:DELETE_BATCH]
            mappers.delete_tables(connection, deleted)
            self.database.notify(connection, *(f"{TABLE_DELETED} {table}" for table in deleted))
        return len(deleted)

    def changes_since(self, table: str, position: int) -> TableChanges:
        """Return the log of an open table from this position on, and its other data."""
        with self.database.reading() as connection:
            columns = sql.select(tables.c.rematch, tables.c.ticking, table_club).where(tables.c.id == table)
            rematch, ticking, club = connection.execute(columns).first() or ("", 0, "")
            return TableChanges(
                lines=mappers.read_lines(connection, table, position),
                seats=mappers.read_seats(connection, table),
                former_tokens=mappers.read_former_tokens(connection, table),
                rematch=rematch,
                inviter=mappers.read_host(connection, rematch),
                chat_messages=mappers.read_chat_messages(connection, table),
                ticking=ticking,
                club_paused=mappers.read_club_paused(connection, club),
            )

    def revisions(self, wanted: Collection[str]) -> dict[str, int]:
        """Return how often these tables were changed in their lobbies."""
        with self.database.reading() as connection:
            found = sql.select(tables.c.id, tables.c.revision).where(tables.c.id.in_(wanted))
            return {table: int(revision) for table, revision in connection.execute(found)}

    def versions(self, wanted: Collection[str]) -> dict[str, int]:
        """Return the lengths of the logs of these tables."""
        lengths = sql.select(log.c.table_id, sql.func.max(log.c.position) + 1).where(log.c.table_id.in_(wanted)).group_by(log.c.table_id)
        with self.database.reading() as connection:
            return {table: int(length) for table, length in connection.execute(lengths)}


def open_when_up(url: str, is_cancelled: Callable[[], bool], timeout: float = STARTUP_TIMEOUT) -> Store | None:
    """Open the store once its server is up; return None if `is_cancelled` ends the waiting.

    Two machines may start together, so a server that does not answer is waited for; one that refuses us is not.
    """
    _wait_for(url, is_cancelled, timeout)
    try:
        return None if is_cancelled() else Store.at(url, is_cancelled)
    except StoreError:
        if is_cancelled():
            return None
        raise


def _wait_for(url: str, is_cancelled: Callable[[], bool], timeout: float) -> None:
    started, logged = time.monotonic(), False
    with translate_errors():
        while not is_up(url) and not is_cancelled() and time.monotonic() - started < timeout:
            if not logged:
                logger.warning("the database does not answer yet; waiting for %.0f seconds at most", timeout)
            logged = True
            time.sleep(RETRY_INTERVAL)
