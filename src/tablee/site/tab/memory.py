"""Device that keeps tables in memory, for builds and tests."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tablee.site.tab.storage import TAKEN, WRITTEN


class MemoryDevice:
    def __init__(self) -> None:
        self.tables: dict[str, tuple[str, list[list[str | None]], str]] = {}

    async def read(self, table: str) -> Sequence[str] | None:
        if table not in self.tables:
            return None
        document, lines, review = self.tables[table]
        return document, json.dumps(lines), review

    async def write(self, table: str, document: str, position: int, lines: str, review: str | None) -> str:
        _, before, reviewed = self.tables.get(table, ("", [], ""))
        new = json.loads(lines)
        if new and position != len(before):
            return TAKEN
        self.tables[table] = document, [*before, *new], review or reviewed
        return WRITTEN

    async def acquire(self, table: str) -> bool:
        return True
