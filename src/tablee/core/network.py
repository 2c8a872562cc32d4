"""A small network in whole numbers, so that it says the same wherever it is asked. What is known is added up many times, each time with
other weights; the first sum counts as it is, of the others those above nothing, added and taken away by turns.

`wide` is how many sums there are. It is handed in as a number of the box: where the compiler does not know a loop's length, it adds many
numbers at once.
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array, Grid


@jit
def reset(hidden: Array, width: int) -> None:
    for place in range(width):
        hidden[place] = 0


@jit
def accumulate(hidden: Array, weights: Grid, row: int, times: int, width: int) -> None:
    """What belongs to this row of weights is there so many times."""
    for place in range(width):
        hidden[place] += times * weights[row, place]


@jit
def output(hidden: Array, width: int) -> int:
    total = hidden[0]
    for place in range(1, width):
        if hidden[place] > 0:
            total += hidden[place] if place & 1 else -hidden[place]
    return total


@jit
def forward(inputs: Array, count: int, hidden: Array, weights: Grid, first: int, width: int) -> int:
    """Of so many counts; `first` is the first of their weights' rows."""
    reset(hidden, width)
    for number in range(count):
        if inputs[number]:
            accumulate(hidden, weights, first + number, inputs[number], width)
    return output(hidden, width)
