"""One class or club, as the house has it open: who is in it, who sits where, and what its organiser does.

A member's token is the token of their seat, so to move somebody is to write another name on a chair: nothing has to be sent to anybody,
and a device finds its table by asking where it sits.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import say
from tablee.server.club.seating_plan import Plan, chair_of, chairs_for, deal, mixed
from tablee.server.ops.error_reports import report
from tablee.server.registry import House, NoSuchTable, lay, lay_again
from tablee.server.storage.clubs import ClubKept, Clubs, MemberKept, NotAdmitted, PlaceKept
from tablee.server.storage.line_kinds import BACK, HANDED, STAND_IN
from tablee.server.storage.mappers import DamagedTable
from tablee.server.storage.models import SeatKept, Settings, TableKept, hash_token
from tablee.server.storage.schema import BOT
from tablee.server.table.legacy import OlderRules
from tablee.server.table.presence import USUAL
from tablee.server.table.seats import USUAL_BOT, tidy_name
from tablee.server.table.table import Table

A_DAY = 24 * 3600.0
HERE = 7.0  # seconds after which a waiting device that asks no more has gone
LONGEST_NAME = 24
CLOSED = (OlderRules, DamagedTable, NoSuchTable)  # nobody can sit there any more

Wanted = ParamSpec("Wanted")
Done = TypeVar("Done")

logger = logging.getLogger(__name__)


class NotPossible(TableeError):
    """What the organiser wants cannot be done as things stand."""


@dataclass(frozen=True)
class At:
    """Where somebody sits."""

    table: Table
    seat: Seat


def deed(do: Callable[Concatenate[Club, Wanted], Awaitable[Done]]) -> Callable[Concatenate[Club, Wanted], Coroutine[Any, Any, Done]]:
    """What an organiser does is done to its end before the next thing begins."""

    @wraps(do)
    async def alone(club: Club, /, *args: Wanted.args, **named: Wanted.kwargs) -> Done:
        async with club.deeds:
            return await do(club, *args, **named)

    return alone


class Club:
    def __init__(self, house: House, kept: ClubKept) -> None:
        self.house, self.kept = house, kept
        self._shelf = Clubs(house.store)
        self._lock, self.deeds = asyncio.Lock(), asyncio.Lock()
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
        name = tidy_name(name, LONGEST_NAME)
        if not self.kept.admits:
            raise NotAdmitted(say("this class takes nobody in just now; ask the organiser"))
        if not name:
            raise NotAdmitted(say("type your first name"))
        token = secrets.token_urlsafe(16)
        await self._write(self._shelf.join, name, hash_token(token))
        return token

    async def admit(self, admits: bool) -> None:
        await self._write(self._shelf.change, admits=admits)

    @deed
    async def pause(self, paused: bool) -> None:
        """Nobody moves, no bot plays, until all play on."""
        await self._write(self._shelf.change, paused=paused)
        await self.tables()  # also those that are just being opened
        await self.house.rest_with(self.id)

    @deed
    async def new_token(self, member: MemberKept) -> str:
        """For a member whose device is lost; the old one opens nothing any more."""
        member, token = self._still(member), secrets.token_urlsafe(16)
        for at in await self._playing(member):
            await at.table.reseat({at.seat: lambda chair: _owned_by(chair, hash_token(token))}, BACK)
        await self._write(self._shelf.give_token, member, hash_token(token))
        await self.house.rest_with(self.id)
        return token

    @deed
    async def remove(self, member: MemberKept) -> None:
        """A bot plays on where they sat, and their name stands nowhere any more."""
        member = self._still(member)
        for at in await self._playing(member):
            await at.table.reseat({at.seat: _bot}, HANDED)
        await self._write(self._shelf.remove, member)
        await self.house.rest_with(self.id)

    @deed
    async def forget(self) -> None:
        """Everything that is kept of it, for good."""
        for table in await asyncio.to_thread(self._shelf.forget, self.id):
            self.house.dismiss(table, say("this table was deleted, with its class"))

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
        """The same, opened. Where they play a rematch, that is their table."""
        found = await self._opened()
        if any(table.rematch for _, table in found):
            await self.look_again()
            found = await self._opened()
        return found

    async def _opened(self) -> list[tuple[PlaceKept, Table]]:
        found = []
        for place in self.places:
            with suppress(*CLOSED):
                found.append((place, await self.house.glance(place.table_id)))
        return found

    async def where(self, member: MemberKept) -> At | None:
        """Where a member sits; of a table that is over and one that is not, at the latter."""
        found = _chairs_of(member, await self._tables())
        return next((at for at in found if not at.table.match.over), found[-1] if found else None)

    async def waiting(self) -> list[MemberKept]:
        """Those who sit nowhere."""
        tables = await self._tables()
        return [member for member in self.kept.members if not _chairs_of(member, tables)]

    async def _tables(self) -> list[Table]:
        return [table for _, table in await self.tables()]

    async def _playing(self, member: MemberKept) -> list[At]:
        """Where they sit at games that are not over, in whichever round."""
        found = []
        for table in await asyncio.to_thread(self._shelf.playing_at, self.id, member):
            with suppress(*CLOSED):
                found.append(await self.house.glance(table))
        return [at for at in _chairs_of(member, found) if not at.table.match.over]

    def _still(self, member: MemberKept) -> MemberKept:
        """The member as known now: what was done meanwhile counts."""
        for each in self.kept.members:
            if (each.number, each.name) == (member.number, member.name):
                return each
        raise NotPossible(say("{name} is not in this class any more", name=member.name))

    @deed
    async def seat(self, people: Sequence[MemberKept], plan: Plan) -> int:
        """They sit down at new tables, in this order. Returns how many tables that are."""
        return await self._seat([self._still(member) for member in people], plan)

    @deed
    async def seat_waiting(self, plan: Plan) -> int:
        return await self._seat(mixed(await self.waiting()), plan)

    @deed
    async def mix(self, plan: Plan) -> int:
        """A new round: everybody sits with others."""
        return await self._seat(mixed(self.kept.members), plan, afresh=True)

    @deed
    async def again(self) -> int:
        """A new round: everybody where they sit, the same game."""
        return await self._lay([lay_again(table) for _, table in await self.tables() if table.seating.people], afresh=True)

    async def _seat(self, people: Sequence[MemberKept], plan: Plan, afresh: bool = False) -> int:
        """Whatever fails, nobody has two seats: who stood up and does not sit yet waits."""
        game = await asyncio.to_thread(self.house.game, plan.game)
        if plan.size not in game.seats:
            raise NotPossible(say("{game} is for {low} to {high} players", game=say(game.title), low=game.seats[0], high=game.seats[-1]))
        groups, settings = deal(people, plan.size), Settings(hints=True, club=self.id)
        laid = [lay(game, chairs_for(group, game, plan), dict(plan.options), settings) for group in groups]
        if not afresh:
            for member in people:
                await self._stand_up(member)
        return await self._lay(laid, afresh)

    async def _lay(self, laid: Sequence[TableKept], afresh: bool) -> int:
        if not laid:
            raise NotPossible(say("there is nobody to seat"))
        round_ = max(1, self.kept.round + afresh)
        last = 0 if afresh else max((place.number for place in self.places), default=0)
        places = [PlaceKept(kept.id, round_, last + number, datetime.now(UTC)) for number, kept in enumerate(laid, 1)]
        await self._write(self._shelf.seat, laid, places, round=round_, paused=self.kept.paused and not afresh)
        for kept in laid:
            await self.house.open_new(kept)
        await self.house.rest_with(self.id)
        return len(laid)

    @deed
    async def stand_up(self, member: MemberKept) -> None:
        """Off the table: a bot plays on. What is over stays as it was played."""
        await self._stand_up(self._still(member))

    async def _stand_up(self, member: MemberKept) -> None:
        for at in _chairs_of(member, await self._tables()):
            if not at.table.match.over:
                await at.table.reseat({at.seat: _bot}, HANDED)

    @deed
    async def move(self, member: MemberKept, number: int) -> None:
        """To a seat at that table which a bot has."""
        member = self._still(member)
        found = [table for place, table in await self.tables() if place.number == number]
        free = [Seat(seat) for table in found for seat, chair in enumerate(table.seating.chairs) if chair.kind == BOT]
        if not found or found[0].match.over:
            raise NotPossible(say("there is no game at table {number} to sit down at", number=number))
        if any(member.token_hash in chair.keys for chair in found[0].seating.chairs):
            raise NotPossible(say("{name} sits there already", name=member.name))
        if not free:
            raise NotPossible(say("no bot sits at table {number} whose seat could be given; swap two people instead", number=number))
        await self._stand_up(member)
        await found[0].reseat({free[0]: lambda _: chair_of(member)}, HANDED)

    @deed
    async def swap(self, one: MemberKept, other: MemberKept) -> None:
        """Each goes on where the other sat, or both stay."""
        one, other = self._still(one), self._still(other)
        first, second = await self.where(one), await self.where(other)
        if first is None or second is None or first.table.match.over or second.table.match.over:
            raise NotPossible(say("only two people whose games are not over can swap"))
        gives, takes = _from(one, chair_of(other)), _from(other, chair_of(one))
        if first.table is second.table:
            await first.table.reseat({first.seat: gives, second.seat: takes}, HANDED)
            return
        await first.table.reseat({first.seat: gives}, HANDED)
        try:
            await second.table.reseat({second.seat: takes}, HANDED)
        except TableeError:
            await first.table.reseat({first.seat: _from(other, chair_of(one))}, HANDED)
            raise

    @deed
    async def stand_in(self, member: MemberKept, by_bot: bool) -> None:
        """A bot plays for somebody who is away, or they play again."""
        at = await self.where(self._still(member))
        if at is None or at.table.match.over:
            raise NotPossible(say("{name} sits at no game that is being played", name=member.name))
        level = USUAL_BOT if by_bot else ""
        await at.table.reseat({at.seat: lambda chair: replace(chair, level=level)}, STAND_IN if by_bot else BACK)


def _chairs_of(member: MemberKept, tables: Sequence[Table]) -> list[At]:
    return [At(table, Seat(seat)) for table in tables for seat, chair in enumerate(table.seating.chairs) if member.token_hash in chair.keys]


def _owned_by(chair: SeatKept, token_hash: str) -> SeatKept:
    """The member's own, whoever else it was given to meanwhile."""
    return replace(chair, token_hash=token_hash, name=chair.owner_name or chair.name, owner_hash="", owner_name="")


def _bot(chair: SeatKept) -> SeatKept:
    """Plays on where somebody sat."""
    return SeatKept(BOT, "", level=chair.level or USUAL_BOT)


def _from(owner: MemberKept, then: SeatKept) -> Callable[[SeatKept], SeatKept]:
    """The chair is given away by its owner, not by whoever has it meanwhile."""

    def given(chair: SeatKept) -> SeatKept:
        if owner.token_hash not in chair.keys:
            raise NotPossible(say("{name} sits at no game that is being played", name=owner.name))
        return then

    return given


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
        if not (name := tidy_name(name, LONGEST_NAME)):
            raise NotPossible(say("give the class a name"))
        club = Club(self.house, await asyncio.to_thread(self.shelf.add, name, hash_token(token)))
        self._open[club.id] = club
        return club, token

    async def club(self, club: str) -> Club:
        if club not in self._open:
            kept = await asyncio.to_thread(self.shelf.load, club[:16])
            await asyncio.to_thread(self.shelf.use, kept.id)
            self._open.setdefault(club, Club(self.house, kept))
        if self.house.store.shared:  # also where it was just read: what was written meanwhile nobody has heard here
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
