"""What is kept: who sits where, and one append-only log. A line is on disk before anybody is told of it, and (table, position) is unique,
so two writers cannot both win. Everything else is a fold over the log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from tablee.core.components import Components
from tablee.core.errors import TableeError
from tablee.core.game import Outcome, Seat
from tablee.core.match import Origin
from tablee.core.words import say
from tablee.server.kept.codes import free_code, tidy_code
from tablee.server.kept.database import Database, StoreError, TableMovedOn, reason_of
from tablee.server.kept.forgetting import forget_tables
from tablee.server.kept.kinds import MOVE
from tablee.server.kept.migrations import migrate
from tablee.server.kept.sayings import Saying, said_at
from tablee.server.kept.schema import (
    GATHERING,
    PLAYING,
    SEED_BYTES,
    boxes,
    checkpoints,
    club_of,
    club_tables,
    former,
    log,
    reviews,
    seats,
    tables,
)
from tablee.server.kept.tidings import GATHERED, GONE, TABLE

DATABASE = "tablee.db"
FORGOTTEN_AT_ONCE = 100  # tables, so that moves need not wait for long


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
    used: int = 0  # milliseconds of its time, where there are clocks


@dataclass(frozen=True)
class Settings:
    """What the host decided that is no rule of the game."""

    hints: bool = False  # whether the coach may be asked during the game
    clock: int = 0  # seconds that each seat has for the whole game; none
    club: str = ""  # the class or club whose table it is
    aside: bool = False  # one that nobody was seated at: a member plays on from a game of the club, and is not called away
    lesson: bool = False  # whether it follows the lesson of its room
    chat: bool = False  # whether people may write to each other; never at the table of a club


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
    revision: int = 0  # how often it was changed while it gathered
    code: str = ""
    host: str = ""
    inviter: str = ""  # the hash of the token of whoever asked for the rematch
    former: frozenset[str] = frozenset()  # the hashes of tokens whose seat has another owner now
    origin: Origin | None = None  # where its first lines were taken over from
    brought: bool = False  # a record that somebody brought: nothing more is played here
    said: tuple[Saying, ...] = ()  # what people said to each other


@dataclass(frozen=True)
class Since:
    """What another process may have written about an open table."""

    rows: tuple[Row, ...]
    seats: tuple[SeatKept, ...]
    former: frozenset[str]
    rematch: str
    inviter: str
    said: tuple[Saying, ...]


@dataclass(frozen=True)
class Brief:
    """What a list of tables says of one without opening it."""

    id: str
    game: str
    phase: str
    outcome: Outcome | None
    seats: tuple[SeatKept, ...]


SEAT_COLUMNS = [seats.c[each.name] for each in fields(SeatKept)]


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Store:
    def __init__(self, url: str) -> None:
        self.database = Database(url)
        migrate(self.database.engine)

    @classmethod
    def in_folder(cls, folder: Path) -> Store:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return cls(f"sqlite:///{folder / DATABASE}")
        except (OSError, SQLAlchemyError) as error:
            raise StoreError(
                say("the data folder {folder} cannot be used: {reason}", folder=str(folder), reason=reason_of(error))
            ) from error

    @classmethod
    def at(cls, url: str) -> Store:
        """In a database server's care; more than one process may use it."""
        try:
            return cls(url)
        except (SQLAlchemyError, ImportError, ValueError) as error:
            raise StoreError(say("the database cannot be used: {reason}", reason=reason_of(error))) from error

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
                _follow(connection, after, kept.id)
                self.database.tell(connection, f"{TABLE} {after} 0")

    def change_gathering(self, kept: TableKept) -> None:
        """A table that gathers, as it is from now on, or the game that it becomes; a game that has begun is changed by its log alone. Of
        two who change it at once the second looks again."""
        self.keep_box(kept.box)
        with self.database.writing() as connection:
            gathers = sql.and_(tables.c.id == kept.id, tables.c.phase == GATHERING, tables.c.revision == kept.revision)
            columns = _columns(kept) | {"revision": kept.revision + 1}
            if connection.execute(tables.update().where(gathers).values(**columns)).rowcount != 1:
                raise TableMovedOn(say("the game has moved on"))
            connection.execute(seats.delete().where(seats.c.table_id == kept.id))
            _sit(connection, kept.id, dict(enumerate(kept.seats)))
            _write(connection, [Entry(kept.id, 0, kept.rows)])
            self.database.tell(connection, f"{GATHERED} {kept.id}")

    def new_code(self) -> str:
        with self.database.reading() as connection:
            return free_code(connection)

    def gathering(self, code: str) -> str | None:
        """The table that gathers under what somebody typed."""
        wanted = tidy_code(code)
        with self.database.reading() as connection:
            found = sql.select(tables.c.id).where(tables.c.code == wanted, tables.c.phase == GATHERING)
            return connection.execute(found).scalars().first() if wanted else None

    def briefly(self, wanted: Sequence[str]) -> list[Brief]:
        with self.database.reading() as connection:
            columns = sql.select(tables.c.id, tables.c.game, tables.c.phase, tables.c.outcome)
            found = connection.execute(columns.where(tables.c.id.in_(wanted))).all()
            return [Brief(table, game, phase, _outcome(end), _sitting(connection, table)) for table, game, phase, end in found]

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
            _write(connection, entries)
            self.database.tell(connection, *(f"{TABLE} {entry.table} {entry.position + len(entry.rows)}" for entry in entries))
            for entry in entries:
                _sit(connection, entry.table, entry.chairs)
                if entry.outcome is not None:
                    _end(connection, entry.table, entry.outcome)

    def keep_checkpoint(self, table: str, kept: CheckpointKept) -> None:
        with suppress(TableMovedOn), self.database.writing() as connection:
            connection.execute(checkpoints.delete().where(checkpoints.c.table_id == table))
            connection.execute(checkpoints.insert().values(table_id=table, **vars(kept)))

    def load(self, table: str) -> TableKept | None:
        with self.database.reading() as connection:
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
            chairs, gone, said = _sitting(connection, table), _formers(connection, table), said_at(connection, table)
            rows = _read(connection, table, 0)
            inviter = _host_of(connection, found["rematch"])
            kept = connection.execute(sql.select(checkpoints).where(checkpoints.c.table_id == table)).first()
        whole = _whole(table, found, chairs, rows, CheckpointKept(*kept[1:]) if kept else None)
        return replace(whole, inviter=inviter, former=gone, said=said)

    def ids(self) -> list[str]:
        """Every table, the oldest first."""
        with self.database.reading() as connection:
            return list(connection.execute(sql.select(tables.c.id).order_by(tables.c.created, tables.c.id)).scalars())

    def note_opened(self, table: str) -> None:
        """Somebody wants to see the table; once a day is often enough to know."""
        now = datetime.now(UTC)
        stale = sql.or_(tables.c.opened.is_(None), tables.c.opened < now - timedelta(days=1))
        with self.database.writing() as connection:
            connection.execute(tables.update().where(tables.c.id == table, stale).values(opened=now))

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
            rematch = connection.execute(sql.select(tables.c.rematch).where(tables.c.id == table)).scalar_one_or_none() or ""
            return Since(
                _read(connection, table, position),
                _sitting(connection, table),
                _formers(connection, table),
                rematch,
                _host_of(connection, rematch),
                said_at(connection, table),
            )

    def versions(self, wanted: Collection[str]) -> dict[str, int]:
        """How long the logs of these tables are."""
        lengths = sql.select(log.c.table_id, sql.func.max(log.c.position) + 1).where(log.c.table_id.in_(wanted)).group_by(log.c.table_id)
        with self.database.reading() as connection:
            return {table: int(length) for table, length in connection.execute(lengths)}


def insert_table(connection: sql.Connection, kept: TableKept) -> None:
    connection.execute(tables.insert().values(**_columns(kept), created=datetime.now(UTC)))
    _sit(connection, kept.id, dict(enumerate(kept.seats)))
    _write(connection, [Entry(kept.id, 0, kept.rows)])


def _end(connection: sql.Connection, table: str, outcome: Outcome) -> None:
    """Its game is over; where it is a class's, as of now."""
    connection.execute(tables.update().where(tables.c.id == table).values(outcome=asdict(outcome)))
    running = club_tables.update().where(club_tables.c.table_id == table, club_tables.c.finished.is_(None))
    connection.execute(running.values(finished=datetime.now(UTC)))


def _columns(kept: TableKept) -> dict[str, Any]:
    """What the row of a table says."""
    same = ("id", "game", "rules", "options", "seed", "derivation", "phase", "code", "host", "brought")
    records = {name: record and asdict(record) for name in ("settings", "outcome", "origin") for record in [getattr(kept, name)]}
    return {name: getattr(kept, name) for name in same} | records | {"box": kept.box.sha256}


def _sitting(connection: sql.Connection, table: str) -> tuple[SeatKept, ...]:
    found = connection.execute(sql.select(*SEAT_COLUMNS).where(seats.c.table_id == table).order_by(seats.c.seat))
    return tuple(SeatKept(**row) for row in found.mappings())


def _sit(connection: sql.Connection, table: str, chairs: Mapping[int, SeatKept]) -> None:
    """These chairs are so from now on."""
    for seat, chair in chairs.items():
        _remember_the_former(connection, table, seat, chair)
        connection.execute(seats.delete().where(seats.c.table_id == table, seats.c.seat == seat))
        connection.execute(seats.insert().values(table_id=table, seat=seat, **vars(chair)))
    if chairs:
        here = sql.select(seats.c.token_hash).where(seats.c.table_id == table)
        connection.execute(former.delete().where(former.c.table_id == table, former.c.token_hash.in_(here)))  # they are back


def _remember_the_former(connection: sql.Connection, table: str, seat: int, chair: SeatKept) -> None:
    """Whoever sat there before is told so."""
    known = sql.select(former.c.token_hash).where(former.c.table_id == table)
    before = sql.select(seats.c.table_id, seats.c.token_hash).where(
        seats.c.table_id == table, seats.c.seat == seat, seats.c.token_hash.not_in(["", chair.token_hash]), seats.c.token_hash.not_in(known)
    )
    connection.execute(former.insert().from_select(["table_id", "token_hash"], before))


def _host_of(connection: sql.Connection, table: str) -> str:
    return connection.execute(sql.select(tables.c.host).where(tables.c.id == table)).scalar_one_or_none() or ""


def _formers(connection: sql.Connection, table: str) -> frozenset[str]:
    return frozenset(connection.execute(sql.select(former.c.token_hash).where(former.c.table_id == table)).scalars())


def _whole(
    table: str, found: sql.RowMapping, chairs: tuple[SeatKept, ...], rows: tuple[Row, ...], checkpoint: CheckpointKept | None
) -> TableKept:
    try:
        settings = Settings(**found["settings"])
        outcome = _outcome(found["outcome"])
        origin = Origin(**found["origin"]) if found["origin"] else None
    except (TypeError, LookupError) as error:
        raise _damaged(table) from error
    seed, options = found["seed"], found["options"]
    if not (chairs and isinstance(options, dict)):
        raise _damaged(table)
    if len(seed) != SEED_BYTES and not (found["brought"] and not seed):  # a record may lack its seed
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
        origin=origin,
        brought=found["brought"],
        phase=found["phase"],
        revision=found["revision"],
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
    """Of two who ask for a rematch at once, the second finds the first one's. In a class it has the place of the table that it follows."""
    free = sql.and_(tables.c.id == table, tables.c.rematch == "")
    if connection.execute(tables.update().where(free).values(rematch=rematch)).rowcount != 1:
        raise TableMovedOn(say("the game has moved on"))
    row = (sql.literal(rematch), club_tables.c.club_id, club_tables.c.round, club_tables.c.number, sql.literal(datetime.now(UTC)))
    columns = ["table_id", "club_id", "round", "number", "made"]
    connection.execute(club_tables.insert().from_select(columns, sql.select(*row).where(club_tables.c.table_id == table)))


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
