"""Default `redact` and `determinize` for rooms with perfect information."""

from __future__ import annotations

from tablee.core.contract import BaseState
from tablee.core.jit import jit
from tablee.core.rng import Rng
from tablee.core.struct import Struct

SECRETS = False


@jit
def redact(box: Struct, state: BaseState, seat: int) -> None:
    """Leave the state as it is: every seat may see everything."""


@jit
def determinize(box: Struct, state: BaseState, seat: int, rng: Rng) -> None:
    """Leave the state as it is: nothing is hidden."""
