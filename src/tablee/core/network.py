"""Integer MLP with one hidden layer: y = h₀ + Σᵢ (-1)^(i+1)·ReLU(hᵢ), h = W·x.

Integer arithmetic gives the same output on every machine. `width` is the size of the hidden layer; it is a field of the box, because LLVM
vectorises these loops only if their length is unknown at compile time.
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array, Grid


@jit
def reset(hidden: Array, width: int) -> None:
    """Set the hidden layer to zero."""
    for place in range(width):
        hidden[place] = 0


@jit
def accumulate(hidden: Array, weights: Grid, row: int, times: int, width: int) -> None:
    """Add an input of value `times` to the hidden layer: h += times·W[row]."""
    for place in range(width):
        hidden[place] += times * weights[row, place]


@jit
def output(hidden: Array, width: int) -> int:
    """Return y = h₀ + Σᵢ (-1)^(i+1)·ReLU(hᵢ)."""
    total = hidden[0]
    for place in range(1, width):
        if hidden[place] > 0:
            total += hidden[place] if place & 1 else -hidden[place]
    return total


@jit
def forward(inputs: Array, count: int, hidden: Array, weights: Grid, first: int, width: int) -> int:
    """Return the output for `count` inputs, whose weights begin at row `first`."""
    reset(hidden, width)
    for number in range(count):
        if inputs[number]:
            accumulate(hidden, weights, first + number, inputs[number], width)
    return output(hidden, width)
