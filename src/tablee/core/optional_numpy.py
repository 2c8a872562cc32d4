"""NumPy, or None where it is not installed: plain play does without it, machine code and searches need it."""

from __future__ import annotations

from typing import Any

np: Any
try:
    import numpy as np
except ImportError:
    np = None
