"""What people say at a table, where its host allows it: the newest lines, beside the log and in no record. They go with the table."""

from __future__ import annotations

from dataclasses import dataclass, fields

import sqlalchemy as sql

from tablee.server.storage.schema import chat_messages

MAX_MESSAGES = 100  # lines of a table; older ones are forgotten


@dataclass(frozen=True)
class ChatMessage:
    number: int  # counted from 1, never twice
    seat: int
    name: str  # whose the seat was when it was said
    text: str
    client_id: str


OF_TABLE = chat_messages.c.table_id == sql.bindparam("table")
SELECT_CHAT_MESSAGES = (
    sql.select(*(chat_messages.c[each.name] for each in fields(ChatMessage))).where(OF_TABLE).order_by(chat_messages.c.number)
)


def read_chat_messages(connection: sql.Connection, table: str) -> tuple[ChatMessage, ...]:
    """The oldest first."""
    return tuple(ChatMessage(*row) for row in connection.execute(SELECT_CHAT_MESSAGES, {"table": table}))


def add_chat_message(connection: sql.Connection, table: str, said: ChatMessage) -> None:
    connection.execute(chat_messages.insert().values(table_id=table, **vars(said)))
    connection.execute(
        chat_messages.delete().where(chat_messages.c.table_id == table, chat_messages.c.number <= said.number - MAX_MESSAGES)
    )
