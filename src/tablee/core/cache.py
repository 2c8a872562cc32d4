"""The machine code of a room lies in one folder, named by the room and by a stamp of all that it was made from: the text of the room's and
of this package's sources, the versions of what compiles them, the processor. So a file never grows old, whatever the clock says of its
source; it is written whole or not at all, so any number of processes may fill one folder at once. Whoever reads it trusts it, so it lies
where nobody else can write; where there is no such place, nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: there, only its age says whether a folder is in use
    fcntl = None  # type: ignore[assignment]

COMPILERS = ("numpy", "numba", "llvmlite")
DIGEST_BYTES = 32  # bytes that a file begins with
STAMP_LENGTH = 16  # letters
SUFFIX = ".code"
USED, WARM = "used", "warm"  # marks in a folder: when somebody last used it; what all of the room is
MAX_IDLE_SECONDS = 14 * 24 * 3600  # seconds without use
MAX_OLD_VERSIONS = 3  # folders of other versions of a room
FOLDER_NAME = re.compile(f"(.+)-[0-9a-f]{{{STAMP_LENGTH}}}")
PACKAGE_PREFIX, GAMES_PREFIX = "tablee.", "tablee.games."
_locked_folders: dict[Path, int] = {}  # the folders that this process uses
_incomplete_folders: set[Path] = set()  # folders that lack something of this process


def folder_of(package: str) -> Path | None:
    """Where this version of a room's machine code lies, or will lie; None where nothing is kept."""
    return folder_for(package, stamp_of(package)) if _is_room(package) else None


def folder_for(name: str, stamp: str) -> Path | None:
    """Where something else lies that takes long to make, such as drawings; `stamp` is of all that it is made from."""
    place = _cache_root()
    return place and place / f"{name}-{stamp[:STAMP_LENGTH]}"


def _is_room(package: str) -> bool:
    """All that others bring, and of the house's own packages those under `games`."""
    return package.startswith(GAMES_PREFIX) or not package.startswith(PACKAGE_PREFIX)


def _cache_root() -> Path | None:
    """The first of these that can be written to."""
    for place in _cache_root_candidates():
        if _is_writable(place):
            return place
    with suppress(OSError):
        place = Path(tempfile.gettempdir()) / f"tablee-{_user()}"
        return place if _is_writable(place) and _is_private(place) else None
    return None


def _cache_root_candidates() -> Iterator[Path]:
    for name in ("TABLEE_CACHE", "XDG_CACHE_HOME"):
        if named := os.environ.get(name):
            yield Path(named) / "tablee"
    with suppress(RuntimeError):  # somebody without a home
        yield Path.home() / ".cache" / "tablee"


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0  # Windows gives everybody a temporary folder of their own


def _is_writable(place: Path) -> bool:
    try:
        place.mkdir(0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(place, os.W_OK)


def _is_private(place: Path) -> bool:
    """Made by this user, and closed to all others: anybody could have put something there by that name."""
    found = place.lstat()
    return stat.S_ISDIR(found.st_mode) and (sys.platform == "win32" or (found.st_uid == _user() and not found.st_mode & 0o077))


@cache
def stamp_of(package: str) -> str:
    """Numba alone does not notice when a called function changes; and the date of a file says nothing about a fresh clone."""
    digest = hashlib.sha256(repr((sys.version, [_version(each) for each in COMPILERS], _processor())).encode())
    for folder in sorted({Path(__file__).parent, _sources(package)}):
        for file in sorted(folder.glob("*.py")):
            digest.update(f"\n{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:STAMP_LENGTH]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _sources(package: str) -> Path:
    found = find_spec(package) if package else None
    if found is None or found.origin is None:
        raise LookupError(f"{package!r} is no package with a source")
    return Path(found.origin).parent


@cache
def _processor() -> tuple[str, str]:
    try:
        from llvmlite import binding  # noqa: PLC0415  a plain run never loads the compiler

        return str(binding.get_host_cpu_name()), str(binding.get_host_cpu_features().flatten())
    except Exception:  # LLVM does not know the processor, or is not there at all
        return "", ""


def read(file: Path) -> bytes | None:
    """What was written there; nothing where nothing is, or where it was damaged: then its folder is no longer warm."""
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
    """A cache that cannot be written to is no reason to stop."""
    beside = file.with_name(f"{file.name}.{os.getpid()}-{time.monotonic_ns()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(hashlib.sha256(body).digest() + body)
        beside.replace(file)
    except OSError:
        _incomplete_folders.add(file.parent)
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def use(folder: Path) -> None:
    """Says for as long as this process lives that the folder is in use. Whoever comes first looks what else lies about."""
    if folder in _locked_folders:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _locked_folders[folder] = mark = os.open(folder / USED, os.O_RDWR | os.O_CREAT, 0o644)
        os.utime(folder / USED)
        _lock(mark, alone=False)
    except OSError:
        return
    if len(_locked_folders) == 1:
        prune(folder.parent)


def _lock(mark: int, alone: bool) -> None:
    """Several may use a folder; whoever removes it is alone, or fails at once."""
    if fcntl is not None:
        fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB if alone else fcntl.LOCK_SH)


def is_warm(package: str) -> bool:
    """Whether all machine code of this version of a room is on disk, every file as long as it was."""
    folder = folder_of(package)
    marked = read(folder / WARM) if folder else None
    if folder is None or marked is None:
        return False
    return all(_size(folder / name) == size for name, size in json.loads(marked).items())


def set_warm(package: str) -> None:
    """All of it is on disk, unless some could not be written; the mark says what that is."""
    folder = folder_of(package)
    if folder and folder not in _incomplete_folders:
        sizes = {file.name: _size(file) for file in sorted(folder.glob(f"*{SUFFIX}"))}
        write(folder / WARM, json.dumps(sizes).encode())


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return -1


def prune(place: Path) -> None:
    """Of each room the version that was used last stays, and a few more for a while; one that somebody uses stays in any case. What
    earlier designs kept for the house's other packages goes.
    """
    rooms = defaultdict(list)
    for folder in place.iterdir():
        if named := FOLDER_NAME.fullmatch(folder.name):
            rooms[named[1]].append(folder)
    for room, folders in rooms.items():
        for rank, folder in enumerate(sorted(folders, key=_last_used, reverse=True)):
            if not _is_room(room) or rank > MAX_OLD_VERSIONS or (rank and time.time() - _last_used(folder) > MAX_IDLE_SECONDS):
                _remove(folder)


def _last_used(folder: Path) -> float:
    for mark in (folder / USED, folder):
        try:
            return mark.stat().st_mtime
        except OSError:
            continue
    return 0.0


def _remove(folder: Path) -> None:
    try:
        mark = os.open(folder / USED, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:
        return
    try:
        _lock(mark, alone=True)
        shutil.rmtree(folder, ignore_errors=True)
    except OSError:  # somebody uses it
        return
    finally:
        os.close(mark)
