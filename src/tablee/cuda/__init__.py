"""Many games at once on a GPU, from the same rules and the same seeds as everywhere (`pip install 'tablee[cuda]'`)."""

from __future__ import annotations

from numba import config

from tablee.core.errors import TableeError
from tablee.core.i18n import msg


def check_device() -> None:
    """Whether there is a GPU to play on, or Numba's simulator of one; otherwise says what is missing."""
    try:
        import numba_cuda  # noqa: F401, PLC0415
    except ImportError:
        raise TableeError(msg("a GPU needs numba-cuda: pip install 'tablee[cuda]'")) from None
    from numba import cuda  # noqa: PLC0415

    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a few games are no mistake
    if not cuda.is_available():
        raise TableeError(msg("there is no GPU here that CUDA can use"))
