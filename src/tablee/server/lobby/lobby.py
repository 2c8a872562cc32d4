"""A table that gathers: people come by its link or its code and sit down, the host decides how they play, and then it begins. Everything
is kept before anybody is told of it, so that a restart loses nobody's chair.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.server.lobby.seats import SeatUnavailable, seat_at, why_cannot_start, without_open_seats
from tablee.server.storage.database import ConflictError
from tablee.server.storage.models import LogLine, StoredTable, hash_token
from tablee.server.storage.schema import BOT, OPEN, PLAYING
from tablee.server.storage.store import Store
from tablee.server.table.clock import clock_start_ms
from tablee.server.table.polling_presence import PollingPresence
from tablee.server.table.presence import DEFAULT_PACE, Presence
from tablee.server.table.seats import NotYourSeat
from tablee.server.table.signal import ChangeSignal

MAX_TOKENS = 24  # that one screen may show
HOST_AWAY_AFTER = 15.0  # seconds without the host's screen after which somebody else who sits here may become the host


class GameStarted(TableeError):
    """The game is played: whoever was here goes on to it."""

    def __init__(self) -> None:
        super().__init__(msg("the game has begun"))


class GameNotStarted(TableeError):
    """There is no game yet."""

    def __init__(self) -> None:
        super().__init__(msg("this table is still waiting for players; the game begins when the host starts it"))


@dataclass(frozen=True)
class Visitor:
    """Who one screen is, by the tokens it shows."""

    seats: tuple[int, ...] = ()
    is_host: bool = False
    valid_tokens: tuple[bool, ...] = ()  # of each token, whether it still opens something
    seated_tokens: tuple[bool, ...] = ()  # and whether somebody sits by it: a host may have no chair


class Lobby:
    def __init__(self, stored: StoredTable, game: Game, store: Store, host_away_after: float = HOST_AWAY_AFTER) -> None:
        """`patience` is how many seconds the host may be away."""
        self.stored, self.game, self._store, self._host_away_after = stored, game, store, host_away_after
        self.started = False
        self.signal, self.presence = ChangeSignal(), Presence()
        self.polling = PollingPresence(self.presence, self.on_presence_change)
        self._lock = asyncio.Lock()
        self._host_timer: asyncio.TimerHandle | None = None  # rings when the host has been away for long enough

    @property
    def id(self) -> str:
        return self.stored.id

    def visitor(self, tokens: str) -> Visitor:
        hashes = [hash_token(token) for token in tokens.split(".")[:MAX_TOKENS] if token]
        chairs = tuple(number for number, chair in enumerate(self.stored.seats) if chair.token_hash in hashes)
        sat_in = {chair.token_hash for chair in self.stored.seats}
        held = tuple(each in sat_in or each == self.stored.host for each in hashes)
        return Visitor(chairs, self.stored.host in hashes, held, tuple(each in sat_in for each in hashes))

    def presence_keys(self, visitor: Visitor) -> list[str]:
        """Whom attendance counts: those of the screen who sit here, whichever chair they move to, and the host, even without a chair."""
        sitting = [self.stored.seats[chair].token_hash for chair in visitor.seats]
        return [*sitting, self.stored.host] if visitor.is_host and self.stored.host not in sitting else sitting

    def is_here(self, chair: int) -> bool:
        return self.presence.is_here(self.stored.seats[chair].token_hash)

    @property
    def host_is_gone(self) -> bool:
        """Whether the host's screen has been absent for so long that somebody else may take over."""
        return not self.presence.is_here(self.stored.host) and self.presence.seconds_away(self.stored.host) >= self._host_away_after

    def on_presence_change(self) -> None:
        self.signal.notify()
        if self._host_timer is not None:
            self._host_timer.cancel()
        if not self.presence.is_here(self.stored.host):
            left = max(self._host_away_after - self.presence.seconds_away(self.stored.host), 0.0)
            self._host_timer = asyncio.get_running_loop().call_later(left + 0.05, self.signal.notify)

    def become_host(self, stored: StoredTable, visitor: Visitor) -> StoredTable:
        """Somebody who sits here takes over from a host who is gone; that one is a guest from then on."""
        if not visitor.seats:
            raise NotYourSeat(msg("only somebody who sits at the table can become the host"))
        if visitor.is_host:
            return stored
        if not self.host_is_gone:
            raise NotYourSeat(msg("somebody is the host already"))
        return replace(stored, host=stored.seats[visitor.seats[0]].token_hash)

    def presence_summary(self) -> str | None:
        """Who is at screens of this process, for the others."""
        return f"{DEFAULT_PACE}:{','.join(self.presence.present)}" if self.presence.present else None

    def on_peer_presence(self, process: str, pace: str, people: Sequence[str]) -> None:
        self.polling.update_from_peer(process, people, pace)

    def is_seat_token(self, token: str) -> bool:
        """Whether a chair is this token's."""
        return any(chair.token_hash == hash_token(token) for chair in self.stored.seats)

    def seat_hash_for(self, visitor: Visitor, token: str) -> str:
        """Of whoever sits down: their own token; a host who had stood up sits down with the one that they hold."""
        standing = all(chair.token_hash != self.stored.host for chair in self.stored.seats)
        return self.stored.host if visitor.is_host and standing else hash_token(token)

    async def change(self, update: Callable[[StoredTable], StoredTable]) -> None:
        """One after the other, each kept before it is told; whoever stops waiting, what was begun is done to its end."""
        await asyncio.shield(asyncio.get_running_loop().create_task(self._change(update)))

    async def _change(self, update: Callable[[StoredTable], StoredTable]) -> None:
        async with self._lock:
            while not await self._try_change(update):
                await self._reload()

    async def _try_change(self, update: Callable[[StoredTable], StoredTable]) -> bool:
        """False where another process was quicker."""
        if self.started:
            raise GameStarted
        after = update(self.stored)
        if after != self.stored:
            try:
                await asyncio.to_thread(self._store.update_lobby, after)
            except ConflictError:
                return False
            self._set_stored(replace(after, revision=after.revision + 1))
        return True

    async def reload(self) -> None:
        """Another process may have changed it: what is on disk counts."""
        async with self._lock:
            await self._reload()

    async def _reload(self) -> None:
        found = await asyncio.to_thread(self._store.load, self.id)
        if found is None:
            raise ConflictError(msg("the game has moved on"))
        if found != self.stored:
            self._set_stored(found)

    def _set_stored(self, stored: StoredTable) -> None:
        self.stored, self.started = stored, stored.phase == PLAYING
        self.signal.notify()

    def as_game(self, stored: StoredTable) -> StoredTable:
        """The very same table as a game."""
        if error := why_cannot_start(stored, self.game):
            raise error
        after = without_open_seats(stored, self.game)
        match = Match(self.game, len(after.seats), after.options, after.seed)
        match.play_nature()
        rows = tuple(LogLine(line, None) for line in match.lines())
        after = replace(after, rules=self.game.rules, box=self.game.components, derivation=match.derivation)
        return replace(after, options=dict(match.options), lines=rows, phase=PLAYING, ticking=clock_start_ms(after.settings))

    def check_owns_seat(self, visitor: Visitor, number: int) -> None:
        """Everybody looks after the chairs of their own screen; the host also after those of bots, and those that nobody took."""
        chair = seat_at(self.stored, number)
        if number not in visitor.seats and not (visitor.is_host and not chair.token_hash):
            raise NotYourSeat(msg("this seat is somebody else's"))

    def check_seat_free(self, visitor: Visitor, number: int) -> None:
        """The host's screen may take a bot's place."""
        if not visitor.is_host and seat_at(self.stored, number).kind == BOT:
            raise SeatUnavailable(msg("somebody else has just sat down there; choose another seat"))

    def check_host(self, visitor: Visitor) -> None:
        if not visitor.is_host:
            raise NotYourSeat(msg("only the host may do that"))

    @property
    def open_seats(self) -> list[int]:
        return [number for number, chair in enumerate(self.stored.seats) if chair.kind == OPEN]
