"""Stored tables as JSON documents, which the device keeps; the log lines stand beside them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from tablee.core.components import Components
from tablee.core.game import Outcome, Seat
from tablee.core.match import Origin
from tablee.server.table.models import LogLine, StoredSeat, StoredTable, TableSettings

SAME = (
    *("id", "game", "rules", "options", "derivation", "rematch", "phase", "revision", "code", "host", "inviter", "brought", "ticking"),
    *("club_paused", "unseen"),
)


def table_to_json(table: StoredTable) -> str:
    """Return everything but the log lines."""
    document = {name: getattr(table, name) for name in SAME} | {
        "box": [table.box.name, table.box.text],
        "seats": [asdict(seat) for seat in table.seats],
        "seed": table.seed.hex(),
        "settings": asdict(table.settings),
        "outcome": table.outcome and asdict(table.outcome),
        "origin": table.origin and asdict(table.origin),
    }
    return json.dumps(document)


def table_from_json(text: str, lines: tuple[LogLine, ...]) -> StoredTable:
    document: dict[str, Any] = json.loads(text)
    outcome, origin = document["outcome"], document["origin"]
    return StoredTable(
        **{name: document[name] for name in SAME},
        box=Components.parse(*document["box"]),
        seats=tuple(StoredSeat(**seat) for seat in document["seats"]),
        seed=bytes.fromhex(document["seed"]),
        settings=TableSettings(**document["settings"]),
        outcome=outcome and Outcome(tuple(outcome["scores"]), tuple(map(Seat, outcome["winners"])), outcome["won"]),
        origin=origin and Origin(**origin),
        lines=lines,
    )


def lines_to_json(lines: tuple[LogLine, ...]) -> str:
    return json.dumps([[line.line, line.client_id, line.kind] for line in lines])


def lines_from_json(text: str) -> tuple[LogLine, ...]:
    return tuple(LogLine(*line) for line in json.loads(text))
