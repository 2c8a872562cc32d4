"""Mapping between database rows and models, and codes; each function runs in a transaction of its caller."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import sqlalchemy as sql

from tablee.core.components import Components
from tablee.core.game import Outcome, Seat
from tablee.core.i18n import msg
from tablee.core.match import Origin
from tablee.server.storage.schema import chat_messages, club_tables, clubs, former_tokens, log, metadata, seats, tables
from tablee.server.table.models import (
    SEED_BYTES,
    ChatMessage,
    ConflictError,
    LogAppend,
    LogLine,
    StoredSeat,
    StoredTable,
    StoreError,
    TableSettings,
    TableSummary,
)

TABLE_PARAM = sql.bindparam("table", type_=sql.String)
SELECT_SEATS = (
    sql.select(*(seats.c[each.name] for each in fields(StoredSeat))).where(seats.c.table_id == TABLE_PARAM).order_by(seats.c.seat)
)
SELECT_HOST = sql.select(tables.c.host).where(tables.c.id == TABLE_PARAM)
SELECT_CLUB_PAUSED = sql.select(clubs.c.paused).where(clubs.c.id == sql.bindparam("club"))
SELECT_FORMER_TOKENS = sql.select(former_tokens.c.token_hash).where(former_tokens.c.table_id == TABLE_PARAM)
FROM_POSITION = sql.and_(log.c.table_id == TABLE_PARAM, log.c.position >= sql.bindparam("position"))
SELECT_LINES = sql.select(log.c.line, log.c.client_id, log.c.kind).where(FROM_POSITION).order_by(log.c.position)

SELECT_CHAT_MESSAGES = (
    sql.select(*(chat_messages.c[each.name] for each in fields(ChatMessage)))
    .where(chat_messages.c.table_id == TABLE_PARAM)
    .order_by(chat_messages.c.number)
)
SAME_COLUMNS = ("id", "game", "rules", "options", "seed", "derivation", "phase", "code", "host", "brought", "ticking")  # in rows and models
CODE_LETTERS = "BCDFGHJKMNPQRSTVWXZ"  # no vowels, so that no code is a word; none that looks like a digit
CODE_LENGTH = 6  # older codes have five letters and stay valid


class DamagedTable(StoreError):
    """Error for stored data of a table that cannot be read; a retry does not help."""


def insert_table(connection: sql.Connection, table: StoredTable) -> None:
    connection.execute(tables.insert().values(**table_columns(table), created=datetime.now(UTC)))
    write_seats(connection, table.id, dict(enumerate(table.seats)))
    write_lines(connection, [LogAppend(table.id, 0, table.lines)])


def end_game(connection: sql.Connection, table: str, outcome: Outcome) -> None:
    """Store the outcome of a game; a table of a class is finished as of now."""
    connection.execute(tables.update().where(tables.c.id == table).values(outcome=asdict(outcome), code=""))
    running = club_tables.update().where(club_tables.c.table_id == table, club_tables.c.finished.is_(None))
    connection.execute(running.values(finished=datetime.now(UTC)))


def table_columns(table: StoredTable) -> dict[str, Any]:
    """Return the columns of the row in `tables`."""
    as_json = {name: model and asdict(model) for name in ("settings", "outcome", "origin") for model in [getattr(table, name)]}
    return {name: getattr(table, name) for name in SAME_COLUMNS} | as_json | {"box": table.box.sha256}


def read_seats(connection: sql.Connection, table: str) -> tuple[StoredSeat, ...]:
    found = tuple(StoredSeat(*row) for row in connection.execute(SELECT_SEATS, {"table": table}))
    if not all(_has_valid_types(seat) and all(key.isascii() for key in seat.keys) for seat in found):
        raise damaged_table(table)
    return found


def _has_valid_types(model: StoredSeat | TableSettings) -> bool:
    """Return whether texts are texts and numbers are numbers; SQLite stores any type in any column."""
    types = {each.name: str if "str" in str(each.type) else int for each in fields(model)}
    return all(isinstance(getattr(model, name), kind) for name, kind in types.items())


def read_summary(connection: sql.Connection, table: str) -> TableSummary | None:
    """Return the summary of a table; for a damaged table it has no seats, and opening the table raises the reason."""
    columns = [tables.c.game, tables.c.phase]
    try:
        found = connection.execute(sql.select(*columns, tables.c.outcome).where(tables.c.id == table)).first()
        if found is None:
            return None
        outcome, stored_seats = parse_outcome(found.outcome), read_seats(connection, table)
        return TableSummary(id=table, game=found.game, phase=found.phase, outcome=outcome, seats=stored_seats)
    except (TypeError, ValueError, LookupError, DamagedTable):
        game, phase = connection.execute(sql.select(*columns).where(tables.c.id == table)).one()
        return TableSummary(id=table, game=game, phase=phase, outcome=None, seats=())


def write_seats(connection: sql.Connection, table: str, new_seats: Mapping[int, StoredSeat]) -> None:
    """Replace these seats, and record which tokens no longer open one."""
    for seat, stored in new_seats.items():
        _record_former_tokens(connection, table, seat, stored)
        connection.execute(seats.delete().where(seats.c.table_id == table, seats.c.seat == seat))
        connection.execute(seats.insert().values(table_id=table, seat=seat, **vars(stored)))
    if new_seats:
        for column in (seats.c.token_hash, seats.c.owner_hash):
            here = sql.select(column).where(seats.c.table_id == table)
            connection.execute(
                former_tokens.delete().where(former_tokens.c.table_id == table, former_tokens.c.token_hash.in_(here))
            )  # their owners are back


def _record_former_tokens(connection: sql.Connection, table: str, seat: int, stored: StoredSeat) -> None:
    """Record the tokens that the seat loses, so that their owners get a message when they use them."""
    known = sql.select(former_tokens.c.token_hash).where(former_tokens.c.table_id == table)
    for column in (seats.c.token_hash, seats.c.owner_hash):
        before = sql.select(seats.c.table_id, column).where(
            seats.c.table_id == table, seats.c.seat == seat, column.not_in(["", *stored.keys]), column.not_in(known)
        )
        connection.execute(former_tokens.insert().from_select(["table_id", "token_hash"], before))


def read_host(connection: sql.Connection, table: str) -> str:
    return connection.execute(SELECT_HOST, {"table": table}).scalar_one_or_none() or "" if table else ""


def read_club_paused(connection: sql.Connection, club: str) -> bool:
    return bool(club and connection.execute(SELECT_CLUB_PAUSED, {"club": club}).scalar_one_or_none())


def read_former_tokens(connection: sql.Connection, table: str) -> frozenset[str]:
    return frozenset(connection.execute(SELECT_FORMER_TOKENS, {"table": table}).scalars())


def build_table(table: str, found: sql.RowMapping, stored_seats: tuple[StoredSeat, ...], lines: tuple[LogLine, ...]) -> StoredTable:
    try:
        settings = TableSettings(**found["settings"])
        if not _has_valid_types(settings):
            raise TypeError
        outcome = parse_outcome(found["outcome"])
        origin = Origin(**found["origin"]) if found["origin"] else None
    except (TypeError, LookupError) as error:
        raise damaged_table(table) from error
    seed, options = found["seed"], found["options"]
    if not (stored_seats and isinstance(options, dict)):
        raise damaged_table(table)
    if len(seed) != SEED_BYTES and not (found["brought"] and not seed):  # a record may lack its seed
        raise damaged_table(table)
    return StoredTable(
        **{name: found[name] for name in (*SAME_COLUMNS, "rematch", "revision", "unseen")},
        box=_parse_box(found["name"], found["text"]),
        seats=stored_seats,
        lines=lines,
        settings=settings,
        outcome=outcome,
        origin=origin,
    )


@lru_cache(maxsize=64)
def _parse_box(name: str, text: str) -> Components:
    """Return the parsed components, cached because many tables share them."""
    return Components.parse(name, text)


def damaged_table(table: str) -> DamagedTable:
    return DamagedTable(msg("the data of table {table!r} is damaged and cannot be read", table=table[:40]))


def link_rematch(connection: sql.Connection, table: str, rematch: str) -> None:
    """Link a table to its rematch, which gets the same place in a class.

    Of two simultaneous requests the second raises ConflictError, and finds the rematch of the first.
    """
    free = sql.and_(tables.c.id == table, tables.c.rematch == "")
    if connection.execute(tables.update().where(free).values(rematch=rematch)).rowcount != 1:
        raise ConflictError(msg("the game has moved on"))
    row = (sql.literal(rematch), club_tables.c.club_id, club_tables.c.round, club_tables.c.number, sql.literal(datetime.now(UTC)))
    columns = ["table_id", "club_id", "round", "number", "made"]
    connection.execute(club_tables.insert().from_select(columns, sql.select(*row).where(club_tables.c.table_id == table)))


def read_lines(connection: sql.Connection, table: str, position: int) -> tuple[LogLine, ...]:
    return tuple(LogLine(*row) for row in connection.execute(SELECT_LINES, {"table": table, "position": position}))


def write_lines(connection: sql.Connection, entries: Sequence[LogAppend]) -> None:
    rows = [
        {"table_id": entry.table, "position": entry.position + number, **vars(row)}
        for entry in entries
        for number, row in enumerate(entry.lines)
    ]
    if rows:
        connection.execute(log.insert(), rows)


def read_chat_messages(connection: sql.Connection, table: str) -> tuple[ChatMessage, ...]:
    """Return the chat messages of a table, oldest first."""
    return tuple(ChatMessage(*row) for row in connection.execute(SELECT_CHAT_MESSAGES, {"table": table}))


def write_chat_message(connection: sql.Connection, table: str, message: ChatMessage, keep: int) -> None:
    connection.execute(chat_messages.insert().values(table_id=table, **vars(message)))
    old = chat_messages.delete().where(chat_messages.c.table_id == table)
    connection.execute(old.where(chat_messages.c.number <= message.number - keep))


def parse_outcome(data: dict[str, Any] | None) -> Outcome | None:
    return None if data is None else Outcome(tuple(data["scores"]), tuple(Seat(seat) for seat in data["winners"]), data["won"])


def delete_tables(connection: sql.Connection, table_ids: Sequence[str]) -> None:
    """Delete these tables, and every row of the schema that refers to one of them by a foreign key."""
    connection.execute(sql.select(tables.c.id).where(tables.c.id.in_(table_ids)).with_for_update())  # locks out writers
    for table in reversed(metadata.sorted_tables):
        for column in table.columns:
            if any(key.column is tables.c.id for key in column.foreign_keys):
                connection.execute(table.delete().where(column.in_(table_ids)))
    connection.execute(tables.update().where(tables.c.rematch.in_(table_ids)).values(rematch=""))
    connection.execute(tables.delete().where(tables.c.id.in_(table_ids)))


def unused_code(connection: sql.Connection, letters: str = CODE_LETTERS, length: int = CODE_LENGTH) -> str:
    """Return a random code to read aloud that no table and no class has: they share one code space, so that no code leads to both."""
    while True:
        code = "".join(secrets.choice(letters) for _ in range(length))
        taken = sql.union_all(*(sql.select(each.c.code).where(each.c.code == code) for each in (clubs, tables)))
        if connection.execute(taken).first() is None:
            return code


def normalize_code(typed: str) -> str:
    """Return a typed code in upper case, without spaces and punctuation."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())[:CODE_LENGTH]
