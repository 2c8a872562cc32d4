"""NumPy, or a false stand-in where it is not installed: plain play does without it, machine code, searches and some drawings need it."""

from __future__ import annotations

from typing import Any, NoReturn


class _Missing:
    """Stand-in that is false, and says what is missing where it is used."""

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> NoReturn:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")


np: Any
try:
    import numpy as np
except ImportError:
    np = _Missing()
