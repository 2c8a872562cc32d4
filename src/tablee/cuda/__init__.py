"""Simulation of many games on a GPU, with the same rules and seeds as on the CPU (`pip install 'tablee[cuda]'`)."""

from __future__ import annotations

from numba import config

from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.core.jit import PYTHON_ONLY


def check_device() -> None:
    """Raise TableeError naming what is missing, unless there is a usable GPU or Numba's simulator of one."""
    try:
        import numba_cuda  # noqa: F401, PLC0415
    except ImportError:
        raise TableeError(msg("a GPU needs numba-cuda: pip install 'tablee[cuda]'")) from None
    if PYTHON_ONLY and not config.ENABLE_CUDASIM:
        raise TableeError(msg("a GPU needs compiled rules, and TABLEE_PLAIN forbids them"))
    from numba import cuda  # noqa: PLC0415

    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # small batches are intended
    if not cuda.is_available():
        raise TableeError(msg("there is no GPU here that CUDA can use"))
