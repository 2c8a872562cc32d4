"""On a GPU `a * b + c` is one instruction that rounds once; the processor rounds twice. A bot that weighs two moves of nearly the same
worth would choose another one, so the device is told to round like the processor. Numba has no word for that: its compiler is asked here.
Only what this compiler makes is safe: a program that is optimised when it is linked is rounded as the linker likes (`launched`).
"""

from __future__ import annotations

from typing import Any

from numba.cuda.cudadrv import nvvm

_compile = nvvm.compile_ir


def disable_fma() -> None:
    """For everything that is compiled from now on."""

    def compile_ir(code: Any, **options: Any) -> Any:
        return _compile(code, **options | {"fma": False})

    nvvm.compile_ir = compile_ir
