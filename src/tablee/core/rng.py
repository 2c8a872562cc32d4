"""Luck that is passed along: a small generator that a bot or an imagined game draws from, the same numbers compiled, interpreted and on
any machine. Nature's draws at a table are never made here but follow from the match's seed (`fairness.py`).

luck[0], luck[1]  the generator (xoroshiro64**)        luck[2], luck[3]  the key that each decision's generator is made from
"""

from __future__ import annotations

from collections.abc import Sequence

from tablee.core.jit import jit
from tablee.core.struct import Array, int_array

RNG_SIZE = 4
MASK32 = 0xFFFFFFFF
MOST_SEATS = 64  # of the numbers that tell a game's decisions apart, so many belong to one line


def make_rng(key: Sequence[int]) -> Array:
    """A generator with this key of two 32-bit numbers, ready to draw from."""
    luck = int_array(RNG_SIZE)
    luck[2], luck[3] = key[0] & MASK32, key[1] & MASK32
    reseed(luck, 0, 0)
    return luck


@jit
def reseed(rng: Array, line: int, seat: int) -> None:
    """Begins the luck of one decision: it depends on the key, the line of the log and the seat, and on nothing that was drawn before."""
    rng[0] = mix32((rng[2] ^ (line * MOST_SEATS + seat)) + 0x9E3779B9)
    rng[1] = mix32(rng[3] ^ rng[0]) | 1


@jit
def mix32(number: int) -> int:
    """Neighbouring 32-bit numbers come out far apart (the finish of MurmurHash3)."""
    number = int(number) & MASK32
    number = (number ^ number >> 16) * 0x85EBCA6B & MASK32
    number = (number ^ number >> 13) * 0xC2B2AE35 & MASK32
    return number ^ number >> 16


@jit
def next_word(rng: Array) -> int:
    """The next 32 bits."""
    one, two = int(rng[0]), int(rng[1])
    word = one * 0x9E3779BB & MASK32
    two ^= one
    rng[0] = ((one << 26 | one >> 6) ^ two ^ two << 9) & MASK32
    rng[1] = (two << 13 | two >> 19) & MASK32
    return (word << 5 | word >> 27) * 5 & MASK32


@jit
def randbelow(rng: Array, count: int) -> int:
    """A number from 0 to count - 1."""
    return next_word(rng) * count >> 32


@jit
def next_number(rng: Array) -> int:
    """The next 62 bits, to draw by weight with."""
    return next_word(rng) << 30 | next_word(rng) >> 2


@jit
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
