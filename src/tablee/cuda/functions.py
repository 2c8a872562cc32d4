"""Device functions: a room's rules compiled for a GPU, from the same source as on the CPU, with all functions that they call.

In Numba's CUDA simulator (NUMBA_ENABLE_CUDASIM=1) they stay Python and access memory through the views of `core/struct.py`.
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
    """Cache of device functions; `overrides` replace functions by name in the generic loops."""

    def __init__(self, overrides: Mapping[str, Callable[..., Any]]) -> None:
        self.overrides = overrides
        self.cache: dict[FunctionType, Any] = {}
        if not SIMULATED:
            from tablee.cuda.memory import copy_memory, same_memory  # noqa: PLC0415  the simulator has no code generator
            from tablee.cuda.rounding import disable_fma  # noqa: PLC0415

            disable_fma()
            self.cache |= {unwrap(jit.copy): device_jit(copy_memory), unwrap(jit.same): device_jit(same_memory)}

    def __call__(self, function: Any) -> Any:
        """Return the device function for a rule or loop, with all its callees."""
        original = unwrap(function)
        if original not in self.cache:
            namespace = {
                "__name__": original.__module__,
                **{name: self._resolve(original, name, value) for name, value in globals_of(original).items()},
            }
            self.cache[original] = device_jit(FunctionType(original.__code__, namespace, original.__name__))
        return self.cache[original]

    def _resolve(self, caller: FunctionType, name: str, value: Any) -> Any:
        if name in self.overrides and caller.__code__.co_filename in (loops.__file__, stepping.__file__):
            return self(self.overrides[name])
        return self(value) if isinstance(unwrap(value), FunctionType) else value


def device_jit(function: Any) -> Any:
    """Compile a device function; in the simulator only those that use `cuda` need its wrapper, the others stay Python."""
    if SIMULATED:
        return cuda.jit(device=True)(function) if "cuda" in function.__globals__ else function
    made = cuda.jit(device=True)(function)
    exact = made.get_call_template
    made.get_call_template = lambda args, kws: exact([canonical_type(kind, None) for kind in args], kws)
    return made


def kernel_jit(function: Any, registers: int | None = None) -> Any:
    """Compile a CUDA kernel with at most `registers` registers per thread.

    Link-time optimisation is off: the linker may contract a * b + c into an FMA, which rounds differently (`rounding.py`).
    """
    return cuda.jit(function) if SIMULATED else cuda.jit(function, lto=False, max_registers=registers)


def struct_from_block(kind: type[Struct]) -> Any:
    """Return the device function that converts an array of one struct, as a CUDA kernel receives it, to the struct."""
    return (lambda block: kind(_host_array(block))) if SIMULATED else device_jit(_first)


def struct_array_from_block(kind: type[Struct]) -> Any:
    """Return the device function that converts an array of structs, as a CUDA kernel receives it, to a StructArray."""
    return (lambda block: StructArray.wrapping(kind, _host_array(block))) if SIMULATED else device_jit(_identity)


def array_from_block() -> Any:
    """Return the device function that converts an array of numbers, as a CUDA kernel receives it, to an Array."""
    return (lambda block: array_view(_host_array(block))) if SIMULATED else device_jit(_identity)


def grid_from_block() -> Any:
    """Return the device function that converts a two-dimensional array, as a CUDA kernel receives it, to a Grid."""
    return (lambda block: Grid(_host_array(block))) if SIMULATED else device_jit(_identity)


def _first(block: Any) -> Any:
    return block[0]


def _identity(block: Any) -> Any:
    return block


def _host_array(block: Any) -> Any:
    """Return the NumPy array inside a device array of the simulator."""
    return getattr(block, "_ary", block)
