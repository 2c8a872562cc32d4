"""The hall: every table that gathers, found by its address or by a code that is read out, until its game begins."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress

from tablee.core import fairness
from tablee.core.game import Game
from tablee.server.lobby.lobby import HOST_AWAY, Gathering, HasBegun
from tablee.server.lobby.seats import common_options, one_more, own_choices, paint
from tablee.server.storage.database import StoreError
from tablee.server.storage.models import SeatKept, TableKept, hash_token
from tablee.server.storage.schema import GATHERING, HUMAN
from tablee.server.storage.store import Store
from tablee.server.table.seats import tidy_name


class Hall:
    def __init__(self, store: Store, game: Callable[[str], Game], patience: float = HOST_AWAY) -> None:
        self._store, self._game, self._patience = store, game, min(patience, HOST_AWAY)
        self._gatherings: dict[str, Gathering] = {}

    async def gather(self, key: str, table: str, name: str, colour: int) -> tuple[Gathering, str]:
        """A new table that waits for people, and the token of whoever opened it: they sit in its first chair."""
        game, token = await asyncio.to_thread(self._game, key), secrets.token_urlsafe(16)
        host = hash_token(token)
        options = {option.key: option.default for option in (*common_options(game), *own_choices(game))}
        kept = TableKept(
            *(table, game.key, game.rules, game.components, options, (SeatKept(HUMAN, tidy_name(name), token_hash=host, colour=0),)),
            *(fairness.new_seed(), fairness.NEWEST),
            phase=GATHERING,
            code=await asyncio.to_thread(self._store.new_code),
            host=host,
        )
        kept = one_more(kept, game) if game.seats[-1] > 1 else kept
        kept = paint(kept, 0, colour) if colour >= 0 else kept
        await asyncio.to_thread(self._store.add_table, kept)
        gathering = self._gatherings[table] = Gathering(kept, game, self._store, self._patience)
        return gathering, token

    async def find(self, table: str) -> Gathering | None:
        """None where there is no such table at all."""
        found = self._gatherings.get(table)
        if found is None:
            kept = await asyncio.to_thread(self._store.load, table)
            if kept is None:
                return None
            if kept.phase != GATHERING:
                raise HasBegun
            if kept.unseen:
                with suppress(StoreError):
                    await asyncio.to_thread(self._store.note_opened, table)
            game = await asyncio.to_thread(self._game, kept.game)
            found = self._gatherings.setdefault(table, Gathering(kept, game, self._store, self._patience))
        if self._store.shared:  # also where it was just read: what was written meanwhile nobody has heard here
            await found.look_again()
        if found.begun:
            raise HasBegun
        found.attendance.ask()
        return found

    @property
    def gatherings(self) -> Sequence[Gathering]:
        """Those that are open."""
        return list(self._gatherings.values())

    def opened(self, table: str) -> Gathering | None:
        return self._gatherings.get(table)

    async def with_code(self, code: str) -> tuple[str, bool] | None:
        """The table with this code, and whether it still gathers."""
        return await asyncio.to_thread(self._store.with_code, code)

    def let_go(self, stale: float) -> None:
        """Those that have begun, or that nobody has looked at for so many seconds: what is kept of them is found again."""
        for table, gathering in list(self._gatherings.items()):
            if gathering.attendance.idle >= stale:
                del self._gatherings[table]
