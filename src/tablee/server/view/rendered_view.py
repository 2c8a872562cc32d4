"""Rendered views of a table: rendered once for all clients with an equal view; each gets only what it lacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2s
from typing import Any, TypeVar

from tablee.server.ops import metrics
from tablee.server.view import patches, rendering
from tablee.server.view.client_view import ClientView
from tablee.server.view.fragments import Fragment, FragmentCache

MAX_CACHED_VIEWS = 64  # per table; drafts make many

Encoded = TypeVar("Encoded", str, str | bytes)

fragment_cache = None if rendering.RELOAD else FragmentCache()  # shared by all tables


@dataclass(eq=False)
class RenderedView:
    fragment: Fragment
    client_state: dict[str, Any]  # what scripts in the browser know
    _messages: dict[Fragment, str] = field(default_factory=dict)  # by the root that the client shows
    _compressed_messages: dict[Fragment, str | bytes] = field(default_factory=dict)

    def message(self, shown: Fragment | None, serial: int) -> str:
        """Return the message for a client that shows this tree; `serial` is that of the client's message that it answers."""
        return patches.with_serial(
            _encode_once(self._messages, shown, lambda: patches.encode(self.fragment.changed_since(shown), self.client_state)), serial
        )

    def compressed_message(self, shown: Fragment | None, serial: int) -> str | bytes:
        """Return the message for a client that shows this tree, compressed if long."""
        return patches.compressed_with_serial(
            _encode_once(
                self._compressed_messages, shown, lambda: patches.encode_compressed(self.fragment.changed_since(shown), self.client_state)
            ),
            serial,
        )


def _encode_once(messages: dict[Fragment, Encoded], shown: Fragment | None, encode: Callable[[], Encoded]) -> Encoded:
    """Return a message, encoded once for all clients that show the same; a whole page is too large and rare to cache."""
    if shown is None:
        return encode()
    if shown not in messages:
        messages[shown] = encode()
    return messages[shown]


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
    table, key = client_view.table, (client_view.cache_key, client_view.present)
    generation, views = table.rendered_views
    if generation != table.signal.generation:
        table.rendered_views = generation, views = table.signal.generation, {}
    if key not in views or rendering.RELOAD:
        if len(views) >= MAX_CACHED_VIEWS:
            del views[next(iter(views))]
        views[key] = render_view(client_view)
    found: RenderedView = views[key]
    return found


def render_view(client_view: ClientView, cache: FragmentCache | None = fragment_cache) -> RenderedView:
    with metrics.time_rendering(client_view.table.game.key):
        context = client_view.context()
        return RenderedView(rendering.render(context, cache), rendering.client_state(context) | {"picture": etag(client_view)})
