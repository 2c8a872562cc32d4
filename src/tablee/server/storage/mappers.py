"""Between rows of the database and records: each function within a transaction that its caller opened."""

from __future__ import annotations

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
from tablee.server.storage.database import ConflictError, StoreError
from tablee.server.storage.models import LogAppend, LogLine, StoredCheckpoint, StoredSeat, StoredTable, TableSettings, TableSummary
from tablee.server.storage.schema import SEED_BYTES, club_tables, former_tokens, log, seats, tables

TABLE_PARAM = sql.bindparam("table", type_=sql.String)  # the table that is asked for
SELECT_SEATS = (
    sql.select(*(seats.c[each.name] for each in fields(StoredSeat))).where(seats.c.table_id == TABLE_PARAM).order_by(seats.c.seat)
)
SELECT_HOST = sql.select(tables.c.host).where(tables.c.id == TABLE_PARAM)
SELECT_FORMER_TOKENS = sql.select(former_tokens.c.token_hash).where(former_tokens.c.table_id == TABLE_PARAM)
FROM_POSITION = sql.and_(log.c.table_id == TABLE_PARAM, log.c.position >= sql.bindparam("position"))
SELECT_LINES = sql.select(log.c.line, log.c.client_id, log.c.kind).where(FROM_POSITION).order_by(log.c.position)


class DamagedTable(StoreError):
    """What is kept of the table cannot be read; asking again will not help."""


def insert_table(connection: sql.Connection, kept: StoredTable) -> None:
    connection.execute(tables.insert().values(**table_columns(kept), created=datetime.now(UTC)))
    write_seats(connection, kept.id, dict(enumerate(kept.seats)))
    write_lines(connection, [LogAppend(kept.id, 0, kept.lines)])


def end_game(connection: sql.Connection, table: str, outcome: Outcome) -> None:
    """Its game is over; where it is a class's, as of now."""
    connection.execute(tables.update().where(tables.c.id == table).values(outcome=asdict(outcome), code=""))
    running = club_tables.update().where(club_tables.c.table_id == table, club_tables.c.finished.is_(None))
    connection.execute(running.values(finished=datetime.now(UTC)))


def table_columns(kept: StoredTable) -> dict[str, Any]:
    """What the row of a table says."""
    same = ("id", "game", "rules", "options", "seed", "derivation", "phase", "code", "host", "brought", "ticking")
    records = {name: record and asdict(record) for name in ("settings", "outcome", "origin") for record in [getattr(kept, name)]}
    return {name: getattr(kept, name) for name in same} | records | {"box": kept.box.sha256}


def read_seats(connection: sql.Connection, table: str) -> tuple[StoredSeat, ...]:
    chairs = tuple(StoredSeat(*row) for row in connection.execute(SELECT_SEATS, {"table": table}))
    if not all(_has_valid_types(chair) and all(key.isascii() for key in chair.keys) for chair in chairs):
        raise damaged_table(table)
    return chairs


def _has_valid_types(kept: StoredSeat | TableSettings) -> bool:
    """Whether its texts are texts and its numbers are numbers; SQLite keeps anything in any column."""
    kinds = {each.name: str if "str" in str(each.type) else int for each in fields(kept)}
    return all(isinstance(getattr(kept, name), kind) for name, kind in kinds.items())


def read_summary(connection: sql.Connection, table: str) -> TableSummary | None:
    """What a list says of a table; of a damaged one only that it is there: who opens it is told the rest."""
    columns = [tables.c.game, tables.c.phase]
    try:
        found = connection.execute(sql.select(*columns, tables.c.outcome).where(tables.c.id == table)).first()
        return TableSummary(table, found.game, found.phase, parse_outcome(found.outcome), read_seats(connection, table)) if found else None
    except (TypeError, ValueError, LookupError, DamagedTable):
        game, phase = connection.execute(sql.select(*columns).where(tables.c.id == table)).one()
        return TableSummary(table, game, phase, None, ())


def write_seats(connection: sql.Connection, table: str, chairs: Mapping[int, StoredSeat]) -> None:
    """These chairs are so from now on."""
    for seat, chair in chairs.items():
        _record_former_tokens(connection, table, seat, chair)
        connection.execute(seats.delete().where(seats.c.table_id == table, seats.c.seat == seat))
        connection.execute(seats.insert().values(table_id=table, seat=seat, **vars(chair)))
    if chairs:
        for column in (seats.c.token_hash, seats.c.owner_hash):
            here = sql.select(column).where(seats.c.table_id == table)
            connection.execute(
                former_tokens.delete().where(former_tokens.c.table_id == table, former_tokens.c.token_hash.in_(here))
            )  # they are back


def _record_former_tokens(connection: sql.Connection, table: str, seat: int, chair: StoredSeat) -> None:
    """Whoever sat there before is told so."""
    known = sql.select(former_tokens.c.token_hash).where(former_tokens.c.table_id == table)
    for column in (seats.c.token_hash, seats.c.owner_hash):
        before = sql.select(seats.c.table_id, column).where(
            seats.c.table_id == table, seats.c.seat == seat, column.not_in(["", *chair.keys]), column.not_in(known)
        )
        connection.execute(former_tokens.insert().from_select(["table_id", "token_hash"], before))


def read_host(connection: sql.Connection, table: str) -> str:
    return connection.execute(SELECT_HOST, {"table": table}).scalar_one_or_none() or "" if table else ""


def read_former_tokens(connection: sql.Connection, table: str) -> frozenset[str]:
    return frozenset(connection.execute(SELECT_FORMER_TOKENS, {"table": table}).scalars())


def build_table(
    table: str, found: sql.RowMapping, chairs: tuple[StoredSeat, ...], rows: tuple[LogLine, ...], checkpoint: StoredCheckpoint | None
) -> StoredTable:
    try:
        settings = TableSettings(**found["settings"])
        if not _has_valid_types(settings):
            raise TypeError
        outcome = parse_outcome(found["outcome"])
        origin = Origin(**found["origin"]) if found["origin"] else None
    except (TypeError, LookupError) as error:
        raise damaged_table(table) from error
    seed, options = found["seed"], found["options"]
    if not (chairs and isinstance(options, dict)):
        raise damaged_table(table)
    if len(seed) != SEED_BYTES and not (found["brought"] and not seed):  # a record may lack its seed
        raise damaged_table(table)
    return StoredTable(
        id=table,
        game=found["game"],
        rules=found["rules"],
        box=_box(found["name"], found["text"]),
        options=options,
        seats=chairs,
        seed=seed,
        derivation=found["derivation"],
        lines=rows,
        rematch=found["rematch"],
        settings=settings,
        checkpoint=checkpoint,
        outcome=outcome,
        origin=origin,
        brought=found["brought"],
        phase=found["phase"],
        revision=found["revision"],
        code=found["code"],
        host=found["host"],
        ticking=found["ticking"],
        unseen=found["unseen"],
    )


@lru_cache(maxsize=64)
def _box(name: str, text: str) -> Components:
    """Many tables are played with the same."""
    return Components.parse(name, text)


def damaged_table(table: str) -> DamagedTable:
    return DamagedTable(msg("the data of table {table!r} is damaged and cannot be read", table=table[:40]))


def link_rematch(connection: sql.Connection, table: str, rematch: str) -> None:
    """Of two who ask for a rematch at once, the second finds the first one's. In a class it has the place of the table that it follows."""
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


def parse_outcome(kept: dict[str, Any] | None) -> Outcome | None:
    return None if kept is None else Outcome(tuple(kept["scores"]), tuple(Seat(seat) for seat in kept["winners"]), kept["won"])
