"""View of the chat: every client may read it, only players write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from tablee.core.i18n import msg
from tablee.server.table.chat import MAX_LENGTH
from tablee.server.table.models import ChatMessage
from tablee.server.view.narrator import initial

if TYPE_CHECKING:
    from tablee.server.view.client_view import ClientView

LINES_PER_BUNDLE = 20  # messages per fragment: a new one resends its bundle only


@dataclass(frozen=True, slots=True)
class ChatMessageView:
    number: int
    seat: int
    name: str
    initial: str
    text: str
    mine: bool


@dataclass(frozen=True, slots=True)
class ChatView:
    bundles: Sequence[tuple[int, Sequence[ChatMessageView]]]  # with their numbers
    can_write: bool
    max_length: int = MAX_LENGTH


def chat_view(client_view: ClientView) -> ChatView | None:
    """Return the chat's messages in bundles, None for a table without chat."""
    chat = client_view.table.chat
    if not chat.open:
        return None
    bundles = groupby(chat.messages, lambda message: message.number // LINES_PER_BUNDLE)
    return ChatView(
        [(number, [_message_view(client_view, message) for message in bundle]) for number, bundle in bundles], bool(client_view.seats)
    )


def _message_view(client_view: ClientView, message: ChatMessage) -> ChatMessageView:
    name = message.name or client_view.translator(msg("Player {number}", number=message.seat + 1))
    return ChatMessageView(message.number, message.seat, name, initial(name), message.text, message.seat in client_view.seats)
