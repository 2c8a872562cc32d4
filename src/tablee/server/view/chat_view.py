"""What a screen shows of what people say to each other. Everybody who looks may read it; only those who sit here write."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from tablee.core.i18n import msg
from tablee.server.storage.chat_messages import ChatMessage
from tablee.server.table.chat import MAX_LENGTH
from tablee.server.view.narrator import initial

if TYPE_CHECKING:
    from tablee.server.view.client_view import ClientView

LINES_PER_BUNDLE = 20  # lines: a new one sends its bundle, not all of them


def chat_view(screen: ClientView) -> dict[str, Any] | None:
    """None where nobody chats."""
    chat = screen.table.chat
    if not chat.open:
        return None
    bundles = groupby(chat.messages, lambda said: said.number // LINES_PER_BUNDLE)
    return {
        "bundles": [(number, [_message_view(screen, said) for said in bundle]) for number, bundle in bundles],
        "can_write": bool(screen.seats),
        "max_length": MAX_LENGTH,
    }


def _message_view(screen: ClientView, said: ChatMessage) -> dict[str, Any]:
    name = said.name or screen.words(msg("Player {number}", number=said.seat + 1))
    return {
        "number": said.number,
        "seat": said.seat,
        "name": name,
        "initial": initial(name),
        "text": said.text,
        "mine": said.seat in screen.seats,
    }
