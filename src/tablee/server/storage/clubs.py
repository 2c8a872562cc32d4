"""What is kept of classes and clubs: a code, an organiser, first names, and at which tables they sat. Tokens are kept as hashes only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sql

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.storage.codes import new_id, normalize_code, unused_code
from tablee.server.storage.deletion import delete_tables, truncate_wal
from tablee.server.storage.mappers import insert_table
from tablee.server.storage.models import StoredTable
from tablee.server.storage.notifications import CLUB_CHANGED, TABLE_DELETED
from tablee.server.storage.schema import club_tables, clubs, former_tokens, members, seats, table_club, tables
from tablee.server.storage.store import Store

MAX_MEMBERS = 60
RETENTION = timedelta(days=183)  # without anybody coming; then a club is forgotten


class NoSuchClub(TableeError):
    """It was deleted, or its code mistyped."""


class NotAdmitted(TableeError):
    pass


@dataclass(frozen=True)
class StoredMember:
    number: int
    name: str
    token_hash: str


@dataclass(frozen=True)
class StoredClubTable:
    """One of the club's tables: of several with one round and number the last is the one that people sit at."""

    table_id: str
    round: int
    number: int
    made: datetime
    finished: datetime | None = None


@dataclass(frozen=True)
class StoredClub:
    id: str
    name: str
    code: str
    organiser: str
    admits: bool = True
    paused: bool = False
    round: int = 0
    members: tuple[StoredMember, ...] = ()
    tables: tuple[StoredClubTable, ...] = ()


MEMBER_COLUMNS = [members.c[each.name] for each in fields(StoredMember)]
CLUB_TABLE_COLUMNS = [club_tables.c[each.name] for each in fields(StoredClubTable)]
CLUB_COLUMNS = [clubs.c[each.name] for each in fields(StoredClub) if each.name in clubs.c]


class ClubStore:
    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, name: str, organiser: str) -> StoredClub:
        with self._store.database.writing() as connection:
            made = StoredClub(new_id(), name, unused_code(connection), organiser)
            row = {column.name: getattr(made, column.name) for column in CLUB_COLUMNS}
            connection.execute(clubs.insert().values(**row, used=_today()))
            self._notify(connection, made.id)
        return made

    def find_by_code(self, code: str) -> str:
        """The id of the club that people mean who type this."""
        with self._store.database.reading() as connection:
            found = connection.execute(sql.select(clubs.c.id).where(clubs.c.code == normalize_code(code))).scalar_one_or_none()
        if found is None:
            raise NoSuchClub(msg("no class has the code {code!r}; look at it again", code=code[:12]))
        return str(found)

    def names(self, wanted: Sequence[str]) -> dict[str, str]:
        """The names of those of these clubs that exist, by id."""
        with self._store.database.reading() as connection:
            return dict(connection.execute(sql.select(clubs.c.id, clubs.c.name).where(clubs.c.id.in_(wanted))).tuples().all())

    def load(self, club: str) -> StoredClub:
        with self._store.database.reading() as connection:
            found = connection.execute(sql.select(*CLUB_COLUMNS).where(clubs.c.id == club)).mappings().first()
            if found is None:
                raise NoSuchClub(msg("there is no such class, or it was deleted with everything in it"))
            people = connection.execute(sql.select(*MEMBER_COLUMNS).where(members.c.club_id == club).order_by(members.c.number))
            sat = connection.execute(sql.select(*CLUB_TABLE_COLUMNS).where(club_tables.c.club_id == club).order_by(club_tables.c.made))
            joined = tuple(StoredMember(**row) for row in people.mappings())
            return StoredClub(**found, members=joined, tables=tuple(StoredClubTable(**row) for row in sat.mappings()))

    def is_paused(self, club: str) -> bool:
        with self._store.database.reading() as connection:
            return bool(connection.execute(sql.select(clubs.c.paused).where(clubs.c.id == club)).scalar_one_or_none())

    def join(self, club: str, name: str, token_hash: str) -> StoredMember:
        """One more member; two of one name could not be told apart."""
        with self._store.database.writing() as connection:
            known = connection.execute(sql.select(members.c.number, members.c.name).where(members.c.club_id == club)).all()
            if len(known) >= MAX_MEMBERS:
                raise NotAdmitted(
                    msg("this class is full: it has {count} member", "this class is full: it has {count} members", count=MAX_MEMBERS)
                )
            if any(name.casefold() == taken.casefold() for _, taken in known):
                raise NotAdmitted(
                    msg(
                        "somebody here is called {name} already: add a letter; or, if that is you on another device, ask for your link",
                        name=name,
                    )
                )
            joined = StoredMember(max((number for number, _ in known), default=0) + 1, name, token_hash)
            connection.execute(members.insert().values(club_id=club, **vars(joined)))
            self._notify(connection, club)
        return joined

    def update(self, club: str, **columns: Any) -> None:
        with self._store.database.writing() as connection:
            connection.execute(clubs.update().where(clubs.c.id == club).values(**columns))
            self._notify(connection, club)

    def mark_used(self, club: str) -> None:
        """Somebody came today."""
        self.update(club, used=_today())

    def unfinished_tables(self, club: str, member: StoredMember) -> list[str]:
        """The tables at which they sit and that are not over, of whichever round."""
        own = sql.or_(seats.c.token_hash == member.token_hash, seats.c.owner_hash == member.token_hash)
        sits = sql.select(seats.c.table_id).where(own)
        found = sql.select(tables.c.id).where(table_club == club, tables.c.outcome.is_(None), tables.c.id.in_(sits))
        with self._store.database.reading() as connection:
            return list(connection.execute(found.order_by(tables.c.created)).scalars())

    def replace_token(self, club: str, member: StoredMember, token_hash: str) -> None:
        """The member's from now on, and that of all their seats."""
        with self._store.database.writing() as connection:
            connection.execute(_where_member(club, member, members.update()).values(token_hash=token_hash))
            _replace_token_hash(connection, club, member, token_hash)
            self._notify(connection, club)

    def remove(self, club: str, member: StoredMember) -> None:
        """Their name stands nowhere any more, not even in old results."""
        with self._store.database.writing() as connection:
            _replace_token_hash(connection, club, member, "")
            for column in (seats.c.name, seats.c.owner_name):
                connection.execute(
                    seats.update().where(column == member.name, seats.c.table_id.in_(_select_tables(club))).values({column: ""})
                )
            connection.execute(_where_member(club, member, members.delete()))
            self._notify(connection, club)
        truncate_wal(self._store.database.engine)

    def add_tables(self, club: str, laid: Sequence[StoredTable], places: Sequence[StoredClubTable], **columns: Any) -> None:
        """New tables, where they stand, and what else changes with them: all of it or nothing."""
        for box in {kept.box.sha256: kept.box for kept in laid}.values():
            self._store.save_box(box)
        with self._store.database.writing() as connection:
            for kept, place in zip(laid, places, strict=True):
                insert_table(connection, kept)
                connection.execute(club_tables.insert().values(club_id=club, **vars(place)))
            connection.execute(clubs.update().where(clubs.c.id == club).values(**columns))
            self._notify(connection, club)

    def delete(self, club: str) -> list[str]:
        """The club, its members' names and tokens, and its tables with every line; which they were."""
        with self._store.database.writing() as connection:
            gone = list(connection.execute(_select_tables(club)).scalars())
            delete_tables(connection, gone)
            connection.execute(members.delete().where(members.c.club_id == club))
            connection.execute(clubs.delete().where(clubs.c.id == club))
            self._store.database.notify(connection, *(f"{TABLE_DELETED} {table}" for table in gone))
            self._notify(connection, club)
        truncate_wal(self._store.database.engine)
        return gone

    def _notify(self, connection: sql.Connection, club: str) -> None:
        self._store.database.notify(connection, f"{CLUB_CHANGED} {club}")

    def unused(self) -> list[str]:
        """Those that nobody has come to for long."""
        with self._store.database.reading() as connection:
            return list(connection.execute(sql.select(clubs.c.id).where(clubs.c.used < _today() - RETENTION)).scalars())


def _where_member(club: str, member: StoredMember, statement: Any) -> Any:
    return statement.where(members.c.club_id == club, members.c.number == member.number)


def _select_tables(club: str) -> sql.Select[str]:
    return sql.select(tables.c.id).where(table_club == club).correlate(None)


def _replace_token_hash(connection: sql.Connection, club: str, member: StoredMember, token_hash: str) -> None:
    """In place of the member's token, wherever it is known by; where that is nothing, nobody is."""
    for table, column in ((seats.c.table_id, seats.c.token_hash), (seats.c.table_id, seats.c.owner_hash), (tables.c.id, tables.c.host)):
        own = sql.and_(column == member.token_hash, table.in_(_select_tables(club)))
        connection.execute(column.table.update().where(own).values({column: token_hash}))
    connection.execute(
        former_tokens.delete().where(former_tokens.c.token_hash == member.token_hash, former_tokens.c.table_id.in_(_select_tables(club)))
    )


def _today() -> date:
    return datetime.now(UTC).date()
