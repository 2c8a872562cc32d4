"""What is kept: who sits where, and one append-only log. A line is on disk before anybody is told of it, and (table, position) is unique,
so two writers cannot both win. Everything else is a fold over the log.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from tablee.core.components import Components
from tablee.core.errors import TableeError
from tablee.core.game import Outcome
from tablee.core.i18n import say
from tablee.server.storage.chat_messages import said_at
from tablee.server.storage.codes import free_code, tidy_code
from tablee.server.storage.database import ANSWER, Database, StoreError, TableMovedOn, reason_of
from tablee.server.storage.deletion import forget_tables
from tablee.server.storage.mappers import (
    WANTED,
    brief,
    columns_of,
    damaged,
    end_game,
    follow,
    former_owners,
    host_of,
    insert_table,
    read_lines,
    sit_down,
    sitting,
    whole_table,
    write_lines,
)
from tablee.server.storage.migrations import migrate
from tablee.server.storage.models import Brief, CheckpointKept, Entry, Row, Since, TableKept
from tablee.server.storage.notifications import GATHERED, GONE, TABLE
from tablee.server.storage.schema import GATHERING, boxes, checkpoints, club_of, log, reviews, seats, tables

DATABASE = "tablee.db"
FORGOTTEN_AT_ONCE = 100  # tables, so that moves need not wait for long
A_DAY = timedelta(days=1)

# What is asked whenever a table is opened, put together once: after a restart all are opened at the same time.
UNSEEN = sql.or_(tables.c.opened.is_(None), tables.c.opened < sql.bindparam("yesterday", type_=tables.c.opened.type))
WHOLE = sql.select(tables, boxes.c.name, boxes.c.text, UNSEEN.label("unseen")).join(boxes).where(tables.c.id == WANTED)
CHECKPOINT = sql.select(checkpoints).where(checkpoints.c.table_id == WANTED)


@contextmanager
def usable() -> Iterator[None]:
    """What is wrong with a database server, or with its address, is one sentence."""
    try:
        yield
    except (SQLAlchemyError, ImportError, ValueError) as error:
        raise StoreError(say("the database cannot be used: {reason}", reason=reason_of(error))) from error


class Store:
    def __init__(self, url: str, ended: Callable[[], bool] = lambda: False, prepare: Callable[[sql.Engine], None] = migrate) -> None:
        self.database = Database(url, ended)
        try:
            prepare(self.database.engine)
        except Exception:
            self.database.engine.dispose()
            raise
        self.database.patience = ANSWER

    @classmethod
    def in_folder(cls, folder: Path) -> Store:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # names, and seeds of running games, are nobody else's business
            if not (folder / DATABASE).exists():
                (folder / DATABASE).touch(0o600)  # SQLite gives the files beside it the same mode
            return cls(f"sqlite:///{folder / DATABASE}")
        except (OSError, SQLAlchemyError) as error:
            raise StoreError(
                say("the data folder {folder} cannot be used: {reason}", folder=str(folder), reason=reason_of(error))
            ) from error

    @classmethod
    def at(cls, url: str, ended: Callable[[], bool] = lambda: False, prepare: Callable[[sql.Engine], None] = migrate) -> Store:
        """In a database server's care; more than one process may use it. `ended` says whether nobody waits for it any more."""
        with usable():
            return cls(url, ended, prepare)

    @property
    def shared(self) -> bool:
        """Whether other processes may write to it too."""
        return self.database.shared

    def close(self) -> None:
        self.database.close()

    def check(self) -> None:
        """Raises StoreError where nothing could be written just now."""
        with self.database.reading() as connection:
            if not self.shared:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            connection.execute(sql.select(tables.c.id).limit(1)).first()

    def add_table(self, kept: TableKept, after: str | None = None) -> None:
        """A new table, with whatever nature drew before the first player could move; `after` is the table whose rematch it is."""
        self.keep_box(kept.box)
        with self.database.writing() as connection:
            insert_table(connection, kept)
            if after is not None:
                follow(connection, after, kept.id)
                self.database.tell(connection, f"{TABLE} {after} 0")

    def change_gathering(self, kept: TableKept) -> None:
        """A table that gathers, as it is from now on, or the game that it becomes; a game that has begun is changed by its log alone. Of
        two who change it at once the second looks again."""
        self.keep_box(kept.box)
        with self.database.writing() as connection:
            gathers = sql.and_(tables.c.id == kept.id, tables.c.phase == GATHERING, tables.c.revision == kept.revision)
            columns = columns_of(kept) | {"revision": kept.revision + 1}
            if connection.execute(tables.update().where(gathers).values(**columns)).rowcount != 1:
                raise TableMovedOn(say("the game has moved on"))
            connection.execute(seats.delete().where(seats.c.table_id == kept.id))
            sit_down(connection, kept.id, dict(enumerate(kept.seats)))
            write_lines(connection, [Entry(kept.id, 0, kept.rows)])
            self.database.tell(connection, f"{GATHERED} {kept.id}")

    def new_code(self) -> str:
        with self.database.reading() as connection:
            return free_code(connection)

    def with_code(self, code: str) -> tuple[str, bool] | None:
        """The table that people mean who type this, and whether it still gathers."""
        wanted = tidy_code(code)
        with self.database.reading() as connection:
            found = connection.execute(sql.select(tables.c.id, tables.c.phase).where(tables.c.code == wanted)).first() if wanted else None
            return (found.id, found.phase == GATHERING) if found else None

    def briefly(self, wanted: Sequence[str]) -> list[Brief]:
        with self.database.reading() as connection:
            return [found for table in wanted for found in [brief(connection, table)] if found is not None]

    def keep_review(self, table: str, text: str) -> None:
        with suppress(TableMovedOn), self.database.writing() as connection:  # another process has just found the same
            connection.execute(reviews.delete().where(reviews.c.table_id == table))
            connection.execute(reviews.insert().values(table_id=table, text=text))

    def review_of(self, table: str) -> str | None:
        with self.database.reading() as connection:
            found: str | None = connection.execute(sql.select(reviews.c.text).where(reviews.c.table_id == table)).scalar_one_or_none()
            return found

    def keep_box(self, box: Components) -> None:
        with suppress(TableMovedOn), self.database.writing() as connection:  # somebody else has just kept the same one
            if not connection.execute(sql.select(boxes.c.sha256).where(boxes.c.sha256 == box.sha256)).first():
                connection.execute(boxes.insert().values(sha256=box.sha256, name=box.name, text=box.text))

    def append(self, table: str, position: int, rows: Sequence[Row], outcome: Outcome | None = None) -> None:
        """Commits these lines at this position, all or none, and with them how the game ended if they end it."""
        self._append([Entry(table, position, tuple(rows), outcome)])

    def append_all(self, entries: Sequence[Entry]) -> list[TableeError | None]:
        """Many tables' lines in one commit, each table's all or none; returns what went wrong with each."""
        try:
            self._append(entries)
        except TableMovedOn as error:  # one of them has, and harms nobody else
            return [error] if len(entries) == 1 else [self.append_all([entry])[0] for entry in entries]
        except StoreError as error:
            return [error] * len(entries)
        return [None] * len(entries)

    def _append(self, entries: Sequence[Entry]) -> None:
        with self.database.writing() as connection:
            write_lines(connection, entries)
            self.database.tell(connection, *(f"{TABLE} {entry.table} {entry.position + len(entry.rows)}" for entry in entries))
            for entry in entries:
                sit_down(connection, entry.table, entry.chairs)
                if entry.ticking is not None:
                    connection.execute(tables.update().where(tables.c.id == entry.table).values(ticking=entry.ticking))
                if entry.outcome is not None:
                    end_game(connection, entry.table, entry.outcome)

    def stop_clocks(self, table: str, version: int, used: Mapping[int, int]) -> None:
        """A table is put away: its clocks stand, with what each seat has used, unless somebody has written to it since."""
        newer = sql.exists().where(log.c.table_id == table, log.c.position >= version)
        with self.database.writing() as connection:
            if connection.execute(tables.update().where(tables.c.id == table, ~newer).values(ticking=0)).rowcount:
                for seat, spent in used.items():
                    connection.execute(seats.update().where(seats.c.table_id == table, seats.c.seat == seat).values(used=spent))

    def keep_checkpoint(self, table: str, kept: CheckpointKept) -> None:
        with suppress(TableMovedOn), self.database.writing() as connection:
            connection.execute(checkpoints.delete().where(checkpoints.c.table_id == table))
            connection.execute(checkpoints.insert().values(table_id=table, **vars(kept)))

    def load(self, table: str) -> TableKept | None:
        with self.database.reading() as connection:
            try:
                found = connection.execute(WHOLE, {"table": table, "yesterday": datetime.now(UTC) - A_DAY}).mappings().first()
            except (TypeError, ValueError) as error:  # options or seats are not JSON
                raise damaged(table) from error
            if found is None:
                return None
            chairs, gone, said = sitting(connection, table), former_owners(connection, table), said_at(connection, table)
            rows = read_lines(connection, table, 0)
            inviter = host_of(connection, found["rematch"])
            kept = connection.execute(CHECKPOINT, {"table": table}).first()
        whole = whole_table(table, found, chairs, rows, CheckpointKept(*kept[1:]) if kept else None)
        return replace(whole, inviter=inviter, former=gone, said=said)

    def ids(self) -> list[str]:
        """Every table, the oldest first."""
        with self.database.reading() as connection:
            return list(connection.execute(sql.select(tables.c.id).order_by(tables.c.created, tables.c.id)).scalars())

    def note_opened(self, table: str) -> None:
        """Somebody wants to see the table; once a day is often enough to know."""
        with self.database.writing() as connection:
            connection.execute(tables.update().where(tables.c.id == table).values(opened=datetime.now(UTC)))

    def forget(self, since: datetime, but: Collection[str] = ()) -> int:
        """Removes the tables, and all that is kept of them, where nothing is played and that nobody has opened since then, but for these;
        how many they were. A class keeps its own."""
        idle = sql.or_(tables.c.outcome.is_not(None), tables.c.brought, tables.c.phase == GATHERING)
        old = sql.select(tables.c.id).where(idle, club_of == "", sql.func.coalesce(tables.c.opened, tables.c.created) < since)
        with self.database.writing() as connection:
            gone = [table for table in connection.execute(old).scalars() if table not in but][:FORGOTTEN_AT_ONCE]
            forget_tables(connection, gone)
            self.database.tell(connection, *(f"{GONE} {table}" for table in gone))
        return len(gone)

    def since(self, table: str, position: int) -> Since:
        """What is kept of an open table besides its log up to this position."""
        with self.database.reading() as connection:
            rematch, ticking = connection.execute(sql.select(tables.c.rematch, tables.c.ticking).where(tables.c.id == table)).first() or (
                "",
                0,
            )
            return Since(
                read_lines(connection, table, position),
                sitting(connection, table),
                former_owners(connection, table),
                rematch,
                host_of(connection, rematch),
                said_at(connection, table),
                ticking,
            )

    def revisions(self, wanted: Collection[str]) -> dict[str, int]:
        """How often these were changed while they gathered, up to their beginning."""
        with self.database.reading() as connection:
            found = sql.select(tables.c.id, tables.c.revision).where(tables.c.id.in_(wanted))
            return {table: int(revision) for table, revision in connection.execute(found)}

    def versions(self, wanted: Collection[str]) -> dict[str, int]:
        """How long the logs of these tables are."""
        lengths = sql.select(log.c.table_id, sql.func.max(log.c.position) + 1).where(log.c.table_id.in_(wanted)).group_by(log.c.table_id)
        with self.database.reading() as connection:
            return {table: int(length) for table, length in connection.execute(lengths)}
