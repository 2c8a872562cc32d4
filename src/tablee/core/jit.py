"""JIT compilation of rules, which are small functions over structs of integers: `jit` compiles them with Numba.

A compiled rule is a `Jitted`. Called from Python it runs as machine code or as the very same Python, and so does everything that it calls:
both have the same effect on the same memory, so a room may switch at any time. Inside another compiled rule it is a native call.
Where the compiler is missing or fails, the room logs one line and falls back to Python. With TABLEE_PLAIN=1 all rules stay Python.
"""

from __future__ import annotations

import dis
import logging
import os
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

from tablee.core import cache as disk
from tablee.core.optional_numpy import np
from tablee.core.struct import Array, Struct, to_native

F = TypeVar("F", bound=Callable[..., Any])

PYTHON_ONLY = np is None or os.environ.get("TABLEE_PLAIN") == "1"
CORE = "tablee.core"
MAX_REASON_LENGTH = 200  # characters, without the source location
NUMBA_STEP = re.compile(r"Failed in nopython mode pipeline \(step: [^)]*\) ?")  # Numba repeats it for each level of the call chain
ANSI_COLOUR = re.compile(r"\x1b\[[\d;]*m")  # in Numba's messages, where colours are on
SOURCE_LOCATION = re.compile(r'File "([^"]*)", line (\d+)')

logger = logging.getLogger(__name__)


class NotCompiled(Exception):
    """Failure to compile, because of the compiler or of the rule; nothing was called."""


@contextmanager
def compiling(name: str) -> Iterator[None]:
    """Turn every exception of the compiler into NotCompiled."""
    try:
        yield
    except NotCompiled:
        raise
    except Exception as error:  # Numba documents none
        raise NotCompiled(f"{name}: {type(error).__name__}: {reason_of(error)}") from error


def reason_of(error: Exception) -> str:
    """Return the compiler's message in one line, with the first source location that it names: the innermost rule."""
    text = NUMBA_STEP.sub("", " ".join(ANSI_COLOUR.sub("", str(error)).split()))
    location = SOURCE_LOCATION.search(text)
    if location is None:
        return text[:MAX_REASON_LENGTH]
    return f"{text[: location.start()][:MAX_REASON_LENGTH].rstrip()} ({location[1]}, line {location[2]})"


def _compile_inlined(function: FunctionType) -> Any:
    from tablee.core import compiler  # noqa: PLC0415  a run with TABLEE_PLAIN=1 never imports the compiler

    return compiler.inlined(function)


class Jitted:
    """Function that runs as Python or as machine code."""

    def __init__(self, function: Callable[..., Any], compile_inlined: Callable[[FunctionType], Any] = _compile_inlined) -> None:
        self.wrapped, self.compile_inlined = cast(FunctionType, function), compile_inlined
        self.room = room_of(function.__module__)
        self.uses_python = self.room in python_rooms
        self.folder = _folder(self.room)
        self.__name__, self.__doc__, self.__module__ = function.__name__, function.__doc__, function.__module__
        jitted_by_room[self.room].append(self)

    def __call__(self, *args: Any) -> Any:
        if not self.uses_python:
            try:
                return self.compiled(*[to_native(argument) for argument in args])
            except NotCompiled as error:
                fall_back_to_python(self.room, error)
        return self.pure_python(*args)

    @cached_property
    def pure_python(self) -> Callable[..., Any]:
        """Return the function with a pure-Python call tree: a call that starts as Python stays Python throughout."""
        return _pure_python(self.wrapped)

    @cached_property
    def inlined(self) -> Any:
        """Return the Numba dispatcher that other compiled rules call; LLVM inlines it into their entry points."""
        return self.compile_inlined(self.wrapped)

    @property
    def _numba_type_(self) -> Any:
        """Return the Numba type of this rule where compiled code refers to it."""
        from numba import typeof  # noqa: PLC0415

        return typeof(self.inlined)

    @cached_property
    def compiled(self) -> Any:
        """Return the entry point that Python calls."""
        if self.folder is not None:
            disk.use(self.folder)
        with compiling(self.__name__):
            from tablee.core import compiler  # noqa: PLC0415

            made = compiler.entry_point(self, self.wrapped, self.folder)
            made.compile = compiling(self.__name__)(made.compile)
        return made

    def compile_for(self, *args: Any) -> None:
        """Compile for the types of these arguments without a call.

        Rules of this package stay Python where Python calls them.
        """
        if self.room == CORE:
            return
        with compiling(self.__name__):
            from numba import typeof  # noqa: PLC0415

            self.compiled.compile(tuple(typeof(to_native(argument)) for argument in args))


jitted_by_room: defaultdict[str, list[Jitted]] = defaultdict(list)
python_rooms = {CORE}  # rooms whose rules run as Python where Python calls them


def use_python(room: str) -> None:
    """Run the rules of this room, including future ones, as Python."""
    python_rooms.add(room)
    for each in jitted_by_room[room]:
        each.uses_python = True


def use_native(room: str) -> None:
    """Run the rules of this room as machine code, compiled on first use."""
    python_rooms.discard(room)
    for each in jitted_by_room[room]:
        each.uses_python = False


def fall_back_to_python(room: str, why: NotCompiled) -> None:
    """Run a room as Python after a failed compilation, and log why."""
    use_python(room)
    logger.warning("%s plays on as plain Python: %s", room, why)


@contextmanager
def using_python(*rooms: str) -> Iterator[None]:
    """Run the rules of these rooms as Python inside the `with` block."""
    for room in rooms:
        use_python(room)
    try:
        yield
    finally:
        for room in rooms:
            use_native(room)


def load_native_from_disk(room: str) -> None:
    """Load a room's cached machine code and switch each rule over as soon as its code is loaded; compile nothing."""
    from tablee.core import compiler  # noqa: PLC0415

    for each in list(jitted_by_room[room]):
        for kinds in compiler.cached_signatures(each.wrapped, each.folder) if each.folder else ():
            each.compiled.compile(kinds)
            each.uses_python = False
            time.sleep(0)  # let other threads run


def room_of(module: str) -> str:
    """Return the package of a module."""
    return module.rpartition(".")[0]


@cache
def _folder(room: str) -> Path | None:
    """Return the folder of a room's machine code.

    Call it at import time: its name hashes the sources on disk, which must still be the imported ones.
    """
    try:
        return disk.folder_of(room)
    except (LookupError, ImportError, ValueError):  # a rule outside any package, as in a test
        return None


def jit(function: F) -> F:
    """Compile a rule with Numba on first use, unless TABLEE_PLAIN=1."""
    return function if PYTHON_ONLY else cast(F, Jitted(function))


def specialize(functions: Sequence[Any], exports: Mapping[str, Any], module: str) -> dict[str, Any]:
    """Specialise generic functions, and those of the same file that they call, for a room: return copies bound to its exports.

    Numba can cache the compiled copies on disk, unlike functions that take other functions as arguments.
    """
    bound: dict[Any, Any] = {}

    def copy(original: Any) -> Any:
        if original not in bound:
            namespace = {name: copy(value) if _in_same_module(original, value) else value for name, value in globals_of(original).items()}
            bound[original] = jit(_copy_function(original, {**namespace, **exports, "__name__": module}))
        return bound[original]

    return {each.__name__: copy(each) for each in functions}


def _pure_python(function: FunctionType) -> FunctionType:
    """Return a copy of a rule whose callees are pure-Python copies too; no thread sees it before it is complete."""
    made: dict[FunctionType, FunctionType] = {}

    def copy(original: FunctionType) -> FunctionType:
        if original not in made:
            namespace: dict[str, Any] = {"__name__": original.__module__}
            made[original] = _copy_function(original, namespace)
            namespace |= {name: copy(value.wrapped) if isinstance(value, Jitted) else value for name, value in globals_of(original).items()}
        return made[original]

    return copy(function)


def _copy_function(function: FunctionType, namespace: dict[str, Any]) -> FunctionType:
    made = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    made.__doc__ = function.__doc__
    return made


def globals_of(function: FunctionType) -> dict[str, Any]:
    """Return the globals that a function refers to."""
    names = {instruction.argval for instruction in dis.get_instructions(function) if instruction.opname == "LOAD_GLOBAL"}
    return {name: function.__globals__[name] for name in names if name in function.__globals__}


def unwrap(function: Any) -> Any:
    """Return the Python function of a rule; anything else unchanged."""
    return getattr(function, "wrapped", function)


def _in_same_module(one: Any, other: Any) -> bool:
    """Return whether `other` is a plain function of the same module."""
    return isinstance(other, FunctionType) and other.__module__ == one.__module__


@jit
def popcount(bits: int) -> int:
    """Return the number of set bits in a mask of at most 62 bits."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def copy(source: Struct, target: Struct) -> None:
    """Copy a struct into one of the same type, or of a type with the same prefix."""
    target.words[: len(source.words)] = source.words


def _copy_memory(function: Any) -> Any:
    from tablee.core.memory import copy_memory  # noqa: PLC0415

    return _compile_inlined(cast(FunctionType, copy_memory))


def same(one: Struct, other: Struct) -> bool:
    """Return whether two structs of one type are equal, byte for byte."""
    return one.words == other.words


def _same_memory(function: Any) -> Any:
    from tablee.core.memory import same_memory  # noqa: PLC0415

    return _compile_inlined(cast(FunctionType, same_memory))


def prefetch(one: Struct | Array, size: int) -> None:
    """Prefetch `size` bytes of a struct or array into the CPU cache; a no-op in Python."""


def _prefetch_memory(function: Any) -> Any:
    from tablee.core.memory import prefetch_memory  # noqa: PLC0415

    return _compile_inlined(cast(FunctionType, prefetch_memory))


if not PYTHON_ONLY:
    copy = cast(Any, Jitted(copy, _copy_memory))
    same = cast(Any, Jitted(same, _same_memory))
    prefetch = cast(Any, Jitted(prefetch, _prefetch_memory))
