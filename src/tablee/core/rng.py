"""Luck that is passed along: a small generator that a bot or an imagined game draws from, the same numbers compiled, interpreted and on
any machine. Nature's draws at a table are never made here but follow from the match's seed (`fairness.py`).

luck[0], luck[1]  the generator (xoroshiro64**)        luck[2], luck[3]  the key that each decision's generator is made from
"""

from __future__ import annotations

from collections.abc import Sequence

from tablee.core.jit import rule
from tablee.core.struct import Array, numbers

LUCK = 4
MASK = 0xFFFFFFFF
MOST_SEATS = 64  # of the numbers that tell a game's decisions apart, so many belong to one line


def lucky(key: Sequence[int]) -> Array:
    """A generator with this key of two 32-bit numbers, ready to draw from."""
    luck = numbers(LUCK)
    luck[2], luck[3] = key[0] & MASK, key[1] & MASK
    turn_to(luck, 0, 0)
    return luck


@rule
def turn_to(luck: Array, line: int, seat: int) -> None:
    """Begins the luck of one decision: it depends on the key, the line of the log and the seat, and on nothing that was drawn before."""
    luck[0] = scatter((luck[2] ^ (line * MOST_SEATS + seat)) + 0x9E3779B9)
    luck[1] = scatter(luck[3] ^ luck[0]) | 1


@rule
def scatter(number: int) -> int:
    """Neighbouring 32-bit numbers come out far apart (the finish of MurmurHash3)."""
    number = int(number) & MASK
    number = (number ^ number >> 16) * 0x85EBCA6B & MASK
    number = (number ^ number >> 13) * 0xC2B2AE35 & MASK
    return number ^ number >> 16


@rule
def next_word(luck: Array) -> int:
    """The next 32 bits."""
    one, two = int(luck[0]), int(luck[1])
    word = one * 0x9E3779BB & MASK
    two ^= one
    luck[0] = ((one << 26 | one >> 6) ^ two ^ two << 9) & MASK
    luck[1] = (two << 13 | two >> 19) & MASK
    return (word << 5 | word >> 27) * 5 & MASK


@rule
def below(luck: Array, count: int) -> int:
    """A number from 0 to count - 1."""
    return next_word(luck) * count >> 32


@rule
def next_number(luck: Array) -> int:
    """The next 62 bits, to draw by weight with."""
    return next_word(luck) << 30 | next_word(luck) >> 2


@rule
def pick(weights: Array, count: int, number: int) -> int:
    """The index below `count` that a large number falls on when the weights are laid end to end, again and again."""
    total = 0
    for place in range(count):
        total += weights[place]
    left = number % total
    for place in range(count):
        left -= weights[place]
        if left < 0:
            return place
    return count - 1
