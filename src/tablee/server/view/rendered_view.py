"""Rendered views of a table: rendered once for all clients with an equal view, one page at a time; each client gets only what it lacks.

A message is JSON with the changed fragments and the state, compressed if long: a raw deflate stream. It ends with the serial of the
client's message that it answers, and each fragment is encoded once for all.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2s

from tablee.server.ops import metrics
from tablee.server.view import rendering
from tablee.server.view.client_view import ClientView
from tablee.server.view.fragments import Fragment, FragmentCache
from tablee.server.view.rendering import ClientState
from tablee.server.view.table_view import TableView
from tablee.server.view.view_cache import view_cache_of

MAX_URGENT_IN_A_ROW = 3  # while others wait
MIN_COMPRESSED_LENGTH = 2000  # characters from which a message is compressed for clients that can inflate it
ENCODED_CACHE_SIZE = 1 << 8  # fragments that other clients may lack too
ZLIB_MEM_LEVEL = 5  # of 1 to 9: allocating more memory takes longer than compressing a short message


class RenderQueue:
    """Queue that renders one page at a time; between two pages the event loop receives and acknowledges moves.

    A person's own action comes first, but after MAX_URGENT_IN_A_ROW of those another waiting page is rendered, so that none starves.
    """

    def __init__(self) -> None:
        self._busy = False
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._normal: deque[asyncio.Future[None]] = deque()
        self._urgent_in_a_row = 0

    @asynccontextmanager
    async def slot(self, urgent: bool) -> AsyncIterator[None]:
        """Wait for a turn to render; `urgent` is whether a person waits for the result of their own action."""
        loop = asyncio.get_running_loop()
        if self._busy:
            turn = loop.create_future()
            (self._urgent if urgent else self._normal).append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._next()
                raise
        self._busy = True
        try:
            yield
        finally:
            loop.call_soon(self._next)  # after all callbacks that are ready

    def _next(self) -> None:
        queues = [self._urgent, self._normal]
        for queue in queues if self._urgent_in_a_row < MAX_URGENT_IN_A_ROW else reversed(queues):
            while queue:
                waiting = queue.popleft()
                if not waiting.done():
                    self._urgent_in_a_row = self._urgent_in_a_row + 1 if queue is self._urgent else 0
                    waiting.set_result(None)
                    return
        self._busy = False


fragment_cache = FragmentCache()  # shared by all tables


@dataclass(eq=False)
class RenderedView:
    fragment: Fragment
    client_state: ClientState  # what scripts in the browser know
    _messages: dict[tuple[Fragment, bool], str | bytes] = field(default_factory=dict)  # by the root that the client shows

    def message(self, shown: Fragment | None, serial: int, packed: bool = False) -> str | bytes:
        """Return the message for a client that shows this tree; `serial` is that of the client's message that it answers.

        It is compressed if it is long and the client can inflate it (`packed`), and made once for all clients that show the same; a whole
        page is too large and rare to cache.
        """
        found = self._messages.get((shown, packed)) if shown is not None else None
        if found is None:
            found = self._encode(self.fragment.changed_since(shown))
            if packed and len(found) >= MIN_COMPRESSED_LENGTH:
                found = _compressed(found)
            if shown is not None:
                self._messages[shown, packed] = found
        end = f', "serial": {serial}}}'
        return found + end if isinstance(found, str) else found + _stored_block(end)

    def message_for_digests(self, digests: Mapping[str, str], serial: int) -> str:
        """Return the message for a client that reports the digests it shows."""
        return f'{self._encode(self.fragment.changed_from_digests(digests))}, "serial": {serial}}}'

    def _encode(self, fragments: Sequence[Fragment]) -> str:
        """Return the JSON of a message without its end: the serial, which differs between clients, follows."""
        return f'{{"parts": [{", ".join(map(_encoded, fragments))}], "now": {json.dumps(self.client_state)}'


def etag(client_view: ClientView, include_expected: bool = True) -> str:
    """Return the ETag of a client's view, so that a reconnecting client which shows it needs no rendering.

    Drafts, replays and finished games have none (""). `include_expected` counts players as present who are only expected back.
    """
    table = client_view.table
    if client_view.draft or client_view.replay_position is not None or table.done:
        return ""
    present = client_view.present if include_expected else table.presence.who_is_here(len(table.seating), include_expected=False)
    surroundings = (
        present,
        table.settings,
        table.club_paused,
        table.error_report,
        table.absent_players.seats,
        table.clock.cache_key,
        table.reactions.cache_key,
    )
    inputs = repr((rendering.build_hash(), table.id, table.version, table.chat.last_number, client_view.cache_key, surroundings))
    return blake2s(inputs.encode(), digest_size=9).hexdigest()


def cached_view(client_view: ClientView) -> RenderedView:
    """Return the view, rendered once for all clients with an equal one until the table changes."""
    key, generation = (render_view, client_view.cache_key, client_view.present), client_view.table.signal.generation
    return view_cache_of(client_view.table).made_once(generation, key, lambda: render_view(client_view))


def cached_message(client_view: ClientView) -> TableView:
    """Return the message, made once for all readers with an equal one until the table changes."""
    key, generation = (ClientView.message, client_view.cache_key, client_view.present), client_view.table.signal.generation
    return view_cache_of(client_view.table).made_once(generation, key, client_view.message)


def render_view(client_view: ClientView, cache: FragmentCache | None = fragment_cache) -> RenderedView:
    with metrics.time_rendering(client_view.table.game.key):
        message = client_view.message()
        fragment = rendering.render(message, client_view.translator, cache)
        return RenderedView(fragment, rendering.client_state(message) | {"picture": etag(client_view)})


def _compressed(text: str) -> bytes:
    """Return the text as a deflate stream, to which a stored block can be appended."""
    compressor = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS, ZLIB_MEM_LEVEL)
    return compressor.compress(text.encode()) + compressor.flush(zlib.Z_FULL_FLUSH)


def _encoded(fragment: Fragment) -> str:
    return _to_json_cached(fragment) if fragment.is_cached else _to_json(fragment)


def _to_json(fragment: Fragment) -> str:
    return json.dumps(fragment.patch())


_to_json_cached = lru_cache(ENCODED_CACHE_SIZE)(_to_json)


def _stored_block(text: str) -> bytes:
    """Return the final block of a deflate stream, stored: header, length, its complement, and the text (RFC 1951, 3.2.4)."""
    data = text.encode()
    return b"\x01" + len(data).to_bytes(2, "little") + (0xFFFF - len(data)).to_bytes(2, "little") + data
