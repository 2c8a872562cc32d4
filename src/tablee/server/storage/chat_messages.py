"""Chat messages: the newest of each table, outside its log and records, and deleted with it."""

from __future__ import annotations

from dataclasses import dataclass, fields

import sqlalchemy as sql

from tablee.server.storage.schema import chat_messages

MAX_MESSAGES = 100  # per table; older ones are deleted


@dataclass(frozen=True)
class ChatMessage:
    number: int  # counted from 1, never reused
    seat: int
    name: str  # of the seat's owner at that time
    text: str
    client_id: str


OF_TABLE = chat_messages.c.table_id == sql.bindparam("table")
SELECT_CHAT_MESSAGES = (
    sql.select(*(chat_messages.c[each.name] for each in fields(ChatMessage))).where(OF_TABLE).order_by(chat_messages.c.number)
)


def read_chat_messages(connection: sql.Connection, table: str) -> tuple[ChatMessage, ...]:
    """Return the chat messages of a table, oldest first."""
    return tuple(ChatMessage(*row) for row in connection.execute(SELECT_CHAT_MESSAGES, {"table": table}))


def write_chat_message(connection: sql.Connection, table: str, message: ChatMessage) -> None:
    connection.execute(chat_messages.insert().values(table_id=table, **vars(message)))
    connection.execute(
        chat_messages.delete().where(chat_messages.c.table_id == table, chat_messages.c.number <= message.number - MAX_MESSAGES)
    )
