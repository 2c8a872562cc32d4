"""Components of a box: one TOML file per game, read once and validated by its room.

Errors name the file, the line and the reason.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablee.core.errors import ComponentsError
from tablee.core.i18n import Message, msg


@dataclass(frozen=True)
class Components:
    name: str
    text: str
    data: dict[str, Any]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    def fault(self, reason: Message, table: str = "", key: str = "", row: int = 0) -> ComponentsError:
        """Return the error for a wrong value: `table` as in [table], `key` inside it, `row` lines further down in a list of rows."""
        line = line_of(self.text, table, key) + row
        return ComponentsError(msg("{file}, line {line}: {reason}", file=self.name, line=line, reason=reason))

    def get_int(self, table: str, key: str, low: int, high: int) -> int:
        """Return an integer after checking its bounds."""
        value = self.value(table, key)
        if type(value) is not int or not low <= value <= high:
            raise self.fault(msg("{key} must be a whole number from {low} to {high}", key=key, low=low, high=high), table, key)
        return value

    def value(self, table: str, key: str) -> Any:
        section: object = self.data
        for part in table.split(".") if table else []:
            section = section.get(part) if isinstance(section, dict) else None
        if not isinstance(section, dict) or key not in section:
            raise self.fault(msg("{key} is missing from [{table}]", key=key, table=table), table)
        return section[key]

    @classmethod
    def parse(cls, name: str, text: str) -> Components:
        try:
            return cls(name, text, tomllib.loads(text))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise ComponentsError(msg("{file} is not valid TOML: {reason}", file=name, reason=str(error))) from error


def load(file: Path) -> Components:
    try:
        return Components.parse(file.name, file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ComponentsError(msg("{file} cannot be read: {reason}", file=str(file), reason=error.strerror or str(error))) from error
    except UnicodeDecodeError as error:
        raise ComponentsError(msg("{file} is not valid TOML: {reason}", file=file.name, reason=str(error))) from error


def line_of(text: str, table: str, key: str) -> int:
    """Return the line number of `key` inside [table], else of the table, else 1."""
    here, found = "", 1
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.fullmatch(r"\s*\[([A-Za-z_][^\[\],]*)\]\s*(#.*)?", line):
            here = header[1].strip()
            found = number if here == table else found
        elif here == table and key and re.match(rf'\s*"?{re.escape(key)}"?\s*=', line):
            return number
    return found
