"""Texts that take long to make, such as drawings: made once for each version of a room, and then read from disk."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Hashable
from functools import cache, wraps
from pathlib import Path

import numpy as np

from tablee.core import cache as places

EXCLUDED_FOLDER = "tests"  # a folder of the room


def disk_cached(make: Callable[..., str]) -> Callable[..., str]:
    """For a function in one of a room's own files, not in a folder of it, that makes a text of nothing but what it is given, which must say
    what it holds, and of Python sources."""
    room = make.__module__.rpartition(".")[0]

    @cache
    @wraps(make)
    def found(*given: Hashable) -> str:
        folder = places.folder_for(f"{room}.{make.__name__.strip('_')}", _stamp_of(Path(make.__code__.co_filename).parent))
        if folder is None:
            return make(*given)
        places.use(folder)
        file = folder / f"{hashlib.sha256(repr(given).encode()).hexdigest()}.text"
        known = places.read(file)
        text = make(*given) if known is None else known.decode()
        if known is None:
            places.write(file, text.encode())
        return text

    return found


@cache
def _stamp_of(room: Path) -> str:
    """Of all sources of the room and of the core, and of what counts for them."""
    digest = hashlib.sha256(f"{sys.version} {np.__version__}".encode())
    for folder in (Path(__file__).parent, room):
        for file in sorted(folder.rglob("*.py")):
            if EXCLUDED_FOLDER not in file.relative_to(folder).parts:
                digest.update(f"\n{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()
