"""Rules are small functions over one fixed-size record. `rule` compiles them with Numba; with TABLEE_PLAIN=1 they stay ordinary Python.

A record is declared as a class so that mypy knows its fields; what really travels is a `numpy.record` of the same layout:

    class State(Record):
        seats: int = cell()
        dice: Array = cells(2)
        marks: Grid = cells(12, 4)

Every number is a 64-bit integer: arithmetic then means the same compiled and interpreted.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeVar, cast, overload

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R", bound="Record")

PLAIN = os.environ.get("TABLEE_PLAIN") == "1"


class Record:
    """The typed face of a `numpy.record`: copying is one memcpy, equality is equality of bytes."""

    def copy(self) -> Self:
        raise NotImplementedError("made by `blank`, never by calling the class")

    def tobytes(self) -> bytes:
        raise NotImplementedError("made by `blank`, never by calling the class")


class Array:
    """The typed face of a row of numbers."""

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> Array: ...
    def __getitem__(self, at: int | slice) -> int | Array:
        raise NotImplementedError

    def __setitem__(self, at: int | slice, value: Any) -> None:
        raise NotImplementedError

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def sum(self) -> int:
        raise NotImplementedError


class Grid:
    """The typed face of rows of numbers: `grid[row, column]` is a number, `grid[row]` a row that can be written to."""

    @overload
    def __getitem__(self, at: tuple[int, int]) -> int: ...
    @overload
    def __getitem__(self, at: int) -> Array: ...
    def __getitem__(self, at: int | tuple[int, int]) -> int | Array:
        raise NotImplementedError

    def __setitem__(self, at: int | tuple[int, int], value: Any) -> None:
        raise NotImplementedError


class _Shape(tuple[int, ...]):
    """The shape of a field, read by `layout`."""


def cell() -> Any:
    """A field that holds one number."""
    return _Shape()


def cells(*shape: int) -> Any:
    """A field that holds an array of numbers."""
    return _Shape(shape)


def layout(face: type[Record]) -> np.dtype[Any]:
    fields = [(name, "i8", tuple(shape)) for name, shape in vars(face).items() if isinstance(shape, _Shape)]
    for name, _, _ in fields:
        assert not hasattr(np.record, name), f"{face.__name__}.{name} hides a method of numpy.record: choose another name"
    return np.dtype((np.record, fields))


def blank(face: type[R]) -> R:
    """A record of that layout, all zeros."""
    return cast(R, np.zeros(1, layout(face))[0])


def row_of(record: R, length: int) -> list[R]:
    """Room for several states in one block, the first a copy of this one: inside a rule, `row[1] = row[0]` is how a state is copied."""
    row = np.zeros(length, layout_of(record))
    row[0] = record
    return cast(list[R], row)


def layout_of(record: Record) -> np.dtype[Any]:
    return cast(np.dtype[Any], cast(Any, record).dtype)


def rule(function: F) -> F:
    """Compiles a rule and keeps the machine code on disk, beside nothing that an install may not write to."""
    if PLAIN:
        return function
    import numba  # noqa: PLC0415  a plain run never loads the compiler

    vars(numba.config)["CACHE_DIR"] = str(cache_folder(function.__module__))
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def cache_folder(module: str) -> Path:
    """One folder per room and version of its source: Numba alone does not notice when a called function changes."""
    package = module.rpartition(".")[0]
    return _cache_root() / f"{package}-{_source_stamp(package)}"


def _cache_root() -> Path:
    named = os.environ.get("TABLEE_CACHE") or os.environ.get("XDG_CACHE_HOME")
    for folder in ([Path(named)] if named else []) + [Path("~/.cache").expanduser(), Path(tempfile.gettempdir())]:
        place = folder / "tablee"
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(place, os.W_OK):
            return place
    raise OSError("no folder to keep the compiled rules in; set TABLEE_CACHE to one that can be written to")


@cache
def _source_stamp(package: str) -> str:
    digest = hashlib.sha256(f"{sys.version}{np.__version__}".encode())
    for folder in sorted({Path(__file__).parent, Path(str(sys.modules[package].__file__)).parent}):
        for file in sorted(folder.glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@rule
def numbers(length: int) -> Array:
    """Room for so many numbers, to be written to by a rule."""
    return np.zeros(length, np.int64)  # type: ignore[return-value]  # the face stands for this


@rule
def popcount(bits: int) -> int:
    """How many bits are set, for masks of at most 62 bits."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@rule
def pick(weights: Array, count: int) -> int:
    """An index below `count`, drawn by weight from NumPy's generator (seed it first)."""
    total = 0
    for i in range(count):
        total += weights[i]
    left = np.random.randint(total)
    for i in range(count):
        left -= weights[i]
        if left < 0:
            return i
    return count - 1
