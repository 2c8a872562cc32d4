"""What a screen shows of what people say to each other. Everybody who looks may read it; only those who sit here write."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from tablee.core.i18n import say
from tablee.server.storage.chat_messages import Saying
from tablee.server.table.chat import LONGEST
from tablee.server.view.narrator import initial

if TYPE_CHECKING:
    from tablee.server.view.client_view import Screen

BUNDLE = 20  # lines: a new one sends its bundle, not all of them


def spoken(screen: Screen) -> dict[str, Any] | None:
    """None where nobody chats."""
    chat = screen.table.chat
    if not chat.open:
        return None
    bundles = groupby(chat.said, lambda said: said.number // BUNDLE)
    return {
        "bundles": [(number, [_line(screen, said) for said in bundle]) for number, bundle in bundles],
        "writes": bool(screen.seats),
        "longest": LONGEST,
    }


def _line(screen: Screen, said: Saying) -> dict[str, Any]:
    name = said.name or screen.words(say("Player {number}", number=said.seat + 1))
    return {
        "number": said.number,
        "seat": said.seat,
        "name": name,
        "initial": initial(name),
        "text": said.text,
        "mine": said.seat in screen.seats,
    }
