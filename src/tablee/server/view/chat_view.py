"""View of the chat: every client may read it, only players write."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from tablee.core.i18n import msg
from tablee.server.table.chat import MAX_LENGTH
from tablee.server.table.models import ChatMessage
from tablee.server.view.narrator import initial

if TYPE_CHECKING:
    from tablee.server.view.client_view import ClientView

LINES_PER_BUNDLE = 20  # messages per fragment: a new one resends its bundle only


def chat_view(client_view: ClientView) -> dict[str, Any] | None:
    """Return the chat's messages in bundles, None for a table without chat."""
    chat = client_view.table.chat
    if not chat.open:
        return None
    bundles = groupby(chat.messages, lambda message: message.number // LINES_PER_BUNDLE)
    return {
        "bundles": [(number, [_message_view(client_view, message) for message in bundle]) for number, bundle in bundles],
        "can_write": bool(client_view.seats),
        "max_length": MAX_LENGTH,
    }


def _message_view(client_view: ClientView, message: ChatMessage) -> dict[str, Any]:
    name = message.name or client_view.translator(msg("Player {number}", number=message.seat + 1))
    return {
        "number": message.number,
        "seat": message.seat,
        "name": name,
        "initial": initial(name),
        "text": message.text,
        "mine": message.seat in client_view.seats,
    }
