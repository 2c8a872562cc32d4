"""One class or club, as the house has it open: who is in it, who sits where, and what its organiser does.

A member's token is the token of their seat, so to move somebody is to write another name on a chair: nothing has to be sent to anybody,
and a device finds its table by asking where it sits.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.words import say
from tablee.server.clubs.dealing import IF_NEED_BE, Plan, chair_of, chairs_for, deal, mixed
from tablee.server.house import House, NoSuchTable
from tablee.server.kept.archive import OlderRules
from tablee.server.kept.clubs import ClubKept, Clubs, MemberKept, NotAdmitted, PlaceKept
from tablee.server.kept.kinds import BACK, HANDED, STAND_IN
from tablee.server.kept.store import DamagedTable, SeatKept, Settings, hash_token
from tablee.server.tables.attendance import USUAL
from tablee.server.tables.table import Table
from tablee.server.watch.reporting import report

A_DAY = 24 * 3600.0
HERE = 7.0  # seconds after which a waiting device that asks no more has gone
LONGEST_NAME = 24

logger = logging.getLogger(__name__)


class NotPossible(TableeError):
    """What the organiser wants cannot be done as things stand."""


@dataclass(frozen=True)
class At:
    """Where somebody sits."""

    place: PlaceKept
    table: Table
    seat: Seat

    @property
    def chair(self) -> SeatKept:
        return self.table.seating.chairs[self.seat]


class Club:
    def __init__(self, house: House, kept: ClubKept) -> None:
        self.house, self.kept = house, kept
        self._shelf = Clubs(house.store)
        self._lock = asyncio.Lock()
        self._asked: dict[int, float] = {}  # when a member's device last asked, by number,
        self._told_of: dict[int, float] = {}  # or another process said that it did

    @property
    def id(self) -> str:
        return self.kept.id

    def is_organiser(self, token: str) -> bool:
        return secrets.compare_digest(self.kept.organiser, hash_token(token))

    def member_with(self, token: str) -> MemberKept | None:
        hashed = hash_token(token)
        return next((each for each in self.kept.members if secrets.compare_digest(each.token_hash, hashed)), None)

    def is_here(self, member: MemberKept) -> bool:
        return self._is_here(member, self._asked) or self._is_here(member, self._told_of)

    @staticmethod
    def _is_here(member: MemberKept, seen: Mapping[int, float]) -> bool:
        return time.monotonic() - seen.get(member.number, -HERE) < HERE

    def hear(self, member: MemberKept) -> None:
        """Their device asks."""
        self._asked[member.number] = time.monotonic()

    def who(self) -> str | None:
        """Whose devices ask this process, for the others."""
        here = [str(member.number) for member in self.kept.members if self._is_here(member, self._asked)]
        return f"{USUAL}:{','.join(here)}" if here else None

    def heard_of(self, process: str, pace: str, people: Sequence[str]) -> None:  # noqa: ARG002  clubs have no bots
        self._told_of |= dict.fromkeys(map(int, people), time.monotonic())

    async def join(self, name: str) -> str:
        """A new member's token."""
        name = tidy(name)
        if not self.kept.admits:
            raise NotAdmitted(say("this class takes nobody in just now; ask the organiser"))
        if not name:
            raise NotAdmitted(say("type your first name"))
        token = secrets.token_urlsafe(16)
        await self._write(self._shelf.join, name, hash_token(token))
        return token

    async def admit(self, admits: bool) -> None:
        await self._write(self._shelf.change, admits=admits)

    async def pause(self, paused: bool) -> None:
        """Nobody moves, no bot plays, until all play on."""
        await self._write(self._shelf.change, paused=paused)
        for place in self.places:
            (await self.house.glance(place.table_id)).rest(paused)

    async def new_token(self, member: MemberKept) -> str:
        """For a member whose device is lost; the old one opens nothing any more."""
        token = secrets.token_urlsafe(16)
        for at in await self._chairs(member):
            await at.table.reseat(at.seat, replace(at.chair, token_hash=hash_token(token)), BACK)
        await self._write(self._shelf.give_token, member, hash_token(token))
        return token

    async def remove(self, member: MemberKept) -> None:
        """A bot plays on where they sat, and their name stands nowhere any more."""
        for at in await self._chairs(member):
            await at.table.reseat(at.seat, replace(_bot(at), name=""), HANDED)
        await self._write(self._shelf.remove, member)

    async def forget(self) -> None:
        """Everything that is kept of it, for good."""
        gone = self.kept.places
        await asyncio.to_thread(self._shelf.forget, self.id)
        for place in gone:
            self.house.dismiss(place.table_id, say("this table was deleted, with its class"))

    async def _write(self, write: Callable[..., Any], *args: Any, **named: Any) -> None:
        """What is on disk counts."""
        async with self._lock:
            await asyncio.to_thread(write, self.id, *args, **named)
            self.kept = await asyncio.to_thread(self._shelf.load, self.id)

    async def look_again(self) -> None:
        """Another process may have changed it."""
        async with self._lock:
            self.kept = await asyncio.to_thread(self._shelf.load, self.id)

    @property
    def places(self) -> list[PlaceKept]:
        """The tables that people sit at now, by number."""
        newest = {place.number: place for place in self.kept.places if place.round == self.kept.round}
        return [newest[number] for number in sorted(newest)]

    async def tables(self) -> list[tuple[PlaceKept, Table]]:
        """The same, opened. Where they play a rematch, that is their table; where a game is over, that is written down."""
        found = []
        for place in self.places:
            with suppress(OlderRules, DamagedTable, NoSuchTable):  # nobody can sit there any more
                found.append(await self._newest(place))
        return found

    async def _newest(self, place: PlaceKept) -> tuple[PlaceKept, Table]:
        table = await self.house.glance(place.table_id)
        if table.match.over and place.finished is None:
            await self._write(self._shelf.finish, place)
        if not table.rematch:
            return place, table
        follows = PlaceKept(table.rematch, place.round, place.number, datetime.now(UTC))
        await self._write(self._shelf.place, [follows])
        return await self._newest(follows)

    async def where(self, member: MemberKept) -> At | None:
        """Where a member sits; of a table that is over and one that is not, at the latter."""
        found = _chairs_of(member, await self.tables())
        return next((at for at in found if not at.table.match.over), found[-1] if found else None)

    async def waiting(self) -> list[MemberKept]:
        """Those who sit nowhere."""
        tables = await self.tables()
        return [member for member in self.kept.members if not _chairs_of(member, tables)]

    async def _chairs(self, member: MemberKept) -> list[At]:
        return _chairs_of(member, await self.tables())

    async def seat(self, people: Sequence[MemberKept], plan: Plan, afresh: bool = False) -> int:
        """They sit down at new tables, in this order; `afresh` begins a new round. Returns how many tables that are."""
        game = await asyncio.to_thread(self.house.game, plan.game)
        if not people:
            raise NotPossible(say("nobody is there to be seated"))
        if plan.size not in game.seats:
            raise NotPossible(say("{game} is for {low} to {high} players", game=say(game.title), low=game.seats[0], high=game.seats[-1]))
        groups, settings = deal(people, plan.size), Settings(hints=True, club=self.id)
        made = [await self.house.seat(plan.game, dict(plan.options), chairs_for(group, game, plan), settings) for group in groups]
        if not afresh:
            for member in people:
                await self.stand_up(member)
        await self._take_places(made, afresh)
        return len(made)

    async def seat_waiting(self, plan: Plan) -> int:
        return await self.seat(mixed(await self.waiting()), plan)

    async def mix(self, plan: Plan) -> int:
        """A new round: everybody sits with others."""
        return await self.seat(mixed(self.kept.members), plan, afresh=True)

    async def again(self) -> int:
        """A new round: everybody where they sit, the same game."""
        made = [await self.house.again(table) for _, table in await self.tables() if table.seating.people]
        if not made:
            raise NotPossible(say("nobody is there to be seated"))
        await self._take_places(made, afresh=True)
        return len(made)

    async def _take_places(self, made: Sequence[Table], afresh: bool) -> None:
        round_ = max(1, self.kept.round + afresh)
        last = 0 if afresh else max((place.number for place in self.places), default=0)
        places = [PlaceKept(table.id, round_, last + number, datetime.now(UTC)) for number, table in enumerate(made, 1)]
        await self._write(self._shelf.place, places)
        await self._write(self._shelf.change, round=round_, paused=self.kept.paused and not afresh)
        for table in made:
            table.rest(self.kept.paused)

    async def stand_up(self, member: MemberKept) -> None:
        """Off the table: a bot plays on. What is over stays as it was played."""
        for at in await self._chairs(member):
            if not at.table.match.over:
                await at.table.reseat(at.seat, _bot(at), HANDED)

    async def move(self, member: MemberKept, number: int) -> None:
        """To a seat at that table which a bot has."""
        found = [table for place, table in await self.tables() if place.number == number]
        free = [seat for table in found for seat, chair in enumerate(table.seating.chairs) if chair.kind == "bot"]
        if not found or found[0].match.over:
            raise NotPossible(say("there is no game at table {number} to sit down at", number=number))
        if any(chair.token_hash == member.token_hash for chair in found[0].seating.chairs):
            raise NotPossible(say("{name} sits there already", name=member.name))
        if not free:
            raise NotPossible(say("no bot sits at table {number} whose seat could be given; swap two people instead", number=number))
        await self.stand_up(member)
        await found[0].reseat(Seat(free[0]), chair_of(member), HANDED)

    async def swap(self, one: MemberKept, other: MemberKept) -> None:
        """Each goes on where the other sat."""
        first, second = await self.where(one), await self.where(other)
        if first is None or second is None or first.table.match.over or second.table.match.over:
            raise NotPossible(say("only two who sit at games that are not over can swap"))
        await first.table.reseat(first.seat, chair_of(other), HANDED)
        await second.table.reseat(second.seat, chair_of(one), HANDED)

    async def stand_in(self, member: MemberKept, by_bot: bool) -> None:
        """A bot plays for somebody who is away, or they play again."""
        at = await self.where(member)
        if at is None or at.table.match.over:
            raise NotPossible(say("{name} sits at no game that is being played", name=member.name))
        await at.table.reseat(at.seat, replace(at.chair, level=IF_NEED_BE if by_bot else ""), STAND_IN if by_bot else BACK)


def tidy(name: str) -> str:
    """A name as it is kept: one line, not long."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())[:LONGEST_NAME].strip()


def _chairs_of(member: MemberKept, tables: Sequence[tuple[PlaceKept, Table]]) -> list[At]:
    return [
        At(place, table, Seat(seat))
        for place, table in tables
        for seat, chair in enumerate(table.seating.chairs)
        if chair.token_hash == member.token_hash
    ]


def _bot(at: At) -> SeatKept:
    return SeatKept("bot", "", level=at.chair.level or IF_NEED_BE)


class ClubHouse:
    """The clubs that are open; each is read when first asked for."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.shelf = Clubs(house.store)
        self._open: dict[str, Club] = {}
        house.neighbours.clubs = self

    async def found(self, name: str) -> tuple[Club, str]:
        """A new club, and its organiser's token."""
        token = secrets.token_urlsafe(16)
        if not (name := tidy(name)):
            raise NotPossible(say("give the class a name"))
        club = Club(self.house, await asyncio.to_thread(self.shelf.add, name, hash_token(token)))
        self._open[club.id] = club
        return club, token

    async def club(self, club: str) -> Club:
        if club not in self._open:
            kept = await asyncio.to_thread(self.shelf.load, club[:16])
            await asyncio.to_thread(self.shelf.use, kept.id)
            self._open.setdefault(club, Club(self.house, kept))
        elif self.house.store.shared:
            await self._open[club].look_again()
        return self._open[club]

    @property
    def open(self) -> Sequence[Club]:
        return list(self._open.values())

    def opened(self, club: str) -> Club | None:
        return self._open.get(club)

    async def with_code(self, code: str) -> str:
        """The id of the club whose code somebody typed."""
        return await asyncio.to_thread(self.shelf.with_code, code)

    async def forget(self, club: Club) -> None:
        await club.forget()
        self._open.pop(club.id, None)

    async def forget_the_unused(self) -> None:
        """Once a day, those that nobody has come to for long."""
        while True:
            try:
                for club in await asyncio.to_thread(self.shelf.unused):
                    await self.forget(Club(self.house, await asyncio.to_thread(self.shelf.load, club)))
            except TableeError as error:
                logger.warning("unused classes are not deleted today: %s", error)
            except Exception as error:
                report(error)
            await asyncio.sleep(A_DAY)
            self._open.clear()  # who comes tomorrow opens theirs again, and that counts as being used
