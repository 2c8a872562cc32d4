"""Memoisation to disk for expensive texts such as drawings, per version of a room."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Hashable
from functools import cache, wraps
from pathlib import Path

from tablee.core import cache as disk
from tablee.core.optional_numpy import np
from tablee.core.prepared import PREPARED_FOLDER

made: dict[tuple[str, tuple[Hashable, ...]], str] = {}  # the texts of this process by the function's name and its arguments
EXCLUDED_FOLDER = "tests"  # folder of a room whose files do not affect its texts


def disk_cached(make: Callable[..., str]) -> Callable[..., str]:
    """Memoise a function on disk whose text depends only on its arguments and on Python sources of its room and of the core.

    The function must be in a file directly in the room's folder, and the `repr` of its arguments must be complete: it is the key.
    """
    name = f"{make.__module__.rpartition('.')[0]}.{make.__name__.strip('_')}"

    @cache
    @wraps(make)
    def memoised(*args: Hashable) -> str:
        prepared = prepared_file(PREPARED_FOLDER, name, args)
        if prepared.exists():
            return prepared.read_text(encoding="utf-8")
        text = from_disk(*args)
        made[name, args] = text
        return text

    def from_disk(*args: Hashable) -> str:
        folder = disk.folder_for(name, _stamp_of(Path(make.__code__.co_filename).parent))
        if folder is None:
            return make(*args)
        disk.use(folder)
        file = folder / _file_name(args)
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


@cache
def _stamp_of(room: Path) -> str:
    """Return the hash of all sources of the room and of the core, and of the versions of Python and NumPy."""
    digest = hashlib.sha256(f"{sys.version} {np.__version__ if np else None}".encode())
    for folder in (Path(__file__).parent, room):
        for file in sorted(folder.rglob("*.py")):
            if EXCLUDED_FOLDER not in file.relative_to(folder).parts:
                digest.update(f"\n{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()
