"""The lobby of one table before its game: people come by link or code and take seats, the host chooses the settings and starts the game.

Every change is committed before clients see it, so a restart loses nobody's seat.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from tablee.core import fairness
from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.server.lobby.seats import (
    SeatUnavailable,
    add_seat,
    common_options,
    per_seat_options,
    seat_at,
    set_colour,
    why_cannot_start,
    without_open_seats,
)
from tablee.server.table.clock import clock_start_ms
from tablee.server.table.config import DEFAULT_CONFIG, TableConfig
from tablee.server.table.models import (
    BOT,
    HUMAN,
    IN_LOBBY,
    PLAYING,
    ConflictError,
    LogLine,
    NoSuchTable,
    StoredSeat,
    StoredTable,
    StoreError,
    TableStore,
    hash_token,
    new_id,
)
from tablee.server.table.presence import DEFAULT_PACE, ChangeSignal, Presence
from tablee.server.table.seats import NotYourSeat, normalize_name

MAX_TOKENS = 24  # that one client may send


class GameStarted(TableeError):
    """Refusal of a lobby request because the game has started; the client goes on to the table."""

    def __init__(self) -> None:
        super().__init__(msg("the game has begun"))


class GameNotStarted(TableeError):
    """Refusal of a table request because the table is still a lobby."""

    def __init__(self) -> None:
        super().__init__(msg("this table is still waiting for players; the game begins when the host starts it"))


@dataclass(frozen=True)
class Visitor:
    """The seats and rights of one client, by the tokens it sends."""

    seats: tuple[int, ...] = ()
    is_host: bool = False
    valid_tokens: tuple[bool, ...] = ()  # for each token, whether it opens a seat or the host's rights
    seated_tokens: tuple[bool, ...] = ()  # for each token, whether it opens a seat: a host may have none


class Lobby:
    def __init__(self, stored: StoredTable, game: Game, store: TableStore, config: TableConfig = DEFAULT_CONFIG) -> None:
        self.stored, self.game, self._store, self._config = stored, game, store, config
        self.started = False
        self.signal, self.presence = ChangeSignal(), Presence(config, self.on_presence_change)
        self._lock = asyncio.Lock()
        self._host_timer: asyncio.TimerHandle | None = None  # notifies clients when the host has been away for long enough

    @property
    def id(self) -> str:
        return self.stored.id

    def visitor(self, tokens: str) -> Visitor:
        hashes = [hash_token(token) for token in tokens.split(".")[:MAX_TOKENS] if token]
        seats = tuple(number for number, seat in enumerate(self.stored.seats) if seat.token_hash in hashes)
        seat_hashes = {seat.token_hash for seat in self.stored.seats}
        valid = tuple(each in seat_hashes or each == self.stored.host for each in hashes)
        return Visitor(seats, self.stored.host in hashes, valid, tuple(each in seat_hashes for each in hashes))

    def presence_keys(self, visitor: Visitor) -> list[str]:
        """Return the keys under which presence counts this visitor.

        They are token hashes, not seat numbers, so presence follows people who change seats and a host without a seat.
        """
        seat_hashes = [self.stored.seats[number].token_hash for number in visitor.seats]
        return [*seat_hashes, self.stored.host] if visitor.is_host and self.stored.host not in seat_hashes else seat_hashes

    def is_here(self, number: int) -> bool:
        return self.presence.is_here(self.stored.seats[number].token_hash)

    @property
    def host_is_gone(self) -> bool:
        """Return whether the host has been away long enough for another player to become the host."""
        return not self.presence.is_here(self.stored.host) and self.presence.seconds_away(self.stored.host) >= self._config.away_after

    def on_presence_change(self) -> None:
        self.signal.notify()
        if self._host_timer is not None:
            self._host_timer.cancel()
        if not self.presence.is_here(self.stored.host):
            left = max(self._config.away_after - self.presence.seconds_away(self.stored.host), 0.0)
            self._host_timer = asyncio.get_running_loop().call_later(left + 0.05, self.signal.notify)

    def become_host(self, stored: StoredTable, visitor: Visitor) -> StoredTable:
        """Make a seated visitor the host in place of one who is gone; the former host becomes an ordinary visitor."""
        if not visitor.seats:
            raise NotYourSeat(msg("only somebody who sits at the table can become the host"))
        if visitor.is_host:
            return stored
        if not self.host_is_gone:
            raise NotYourSeat(msg("somebody is the host already"))
        return replace(stored, host=stored.seats[visitor.seats[0]].token_hash)

    def presence_summary(self) -> str | None:
        """Return the people connected to this process, encoded for the other processes."""
        return f"{DEFAULT_PACE}:{','.join(self.presence.present)}" if self.presence.present else None

    def on_peer_presence(self, process: str, pace: str, people: Sequence[str]) -> None:
        self.presence.update_from_peer(process, people, pace)

    def is_seat_token(self, token: str) -> bool:
        """Return whether a seat belongs to this token."""
        return any(seat.token_hash == hash_token(token) for seat in self.stored.seats)

    def seat_hash_for(self, visitor: Visitor, token: str) -> str:
        """Return the token hash for a seat being taken: a host without a seat reuses the host's, others use that of `token`."""
        host_is_seated = any(seat.token_hash == self.stored.host for seat in self.stored.seats)
        return self.stored.host if visitor.is_host and not host_is_seated else hash_token(token)

    async def change(self, update: Callable[[StoredTable], StoredTable]) -> None:
        """Apply and commit one update at a time; a cancelled caller does not interrupt it."""
        await asyncio.shield(asyncio.get_running_loop().create_task(self._change(update)))

    async def _change(self, update: Callable[[StoredTable], StoredTable]) -> None:
        async with self._lock:
            while not await self._try_change(update):
                await self._reload()

    async def _try_change(self, update: Callable[[StoredTable], StoredTable]) -> bool:
        """Apply and commit the update; return False if another process committed first."""
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
        """Reload the lobby, which another process may have changed."""
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
        """Return this table with its game started."""
        if error := why_cannot_start(stored, self.game):
            raise error
        after = without_open_seats(stored, self.game)
        match = Match(self.game, len(after.seats), after.options, after.seed)
        match.play_nature()
        rows = tuple(LogLine(line, None) for line in match.lines())
        after = replace(after, rules=self.game.rules, box=self.game.components, derivation=match.derivation)
        return replace(after, options=dict(match.options), lines=rows, phase=PLAYING, ticking=clock_start_ms(after.settings, self._config))

    def check_owns_seat(self, visitor: Visitor, number: int) -> None:
        """Refuse unless the seat is the visitor's own, or the visitor is the host and it is a bot's or open."""
        seat = seat_at(self.stored, number)
        if number not in visitor.seats and not (visitor.is_host and not seat.token_hash):
            raise NotYourSeat(msg("this seat is somebody else's"))

    def check_seat_free(self, visitor: Visitor, number: int) -> None:
        """Refuse a bot's seat to everybody but the host."""
        if not visitor.is_host and seat_at(self.stored, number).kind == BOT:
            raise SeatUnavailable(msg("somebody else has just sat down there; choose another seat"))

    def check_host(self, visitor: Visitor) -> None:
        if not visitor.is_host:
            raise NotYourSeat(msg("only the host may do that"))


class LobbyRegistry:
    def __init__(self, store: TableStore, game: Callable[[str], Game], config: TableConfig = DEFAULT_CONFIG) -> None:
        self._store, self._game, self._config = store, game, config
        self._lobbies: dict[str, Lobby] = {}

    async def create(self, key: str, name: str, colour: int) -> tuple[Lobby, str]:
        """Create a lobby with its host on the first seat; return it and the host's token."""
        game, token = await asyncio.to_thread(self._game, key), secrets.token_urlsafe(16)
        host = hash_token(token)
        options = {option.key: option.default for option in (*common_options(game), *per_seat_options(game))}
        stored = StoredTable(
            id=new_id(),
            game=game.key,
            rules=game.rules,
            box=game.components,
            options=options,
            seats=(StoredSeat(HUMAN, normalize_name(name), token_hash=host, colour=0),),
            seed=self._config.new_seed(),
            derivation=fairness.NEWEST,
            phase=IN_LOBBY,
            code=await asyncio.to_thread(self._store.new_code),
            host=host,
        )
        stored = add_seat(stored, game) if game.seats[-1] > 1 else stored
        stored = set_colour(stored, 0, colour) if colour >= 0 else stored
        await asyncio.to_thread(self._store.add_table, stored)
        lobby = self._lobbies[stored.id] = Lobby(stored, game, self._store, self._config)
        return lobby, token

    async def lobby(self, table: str) -> Lobby:
        """Return the lobby, loaded if necessary."""
        found = self._lobbies.get(table)
        if found is None:
            stored = await asyncio.to_thread(self._store.load, table)
            if stored is None:
                raise NoSuchTable(table)
            if stored.phase != IN_LOBBY:
                raise GameStarted
            if stored.unseen:
                with suppress(StoreError):
                    await asyncio.to_thread(self._store.mark_opened, table)
            game = await asyncio.to_thread(self._game, stored.game)
            found = self._lobbies.setdefault(table, Lobby(stored, game, self._store, self._config))
        if self._store.shared:  # even if just loaded: no notification came for changes written meanwhile
            await found.reload()
        if found.started:
            raise GameStarted
        found.presence.touch()
        return found

    @property
    def open_lobbies(self) -> Sequence[Lobby]:
        return list(self._lobbies.values())

    def get_open(self, table: str) -> Lobby | None:
        return self._lobbies.get(table)

    async def find_by_code(self, code: str) -> tuple[str, bool] | None:
        """Return the id of the table with this code and whether it is still a lobby."""
        return await asyncio.to_thread(self._store.find_by_code, code)

    def evict(self, stale: float) -> None:
        """Drop the lobbies that have been idle for `stale` seconds; the store still has them."""
        for table, lobby in list(self._lobbies.items()):
            if lobby.presence.idle_seconds >= stale:
                del self._lobbies[table]
