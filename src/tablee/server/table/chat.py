"""Chat of a table, where the host allows it: one-line messages, stored before they are shown; and reactions, which are not stored.

There is no chat in a club, or where fewer than two people play. A reaction is visible for a few seconds, one at a time per seat.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import mark, msg
from tablee.server.table.models import ChatMessage, ConflictError, TableStore
from tablee.server.table.state import TableState

SIGNS = {  # with their meanings; templates/signs.html draws them
    "well-played": mark("Well played"),
    "laugh": mark("Ha ha!"),
    "wow": mark("Oh!"),
    "thanks": mark("Thank you"),
    "hurry": mark("Your turn?"),
}
MAX_LENGTH = 280  # characters
MAX_BURST, BURST_SECONDS = 5, 10.0  # at most 5 messages of one seat in 10 seconds
FORBIDDEN_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")  # control characters, surrogates, line and paragraph separators
BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # would reorder the text after the message


class TooSoon(TableeError):
    pass


class Reactions:
    def __init__(self, state: TableState, announce: Callable[[str, Seat, str], None]) -> None:
        """Show reactions; `announce` tells the other processes."""
        self._state, self._announce = state, announce
        self._active: dict[Seat, tuple[str, float]] = {}

    def give(self, seat: Seat, sign: str) -> None:
        if self.current(seat):
            raise TooSoon(msg("one reaction at a time: wait until the last one is gone"))
        self.show(seat, sign)
        self._announce(self._state.id, seat, sign)

    def show(self, seat: Seat, sign: str) -> None:
        """Show a reaction, given in this process or another."""
        seconds, signal = self._state.config.reaction_seconds, self._state.signal
        self._active[seat] = (sign, self._state.config.monotonic() + seconds)
        signal.notify()
        asyncio.get_running_loop().call_later(seconds + 0.05, signal.notify)

    def current(self, seat: Seat) -> str:
        """Return the reaction that a seat shows now, if any."""
        sign, until = self._active.get(seat, ("", 0.0))
        return sign if self._state.config.monotonic() < until else ""

    @property
    def cache_key(self) -> tuple[tuple[Seat, str], ...]:
        return tuple((seat, sign) for seat in self._active if (sign := self.current(seat)))


class NoChat(TableeError):
    """Refusal because the table has no chat."""


class Chat:
    def __init__(
        self, state: TableState, messages: Sequence[ChatMessage], store: TableStore, catch_up: Callable[[], Awaitable[None]]
    ) -> None:
        """Open the chat with its stored messages; `catch_up` reads those that another process has stored."""
        self._state, self._store, self._catch_up = state, store, catch_up
        self.messages = tuple(messages)
        self._sent_at: dict[Seat, deque[float]] = defaultdict(lambda: deque(maxlen=MAX_BURST))
        self._lock = asyncio.Lock()

    @property
    def open(self) -> bool:
        settings = self._state.settings
        return settings.chat and not settings.club and len(self._state.seating.people) > 1

    @property
    def last_number(self) -> int:
        """Return the number of the newest message, 0 if there is none."""
        return self.messages[-1].number if self.messages else 0

    async def send(self, seat: Seat, text: str, client_id: str) -> int:
        """Store and show a message, once per client id even if the caller is cancelled; return its number."""
        if not self.open:
            raise NoChat(msg("there is no chat at this table"))
        line = validate_line(text)
        return await asyncio.shield(asyncio.get_running_loop().create_task(self._send(seat, line, client_id)))

    async def _send(self, seat: Seat, line: str, client_id: str) -> int:
        async with self._lock:
            known = next((each.number for each in self.messages if (each.seat, each.client_id) == (seat, client_id)), None)
            if known is not None:
                return known
            times, now = self._sent_at[seat], self._state.config.monotonic()
            if len(times) == MAX_BURST and now - times[0] < BURST_SECONDS:
                raise TooSoon(msg("not so fast: wait a few seconds before you say more"))
            message = ChatMessage(self.last_number + 1, seat, self._state.seating.names[seat], line, client_id)
            store, keep = self._store.add_chat_message, self._state.config.chat_messages
            try:
                await asyncio.to_thread(store, self._state.id, message, keep)
            except ConflictError:  # another process stored a message first
                await self._catch_up()
                message = replace(message, number=self.last_number + 1)
                await asyncio.to_thread(store, self._state.id, message, keep)
            times.append(now)
            self.messages = (*self.messages, message)[-keep:]
            self._state.signal.notify()
            return message.number


def validate_line(text: str) -> str:
    """Return the stripped text; refuse empty text and control characters."""
    line = text.strip()
    if any(unicodedata.category(each) in FORBIDDEN_CATEGORIES or each in BIDI_CONTROLS for each in line):
        raise TableeError(msg("a message is one line, without control characters"))
    if not any(each.isprintable() and not each.isspace() for each in line):
        raise TableeError(msg("an empty message says nothing"))
    return line
