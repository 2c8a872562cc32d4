"""What a table looks like to screens that look alike: drawn once, sent to all of them, as little as each one lacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2s
from typing import Any, TypeVar

from tablee.server.ops import metrics
from tablee.server.view import patches, rendering
from tablee.server.view.client_view import ClientView
from tablee.server.view.fragments import Fragment, FragmentCache

MAX_CACHED_VIEWS = 64  # pictures of one table; drafts make many

Encoded = TypeVar("Encoded", str, str | bytes)

fragment_cache = FragmentCache()  # shared by all tables


@dataclass(eq=False)
class RenderedView:
    fragment: Fragment
    client_state: dict[str, Any]  # what the browser's own code may know
    _messages: dict[Fragment, str] = field(default_factory=dict)  # by what a screen shows before
    _compressed_messages: dict[Fragment, str | bytes] = field(default_factory=dict)

    def message(self, shown: Fragment | None, serial: int) -> str:
        """For a screen that shows this; `serial` says which of its own words it answers."""
        return patches.with_serial(
            _encode_once(self._messages, shown, lambda: patches.encode(self.fragment.changed_since(shown), self.client_state)), serial
        )

    def compressed_message(self, shown: Fragment | None, serial: int) -> str | bytes:
        """The same; if it is large, packed."""
        return patches.compressed_with_serial(
            _encode_once(
                self._compressed_messages, shown, lambda: patches.encode_compressed(self.fragment.changed_since(shown), self.client_state)
            ),
            serial,
        )


def _encode_once(known: dict[Fragment, Encoded], shown: Fragment | None, say: Callable[[], Encoded]) -> Encoded:
    """For all who show the same. A whole page is large, and seldom asked for twice."""
    if shown is None:
        return say()
    if shown not in known:
        known[shown] = say()
    return known[shown]


def etag(screen: ClientView, include_expected: bool = True) -> str:
    """A picture's name says what it is drawn of, so that a screen which comes back need not be drawn for if it shows just that. Nameless
    where that is more than can be said in a word: what is tried out, and a game that is over. `waiting` is whether those count as here who
    are only expected."""
    table = screen.table
    if screen.draft or screen.replay_position is not None or table.done:
        return ""
    here = screen.present if include_expected else table.presence.who_is_here(len(table.seating), include_expected=False)
    around = (
        here,
        table.settings,
        table.club_paused,
        table.error_report,
        table.absent_players.seats,
        table.clock.cache_key,
        table.reactions.cache_key,
    )
    drawn_of = repr((rendering.build_hash(), table.id, table.version, table.chat.last_number, screen.cache_key, around))
    return blake2s(drawn_of.encode(), digest_size=9).hexdigest()


def cached_view(screen: ClientView) -> RenderedView:
    table, likeness = screen.table, (screen.cache_key, screen.present)
    pulse, kept = table.rendered_views
    if pulse != table.signal.generation:
        table.rendered_views = pulse, kept = table.signal.generation, {}
    if likeness not in kept:
        if len(kept) >= MAX_CACHED_VIEWS:
            del kept[next(iter(kept))]
        kept[likeness] = render_view(screen)
    found: RenderedView = kept[likeness]
    return found


def render_view(screen: ClientView, cache: FragmentCache | None = fragment_cache) -> RenderedView:
    with metrics.time_rendering(screen.table.game.key):
        context = screen.context()
        return RenderedView(rendering.render(context, cache), rendering.client_state(context) | {"picture": etag(screen)})
