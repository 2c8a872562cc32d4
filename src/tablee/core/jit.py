"""JIT compilation of rules, which are small functions over structs of integers: `jit` compiles them with Numba.

A compiled rule is a `Jitted`. Called from Python it runs as machine code or as the very same Python; both have the same effect on the same
memory, so a room may switch at any time. Inside another compiled rule it is a native call. Where the compiler is missing or fails, the
room logs one line and falls back to Python. With TABLEE_PLAIN=1 all rules stay Python.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property, partial
from importlib.util import module_from_spec, spec_from_file_location
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

from tablee.core import cache as disk
from tablee.core.optional_numpy import np
from tablee.core.struct import Struct, to_native

F = TypeVar("F", bound=Callable[..., object])

PYTHON_ONLY = not np or os.environ.get("TABLEE_PLAIN") == "1"
CORE = "tablee.core"
MAX_REASON_LENGTH = 200  # characters, without the source location
TERMINAL_CODE = re.compile(r"\x1b\[[0-9;]*m")  # with which Numba may colour its messages
NUMBA_STEP = re.compile(r"Failed in nopython mode pipeline \(step: [^)]*\) ?")  # Numba repeats it for each level of the call chain
SOURCE_LOCATION = re.compile(r'File "([^"]*)", line (\d+)')

logger = logging.getLogger(__name__)


class NotCompiled(Exception):
    """Failure to compile a room, because of the compiler or of a rule."""


class Room:
    """Switch of a room: whether its rules run as Python or as machine code where Python calls them.

    If `only_loaded`, rules whose machine code was not found on disk stay Python, so that nobody waits for the compiler.
    """

    def __init__(self, package: str) -> None:
        self.package, self.rules = package, list[Jitted]()
        self.only_loaded, self.failure = False, ""
        self.uses_python = package == CORE
        try:
            self.folder = disk.folder_of(package)  # now, at import: its name hashes the sources on disk, which must be the imported ones
        except (LookupError, ImportError, ValueError):  # a rule outside any package, as in a test
            self.folder = None

    @property
    def uses_python(self) -> bool:
        return self._uses_python

    @uses_python.setter
    def uses_python(self, wanted: bool) -> None:
        self._uses_python = wanted
        for rule in self.rules:
            rule.uses_python = wanted or (self.only_loaded and not rule.is_loaded)


class Jitted:
    """Function that runs as Python or as machine code; `native` is the function to compile, where it is another one."""

    def __init__(self, function: Callable[..., object], native: Callable[..., object] | None = None) -> None:
        self.wrapped, self.native, self.is_loaded = cast(FunctionType, function), cast(FunctionType, native or function), False
        self.room = room_of(function.__module__)
        self.__name__, self.__doc__, self.__module__ = function.__name__, function.__doc__, function.__module__
        self.uses_python = self.room.uses_python or self.room.only_loaded
        self.room.rules.append(self)

    def __call__(self, *args: object) -> object:
        if not self.uses_python:
            try:
                return self.entry_point(*map(to_native, args))
            except Exception as error:
                self._fall_back(error)
        return self.wrapped(*args)

    def bind(self, *first: object) -> Callable[..., object]:
        """Return a function that calls the rule with these first arguments, which are converted once."""
        native = tuple(map(to_native, first))

        def call(*rest: object) -> object:
            if not self.uses_python:
                try:
                    return self.entry_point(*native, *map(to_native, rest))
                except Exception as error:
                    self._fall_back(error)
            return self.wrapped(*first, *rest)

        return call

    def _fall_back(self, error: Exception) -> None:
        """Note that the compiler failed: rules raise nothing, so nothing was called. Numba documents no exceptions."""
        fall_back_to_python(self.room, f"{self.__name__}: {type(error).__name__}: {reason_of(error)}")

    @cached_property
    def inlined(self) -> Any:
        """Return the Numba dispatcher that other compiled rules call; LLVM inlines it into their entry points."""
        from tablee.core import compiler  # noqa: PLC0415  a run with TABLEE_PLAIN=1 never imports the compiler

        return compiler.inlined(self)

    @cached_property
    def entry_point(self) -> Any:
        """Return the Numba dispatcher that Python calls."""
        from tablee.core import compiler  # noqa: PLC0415

        if self.room.folder is not None:
            disk.use(self.room.folder)
        return compiler.entry_point(self)


def reason_of(error: Exception) -> str:
    """Return the compiler's message in one line, with the first source location that it names: the innermost rule."""
    text = NUMBA_STEP.sub("", " ".join(TERMINAL_CODE.sub("", str(error)).split()))
    location = SOURCE_LOCATION.search(text)
    if location is None:
        return text[:MAX_REASON_LENGTH]
    return f"{text[: location.start()][:MAX_REASON_LENGTH].rstrip()} ({location[1]}, line {location[2]})"


@cache
def room(package: str) -> Room:
    return Room(package)


def room_of(module: str) -> Room:
    """Return the room that a module belongs to: its package."""
    return room(module.rpartition(".")[0])


def use_python(package: str) -> None:
    """Run the rules of this room, including future ones, as Python."""
    room(package).uses_python = True


def fall_back_to_python(room: Room, reason: str) -> None:
    """Run a room as Python after a failed compilation, and log why."""
    room.uses_python, room.failure = True, reason
    logger.warning("%s plays on as plain Python: %s", room.package, reason)


@contextmanager
def using_python(*packages: str) -> Iterator[None]:
    """Run the rules of these rooms as Python inside the `with` block, and then as before."""
    before = [(each, each.uses_python) for each in map(room, packages)]
    for package in packages:
        use_python(package)
    try:
        yield
    finally:
        for each, uses_python in before:
            each.uses_python = uses_python


def load_native(package: str) -> None:
    """Load all cached machine code of a room, then switch the room to it; compile nothing."""
    from tablee.core import compiler  # noqa: PLC0415

    here = room(package)
    compiler.load(here)
    here.only_loaded, here.uses_python = True, False


def check_compiled(package: str) -> None:
    """Raise NotCompiled if a compilation in this room has failed."""
    if room(package).failure:
        raise NotCompiled(room(package).failure)


def jit(function: F) -> F:
    """Compile a rule with Numba on first use, unless TABLEE_PLAIN=1."""
    return function if PYTHON_ONLY else cast(F, Jitted(function))


def jit_as(native: Callable[..., object]) -> Callable[[F], F]:
    """Compile another function in place of this one, which Python runs faster."""

    def decorate(function: F) -> F:
        return function if PYTHON_ONLY else cast(F, Jitted(function, native))

    return decorate


def specialize(module: ModuleType, name: str, exports: Mapping[str, object]) -> ModuleType:
    """Specialise a module of generic loops for a room: execute it once more, with the room's exports as globals.

    The instance gets a name inside the room, and its machine code belongs there. Numba can cache the compiled loops on disk, unlike
    functions that take other functions as arguments.
    """
    assert module.__file__ is not None
    spec = spec_from_file_location(name, module.__file__)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = made = module_from_spec(spec)
    vars(made).update({key: value for key, value in exports.items() if not key.startswith("__")})
    spec.loader.exec_module(made)
    return made


def bind(rule: Callable[..., Any], *first: object) -> Callable[..., Any]:
    """Return a function that calls a rule with these first arguments; for those that are the same in each of many calls."""
    return rule.bind(*first) if isinstance(rule, Jitted) else partial(rule, *first)


def unwrap(function: Callable[..., object]) -> FunctionType:
    """Return the Python function of a rule."""
    return cast(FunctionType, getattr(function, "wrapped", function))


@jit
def popcount(bits: int) -> int:
    """Return the number of set bits in a mask of at most 62 bits."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def copy_words(source: Struct, target: Struct) -> None:
    for word in range(len(source.words)):
        target.words[word] = source.words[word]


def have_same_words(one: Struct, other: Struct) -> bool:
    differing = 0
    for word in range(len(one.words)):
        differing |= one.words[word] ^ other.words[word]
    return differing == 0


@jit_as(copy_words)
def copy(source: Struct, target: Struct) -> None:
    """Copy a struct into one of the same type, or of a type with the same prefix."""
    target.words[: len(source.words)] = source.words


@jit_as(have_same_words)
def same(one: Struct, other: Struct) -> bool:
    """Return whether two structs of one type are equal, byte for byte."""
    return one.words == other.words


@jit
def product(one: float, other: float) -> float:
    """Return the product of two numbers, of which one is a float; rules write it in place of `*`.

    On a GPU, `a * b + c` may be one instruction that rounds once, and a bot would then choose otherwise between two moves of nearly
    equal value; there, this product is always rounded (`cuda/functions.py`).
    """
    return one * other
