"""Memoisation to disk for expensive texts such as drawings, per version of a room."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from functools import cache, wraps
from pathlib import Path

from tablee.core import cache as disk
from tablee.core.prepared import PREPARED_FOLDER

made_texts: dict[tuple[str, tuple[Hashable, ...]], str] = {}  # the texts of this process by the function's name and its arguments


def disk_cached(make: Callable[..., str]) -> Callable[..., str]:
    """Memoise a function on disk whose text depends only on its arguments and on Python sources of its room and of the core.

    The function must be in a file directly in the room's folder, and the `repr` of its arguments must be complete: it is the key.
    """
    package = make.__module__.rpartition(".")[0]
    name = f"{package}.{make.__name__.strip('_')}"

    @cache
    @wraps(make)
    def memoised(*args: Hashable) -> str:
        prepared = prepared_file(PREPARED_FOLDER, name, args)
        if prepared.exists():
            return prepared.read_text(encoding="utf-8")
        text = from_disk(*args)
        made_texts[name, args] = text
        return text

    def from_disk(*args: Hashable) -> str:
        folder = disk.folder_of(package)
        if folder is None:
            return make(*args)
        disk.use(folder)
        file = prepared_file(folder, name, args)
        cached = disk.read(file)
        text = make(*args) if cached is None else cached.decode()
        if cached is None:
            disk.write(file, text.encode())
        return text

    return memoised


def prepared_file(folder: Path, name: str, args: tuple[Hashable, ...]) -> Path:
    """Return the file of a prepared text."""
    return folder / name / _file_name(args)


def _file_name(args: tuple[Hashable, ...]) -> str:
    return f"{hashlib.sha256(repr(args).encode()).hexdigest()}.text"
