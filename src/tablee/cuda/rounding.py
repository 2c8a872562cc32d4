"""Rounding on the GPU: without fused multiply-add, `a * b + c` rounds twice as on the CPU.

An FMA rounds once, so a bot would choose otherwise between two moves of nearly equal value. Numba has no option for that, so this module
patches its NVVM call. It covers code from NVVM alone, so kernels are built without link-time optimisation (`kernel_jit`).
"""

from __future__ import annotations

from typing import Any

from numba.cuda.cudadrv import nvvm

_compile = nvvm.compile_ir


def disable_fma() -> None:
    """Disable fused multiply-add in all later compilations."""

    def compile_ir(code: Any, **options: Any) -> Any:
        return _compile(code, **options | {"fma": False})

    nvvm.compile_ir = compile_ir
