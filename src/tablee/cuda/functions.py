"""Device functions: a room's rules compiled for a GPU, from the same source as on the CPU, with all functions that they call.

In Numba's CUDA simulator (NUMBA_ENABLE_CUDASIM=1) they stay Python and access memory through the views of `core/struct.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from numba import config, cuda

from tablee.core import jit, loops
from tablee.core.jit import specialize
from tablee.core.kernel import Kernel
from tablee.core.rng import Rng
from tablee.core.slots import Slots, views_of
from tablee.core.struct import Grid, Struct, StructArray, array_view
from tablee.core.workspace import S, Workspace

SIMULATED = bool(config.ENABLE_CUDASIM)
jit.use_python("tablee.cuda")

if not SIMULATED:
    import tablee.cuda.device_rules  # noqa: F401  the simulator has no code generator

# In the simulator only functions that use `cuda` need its wrapper, the others stay Python.
device_jit: Any = (lambda function: function) if SIMULATED else cuda.jit(device=True)


@jit.jit
def unused_choose(box: Struct, state: S, seat: int, level: int, workspace: Workspace[S], rng: Rng) -> int:
    """Replace `choose` where no bot needs an evaluation; the loops then never call it, and the device need not compile the evaluation."""
    return loops.NO_MOVE


def device_instance(instance: ModuleType, source: ModuleType, kernel: Kernel[Any, Any], replaced: Mapping[str, object]) -> ModuleType:
    """Return a room's instance of generic loops for the device, with these functions replaced."""
    if SIMULATED:
        jit.use_python(kernel.package)
    made = specialize(source, f"{kernel.package}.cuda_{source.__name__.rpartition('.')[2]}", vars(instance))
    vars(made).update(replaced)
    return made


def kernel_jit(function: Callable[..., None], registers: int | None = None) -> Any:
    """Compile a CUDA kernel with at most `registers` registers per thread."""
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


def slots_from_blocks(state: type[Struct]) -> Any:
    """Return the device function that converts the arrays of slots, as a CUDA kernel receives them."""
    return (lambda slots: views_of(Slots(*map(_host_array, slots)), state)) if SIMULATED else device_jit(_identity)


def _first(block: Any) -> Any:
    return block[0]


def _identity(block: Any) -> Any:
    return block


def _host_array(block: Any) -> Any:
    """Return the NumPy array inside a device array of the simulator."""
    return getattr(block, "_ary", block)
