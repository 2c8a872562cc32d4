"""Memoisation to disk for expensive texts such as drawings, per version of a room."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Hashable
from functools import cache, wraps
from pathlib import Path

import numpy as np

from tablee.core import cache as disk

EXCLUDED_FOLDER = "tests"  # folder of a room whose files do not affect its texts


def disk_cached(make: Callable[..., str]) -> Callable[..., str]:
    """Memoise a function on disk whose text depends only on its arguments and on Python sources of its room and of the core.

    The function must be in a file directly in the room's folder, and the `repr` of its arguments must be complete: it is the key.
    """
    room = make.__module__.rpartition(".")[0]

    @cache
    @wraps(make)
    def memoised(*args: Hashable) -> str:
        folder = disk.folder_for(f"{room}.{make.__name__.strip('_')}", _stamp_of(Path(make.__code__.co_filename).parent))
        if folder is None:
            return make(*args)
        disk.use(folder)
        file = folder / f"{hashlib.sha256(repr(args).encode()).hexdigest()}.text"
        cached = disk.read(file)
        text = make(*args) if cached is None else cached.decode()
        if cached is None:
            disk.write(file, text.encode())
        return text

    return memoised


@cache
def _stamp_of(room: Path) -> str:
    """Return the hash of all sources of the room and of the core, and of the versions of Python and NumPy."""
    digest = hashlib.sha256(f"{sys.version} {np.__version__}".encode())
    for folder in (Path(__file__).parent, room):
        for file in sorted(folder.rglob("*.py")):
            if EXCLUDED_FOLDER not in file.relative_to(folder).parts:
                digest.update(f"\n{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()
