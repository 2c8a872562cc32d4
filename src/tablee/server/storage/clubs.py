"""Storage of classes and clubs: code, organiser, members' first names and their tables. Tokens are stored as hashes only."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sql

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.server.storage.database import CLUB_CHANGED, TABLE_DELETED
from tablee.server.storage.mappers import delete_tables, insert_table, normalize_code, unused_code
from tablee.server.storage.schema import club_tables, clubs, former_tokens, members, seats, table_club, tables
from tablee.server.storage.store import Store
from tablee.server.table.models import StoredTable, new_id

MAX_MEMBERS = 60
RETENTION = timedelta(days=183)  # after the last visit; then a club is deleted


class NoSuchClub(TableeError):
    """Error for a club that was deleted, or whose code was mistyped."""


class NotAdmitted(TableeError):
    pass


@dataclass(frozen=True)
class StoredMember:
    number: int
    name: str
    token_hash: str


@dataclass(frozen=True)
class StoredClubTable:
    """One table of a club; of several with the same round and number the last one is in use."""

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
        """Return the id of the club with this code, in any case and spacing."""
        with self._store.database.reading() as connection:
            found = connection.execute(sql.select(clubs.c.id).where(clubs.c.code == normalize_code(code))).scalar_one_or_none()
        if found is None:
            raise NoSuchClub(msg("no class has the code {code!r}; look at it again", code=code[:12]))
        return str(found)

    def names(self, wanted: Sequence[str]) -> dict[str, str]:
        """Return the names of those of these clubs that exist, by id."""
        with self._store.database.reading() as connection:
            return dict(connection.execute(sql.select(clubs.c.id, clubs.c.name).where(clubs.c.id.in_(wanted))).tuples().all())

    def load(self, club: str) -> StoredClub:
        with self._store.database.reading() as connection:
            found = connection.execute(sql.select(*CLUB_COLUMNS).where(clubs.c.id == club)).mappings().first()
            if found is None:
                raise NoSuchClub(msg("there is no such class, or it was deleted with everything in it"))
            member_rows = connection.execute(sql.select(*MEMBER_COLUMNS).where(members.c.club_id == club).order_by(members.c.number))
            table_rows = connection.execute(
                sql.select(*CLUB_TABLE_COLUMNS).where(club_tables.c.club_id == club).order_by(club_tables.c.made)
            )
            joined = tuple(StoredMember(**row) for row in member_rows.mappings())
            return StoredClub(**found, members=joined, tables=tuple(StoredClubTable(**row) for row in table_rows.mappings()))

    def paused(self, wanted: Collection[str]) -> set[str]:
        """Return the ids of those of these clubs that are paused."""
        with self._store.database.reading() as connection:
            return set(connection.execute(sql.select(clubs.c.id).where(clubs.c.id.in_(wanted), clubs.c.paused)).scalars())

    def join(self, club: str, name: str, token_hash: str) -> StoredMember:
        """Add a member, unless the club is full or has a member of this name."""
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
        """Record a visit today, which restarts the retention period."""
        self.update(club, used=_today())

    def unfinished_tables(self, club: str, member: StoredMember) -> list[str]:
        """Return the unfinished tables, of any round, at which the member has a seat."""
        own = sql.or_(seats.c.token_hash == member.token_hash, seats.c.owner_hash == member.token_hash)
        sits = sql.select(seats.c.table_id).where(own)
        found = sql.select(tables.c.id).where(table_club == club, tables.c.outcome.is_(None), tables.c.id.in_(sits))
        with self._store.database.reading() as connection:
            return list(connection.execute(found.order_by(tables.c.created)).scalars())

    def replace_token(self, club: str, member: StoredMember, token_hash: str) -> None:
        """Replace the token of a member and of all their seats."""
        with self._store.database.writing() as connection:
            connection.execute(_where_member(club, member, members.update()).values(token_hash=token_hash))
            _replace_token_hash(connection, club, member, token_hash)
            self._notify(connection, club)

    def remove(self, club: str, member: StoredMember) -> None:
        """Remove a member, and their name from all seats, even in old results."""
        with self._store.database.writing() as connection:
            _replace_token_hash(connection, club, member, "")
            for column in (seats.c.name, seats.c.owner_name):
                connection.execute(
                    seats.update().where(column == member.name, seats.c.table_id.in_(_select_tables(club))).values({column: ""})
                )
            connection.execute(_where_member(club, member, members.delete()))
            self._notify(connection, club)
        self._store.database.truncate_wal()

    def add_tables(self, club: str, new_tables: Sequence[StoredTable], places: Sequence[StoredClubTable], **columns: Any) -> None:
        """Insert tables with their places, and update columns of the club, in one transaction."""
        for box in {table.box.sha256: table.box for table in new_tables}.values():
            self._store.save_box(box)
        with self._store.database.writing() as connection:
            for table, place in zip(new_tables, places, strict=True):
                insert_table(connection, table)
                connection.execute(club_tables.insert().values(club_id=club, **vars(place)))
            connection.execute(clubs.update().where(clubs.c.id == club).values(**columns))
            self._notify(connection, club)

    def delete(self, club: str) -> list[str]:
        """Delete the club, its members and its tables with their logs; return the ids of the tables."""
        with self._store.database.writing() as connection:
            deleted = list(connection.execute(_select_tables(club)).scalars())
            delete_tables(connection, deleted)
            connection.execute(members.delete().where(members.c.club_id == club))
            connection.execute(clubs.delete().where(clubs.c.id == club))
            self._store.database.notify(connection, *(f"{TABLE_DELETED} {table}" for table in deleted))
            self._notify(connection, club)
        self._store.database.truncate_wal()
        return deleted

    def _notify(self, connection: sql.Connection, club: str) -> None:
        self._store.database.notify(connection, f"{CLUB_CHANGED} {club}")

    def unused(self) -> list[str]:
        """Return the ids of the clubs whose retention period is over."""
        with self._store.database.reading() as connection:
            return list(connection.execute(sql.select(clubs.c.id).where(clubs.c.used < _today() - RETENTION)).scalars())


def _where_member(club: str, member: StoredMember, statement: Any) -> Any:
    return statement.where(members.c.club_id == club, members.c.number == member.number)


def _select_tables(club: str) -> sql.Select[str]:
    return sql.select(tables.c.id).where(table_club == club).correlate(None)


def _replace_token_hash(connection: sql.Connection, club: str, member: StoredMember, token_hash: str) -> None:
    """Replace the token hash of a member at all tables of the club; with an empty hash no token opens their seats."""
    for table, column in ((seats.c.table_id, seats.c.token_hash), (seats.c.table_id, seats.c.owner_hash), (tables.c.id, tables.c.host)):
        own = sql.and_(column == member.token_hash, table.in_(_select_tables(club)))
        connection.execute(column.table.update().where(own).values({column: token_hash}))
    connection.execute(
        former_tokens.delete().where(former_tokens.c.token_hash == member.token_hash, former_tokens.c.table_id.in_(_select_tables(club)))
    )


def _today() -> date:
    return datetime.now(UTC).date()
