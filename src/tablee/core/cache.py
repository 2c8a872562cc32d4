"""Disk cache of machine code and drawings: one folder per room, named by a hash of sources, compiler versions and CPU.

The sources are the room's and this package's. A file is therefore never stale, and its timestamp does not matter; writes are atomic, so
any number of processes may fill one folder simultaneously. Loading a file executes it, so the cache is in a directory that no other user
can write to; where there is none, nothing is cached.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

COMPILERS = ("numpy", "numba", "llvmlite")
DIGEST_BYTES = 32  # SHA-256 at the start of each file
STAMP_LENGTH = 16  # hexadecimal digits
SUFFIX = ".code"
USED, WARM, COMPILING = "used", "warm", "compiling"  # time of last use; mark of a warm room; lock of its compiler
TESTS = "tests"  # folder of a room whose files do not count
MAX_IDLE_SECONDS = 14 * 24 * 3600  # without use
MAX_OLD_VERSIONS = 3  # per room
PACKAGE_PREFIX, GAMES_PREFIX = "tablee.", "tablee.games."
_used_folders: set[Path] = set()  # by this process
_incomplete_folders: set[Path] = set()  # folders in which a write of this process failed


def folder_of(package: str) -> Path | None:
    """Return the folder for this version of a room, or None without a cache."""
    place = _cache_root() if _is_room(package) else None
    return place and place / f"{package}-{stamp_of(package)[:STAMP_LENGTH]}"


def _is_room(package: str) -> bool:
    """Return whether a package is a room: any of `tablee.games`, or any package from outside `tablee`."""
    return package.startswith(GAMES_PREFIX) or not package.startswith(PACKAGE_PREFIX)


def _cache_root() -> Path | None:
    """Return the first candidate that this user can write to."""
    for place in _cache_root_candidates():
        with suppress(OSError):
            place.mkdir(0o700, parents=True, exist_ok=True)
            if os.access(place, os.W_OK):
                return place
    return None


def _cache_root_candidates() -> Iterator[Path]:
    for name in ("TABLEE_CACHE", "XDG_CACHE_HOME"):
        if named := os.environ.get(name):
            yield Path(named) / "tablee"
    with suppress(RuntimeError):  # a user without a home folder
        yield Path.home() / ".cache" / "tablee"


@cache
def stamp_of(package: str) -> str:
    """Return the hash of everything that a package's machine code depends on.

    Numba's own cache does not notice when a called function changes, and timestamps mean nothing in a fresh clone.
    """
    digest = hashlib.sha256(repr((sys.version, [_version(each) for each in COMPILERS], _processor())).encode())
    for folder in sorted({Path(__file__).parent, _sources(package)}):
        for file in sorted(folder.rglob("*.py")):
            if TESTS not in file.relative_to(folder).parts:
                digest.update(f"\n{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:STAMP_LENGTH]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _sources(package: str) -> Path:
    spec = find_spec(package) if package else None
    if spec is None or spec.origin is None:
        raise LookupError(f"{package!r} is no package with a source")
    return Path(spec.origin).parent


@cache
def _processor() -> tuple[str, str]:
    try:
        from llvmlite import binding  # noqa: PLC0415  a run with TABLEE_PLAIN=1 never imports the compiler

        return str(binding.get_host_cpu_name()), str(binding.get_host_cpu_features().flatten())
    except Exception:  # LLVM does not know the CPU, or is not installed
        return "", ""


def read(file: Path) -> bytes | None:
    """Return the contents of a cache file, or None if it is missing or damaged; a damaged file makes its folder cold."""
    try:
        whole = file.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(whole[DIGEST_BYTES:]).digest() == whole[:DIGEST_BYTES]:
        return whole[DIGEST_BYTES:]
    with suppress(OSError):
        (file.parent / WARM).unlink(missing_ok=True)
    return None


def write(file: Path, body: bytes) -> None:
    """Write a cache file atomically; an OSError only marks its folder as incomplete."""
    part = file.with_name(f"{file.name}.{os.getpid()}-{time.monotonic_ns()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(hashlib.sha256(body).digest() + body)
        part.replace(file)
    except OSError:
        _incomplete_folders.add(file.parent)
        with suppress(OSError):
            part.unlink(missing_ok=True)


def use(folder: Path) -> None:
    """Note that a folder is used; the first call of a process also prunes the cache."""
    if folder in _used_folders:
        return
    _used_folders.add(folder)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / USED).touch()
        if len(_used_folders) == 1:
            prune(folder.parent)


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Hold the lock of the process that compiles a whole room into this folder, while others wait for it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / COMPILING).open("w") as lock_file:
        if fcntl is not None:
            fcntl.flock(lock_file, fcntl.LOCK_EX)
        yield


def is_warm(package: str) -> bool:
    """Return whether this version of a room has been compiled completely."""
    folder = folder_of(package)
    return folder is not None and (folder / WARM).exists()


def set_warm(package: str) -> None:
    """Mark a room as completely compiled, unless some file could not be written."""
    folder = folder_of(package)
    if folder and folder not in _incomplete_folders:
        write(folder / WARM, b"")


def prune(place: Path) -> None:
    """Remove old versions: keep the last used version of each room, and a few recent ones. A process that runs has loaded its code."""
    versions = defaultdict(list)
    for folder in place.iterdir():
        versions[folder.name.rpartition("-")[0]].append((_last_used(folder), folder))
    for found in versions.values():
        for rank, (last_used, folder) in enumerate(sorted(found, reverse=True)):
            if rank > MAX_OLD_VERSIONS or (rank and time.time() - last_used > MAX_IDLE_SECONDS):
                shutil.rmtree(folder, ignore_errors=True)


def _last_used(folder: Path) -> float:
    for path in (folder / USED, folder):
        with suppress(OSError):
            return path.stat().st_mtime
    return 0.0
