"""Record of a table as its reader may know it."""

from __future__ import annotations

from typing import Any

from tablee.core import record
from tablee.server.table.table import Table


def readable_record(table: Table, token: str | None) -> dict[str, Any]:
    seat, written = table.seating.seat_of_token(token), record.write(table.match)
    if not table.done:
        written["log"] = table.match.lines_for(seat)
    if table.settings.lesson:
        written["fairness"] = None
    return written
