"""What is kept: who sits where, and one append-only log. A line is on disk before anybody is told of it, and (table, position) is unique,
so two writers cannot both win. Everything else is a fold over the log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from tablee.core.components import Components
from tablee.core.errors import TableeError
from tablee.core.words import say

# What later versions added to `tables`, and what it is for those that are older: they are played on by the first derivation.
ADDED = {"derivation": "INTEGER NOT NULL DEFAULT 1", "rematch": "VARCHAR(16) NOT NULL DEFAULT ''", "hints": "BOOLEAN NOT NULL DEFAULT 0"}
# Log lines of the platform, no moves of the game: one takes back the seat's last line, one says that a bot was not done in time.
UNDO, HURRIED = "undo", "hurried"

metadata = sql.MetaData()
boxes = sql.Table(
    "boxes",
    metadata,
    sql.Column("sha256", sql.String(64), primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
)
tables = sql.Table(
    "tables",
    metadata,
    sql.Column("id", sql.String(16), primary_key=True),
    sql.Column("game", sql.String(64), nullable=False),
    sql.Column("rules", sql.Integer, nullable=False),
    sql.Column("box", sql.String(64), sql.ForeignKey("boxes.sha256"), nullable=False),
    sql.Column("options", sql.JSON, nullable=False),
    sql.Column("seats", sql.JSON, nullable=False),
    sql.Column("seed", sql.LargeBinary(32), nullable=False),
    sql.Column("derivation", sql.Integer, nullable=False),  # how draws follow from the seed
    sql.Column("created", sql.DateTime(timezone=True), nullable=False),
    sql.Column("rematch", sql.String(16), nullable=False, server_default=""),  # the table where the same people play again
    sql.Column("hints", sql.Boolean, nullable=False, server_default=sql.false()),  # whether the coach may be asked during the game
)
reviews = sql.Table(
    "reviews",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("text", sql.Text, nullable=False),  # what the coach found
)
log = sql.Table(
    "log",
    metadata,
    sql.Column("table_id", sql.String(16), sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("position", sql.Integer, primary_key=True),
    sql.Column("line", sql.Text, nullable=False),
    sql.Column("client_id", sql.String(80)),
)


class StoreError(TableeError):
    """The line could not be written: nothing has happened, and the same request may be sent again."""


class TableMovedOn(TableeError):
    """Somebody else's line took this position."""


@dataclass(frozen=True)
class SeatKept:
    """A chair at the table: a bot's level, or a person's name and the hash of their token."""

    kind: str
    name: str
    level: str = ""
    token_hash: str = ""


@dataclass(frozen=True)
class Row:
    line: str
    client_id: str | None


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
    hints: bool = False


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Store:
    def __init__(self, url: str) -> None:
        self.engine = sql.create_engine(url)
        if self.engine.dialect.name == "sqlite":
            sql.event.listen(self.engine, "connect", _durable)
        metadata.create_all(self.engine)
        for column, kind in ADDED.items():
            _add_column(self.engine, column, kind)

    @classmethod
    def in_folder(cls, folder: Path) -> Store:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return cls(f"sqlite:///{folder / 'tablee.db'}")
        except (OSError, SQLAlchemyError) as error:
            raise StoreError(say("the data folder {folder} cannot be used: {reason}", folder=str(folder), reason=_reason(error))) from error

    def close(self) -> None:
        self.engine.dispose()

    def add_table(self, kept: TableKept, after: str | None = None) -> None:
        """A new table, with whatever nature drew before the first player could move; `after` is the table whose rematch it is."""
        with suppress(TableMovedOn):  # somebody else has just kept the same box
            self._keep_box(kept.box)
        with self._transaction() as connection:
            connection.execute(
                tables.insert().values(
                    id=kept.id,
                    game=kept.game,
                    rules=kept.rules,
                    box=kept.box.sha256,
                    options=kept.options,
                    seats=[vars(seat) for seat in kept.seats],
                    seed=kept.seed,
                    derivation=kept.derivation,
                    hints=kept.hints,
                    created=datetime.now(UTC),
                )
            )
            self._write(connection, kept.id, 0, kept.rows)
            if after is not None:
                _follow(connection, after, kept.id)

    def rematch_of(self, table: str) -> str:
        with self._transaction() as connection:
            return str(connection.execute(sql.select(tables.c.rematch).where(tables.c.id == table)).scalar_one())

    def keep_review(self, table: str, text: str) -> None:
        with self._transaction() as connection:
            connection.execute(reviews.delete().where(reviews.c.table_id == table))
            connection.execute(reviews.insert().values(table_id=table, text=text))

    def review_of(self, table: str) -> str | None:
        with self._transaction() as connection:
            found: str | None = connection.execute(sql.select(reviews.c.text).where(reviews.c.table_id == table)).scalar_one_or_none()
            return found

    def _keep_box(self, box: Components) -> None:
        with self._transaction() as connection:
            if not connection.execute(sql.select(boxes.c.sha256).where(boxes.c.sha256 == box.sha256)).first():
                connection.execute(boxes.insert().values(sha256=box.sha256, name=box.name, text=box.text))

    def append(self, table: str, position: int, rows: Sequence[Row]) -> None:
        """Commits these lines at this position, all or none."""
        with self._transaction() as connection:
            self._write(connection, table, position, rows)

    def load(self, table: str) -> TableKept | None:
        with self._transaction() as connection:
            found = (
                connection.execute(sql.select(tables, boxes.c.name, boxes.c.text).join(boxes).where(tables.c.id == table))
                .mappings()
                .first()
            )
            if found is None:
                return None
            rows = _read(connection, table, 0)
        return TableKept(
            id=table,
            game=found["game"],
            rules=found["rules"],
            box=Components.parse(found["name"], found["text"]),
            options=found["options"],
            seats=tuple(SeatKept(**seat) for seat in found["seats"]),
            seed=found["seed"],
            derivation=found["derivation"],
            rows=rows,
            rematch=found["rematch"],
            hints=found["hints"],
        )

    def rows(self, table: str, position: int) -> tuple[Row, ...]:
        """The log from this position on."""
        with self._transaction() as connection:
            return _read(connection, table, position)

    def _write(self, connection: sql.Connection, table: str, position: int, rows: Sequence[Row]) -> None:
        if rows:
            values = [
                {"table_id": table, "position": position + n, "line": row.line, "client_id": row.client_id} for n, row in enumerate(rows)
            ]
            connection.execute(log.insert(), values)

    def _transaction(self) -> _Transaction:
        return _Transaction(self.engine)


def _follow(connection: sql.Connection, table: str, rematch: str) -> None:
    """Of two who ask for a rematch at once, the second finds the first one's."""
    free = sql.and_(tables.c.id == table, tables.c.rematch == "")
    if connection.execute(tables.update().where(free).values(rematch=rematch)).rowcount != 1:
        raise TableMovedOn(say("the table has moved on"))


def _read(connection: sql.Connection, table: str, position: int) -> tuple[Row, ...]:
    found = sql.select(log.c.line, log.c.client_id).where(log.c.table_id == table, log.c.position >= position).order_by(log.c.position)
    return tuple(Row(line, client_id) for line, client_id in connection.execute(found))


def _add_column(engine: sql.Engine, column: str, kind: str) -> None:
    if _has_column(engine, column):
        return
    try:
        with engine.begin() as connection:
            connection.execute(sql.text(f"ALTER TABLE tables ADD COLUMN {column} {kind}"))
    except SQLAlchemyError:
        if not _has_column(engine, column):  # nor has another process just added it
            raise


def _has_column(engine: sql.Engine, name: str) -> bool:
    return any(column["name"] == name for column in sql.inspect(engine).get_columns("tables"))


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
