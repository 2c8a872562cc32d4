"""Text files with atomic writes."""

from __future__ import annotations

import os
from pathlib import Path

from tablee.core.errors import TableeError
from tablee.core.i18n import msg


def read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise TableeError(msg("{file} is not a text file", file=str(file))) from None


def write_text(file: Path, text: str) -> None:
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)
