"""A small network in whole numbers, so that it says the same wherever it is asked. What is known is added up many times, each time with
other weights; the first sum counts as it is, of the others those above nothing, added and taken away by turns.

`wide` is how many sums there are. It is handed in as a number of the box: where the compiler does not know a loop's length, it adds many
numbers at once.
"""

from __future__ import annotations

from tablee.core.jit import rule
from tablee.core.struct import Array, Grid


@rule
def begin(totals: Array, wide: int) -> None:
    for place in range(wide):
        totals[place] = 0


@rule
def add(totals: Array, weights: Grid, row: int, times: int, wide: int) -> None:
    """What belongs to this row of weights is there so many times."""
    for place in range(wide):
        totals[place] += times * weights[row, place]


@rule
def told(totals: Array, wide: int) -> int:
    total = totals[0]
    for place in range(1, wide):
        if totals[place] > 0:
            total += totals[place] if place & 1 else -totals[place]
    return total


@rule
def tell(counted: Array, count: int, totals: Array, weights: Grid, first: int, wide: int) -> int:
    """Of so many counts; `first` is the first of their weights' rows."""
    begin(totals, wide)
    for number in range(count):
        if counted[number]:
            add(totals, weights, first + number, counted[number], wide)
    return told(totals, wide)
