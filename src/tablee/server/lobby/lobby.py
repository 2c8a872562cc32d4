"""A table that gathers: people come by its link or its code and sit down, the host decides how they play, and then it begins. Everything
is kept before anybody is told of it, so that a restart loses nobody's chair.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.i18n import say
from tablee.core.match import Match
from tablee.server.lobby.seats import NoChair, chair_at, seated, why_not_yet
from tablee.server.storage.database import TableMovedOn
from tablee.server.storage.models import Row, TableKept, hash_token
from tablee.server.storage.schema import BOT, OPEN, PLAYING
from tablee.server.storage.store import Store
from tablee.server.table.clock import ticking_now
from tablee.server.table.polling_presence import Glimpses
from tablee.server.table.presence import USUAL, Attendance
from tablee.server.table.seats import NotYourSeat
from tablee.server.table.signal import Bell

MOST_KEYS = 24  # that one screen may show
HOST_AWAY = 15.0  # seconds without the host's screen after which somebody else who sits here may become the host


class HasBegun(TableeError):
    """The game is played: whoever was here goes on to it."""

    def __init__(self) -> None:
        super().__init__(say("the game has begun"))


class Gathers(TableeError):
    """There is no game yet."""

    def __init__(self) -> None:
        super().__init__(say("this table is still waiting for players; the game begins when the host starts it"))


@dataclass(frozen=True)
class Guest:
    """Who one screen is, by the tokens it shows."""

    chairs: tuple[int, ...] = ()
    host: bool = False
    held: tuple[bool, ...] = ()  # of each token, whether it still opens something
    seated: tuple[bool, ...] = ()  # and whether somebody sits by it: a host may have no chair


class Gathering:
    def __init__(self, kept: TableKept, game: Game, store: Store, patience: float = HOST_AWAY) -> None:
        """`patience` is how many seconds the host may be away."""
        self.kept, self.game, self._store, self._patience = kept, game, store, patience
        self.begun = False
        self.bell, self.attendance = Bell(), Attendance()
        self.glimpses = Glimpses(self.attendance, self.somebody_came_or_went)
        self._lock = asyncio.Lock()
        self._host_missed: asyncio.TimerHandle | None = None  # rings when the host has been away for long enough

    @property
    def id(self) -> str:
        return self.kept.id

    def guest(self, tokens: str) -> Guest:
        hashes = [hash_token(token) for token in tokens.split(".")[:MOST_KEYS] if token]
        chairs = tuple(number for number, chair in enumerate(self.kept.seats) if chair.token_hash in hashes)
        sat_in = {chair.token_hash for chair in self.kept.seats}
        held = tuple(each in sat_in or each == self.kept.host for each in hashes)
        return Guest(chairs, self.kept.host in hashes, held, tuple(each in sat_in for each in hashes))

    def people(self, guest: Guest) -> list[str]:
        """Whom attendance counts: those of the screen who sit here, whichever chair they move to, and the host, even without a chair."""
        sitting = [self.kept.seats[chair].token_hash for chair in guest.chairs]
        return [*sitting, self.kept.host] if guest.host and self.kept.host not in sitting else sitting

    def is_here(self, chair: int) -> bool:
        return self.attendance.is_here(self.kept.seats[chair].token_hash)

    @property
    def host_is_gone(self) -> bool:
        """Whether the host's screen has been absent for so long that somebody else may take over."""
        return not self.attendance.is_here(self.kept.host) and self.attendance.away(self.kept.host) >= self._patience

    def somebody_came_or_went(self) -> None:
        self.bell.ring()
        if self._host_missed is not None:
            self._host_missed.cancel()
        if not self.attendance.is_here(self.kept.host):
            left = max(self._patience - self.attendance.away(self.kept.host), 0.0)
            self._host_missed = asyncio.get_running_loop().call_later(left + 0.05, self.bell.ring)

    def become_host(self, kept: TableKept, guest: Guest) -> TableKept:
        """Somebody who sits here takes over from a host who is gone; that one is a guest from then on."""
        if not guest.chairs:
            raise NotYourSeat(say("only somebody who sits at the table can become the host"))
        if guest.host:
            return kept
        if not self.host_is_gone:
            raise NotYourSeat(say("somebody is the host already"))
        return replace(kept, host=kept.seats[guest.chairs[0]].token_hash)

    def who(self) -> str | None:
        """Who is at screens of this process, for the others."""
        return f"{USUAL}:{','.join(self.attendance.present)}" if self.attendance.present else None

    def heard_of(self, process: str, pace: str, people: Sequence[str]) -> None:
        self.glimpses.hear_of(process, people, pace)

    def holds(self, token: str) -> bool:
        """Whether a chair is this token's."""
        return any(chair.token_hash == hash_token(token) for chair in self.kept.seats)

    def hash_for(self, guest: Guest, token: str) -> str:
        """Of whoever sits down: their own token; a host who had stood up sits down with the one that they hold."""
        standing = all(chair.token_hash != self.kept.host for chair in self.kept.seats)
        return self.kept.host if guest.host and standing else hash_token(token)

    async def change(self, deed: Callable[[TableKept], TableKept]) -> None:
        """One after the other, each kept before it is told; whoever stops waiting, what was begun is done to its end."""
        await asyncio.shield(asyncio.get_running_loop().create_task(self._change(deed)))

    async def _change(self, deed: Callable[[TableKept], TableKept]) -> None:
        async with self._lock:
            while not await self._kept_so(deed):
                await self._look_again()

    async def _kept_so(self, deed: Callable[[TableKept], TableKept]) -> bool:
        """False where another process was quicker."""
        if self.begun:
            raise HasBegun
        after = deed(self.kept)
        if after != self.kept:
            try:
                await asyncio.to_thread(self._store.change_gathering, after)
            except TableMovedOn:
                return False
            self._become(replace(after, revision=after.revision + 1))
        return True

    async def look_again(self) -> None:
        """Another process may have changed it: what is on disk counts."""
        async with self._lock:
            await self._look_again()

    async def _look_again(self) -> None:
        found = await asyncio.to_thread(self._store.load, self.id)
        if found is None:
            raise TableMovedOn(say("the game has moved on"))
        if found != self.kept:
            self._become(found)

    def _become(self, kept: TableKept) -> None:
        self.kept, self.begun = kept, kept.phase == PLAYING
        self.bell.ring()

    def playing(self, kept: TableKept) -> TableKept:
        """The very same table as a game."""
        if error := why_not_yet(kept, self.game):
            raise error
        after = seated(kept, self.game)
        match = Match(self.game, len(after.seats), after.options, after.seed)
        match.play_nature()
        rows = tuple(Row(line, None) for line in match.lines())
        after = replace(after, rules=self.game.rules, box=self.game.components, derivation=match.derivation)
        return replace(after, options=dict(match.options), rows=rows, phase=PLAYING, ticking=ticking_now(after.settings))

    def check_own(self, guest: Guest, number: int) -> None:
        """Everybody looks after the chairs of their own screen; the host also after those of bots, and those that nobody took."""
        chair = chair_at(self.kept, number)
        if number not in guest.chairs and not (guest.host and not chair.token_hash):
            raise NotYourSeat(say("this seat is somebody else's"))

    def check_free(self, guest: Guest, number: int) -> None:
        """The host's screen may take a bot's place."""
        if not guest.host and chair_at(self.kept, number).kind == BOT:
            raise NoChair(say("somebody else has just sat down there; choose another seat"))

    def check_host(self, guest: Guest) -> None:
        if not guest.host:
            raise NotYourSeat(say("only the host may do that"))

    @property
    def open(self) -> list[int]:
        return [number for number, chair in enumerate(self.kept.seats) if chair.kind == OPEN]
