"""What is kept of classes and clubs: a code, an organiser, first names, and at which tables they sat. Tokens are kept as hashes only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sql

from tablee.core.errors import TableeError
from tablee.core.i18n import say
from tablee.server.storage.codes import free_code, new_id, tidy_code
from tablee.server.storage.deletion import empty_the_journal, forget_tables
from tablee.server.storage.mappers import insert_table
from tablee.server.storage.models import TableKept
from tablee.server.storage.notifications import CLUB, GONE
from tablee.server.storage.schema import club_of, club_tables, clubs, former, members, seats, tables
from tablee.server.storage.store import Store

MOST_MEMBERS = 60
KEPT_FOR = timedelta(days=183)  # without anybody coming; then a club is forgotten


class NoSuchClub(TableeError):
    """It was deleted, or its code mistyped."""


class NotAdmitted(TableeError):
    pass


@dataclass(frozen=True)
class MemberKept:
    number: int
    name: str
    token_hash: str


@dataclass(frozen=True)
class PlaceKept:
    """One of the club's tables: of several with one round and number the last is the one that people sit at."""

    table_id: str
    round: int
    number: int
    made: datetime
    finished: datetime | None = None


@dataclass(frozen=True)
class ClubKept:
    id: str
    name: str
    code: str
    organiser: str
    admits: bool = True
    paused: bool = False
    round: int = 0
    members: tuple[MemberKept, ...] = ()
    places: tuple[PlaceKept, ...] = ()


MEMBER_COLUMNS = [members.c[each.name] for each in fields(MemberKept)]
PLACE_COLUMNS = [club_tables.c[each.name] for each in fields(PlaceKept)]
CLUB_COLUMNS = [clubs.c[each.name] for each in fields(ClubKept) if each.name in clubs.c]


class Clubs:
    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, name: str, organiser: str) -> ClubKept:
        with self._store.database.writing() as connection:
            made = ClubKept(new_id(), name, free_code(connection), organiser)
            row = {column.name: getattr(made, column.name) for column in CLUB_COLUMNS}
            connection.execute(clubs.insert().values(**row, used=_today()))
            self._tell(connection, made.id)
        return made

    def with_code(self, code: str) -> str:
        """The id of the club that people mean who type this."""
        with self._store.database.reading() as connection:
            found = connection.execute(sql.select(clubs.c.id).where(clubs.c.code == tidy_code(code))).scalar_one_or_none()
        if found is None:
            raise NoSuchClub(say("no class has the code {code!r}; look at it again", code=code[:12]))
        return str(found)

    def names(self, wanted: Sequence[str]) -> dict[str, str]:
        """The names of those of these clubs that exist, by id."""
        with self._store.database.reading() as connection:
            return dict(connection.execute(sql.select(clubs.c.id, clubs.c.name).where(clubs.c.id.in_(wanted))).tuples().all())

    def load(self, club: str) -> ClubKept:
        with self._store.database.reading() as connection:
            found = connection.execute(sql.select(*CLUB_COLUMNS).where(clubs.c.id == club)).mappings().first()
            if found is None:
                raise NoSuchClub(say("there is no such class, or it was deleted with everything in it"))
            people = connection.execute(sql.select(*MEMBER_COLUMNS).where(members.c.club_id == club).order_by(members.c.number))
            sat = connection.execute(sql.select(*PLACE_COLUMNS).where(club_tables.c.club_id == club).order_by(club_tables.c.made))
            joined = tuple(MemberKept(**row) for row in people.mappings())
            return ClubKept(**found, members=joined, places=tuple(PlaceKept(**row) for row in sat.mappings()))

    def is_paused(self, club: str) -> bool:
        with self._store.database.reading() as connection:
            return bool(connection.execute(sql.select(clubs.c.paused).where(clubs.c.id == club)).scalar_one_or_none())

    def join(self, club: str, name: str, token_hash: str) -> MemberKept:
        """One more member; two of one name could not be told apart."""
        with self._store.database.writing() as connection:
            known = connection.execute(sql.select(members.c.number, members.c.name).where(members.c.club_id == club)).all()
            if len(known) >= MOST_MEMBERS:
                raise NotAdmitted(
                    say("this class is full: it has {count} member", "this class is full: it has {count} members", count=MOST_MEMBERS)
                )
            if any(name.casefold() == taken.casefold() for _, taken in known):
                raise NotAdmitted(
                    say(
                        "somebody here is called {name} already: add a letter; or, if that is you on another device, ask for your link",
                        name=name,
                    )
                )
            joined = MemberKept(max((number for number, _ in known), default=0) + 1, name, token_hash)
            connection.execute(members.insert().values(club_id=club, **vars(joined)))
            self._tell(connection, club)
        return joined

    def change(self, club: str, **columns: Any) -> None:
        with self._store.database.writing() as connection:
            connection.execute(clubs.update().where(clubs.c.id == club).values(**columns))
            self._tell(connection, club)

    def use(self, club: str) -> None:
        """Somebody came today."""
        self.change(club, used=_today())

    def playing_at(self, club: str, member: MemberKept) -> list[str]:
        """The tables at which they sit and that are not over, of whichever round."""
        own = sql.or_(seats.c.token_hash == member.token_hash, seats.c.owner_hash == member.token_hash)
        sits = sql.select(seats.c.table_id).where(own)
        found = sql.select(tables.c.id).where(club_of == club, tables.c.outcome.is_(None), tables.c.id.in_(sits))
        with self._store.database.reading() as connection:
            return list(connection.execute(found.order_by(tables.c.created)).scalars())

    def give_token(self, club: str, member: MemberKept, token_hash: str) -> None:
        """The member's from now on, and that of all their seats."""
        with self._store.database.writing() as connection:
            connection.execute(_row(club, member, members.update()).values(token_hash=token_hash))
            _put_for_token(connection, club, member, token_hash)
            self._tell(connection, club)

    def remove(self, club: str, member: MemberKept) -> None:
        """Their name stands nowhere any more, not even in old results."""
        with self._store.database.writing() as connection:
            _put_for_token(connection, club, member, "")
            for column in (seats.c.name, seats.c.owner_name):
                connection.execute(seats.update().where(column == member.name, seats.c.table_id.in_(_tables(club))).values({column: ""}))
            connection.execute(_row(club, member, members.delete()))
            self._tell(connection, club)
        empty_the_journal(self._store.database.engine)

    def seat(self, club: str, laid: Sequence[TableKept], places: Sequence[PlaceKept], **columns: Any) -> None:
        """New tables, where they stand, and what else changes with them: all of it or nothing."""
        for box in {kept.box.sha256: kept.box for kept in laid}.values():
            self._store.keep_box(box)
        with self._store.database.writing() as connection:
            for kept, place in zip(laid, places, strict=True):
                insert_table(connection, kept)
                connection.execute(club_tables.insert().values(club_id=club, **vars(place)))
            connection.execute(clubs.update().where(clubs.c.id == club).values(**columns))
            self._tell(connection, club)

    def forget(self, club: str) -> list[str]:
        """The club, its members' names and tokens, and its tables with every line; which they were."""
        with self._store.database.writing() as connection:
            gone = list(connection.execute(_tables(club)).scalars())
            forget_tables(connection, gone)
            connection.execute(members.delete().where(members.c.club_id == club))
            connection.execute(clubs.delete().where(clubs.c.id == club))
            self._store.database.tell(connection, *(f"{GONE} {table}" for table in gone))
            self._tell(connection, club)
        empty_the_journal(self._store.database.engine)
        return gone

    def _tell(self, connection: sql.Connection, club: str) -> None:
        self._store.database.tell(connection, f"{CLUB} {club}")

    def unused(self) -> list[str]:
        """Those that nobody has come to for long."""
        with self._store.database.reading() as connection:
            return list(connection.execute(sql.select(clubs.c.id).where(clubs.c.used < _today() - KEPT_FOR)).scalars())


def _row(club: str, member: MemberKept, statement: Any) -> Any:
    return statement.where(members.c.club_id == club, members.c.number == member.number)


def _tables(club: str) -> sql.Select[str]:
    return sql.select(tables.c.id).where(club_of == club).correlate(None)


def _put_for_token(connection: sql.Connection, club: str, member: MemberKept, token_hash: str) -> None:
    """In place of the member's token, wherever it is known by; where that is nothing, nobody is."""
    for table, column in ((seats.c.table_id, seats.c.token_hash), (seats.c.table_id, seats.c.owner_hash), (tables.c.id, tables.c.host)):
        own = sql.and_(column == member.token_hash, table.in_(_tables(club)))
        connection.execute(column.table.update().where(own).values({column: token_hash}))
    connection.execute(former.delete().where(former.c.token_hash == member.token_hash, former.c.table_id.in_(_tables(club))))


def _today() -> date:
    return datetime.now(UTC).date()
