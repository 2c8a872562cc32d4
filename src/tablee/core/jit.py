"""Rules are small functions over records of whole numbers. `rule` compiles them with Numba; with TABLEE_PLAIN=1 they stay ordinary Python.

A compiled rule is a `Rule`. Called from Python it runs as machine code or as the very same Python, and so does everything that it calls:
both do the same to the same memory, so a room may change over at any time. Inside another compiled rule it is a call of machine code.
Where the compiler is not there or gives up, the room says so in one line and plays on as Python.
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
from tablee.core.struct import Array, Struct, to_native

F = TypeVar("F", bound=Callable[..., Any])

PYTHON_ONLY = os.environ.get("TABLEE_PLAIN") == "1"
CORE = "tablee.core"
LOAD_PAUSE = 0.005  # seconds for everybody else between two functions that are loaded
MAX_REASON_LENGTH = 200  # letters, besides the place
NUMBA_STEP = re.compile(r"Failed in nopython mode pipeline \(step: [^)]*\) ?")  # Numba says it once for each rule that calls the next
ANSI_COLOUR = re.compile(r"\x1b\[[\d;]*m")  # Numba's, where it has been told to use them
SOURCE_LOCATION = re.compile(r'File "([^"]*)", line (\d+)')

logger = logging.getLogger(__name__)


class NotCompiled(Exception):
    """A rule cannot be compiled, because of the compiler or of the rule; nothing was called."""


@contextmanager
def compiling(name: str) -> Iterator[None]:
    try:
        yield
    except NotCompiled:
        raise
    except Exception as error:  # whatever Numba may raise
        raise NotCompiled(f"{name}: {type(error).__name__}: {reason_of(error)}") from error


def reason_of(error: Exception) -> str:
    """Why the compiler gives up, in one line, and the first place that it names: the innermost rule."""
    said = NUMBA_STEP.sub("", " ".join(ANSI_COLOUR.sub("", str(error)).split()))
    place = SOURCE_LOCATION.search(said)
    if place is None:
        return said[:MAX_REASON_LENGTH]
    return f"{said[: place.start()][:MAX_REASON_LENGTH].rstrip()} ({place[1]}, line {place[2]})"


def _compile_inlined(function: FunctionType) -> Any:
    from tablee.core import compiler  # noqa: PLC0415  a plain run never loads the compiler

    return compiler.inlined(function)


class Jitted:
    """A function as Python and as machine code."""

    def __init__(self, function: Callable[..., Any], compile_inner: Callable[[FunctionType], Any] = _compile_inlined) -> None:
        self.wrapped, self.compile_inlined = cast(FunctionType, function), compile_inner
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
        """The function with nothing but Python below it: a call that began as Python ends as Python."""
        return _pure_python(self.wrapped)

    @cached_property
    def inlined(self) -> Any:
        """As other compiled rules call it."""
        return self.compile_inlined(self.wrapped)

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks for where a compiled function names this rule."""
        from numba import typeof  # noqa: PLC0415

        return typeof(self.inlined)

    @cached_property
    def compiled(self) -> Any:
        """As Python calls it."""
        if self.folder is not None:
            disk.use(self.folder)
        with compiling(self.__name__):
            from tablee.core import compiler  # noqa: PLC0415

            made = compiler.entry_point(self, self.wrapped, self.folder)
            made.compile = compiling(self.__name__)(made.compile)
        return made

    def compile_for(self, *args: Any) -> None:
        """Makes the machine code for such arguments, and calls nothing. Rules of this package stay Python where Python calls them."""
        if self.room == CORE:
            return
        with compiling(self.__name__):
            from numba import typeof  # noqa: PLC0415

            self.compiled.compile(tuple(typeof(to_native(argument)) for argument in args))


jitted_by_room: defaultdict[str, list[Jitted]] = defaultdict(list)  # by room
python_rooms = {CORE}  # rooms whose rules run as Python when Python calls them


def use_python(room: str) -> None:
    """From now on the rules of this room, also those still to come, run as Python."""
    python_rooms.add(room)
    for each in jitted_by_room[room]:
        each.uses_python = True


def use_native(room: str) -> None:
    """From now on they run as machine code, which is made when first needed."""
    python_rooms.discard(room)
    for each in jitted_by_room[room]:
        each.uses_python = False


def fall_back_to_python(room: str, why: NotCompiled) -> None:
    use_python(room)
    logger.warning("%s plays on as plain Python: %s", room, why)


@contextmanager
def using_python(*rooms: str) -> Iterator[None]:
    """Meanwhile the rules of these rooms run as Python."""
    for room in rooms:
        use_python(room)
    try:
        yield
    finally:
        for room in rooms:
            use_native(room)


def load_native_from_disk(room: str) -> None:
    """Rules whose machine code is on disk run as such once it is loaded, one after the other; the rest stays as it is. Nobody waits."""
    from tablee.core import compiler  # noqa: PLC0415

    for each in list(jitted_by_room[room]):
        for kinds in compiler.cached_signatures(each.wrapped, each.folder) if each.folder else ():
            each.compiled.compile(kinds)
            each.uses_python = False
            time.sleep(LOAD_PAUSE)


def room_of(module: str) -> str:
    """The package that a rule belongs to."""
    return module.rpartition(".")[0]


@cache
def _folder(room: str) -> Path | None:
    """Where a room's machine code is kept; asked for while its sources are what was just imported."""
    try:
        return disk.folder_of(room)
    except (LookupError, ImportError, ValueError):  # a rule of no package, as in a test
        return None


def jit(function: F) -> F:
    """A rule as it is used everywhere."""
    return function if PYTHON_ONLY else cast(F, Jitted(function))


def specialize(functions: Sequence[Any], exports: Mapping[str, Any], module: str) -> dict[str, Any]:
    """Copies of functions, and of the functions of their own file that they call, in which these names mean a room's own functions.
    Compiled, they are found on disk again by the next process, which a function passed as an argument would not be.
    """
    bound: dict[Any, Any] = {}

    def copy(original: Any) -> Any:
        if original not in bound:
            space = {name: copy(value) if _in_same_module(original, value) else value for name, value in globals_of(original).items()}
            bound[original] = jit(_copy_function(original, {**space, **exports, "__name__": module}))
        return bound[original]

    return {each.__name__: copy(each) for each in functions}


def _pure_python(function: FunctionType) -> FunctionType:
    """A copy of a rule that calls such copies of rules; complete before anybody sees it."""
    made: dict[FunctionType, FunctionType] = {}

    def copy(original: FunctionType) -> FunctionType:
        if original not in made:
            space: dict[str, Any] = {"__name__": original.__module__}
            made[original] = _copy_function(original, space)
            space |= {name: copy(value.wrapped) if isinstance(value, Jitted) else value for name, value in globals_of(original).items()}
        return made[original]

    return copy(function)


def _copy_function(function: FunctionType, space: dict[str, Any]) -> FunctionType:
    made = FunctionType(function.__code__, space, function.__name__, function.__defaults__)
    made.__doc__ = function.__doc__
    return made


def globals_of(function: FunctionType) -> dict[str, Any]:
    """The globals that a function names."""
    names = {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}
    return {name: function.__globals__[name] for name in names if name in function.__globals__}


def unwrap(function: Any) -> Any:
    """A rule as the Python that it was written as; anything else as it is."""
    return getattr(function, "wrapped", function)


def _in_same_module(one: Any, other: Any) -> bool:
    """Whether these are two functions of one file."""
    return isinstance(other, FunctionType) and other.__module__ == one.__module__


@jit
def popcount(bits: int) -> int:
    """How many bits are set, for masks of at most 62 bits."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def copy(one: Struct, other: Struct) -> None:
    """Makes the other record, of the same kind or one that begins alike, equal to the first."""
    other.words[: len(one.words)] = one.words


def _copy_memory(function: Any) -> Any:
    from tablee.core.memory import copy_memory  # noqa: PLC0415

    return _compile_inlined(cast(FunctionType, copy_memory))


def same(one: Struct, other: Struct) -> bool:
    """Whether two records of one kind are equal, byte for byte."""
    return one.words == other.words


def _same_memory(function: Any) -> Any:
    from tablee.core.memory import same_memory  # noqa: PLC0415

    return _compile_inlined(cast(FunctionType, same_memory))


def prefetch(one: Struct | Array, size: int) -> None:
    """So many bytes of a record or a row will be wanted soon: compiled, memory brings them meanwhile. It changes nothing."""


def _prefetch_memory(function: Any) -> Any:
    from tablee.core.memory import prefetch_memory  # noqa: PLC0415

    return _compile_inlined(cast(FunctionType, prefetch_memory))


if not PYTHON_ONLY:
    copy = cast(Any, Jitted(copy, _copy_memory))
    same = cast(Any, Jitted(same, _same_memory))
    prefetch = cast(Any, Jitted(prefetch, _prefetch_memory))
