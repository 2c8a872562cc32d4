"""What this process does when another one has written something, or says who is at its screens. A word that was missed is healed by the
next one, by whoever comes with a newer version, and by a look at everything that is open now and then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import say
from tablee.server.cluster.listener import Listener
from tablee.server.cluster.presence import Place, Presence, heard
from tablee.server.storage.notifications import CLUB, GATHERED, GONE, HERE, SIGN, TABLE

if TYPE_CHECKING:
    from tablee.server.club.club import ClubHouse
    from tablee.server.registry import House

logger = logging.getLogger(__name__)


class Neighbours:
    def __init__(self, house: House) -> None:
        self._house, self._database = house, house.store.database
        self.clubs: ClubHouse | None = None
        self._presence = Presence(self._database)
        self._at_work: set[asyncio.Task[None]] = set()
        self._ears: dict[str, Callable[[str, str], None]] = {
            TABLE: self._hear_of_table,
            GATHERED: self._hear_of_gathering,
            GONE: self._hear_of_end,
            CLUB: self._hear_of_club,
            HERE: self._hear_who_is_here,
            SIGN: self._see_sign,
        }

    @asynccontextmanager
    async def heard(self) -> AsyncIterator[None]:
        """Meanwhile what the others do is seen here too."""
        if not self._database.shared:
            yield
            return
        async with Listener(self._database, self._hear, self._look_at_everything).listening():
            announcing = asyncio.get_running_loop().create_task(self._presence.keep_announcing(self))
            try:
                yield
            finally:
                announcing.cancel()
                await self._presence.announce(())

    def __iter__(self) -> Iterator[Place]:
        """Where people can be."""
        yield from self._house.tables
        yield from self._house.hall.gatherings
        yield from self.clubs.open if self.clubs else ()

    def tell(self, *words: str) -> None:
        """What is kept nowhere."""
        if self._database.shared:
            self._begin(asyncio.to_thread(self._database.whisper, words))

    async def look_around(self) -> None:
        """Catches up with whatever was missed."""
        if self._database.shared:
            await self._look_at_tables()
            await self._look_at_gatherings()
            await self._look_at_clubs()

    async def _look_at_tables(self) -> None:
        if tables := self._house.tables:
            newest = await asyncio.to_thread(self._house.store.versions, [table.id for table in tables])
            for table in tables:
                if newest.get(table.id, 0) != table.version:
                    await table.catch_up()

    async def _look_at_gatherings(self) -> None:
        if gatherings := [each for each in self._house.hall.gatherings if not each.begun]:
            newest = await asyncio.to_thread(self._house.store.revisions, [each.id for each in gatherings])
            for each in gatherings:
                if newest.get(each.id) != each.kept.revision:
                    self._begin(each.look_again())

    async def _look_at_clubs(self) -> None:
        for club in self.clubs.open if self.clubs else ():
            self._begin(club.look_again())
        for name in {table.settings.club for table in self._house.tables}:
            await self._house.pause_with(name)

    def _hear(self, process: str, word: str) -> None:
        """What a newer process may say is passed over."""
        kind, _, rest = word.partition(" ")
        if kind in self._ears:
            self._ears[kind](process, rest)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(_without_harm(work))
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)

    def _look_at_everything(self) -> None:
        for table in self._house.tables:
            self._begin(table.catch_up())
        for gathering in self._house.hall.gatherings:
            self._begin(gathering.look_again())
        for club in self.clubs.open if self.clubs else ():
            self._begin(club.look_again())

    def _hear_of_table(self, _: str, word: str) -> None:
        name, version = word.split()
        table = self._house.opened(name)
        if table is not None and (version == "0" or int(version) > table.version):
            self._begin(table.catch_up())

    def _hear_of_gathering(self, _: str, name: str) -> None:
        gathering = self._house.hall.opened(name)
        if gathering is not None:
            self._begin(gathering.look_again())

    def _hear_of_end(self, _: str, name: str) -> None:
        self._house.dismiss(name, say("this table was deleted"))

    def _hear_of_club(self, _: str, name: str) -> None:
        club = self.clubs.opened(name) if self.clubs else None
        if club is not None:
            self._begin(club.look_again())
        self._begin(self._house.rest_with(name))

    def _hear_who_is_here(self, process: str, word: str) -> None:
        places = {place.id: place for place in self}
        for name, pace, people in heard(word):
            if name in places:
                places[name].heard_of(process, pace, people)

    def _see_sign(self, _: str, word: str) -> None:
        name, seat, sign = word.split()
        table = self._house.opened(name)
        if table is not None:
            table.reactions.show(Seat(int(seat)), sign)


async def _without_harm(work: Coroutine[Any, Any, None]) -> None:
    """What cannot be read just now is read later."""
    with suppress(TableeError):
        await work
