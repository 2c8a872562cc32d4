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
from tablee.core.compiler import canonical_type
from tablee.core.jit import globals_of, unwrap
from tablee.core.struct import Grid, Struct, StructArray, array_view

SIMULATED = bool(config.ENABLE_CUDASIM)


class DeviceFunctions:
    """Each function once. In the generic loops, the names of `meant` mean something else on a device."""

    def __init__(self, meant: Mapping[str, Callable[..., Any]]) -> None:
        self.overrides = meant
        self.cache: dict[FunctionType, Any] = {}
        if not SIMULATED:
            from tablee.cuda.memory import copy_memory, same_memory  # noqa: PLC0415  the simulator has no such inside
            from tablee.cuda.rounding import disable_fma  # noqa: PLC0415

            disable_fma()
            self.cache |= {unwrap(jit.copy): device_jit(copy_memory), unwrap(jit.same): device_jit(same_memory)}

    def __call__(self, function: Any) -> Any:
        """This function, as others call it on the device."""
        original = unwrap(function)
        if original not in self.cache:
            space = {
                "__name__": original.__module__,
                **{name: self._resolve(original, name, value) for name, value in globals_of(original).items()},
            }
            self.cache[original] = device_jit(FunctionType(original.__code__, space, original.__name__))
        return self.cache[original]

    def _resolve(self, user: FunctionType, name: str, value: Any) -> Any:
        if name in self.overrides and user.__code__.co_filename in (loops.__file__, stepping.__file__):
            return self(self.overrides[name])
        return self(value) if isinstance(unwrap(value), FunctionType) else value


def device_jit(function: Any) -> Any:
    """A function as others call it on the device. In the simulator only what speaks to the device needs to be told that it is on one."""
    if SIMULATED:
        return cuda.jit(device=True)(function) if "cuda" in function.__globals__ else function
    made = cuda.jit(device=True)(function)
    exact = made.get_call_template
    made.get_call_template = lambda args, kws: exact([canonical_type(kind, None) for kind in args], kws)
    return made


def kernel_jit(function: Any, registers: int | None = None) -> Any:
    """A program of the device, as Python starts it, each thread with so many registers at most. It is not optimised once more when it is
    linked: Numba's linker would round in its own way (`rounding.py`)."""
    return cuda.jit(function) if SIMULATED else cuda.jit(function, lto=False, max_registers=registers)


def struct_from_block(kind: type[Struct]) -> Any:
    """How a kernel looks at an array of one record,"""
    return (lambda block: kind(_host_array(block))) if SIMULATED else device_jit(_first)


def struct_array_from_block(kind: type[Struct]) -> Any:
    """at one of several,"""
    return (lambda block: StructArray.wrapping(kind, _host_array(block))) if SIMULATED else device_jit(_identity)


def array_from_block() -> Any:
    """at one of numbers,"""
    return (lambda block: array_view(_host_array(block))) if SIMULATED else device_jit(_identity)


def grid_from_block() -> Any:
    """and at rows of numbers."""
    return (lambda block: Grid(_host_array(block))) if SIMULATED else device_jit(_identity)


def _first(block: Any) -> Any:
    return block[0]


def _identity(block: Any) -> Any:
    return block


def _host_array(block: Any) -> Any:
    """The NumPy array inside what the simulator calls an array of the device."""
    return getattr(block, "_ary", block)
