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
from tablee.core.i18n import msg
from tablee.server.club.seating_plan import SeatingPlan, seat_of, seats_for, shuffled, split_into_tables
from tablee.server.ops.error_reports import report
from tablee.server.registry import NoSuchTable, TableRegistry, new_table, new_table_like
from tablee.server.storage.clubs import ClubStore, NotAdmitted, StoredClub, StoredClubTable, StoredMember
from tablee.server.storage.line_kinds import BACK, HANDED, STAND_IN
from tablee.server.storage.mappers import DamagedTable
from tablee.server.storage.models import StoredSeat, StoredTable, TableSettings, hash_token
from tablee.server.storage.schema import BOT
from tablee.server.table.legacy import OlderRules
from tablee.server.table.presence import DEFAULT_PACE
from tablee.server.table.seats import DEFAULT_BOT_LEVEL, normalize_name
from tablee.server.table.table import Table

A_DAY = 24 * 3600.0
HERE_TIMEOUT = 7.0  # seconds after which a waiting device that asks no more has gone
MAX_MEMBER_NAME_LENGTH = 24
UNOPENABLE = (OlderRules, DamagedTable, NoSuchTable)  # nobody can sit there any more

ActionParams = ParamSpec("ActionParams")
ActionResult = TypeVar("ActionResult")

logger = logging.getLogger(__name__)


class NotPossible(TableeError):
    """What the organiser wants cannot be done as things stand."""


@dataclass(frozen=True)
class SeatLocation:
    """Where somebody sits."""

    table: Table
    seat: Seat


def exclusive(
    do: Callable[Concatenate[Club, ActionParams], Awaitable[ActionResult]],
) -> Callable[Concatenate[Club, ActionParams], Coroutine[Any, Any, ActionResult]]:
    """What an organiser does is done to its end before the next thing begins."""

    @wraps(do)
    async def alone(club: Club, /, *args: ActionParams.args, **named: ActionParams.kwargs) -> ActionResult:
        async with club.action_lock:
            return await do(club, *args, **named)

    return alone


class Club:
    def __init__(self, table_registry: TableRegistry, stored: StoredClub) -> None:
        self.table_registry, self.stored = table_registry, stored
        self._store = ClubStore(table_registry.store)
        self._lock, self.action_lock = asyncio.Lock(), asyncio.Lock()
        self._seen_at: dict[int, float] = {}  # when a member's device last asked, by number,
        self._peer_seen_at: dict[int, float] = {}  # or another process said that it did

    @property
    def id(self) -> str:
        return self.stored.id

    def is_organiser(self, token: str) -> bool:
        return secrets.compare_digest(self.stored.organiser, hash_token(token))

    def member_by_token(self, token: str) -> StoredMember | None:
        hashed = hash_token(token)
        return next((each for each in self.stored.members if secrets.compare_digest(each.token_hash, hashed)), None)

    def is_here(self, member: StoredMember) -> bool:
        return self._is_here(member, self._seen_at) or self._is_here(member, self._peer_seen_at)

    @staticmethod
    def _is_here(member: StoredMember, seen: Mapping[int, float]) -> bool:
        return time.monotonic() - seen.get(member.number, -HERE_TIMEOUT) < HERE_TIMEOUT

    def touch(self, member: StoredMember) -> None:
        """Their device asks."""
        self._seen_at[member.number] = time.monotonic()

    def presence_summary(self) -> str | None:
        """Whose devices ask this process, for the others."""
        here = [str(member.number) for member in self.stored.members if self._is_here(member, self._seen_at)]
        return f"{DEFAULT_PACE}:{','.join(here)}" if here else None

    def on_peer_presence(self, process: str, pace: str, people: Sequence[str]) -> None:  # noqa: ARG002  clubs have no bots
        self._peer_seen_at |= dict.fromkeys(map(int, people), time.monotonic())

    async def join(self, name: str) -> str:
        """A new member's token."""
        name = normalize_name(name, MAX_MEMBER_NAME_LENGTH)
        if not self.stored.admits:
            raise NotAdmitted(msg("this class takes nobody in just now; ask the organiser"))
        if not name:
            raise NotAdmitted(msg("type your first name"))
        token = secrets.token_urlsafe(16)
        await self._write(self._store.join, name, hash_token(token))
        return token

    async def admit(self, admits: bool) -> None:
        await self._write(self._store.update, admits=admits)

    @exclusive
    async def pause(self, paused: bool) -> None:
        """Nobody moves, no bot plays, until all play on."""
        await self._write(self._store.update, paused=paused)
        await self.tables()  # also those that are just being opened
        await self.table_registry.sync_club(self.id)

    @exclusive
    async def new_token(self, member: StoredMember) -> str:
        """For a member whose device is lost; the old one opens nothing any more."""
        member, token = self._current(member), secrets.token_urlsafe(16)
        for at in await self._active_seats(member):
            await at.table.reseat({at.seat: lambda chair: _owned_by(chair, hash_token(token))}, BACK)
        await self._write(self._store.replace_token, member, hash_token(token))
        await self.table_registry.sync_club(self.id)
        return token

    @exclusive
    async def remove(self, member: StoredMember) -> None:
        """A bot plays on where they sat, and their name stands nowhere any more."""
        member = self._current(member)
        for at in await self._active_seats(member):
            await at.table.reseat({at.seat: _bot_seat}, HANDED)
        await self._write(self._store.remove, member)
        await self.table_registry.sync_club(self.id)

    @exclusive
    async def delete(self) -> None:
        """Everything that is kept of it, for good."""
        for table in await asyncio.to_thread(self._store.delete, self.id):
            self.table_registry.mark_deleted(table, msg("this table was deleted, with its class"))

    async def _write(self, write: Callable[..., Any], *args: Any, **named: Any) -> None:
        """What is on disk counts."""
        async with self._lock:
            await asyncio.to_thread(write, self.id, *args, **named)
            self.stored = await asyncio.to_thread(self._store.load, self.id)

    async def reload(self) -> None:
        """Another process may have changed it."""
        async with self._lock:
            self.stored = await asyncio.to_thread(self._store.load, self.id)

    @property
    def places(self) -> list[StoredClubTable]:
        """The tables that people sit at now, by number."""
        newest = {place.number: place for place in self.stored.tables if place.round == self.stored.round}
        return [newest[number] for number in sorted(newest)]

    async def tables(self) -> list[tuple[StoredClubTable, Table]]:
        """The same, opened. Where they play a rematch, that is their table."""
        found = await self._open_tables()
        if any(table.rematch for _, table in found):
            await self.reload()
            found = await self._open_tables()
        return found

    async def _open_tables(self) -> list[tuple[StoredClubTable, Table]]:
        found = []
        for place in self.places:
            with suppress(*UNOPENABLE):
                found.append((place, await self.table_registry.peek(place.table_id)))
        return found

    async def location_of(self, member: StoredMember) -> SeatLocation | None:
        """Where a member sits; of a table that is over and one that is not, at the latter."""
        found = _seats_of(member, await self._tables())
        return next((at for at in found if not at.table.match.over), found[-1] if found else None)

    async def waiting_members(self) -> list[StoredMember]:
        """Those who sit nowhere."""
        tables = await self._tables()
        return [member for member in self.stored.members if not _seats_of(member, tables)]

    async def _tables(self) -> list[Table]:
        return [table for _, table in await self.tables()]

    async def _active_seats(self, member: StoredMember) -> list[SeatLocation]:
        """Where they sit at games that are not over, in whichever round."""
        found = []
        for table in await asyncio.to_thread(self._store.unfinished_tables, self.id, member):
            with suppress(*UNOPENABLE):
                found.append(await self.table_registry.peek(table))
        return [at for at in _seats_of(member, found) if not at.table.match.over]

    def _current(self, member: StoredMember) -> StoredMember:
        """The member as known now: what was done meanwhile counts."""
        for each in self.stored.members:
            if (each.number, each.name) == (member.number, member.name):
                return each
        raise NotPossible(msg("{name} is not in this class any more", name=member.name))

    @exclusive
    async def seat(self, people: Sequence[StoredMember], plan: SeatingPlan) -> int:
        """They sit down at new tables, in this order. Returns how many tables that are."""
        return await self._seat([self._current(member) for member in people], plan)

    @exclusive
    async def seat_waiting(self, plan: SeatingPlan) -> int:
        return await self._seat(shuffled(await self.waiting_members()), plan)

    @exclusive
    async def shuffle(self, plan: SeatingPlan) -> int:
        """A new round: everybody sits with others."""
        return await self._seat(shuffled(self.stored.members), plan, new_round=True)

    @exclusive
    async def repeat_round(self) -> int:
        """A new round: everybody where they sit, the same game."""
        return await self._create_tables(
            [new_table_like(table) for _, table in await self.tables() if table.seating.people], new_round=True
        )

    async def _seat(self, people: Sequence[StoredMember], plan: SeatingPlan, new_round: bool = False) -> int:
        """Whatever fails, nobody has two seats: who stood up and does not sit yet waits."""
        game = await asyncio.to_thread(self.table_registry.game, plan.game)
        if plan.size not in game.seats:
            raise NotPossible(msg("{game} is for {low} to {high} players", game=msg(game.title), low=game.seats[0], high=game.seats[-1]))
        groups, settings = split_into_tables(people, plan.size), TableSettings(hints=True, club=self.id)
        laid = [new_table(game, seats_for(group, game, plan), dict(plan.options), settings) for group in groups]
        if not new_round:
            for member in people:
                await self._stand_up(member)
        return await self._create_tables(laid, new_round)

    async def _create_tables(self, tables: Sequence[StoredTable], new_round: bool) -> int:
        if not tables:
            raise NotPossible(msg("there is nobody to seat"))
        round_ = max(1, self.stored.round + new_round)
        last = 0 if new_round else max((place.number for place in self.places), default=0)
        places = [StoredClubTable(kept.id, round_, last + number, datetime.now(UTC)) for number, kept in enumerate(tables, 1)]
        await self._write(self._store.add_tables, tables, places, round=round_, paused=self.stored.paused and not new_round)
        for kept in tables:
            await self.table_registry.open_new(kept)
        await self.table_registry.sync_club(self.id)
        return len(tables)

    @exclusive
    async def stand_up(self, member: StoredMember) -> None:
        """Off the table: a bot plays on. What is over stays as it was played."""
        await self._stand_up(self._current(member))

    async def _stand_up(self, member: StoredMember) -> None:
        for at in _seats_of(member, await self._tables()):
            if not at.table.match.over:
                await at.table.reseat({at.seat: _bot_seat}, HANDED)

    @exclusive
    async def move(self, member: StoredMember, number: int) -> None:
        """To a seat at that table which a bot has."""
        member = self._current(member)
        found = [table for place, table in await self.tables() if place.number == number]
        free = [Seat(seat) for table in found for seat, chair in enumerate(table.seating.seats) if chair.kind == BOT]
        if not found or found[0].match.over:
            raise NotPossible(msg("there is no game at table {number} to sit down at", number=number))
        if any(member.token_hash in chair.keys for chair in found[0].seating.seats):
            raise NotPossible(msg("{name} sits there already", name=member.name))
        if not free:
            raise NotPossible(msg("no bot sits at table {number} whose seat could be given; swap two people instead", number=number))
        await self._stand_up(member)
        await found[0].reseat({free[0]: lambda _: seat_of(member)}, HANDED)

    @exclusive
    async def swap(self, one: StoredMember, other: StoredMember) -> None:
        """Each goes on where the other sat, or both stay."""
        one, other = self._current(one), self._current(other)
        first, second = await self.location_of(one), await self.location_of(other)
        if first is None or second is None or first.table.match.over or second.table.match.over:
            raise NotPossible(msg("only two people whose games are not over can swap"))
        gives, takes = _handed_from(one, seat_of(other)), _handed_from(other, seat_of(one))
        if first.table is second.table:
            await first.table.reseat({first.seat: gives, second.seat: takes}, HANDED)
            return
        await first.table.reseat({first.seat: gives}, HANDED)
        try:
            await second.table.reseat({second.seat: takes}, HANDED)
        except TableeError:
            await first.table.reseat({first.seat: _handed_from(other, seat_of(one))}, HANDED)
            raise

    @exclusive
    async def stand_in(self, member: StoredMember, by_bot: bool) -> None:
        """A bot plays for somebody who is away, or they play again."""
        at = await self.location_of(self._current(member))
        if at is None or at.table.match.over:
            raise NotPossible(msg("{name} sits at no game that is being played", name=member.name))
        level = DEFAULT_BOT_LEVEL if by_bot else ""
        await at.table.reseat({at.seat: lambda chair: replace(chair, level=level)}, STAND_IN if by_bot else BACK)


def _seats_of(member: StoredMember, tables: Sequence[Table]) -> list[SeatLocation]:
    return [
        SeatLocation(table, Seat(seat))
        for table in tables
        for seat, chair in enumerate(table.seating.seats)
        if member.token_hash in chair.keys
    ]


def _owned_by(chair: StoredSeat, token_hash: str) -> StoredSeat:
    """The member's own, whoever else it was given to meanwhile."""
    return replace(chair, token_hash=token_hash, name=chair.owner_name or chair.name, owner_hash="", owner_name="")


def _bot_seat(chair: StoredSeat) -> StoredSeat:
    """Plays on where somebody sat."""
    return StoredSeat(BOT, "", level=chair.level or DEFAULT_BOT_LEVEL)


def _handed_from(owner: StoredMember, then: StoredSeat) -> Callable[[StoredSeat], StoredSeat]:
    """The chair is given away by its owner, not by whoever has it meanwhile."""

    def given(chair: StoredSeat) -> StoredSeat:
        if owner.token_hash not in chair.keys:
            raise NotPossible(msg("{name} sits at no game that is being played", name=owner.name))
        return then

    return given


class ClubRegistry:
    """The clubs that are open; each is read when first asked for."""

    def __init__(self, table_registry: TableRegistry) -> None:
        self.table_registry = table_registry
        self.store = ClubStore(table_registry.store)
        self._open_clubs: dict[str, Club] = {}
        table_registry.peers.clubs = self

    async def create(self, name: str) -> tuple[Club, str]:
        """A new club, and its organiser's token."""
        token = secrets.token_urlsafe(16)
        if not (name := normalize_name(name, MAX_MEMBER_NAME_LENGTH)):
            raise NotPossible(msg("give the class a name"))
        club = Club(self.table_registry, await asyncio.to_thread(self.store.add, name, hash_token(token)))
        self._open_clubs[club.id] = club
        return club, token

    async def get(self, club: str) -> Club:
        if club not in self._open_clubs:
            kept = await asyncio.to_thread(self.store.load, club[:16])
            await asyncio.to_thread(self.store.mark_used, kept.id)
            self._open_clubs.setdefault(club, Club(self.table_registry, kept))
        if self.table_registry.store.shared:  # also where it was just read: what was written meanwhile nobody has heard here
            await self._open_clubs[club].reload()
        return self._open_clubs[club]

    @property
    def open_clubs(self) -> Sequence[Club]:
        return list(self._open_clubs.values())

    def get_open(self, club: str) -> Club | None:
        return self._open_clubs.get(club)

    async def find_by_code(self, code: str) -> str:
        """The id of the club whose code somebody typed."""
        return await asyncio.to_thread(self.store.find_by_code, code)

    async def delete(self, club: Club) -> None:
        await club.delete()
        self._open_clubs.pop(club.id, None)

    async def delete_unused_daily(self) -> None:
        """Once a day, those that nobody has come to for long."""
        while True:
            try:
                for club in await asyncio.to_thread(self.store.unused):
                    await self.delete(Club(self.table_registry, await asyncio.to_thread(self.store.load, club)))
            except TableeError as error:
                logger.warning("unused classes are not deleted today: %s", error)
            except Exception as error:
                report(error)
            await asyncio.sleep(A_DAY)
            self._open_clubs.clear()  # who comes tomorrow opens theirs again, and that counts as being used
