"""One club or class while it is open: its members, their seats, and the organiser's actions.

A member's token is also the token of their seat, so moving a member only rewrites a seat: nothing is sent to anybody, and a device finds
its table by polling for its seat.
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
from tablee.server.registry import TableRegistry
from tablee.server.storage.clubs import ClubStore, NotAdmitted, StoredClub, StoredClubTable, StoredMember
from tablee.server.storage.mappers import DamagedTable
from tablee.server.table.models import BACK, BOT, HANDED, STAND_IN, NoSuchTable, StoredSeat, StoredTable, TableSettings, hash_token
from tablee.server.table.new_tables import new_table, new_table_like
from tablee.server.table.presence import DEFAULT_PACE
from tablee.server.table.records import OlderRules
from tablee.server.table.seats import DEFAULT_BOT_LEVEL, normalize_name
from tablee.server.table.table import Table

A_DAY = 24 * 3600.0
HERE_TIMEOUT = 7.0  # seconds after its last poll for which a waiting device counts as here
MAX_MEMBER_NAME_LENGTH = 24
UNOPENABLE = (OlderRules, DamagedTable, NoSuchTable)  # tables that nobody can play at any more

ActionParams = ParamSpec("ActionParams")
ActionResult = TypeVar("ActionResult")

logger = logging.getLogger(__name__)


class NotPossible(TableeError):
    """Refusal of an organiser's action in the present state of the club."""


@dataclass(frozen=True)
class SeatLocation:
    """A table and the seat that a member has there."""

    table: Table
    seat: Seat


def exclusive(
    action: Callable[Concatenate[Club, ActionParams], Awaitable[ActionResult]],
) -> Callable[Concatenate[Club, ActionParams], Coroutine[Any, Any, ActionResult]]:
    """Decorate an organiser's action to run under the club's action lock: actions never overlap."""

    @wraps(action)
    async def wrapper(club: Club, /, *args: ActionParams.args, **kwargs: ActionParams.kwargs) -> ActionResult:
        async with club.action_lock:
            return await action(club, *args, **kwargs)

    return wrapper


class Club:
    def __init__(self, table_registry: TableRegistry, stored: StoredClub) -> None:
        self.table_registry, self.stored = table_registry, stored
        self._store, self._new_seed = ClubStore(table_registry.store), table_registry.config.new_seed
        self._lock, self.action_lock = asyncio.Lock(), asyncio.Lock()
        self._seen_at: dict[int, float] = {}  # when a member's device last polled this process, by member number
        self._peer_seen_at: dict[int, float] = {}  # when a peer process last reported the member's device

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
        """Record a poll by the member's device."""
        self._seen_at[member.number] = time.monotonic()

    def presence_summary(self) -> str | None:
        """Return the members whose devices poll this process, encoded for the other processes."""
        here = [str(member.number) for member in self.stored.members if self._is_here(member, self._seen_at)]
        return f"{DEFAULT_PACE}:{','.join(here)}" if here else None

    def on_peer_presence(self, process: str, pace: str, people: Sequence[str]) -> None:  # noqa: ARG002  clubs have no bots
        self._peer_seen_at |= dict.fromkeys(map(int, people), time.monotonic())

    async def join(self, name: str) -> str:
        """Add a member; return their token."""
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
        """Pause all tables of the club, bots included, or let them go on."""
        await self._write(self._store.update, paused=paused)
        await self.tables()  # opens all of them: a table being opened would miss the pause
        await self.catch_up_tables()

    @exclusive
    async def new_token(self, member: StoredMember) -> str:
        """Give a new token to a member whose device is lost, and revoke the old one."""
        member, token = self._current(member), secrets.token_urlsafe(16)
        for location in await self._active_seats(member):
            await location.table.reseat({location.seat: lambda stored_seat: _owned_by(stored_seat, hash_token(token))}, BACK)
        await self._write(self._store.replace_token, member, hash_token(token))
        await self.catch_up_tables()
        return token

    @exclusive
    async def remove(self, member: StoredMember) -> None:
        """Remove a member and their name everywhere; bots take over their seats."""
        member = self._current(member)
        for location in await self._active_seats(member):
            await location.table.reseat({location.seat: _bot_seat}, HANDED)
        await self._write(self._store.remove, member)
        await self.catch_up_tables()

    @exclusive
    async def delete(self) -> None:
        """Delete the club and its tables for good."""
        for table in await asyncio.to_thread(self._store.delete, self.id):
            self.table_registry.mark_deleted(table, msg("this table was deleted, with its class"))

    async def _write(self, write: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        """Write to the store, then reload the club from it."""
        async with self._lock:
            await asyncio.to_thread(write, self.id, *args, **kwargs)
            self.stored = await asyncio.to_thread(self._store.load, self.id)

    async def catch_up_tables(self) -> None:
        """Let the open tables of the club read what was written about it: its pause, and changed or removed members."""
        await catch_up_tables(self.table_registry, self.id)

    async def reload(self) -> None:
        """Reload the club, which another process may have changed."""
        async with self._lock:
            self.stored = await asyncio.to_thread(self._store.load, self.id)

    @property
    def places(self) -> list[StoredClubTable]:
        """Return the tables of the current round in order of their numbers; of several with one number, the newest."""
        newest = {place.number: place for place in self.stored.tables if place.round == self.stored.round}
        return [newest[number] for number in sorted(newest)]

    async def tables(self) -> list[tuple[StoredClubTable, Table]]:
        """Return these `places` with their tables opened; a rematch replaces the table it follows."""
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
        """Return the member's seat, at an unfinished game if they have one."""
        found = _seats_of(member, await self._tables())
        return next((location for location in found if not location.table.match.over), found[-1] if found else None)

    async def waiting_members(self) -> list[StoredMember]:
        """Return the members without a seat."""
        tables = await self._tables()
        return [member for member in self.stored.members if not _seats_of(member, tables)]

    async def _tables(self) -> list[Table]:
        return [table for _, table in await self.tables()]

    async def _active_seats(self, member: StoredMember) -> list[SeatLocation]:
        """Return the member's seats at unfinished games of any round."""
        found = []
        for table in await asyncio.to_thread(self._store.unfinished_tables, self.id, member):
            with suppress(*UNOPENABLE):
                found.append(await self.table_registry.peek(table))
        return [location for location in _seats_of(member, found) if not location.table.match.over]

    def _current(self, member: StoredMember) -> StoredMember:
        """Return the member as stored now: an earlier action may have changed or removed them."""
        for each in self.stored.members:
            if (each.number, each.name) == (member.number, member.name):
                return each
        raise NotPossible(msg("{name} is not in this class any more", name=member.name))

    @exclusive
    async def seat(self, people: Sequence[StoredMember], plan: SeatingPlan) -> int:
        """Seat these members, in this order, at new tables; return the number of tables."""
        return await self._seat([self._current(member) for member in people], plan)

    @exclusive
    async def seat_waiting(self, plan: SeatingPlan) -> int:
        return await self._seat(shuffled(await self.waiting_members(), self._new_seed()), plan)

    @exclusive
    async def shuffle(self, plan: SeatingPlan) -> int:
        """Start a new round with all members shuffled; return the number of tables."""
        return await self._seat(shuffled(self.stored.members, self._new_seed()), plan, new_round=True)

    @exclusive
    async def repeat_round(self) -> int:
        """Start a new round with the same seats and games; return the number of tables."""
        tables = [new_table_like(table, self._new_seed()) for _, table in await self.tables() if table.seating.people]
        return await self._create_tables(tables, new_round=True)

    async def _seat(self, people: Sequence[StoredMember], plan: SeatingPlan, new_round: bool = False) -> int:
        """Create tables for these members; return the number of tables.

        Within a round they leave their old seats first: if the creation fails, they wait, and nobody has two seats.
        """
        game = await asyncio.to_thread(self.table_registry.game, plan.game)
        if plan.size not in game.seats:
            raise NotPossible(msg("{game} is for {low} to {high} players", game=msg(game.title), low=game.seats[0], high=game.seats[-1]))
        groups, settings = split_into_tables(people, plan.size), TableSettings(hints=True, club=self.id)
        tables = [new_table(game, seats_for(group, game, plan), dict(plan.options), settings, self._new_seed()) for group in groups]
        if not new_round:
            for member in people:
                await self._stand_up(member)
        return await self._create_tables(tables, new_round)

    async def _create_tables(self, tables: Sequence[StoredTable], new_round: bool) -> int:
        if not tables:
            raise NotPossible(msg("there is nobody to seat"))
        round_ = max(1, self.stored.round + new_round)
        last = 0 if new_round else max((place.number for place in self.places), default=0)
        places = [StoredClubTable(table.id, round_, last + number, datetime.now(UTC)) for number, table in enumerate(tables, 1)]
        await self._write(self._store.add_tables, tables, places, round=round_, paused=self.stored.paused and not new_round)
        for table in tables:
            await self.table_registry.open_new(table)
        await self.catch_up_tables()
        return len(tables)

    @exclusive
    async def stand_up(self, member: StoredMember) -> None:
        """Give the member's seats at unfinished games to bots; finished games stay unchanged."""
        await self._stand_up(self._current(member))

    async def _stand_up(self, member: StoredMember) -> None:
        for location in _seats_of(member, await self._tables()):
            if not location.table.match.over:
                await location.table.reseat({location.seat: _bot_seat}, HANDED)

    @exclusive
    async def move(self, member: StoredMember, number: int) -> None:
        """Move the member to a bot's seat at the table with this number."""
        member = self._current(member)
        found = [table for place, table in await self.tables() if place.number == number]
        free = [Seat(seat) for table in found for seat, stored_seat in enumerate(table.seating.seats) if stored_seat.kind == BOT]
        if not found or found[0].match.over:
            raise NotPossible(msg("there is no game at table {number} to sit down at", number=number))
        if any(member.token_hash in stored_seat.keys for stored_seat in found[0].seating.seats):
            raise NotPossible(msg("{name} sits there already", name=member.name))
        if not free:
            raise NotPossible(msg("no bot sits at table {number} whose seat could be given; swap two people instead", number=number))
        await self._stand_up(member)
        await found[0].reseat({free[0]: lambda _: seat_of(member)}, HANDED)

    @exclusive
    async def swap(self, one: StoredMember, other: StoredMember) -> None:
        """Exchange the seats of two members, or leave both where they are."""
        one, other = self._current(one), self._current(other)
        first, second = await self.location_of(one), await self.location_of(other)
        if first is None or second is None or first.table.match.over or second.table.match.over:
            raise NotPossible(msg("only two people whose games are not over can swap"))
        update_first, update_second = _handed_from(one, seat_of(other)), _handed_from(other, seat_of(one))
        if first.table is second.table:
            await first.table.reseat({first.seat: update_first, second.seat: update_second}, HANDED)
            return
        await first.table.reseat({first.seat: update_first}, HANDED)
        try:
            await second.table.reseat({second.seat: update_second}, HANDED)
        except TableeError:
            await first.table.reseat({first.seat: _handed_from(other, seat_of(one))}, HANDED)
            raise

    @exclusive
    async def stand_in(self, member: StoredMember, by_bot: bool) -> None:
        """Let a bot play for an absent member, or give the seat back to them."""
        location = await self.location_of(self._current(member))
        if location is None or location.table.match.over:
            raise NotPossible(msg("{name} sits at no game that is being played", name=member.name))
        level = DEFAULT_BOT_LEVEL if by_bot else ""
        await location.table.reseat({location.seat: lambda stored_seat: replace(stored_seat, level=level)}, STAND_IN if by_bot else BACK)


async def catch_up_tables(table_registry: TableRegistry, club: str) -> None:
    for table in table_registry.tables:
        if table.settings.club == club:
            await table.catch_up()


def _seats_of(member: StoredMember, tables: Sequence[Table]) -> list[SeatLocation]:
    return [
        SeatLocation(table, Seat(seat))
        for table in tables
        for seat, stored_seat in enumerate(table.seating.seats)
        if member.token_hash in stored_seat.keys
    ]


def _owned_by(stored_seat: StoredSeat, token_hash: str) -> StoredSeat:
    """Return the seat with this token as its only one and its owner's name, even if a newcomer has taken it over."""
    return replace(stored_seat, token_hash=token_hash, name=stored_seat.owner_name or stored_seat.name, owner_hash="", owner_name="")


def _bot_seat(stored_seat: StoredSeat) -> StoredSeat:
    """Return a bot's seat in place of a person's."""
    return StoredSeat(BOT, "", level=stored_seat.level or DEFAULT_BOT_LEVEL)


def _handed_from(owner: StoredMember, new_seat: StoredSeat) -> Callable[[StoredSeat], StoredSeat]:
    """Return an update that gives the owner's seat away, and refuses if the owner has lost it meanwhile."""

    def update(stored_seat: StoredSeat) -> StoredSeat:
        if owner.token_hash not in stored_seat.keys:
            raise NotPossible(msg("{name} sits at no game that is being played", name=owner.name))
        return new_seat

    return update


class ClubRegistry:
    """The open clubs; each is loaded on first request."""

    def __init__(self, table_registry: TableRegistry) -> None:
        self.table_registry = table_registry
        self.store = ClubStore(table_registry.store)
        self._open_clubs: dict[str, Club] = {}

    async def create(self, name: str) -> tuple[Club, str]:
        """Create a club; return it and its organiser's token."""
        token = secrets.token_urlsafe(16)
        if not (name := normalize_name(name, MAX_MEMBER_NAME_LENGTH)):
            raise NotPossible(msg("give the class a name"))
        club = Club(self.table_registry, await asyncio.to_thread(self.store.add, name, hash_token(token)))
        self._open_clubs[club.id] = club
        return club, token

    async def get(self, club: str) -> Club:
        if club not in self._open_clubs:
            stored = await asyncio.to_thread(self.store.load, club[:16])
            await asyncio.to_thread(self.store.mark_used, stored.id)
            self._open_clubs.setdefault(club, Club(self.table_registry, stored))
        if self.table_registry.store.shared:  # even if just loaded: no notification came for changes written meanwhile
            await self._open_clubs[club].reload()
        return self._open_clubs[club]

    @property
    def open_clubs(self) -> Sequence[Club]:
        return list(self._open_clubs.values())

    def get_open(self, club: str) -> Club | None:
        return self._open_clubs.get(club)

    async def find_by_code(self, code: str) -> str:
        """Return the id of the club with this code."""
        return await asyncio.to_thread(self.store.find_by_code, code)

    async def delete(self, club: Club) -> None:
        await club.delete()
        self._open_clubs.pop(club.id, None)

    async def delete_unused_daily(self, interval: float = A_DAY) -> None:
        """Delete, once a day, the clubs that have not been used for a long time."""
        while True:
            try:
                for club in await asyncio.to_thread(self.store.unused):
                    await self.delete(Club(self.table_registry, await asyncio.to_thread(self.store.load, club)))
            except TableeError as error:
                logger.warning("unused classes are not deleted today: %s", error)
            except Exception as error:
                report(error)
            await asyncio.sleep(interval)
            self._open_clubs.clear()  # the next visit loads the club again, which marks it as used
