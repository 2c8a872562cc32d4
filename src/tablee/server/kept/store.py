"""What is kept: who sits where, and one append-only log. A line is on disk before anybody is told of it, and (table, position) is unique,
so two writers cannot both win. Everything else is a fold over the log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from tablee.core.components import Components
from tablee.core.errors import TableeError
from tablee.core.game import Outcome, Seat
from tablee.core.words import say
from tablee.server.kept.kinds import MOVE
from tablee.server.kept.migrations import migrate
from tablee.server.kept.schema import PLAYING, SEED_BYTES, boxes, checkpoints, log, reviews, seats, tables


class StoreError(TableeError):
    """The line could not be written: nothing has happened, and the same request may be sent again."""


class TableMovedOn(TableeError):
    """Somebody else's line took this position."""


class DamagedTable(StoreError):
    """What is kept of the table cannot be read; asking again will not help."""


@dataclass(frozen=True)
class SeatKept:
    """A chair at the table: a bot's level, or a person's name and the hash of their token. A person's chair with a level is one that a bot
    sits in for."""

    kind: str
    name: str
    level: str = ""
    token_hash: str = ""
    colour: int = -1  # the seat's own, unless it chose another


@dataclass(frozen=True)
class Settings:
    """What the host decided that is no rule of the game."""

    hints: bool = False  # whether the coach may be asked during the game
    chat: bool = False
    clock: int = 0  # seconds that each seat has for the whole game; none
    lesson: bool = False  # whether it follows the lesson of its room


@dataclass(frozen=True)
class Row:
    line: str
    client_id: str | None
    kind: str = MOVE


@dataclass(frozen=True)
class Entry:
    """New lines of one table, with them who sits where from now on, and how its game ended if they end it."""

    table: str
    position: int
    rows: tuple[Row, ...]
    outcome: Outcome | None = None
    chairs: Mapping[int, SeatKept] = field(default_factory=dict)  # those that changed


@dataclass(frozen=True)
class CheckpointKept:
    """A position that the log's first lines lead to: see `checkpoints.py`."""

    position: int
    made_by: str
    state: bytes
    rest: bytes


@dataclass(frozen=True)
class TableKept:
    id: str
    game: str
    rules: int
    box: Components
    options: dict[str, Any]
    seats: tuple[SeatKept, ...]
    seed: bytes
    derivation: int
    rows: tuple[Row, ...] = ()
    rematch: str = ""
    settings: Settings = Settings()
    checkpoint: CheckpointKept | None = None
    outcome: Outcome | None = None  # once the game is over
    phase: str = PLAYING
    code: str = ""
    host: str = ""


SEAT_COLUMNS = [seats.c[each.name] for each in fields(SeatKept)]


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Store:
    def __init__(self, url: str) -> None:
        self.engine = sql.create_engine(url, hide_parameters=True)  # a reason that is told or written down names nobody
        if self.engine.dialect.name == "sqlite":
            sql.event.listen(self.engine, "connect", _durable)
        self._one_pen = Lock()
        migrate(self.engine)

    @classmethod
    def in_folder(cls, folder: Path) -> Store:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return cls(f"sqlite:///{folder / 'tablee.db'}")
        except (OSError, SQLAlchemyError) as error:
            raise StoreError(say("the data folder {folder} cannot be used: {reason}", folder=str(folder), reason=_reason(error))) from error

    def close(self) -> None:
        """On SQLite everything is in the one file then, and a copy of it is whole."""
        if self.engine.dialect.name == "sqlite":
            with suppress(SQLAlchemyError), self.engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        self.engine.dispose()

    def check(self) -> None:
        """Raises StoreError where nothing could be written just now."""
        with self._transaction() as connection:
            if self.engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            connection.execute(sql.select(tables.c.id).limit(1)).first()

    def add_table(self, kept: TableKept, after: str | None = None) -> None:
        """A new table, with whatever nature drew before the first player could move; `after` is the table whose rematch it is."""
        with suppress(TableMovedOn):  # somebody else has just kept the same box
            self._keep_box(kept.box)
        with self._pen() as connection:
            connection.execute(tables.insert().values(**_columns(kept), created=datetime.now(UTC)))
            _sit(connection, kept.id, dict(enumerate(kept.seats)))
            _write(connection, [Entry(kept.id, 0, kept.rows)])
            if after is not None:
                _follow(connection, after, kept.id)

    def rematch_of(self, table: str) -> str:
        with self._transaction() as connection:
            return str(connection.execute(sql.select(tables.c.rematch).where(tables.c.id == table)).scalar_one())

    def keep_review(self, table: str, text: str) -> None:
        with self._pen() as connection:
            connection.execute(reviews.delete().where(reviews.c.table_id == table))
            connection.execute(reviews.insert().values(table_id=table, text=text))

    def review_of(self, table: str) -> str | None:
        with self._transaction() as connection:
            found: str | None = connection.execute(sql.select(reviews.c.text).where(reviews.c.table_id == table)).scalar_one_or_none()
            return found

    def _keep_box(self, box: Components) -> None:
        with self._pen() as connection:
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
        with self._pen() as connection:
            _write(connection, entries)
            for entry in entries:
                _sit(connection, entry.table, entry.chairs)
                if entry.outcome is not None:
                    connection.execute(tables.update().where(tables.c.id == entry.table).values(outcome=asdict(entry.outcome)))

    def keep_checkpoint(self, table: str, kept: CheckpointKept) -> None:
        with self._pen() as connection:
            connection.execute(checkpoints.delete().where(checkpoints.c.table_id == table))
            connection.execute(checkpoints.insert().values(table_id=table, **vars(kept)))

    def load(self, table: str) -> TableKept | None:
        with self._transaction() as connection:
            try:
                found = (
                    connection.execute(sql.select(tables, boxes.c.name, boxes.c.text).join(boxes).where(tables.c.id == table))
                    .mappings()
                    .first()
                )
            except (TypeError, ValueError) as error:  # options or seats are not JSON
                raise _damaged(table) from error
            if found is None:
                return None
            chairs = _sitting(connection, table)
            rows = _read(connection, table, 0)
            kept = connection.execute(sql.select(checkpoints).where(checkpoints.c.table_id == table)).first()
        return _whole(table, found, chairs, rows, CheckpointKept(*kept[1:]) if kept else None)

    def rows(self, table: str, position: int) -> tuple[Row, ...]:
        """The log from this position on."""
        with self._transaction() as connection:
            return _read(connection, table, position)

    def chairs(self, table: str) -> tuple[SeatKept, ...]:
        with self._transaction() as connection:
            return _sitting(connection, table)

    def _transaction(self) -> _Transaction:
        return _Transaction(self.engine)

    @contextmanager
    def _pen(self) -> Iterator[sql.Connection]:
        """A transaction that writes. SQLite lets in one at a time, and whoever is turned away sleeps: here they stand in line."""
        with self._one_pen, self._transaction() as connection:
            yield connection


def _columns(kept: TableKept) -> dict[str, Any]:
    """What the row of a table says."""
    same = ("id", "game", "rules", "options", "seed", "derivation", "phase", "code", "host")
    return {name: getattr(kept, name) for name in same} | {"box": kept.box.sha256, "settings": asdict(kept.settings)}


def _sitting(connection: sql.Connection, table: str) -> tuple[SeatKept, ...]:
    found = connection.execute(sql.select(*SEAT_COLUMNS).where(seats.c.table_id == table).order_by(seats.c.seat))
    return tuple(SeatKept(**row) for row in found.mappings())


def _sit(connection: sql.Connection, table: str, chairs: Mapping[int, SeatKept]) -> None:
    """These chairs are so from now on."""
    for seat, chair in chairs.items():
        connection.execute(seats.delete().where(seats.c.table_id == table, seats.c.seat == seat))
        connection.execute(seats.insert().values(table_id=table, seat=seat, **vars(chair)))


def _whole(
    table: str, found: sql.RowMapping, chairs: tuple[SeatKept, ...], rows: tuple[Row, ...], checkpoint: CheckpointKept | None
) -> TableKept:
    try:
        settings = Settings(**found["settings"])
        outcome = _outcome(found["outcome"])
    except (TypeError, LookupError) as error:
        raise _damaged(table) from error
    seed, options = found["seed"], found["options"]
    if not (chairs and len(seed) == SEED_BYTES and isinstance(options, dict)):
        raise _damaged(table)
    return TableKept(
        id=table,
        game=found["game"],
        rules=found["rules"],
        box=_box(found["name"], found["text"]),
        options=options,
        seats=chairs,
        seed=seed,
        derivation=found["derivation"],
        rows=rows,
        rematch=found["rematch"],
        settings=settings,
        checkpoint=checkpoint,
        outcome=outcome,
        phase=found["phase"],
        code=found["code"],
        host=found["host"],
    )


@lru_cache(maxsize=64)
def _box(name: str, text: str) -> Components:
    """Many tables are played with the same."""
    return Components.parse(name, text)


def _damaged(table: str) -> DamagedTable:
    return DamagedTable(say("what is kept of the table {table!r} is damaged and cannot be read", table=table[:40]))


def _follow(connection: sql.Connection, table: str, rematch: str) -> None:
    """Of two who ask for a rematch at once, the second finds the first one's."""
    free = sql.and_(tables.c.id == table, tables.c.rematch == "")
    if connection.execute(tables.update().where(free).values(rematch=rematch)).rowcount != 1:
        raise TableMovedOn(say("the table has moved on"))


def _read(connection: sql.Connection, table: str, position: int) -> tuple[Row, ...]:
    columns = sql.select(log.c.line, log.c.client_id, log.c.kind)
    found = columns.where(log.c.table_id == table, log.c.position >= position).order_by(log.c.position)
    return tuple(Row(*row) for row in connection.execute(found))


def _write(connection: sql.Connection, entries: Sequence[Entry]) -> None:
    rows = [
        {"table_id": entry.table, "position": entry.position + number, **vars(row)}
        for entry in entries
        for number, row in enumerate(entry.rows)
    ]
    if rows:
        connection.execute(log.insert(), rows)


def _outcome(kept: dict[str, Any] | None) -> Outcome | None:
    return None if kept is None else Outcome(tuple(kept["scores"]), tuple(Seat(seat) for seat in kept["winners"]), kept["won"])


class _Transaction:
    """A transaction whose failures are sentences: a taken position, a full disk, a locked file."""

    def __init__(self, engine: sql.Engine) -> None:
        self._begin = engine.begin()

    def __enter__(self) -> sql.Connection:
        try:
            return self._begin.__enter__()
        except SQLAlchemyError as error:
            raise StoreError(say("the table cannot be saved just now: {reason}", reason=_reason(error))) from error

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self._begin.__exit__(kind, error, trace)
        except SQLAlchemyError as late:
            error = late
        if isinstance(error, IntegrityError):
            raise TableMovedOn(say("the table has moved on")) from error
        if isinstance(error, SQLAlchemyError):
            raise StoreError(say("the table cannot be saved just now: {reason}", reason=_reason(error))) from error


def _durable(connection: Any, _: Any) -> None:
    """SQLite: acknowledged means on disk."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error).splitlines()[0]
