"""What is kept of classes and clubs: a code, an organiser, first names, and at which tables they sat. Tokens are kept as hashes only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sql

from tablee.core.errors import TableeError
from tablee.core.words import say
from tablee.server.kept.codes import free_code, new_id, tidy_code
from tablee.server.kept.forgetting import empty_the_journal, forget_tables, write_over
from tablee.server.kept.schema import club_tables, clubs, members, seats
from tablee.server.kept.store import Store

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
        return made

    def with_code(self, code: str) -> str:
        """The id of the club that people mean who type this."""
        with self._store.database.reading() as connection:
            found = connection.execute(sql.select(clubs.c.id).where(clubs.c.code == tidy_code(code))).scalar_one_or_none()
        if found is None:
            raise NoSuchClub(say("no class has the code {code!r}; look at it again", code=code[:12]))
        return str(found)

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
                raise NotAdmitted(say("this class is full: it has {most} members", most=MOST_MEMBERS))
            if any(name.casefold() == taken.casefold() for _, taken in known):
                raise NotAdmitted(
                    say(
                        "somebody here is called {name} already: add a letter; or, if that is you on another device, ask for your link",
                        name=name,
                    )
                )
            joined = MemberKept(max((number for number, _ in known), default=0) + 1, name, token_hash)
            connection.execute(members.insert().values(club_id=club, **vars(joined)))
        return joined

    def change(self, club: str, **columns: Any) -> None:
        with self._store.database.writing() as connection:
            connection.execute(clubs.update().where(clubs.c.id == club).values(**columns))

    def use(self, club: str) -> None:
        """Somebody came today."""
        self.change(club, used=_today())

    def give_token(self, club: str, member: MemberKept, token_hash: str) -> None:
        """The member's from now on, and that of all their seats."""
        with self._store.database.writing() as connection:
            connection.execute(_row(club, member, members.update()).values(token_hash=token_hash))
            connection.execute(_seats_of(club, member, seats.update()).values(token_hash=token_hash))

    def remove(self, club: str, member: MemberKept) -> None:
        """Their name stands nowhere any more, not even in old results."""
        with self._store.database.writing() as connection:
            write_over(connection)
            connection.execute(_seats_of(club, member, seats.update()).values(name="", token_hash=""))
            connection.execute(_row(club, member, members.delete()))
        empty_the_journal(self._store.database.engine)

    def place(self, club: str, places: Iterable[PlaceKept]) -> None:
        """People sit there from now on. Of two who notice it at once, the second has nothing to do."""
        with self._store.database.writing() as connection:
            for place in places:
                if not connection.execute(sql.select(club_tables.c.number).where(club_tables.c.table_id == place.table_id)).first():
                    connection.execute(club_tables.insert().values(club_id=club, **vars(place)))

    def finish(self, club: str, place: PlaceKept) -> None:
        """Its game is over, as of now."""
        with self._store.database.writing() as connection:
            row = club_tables.update().where(club_tables.c.club_id == club, club_tables.c.table_id == place.table_id)
            connection.execute(row.where(club_tables.c.finished.is_(None)).values(finished=datetime.now(UTC)))

    def forget(self, club: str) -> None:
        """The club, its members' names and tokens, and its tables with every line."""
        with self._store.database.writing() as connection:
            gone = connection.execute(sql.select(club_tables.c.table_id).where(club_tables.c.club_id == club)).scalars().all()
            forget_tables(connection, gone)
            connection.execute(members.delete().where(members.c.club_id == club))
            connection.execute(clubs.delete().where(clubs.c.id == club))
        empty_the_journal(self._store.database.engine)

    def unused(self) -> list[str]:
        """Those that nobody has come to for long."""
        with self._store.database.reading() as connection:
            return list(connection.execute(sql.select(clubs.c.id).where(clubs.c.used < _today() - KEPT_FOR)).scalars())


def _row(club: str, member: MemberKept, statement: Any) -> Any:
    return statement.where(members.c.club_id == club, members.c.number == member.number)


def _seats_of(club: str, member: MemberKept, statement: Any) -> Any:
    at = sql.select(club_tables.c.table_id).where(club_tables.c.club_id == club)
    return statement.where(seats.c.token_hash == member.token_hash, seats.c.table_id.in_(at))


def _today() -> date:
    return datetime.now(UTC).date()
