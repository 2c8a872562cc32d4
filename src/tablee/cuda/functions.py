"""A room's rules as functions for a GPU, made of the very source that the processor plays: every function that is named, and those that it
names, is compiled for the device. In Numba's simulator of a device (NUMBA_ENABLE_CUDASIM=1) they stay Python, and look at memory
through the windows of `core/struct.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from numba import config, cuda

from tablee.core import jit, loops, stepping
from tablee.core.compiler import common
from tablee.core.jit import globals_of, plain
from tablee.core.struct import Grid, Record, Row, window

SIMULATED = bool(config.ENABLE_CUDASIM)


class Functions:
    """Each function once. In the generic loops, the names of `meant` mean something else on a device."""

    def __init__(self, meant: Mapping[str, Callable[..., Any]]) -> None:
        self.meant = meant
        self.made: dict[FunctionType, Any] = {}
        if not SIMULATED:
            from tablee.cuda.memory import copy_memory, same_memory  # noqa: PLC0415  the simulator has no such inside
            from tablee.cuda.rounding import round_like_the_processor  # noqa: PLC0415

            round_like_the_processor()
            self.made |= {plain(jit.copy): compiled(copy_memory), plain(jit.same): compiled(same_memory)}

    def __call__(self, function: Any) -> Any:
        """This function, as others call it on the device."""
        original = plain(function)
        if original not in self.made:
            space = {
                "__name__": original.__module__,
                **{name: self._meaning(original, name, value) for name, value in globals_of(original).items()},
            }
            self.made[original] = compiled(FunctionType(original.__code__, space, original.__name__))
        return self.made[original]

    def _meaning(self, user: FunctionType, name: str, value: Any) -> Any:
        if name in self.meant and user.__code__.co_filename in (loops.__file__, stepping.__file__):
            return self(self.meant[name])
        return self(value) if isinstance(plain(value), FunctionType) else value


def compiled(function: Any) -> Any:
    """A function as others call it on the device. In the simulator only what speaks to the device needs to be told that it is on one."""
    if SIMULATED:
        return cuda.jit(device=True)(function) if "cuda" in function.__globals__ else function
    made = cuda.jit(device=True)(function)
    exact = made.get_call_template
    made.get_call_template = lambda args, kws: exact([common(kind, None) for kind in args], kws)
    return made


def launched(function: Any, registers: int | None = None) -> Any:
    """A program of the device, as Python starts it, each thread with so many registers at most. It is not optimised once more when it is
    linked: Numba's linker would round in its own way (`rounding.py`)."""
    return cuda.jit(function) if SIMULATED else cuda.jit(function, lto=False, max_registers=registers)


def record_on(kind: type[Record]) -> Any:
    """How a kernel looks at an array of one record,"""
    return (lambda block: kind(_host(block))) if SIMULATED else compiled(_only)


def rows_on(kind: type[Record]) -> Any:
    """at one of several,"""
    return (lambda block: Row.on(kind, _host(block))) if SIMULATED else compiled(_all)


def numbers_on() -> Any:
    """at one of numbers,"""
    return (lambda block: window(_host(block))) if SIMULATED else compiled(_all)


def grids_on() -> Any:
    """and at rows of numbers."""
    return (lambda block: Grid(_host(block))) if SIMULATED else compiled(_all)


def _only(block: Any) -> Any:
    return block[0]


def _all(block: Any) -> Any:
    return block


def _host(block: Any) -> Any:
    """The NumPy array inside what the simulator calls an array of the device."""
    return getattr(block, "_ary", block)
