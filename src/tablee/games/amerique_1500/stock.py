"""A player's stock of goods, as six counts.

The central reserve never runs out (A2, A20), so only players' stocks are counted.
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.games.amerique_1500.box import KINDS


@jit
def total(stock: Array) -> int:
    count = 0
    for good in range(KINDS):
        count += stock[good]
    return count


@jit
def covers(stock: Array, cost: Array) -> bool:
    for good in range(KINDS):
        if stock[good] < cost[good]:
            return False
    return True


@jit
def pay(stock: Array, cost: Array) -> None:
    for good in range(KINDS):
        stock[good] -= cost[good]


@jit
def receive(stock: Array, gain: Array) -> None:
    for good in range(KINDS):
        stock[good] += gain[good]


@jit
def list_owned(stock: Array, move: int, out: Array) -> int:
    """Write one move for each kind of good in this stock, and return their number."""
    count = 0
    for good in range(KINDS):
        if stock[good] > 0:
            out[count] = move + good
            count += 1
    return count
