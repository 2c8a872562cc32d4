"""Random generator for bots and rollouts, passed as an argument; the same numbers compiled, interpreted and on any machine.

Nature's draws at a table never come from here: they follow from the match's seed (`fairness.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tablee.core.jit import jit
from tablee.core.struct import Array, Struct, field

MASK32 = 0xFFFFFFFF
MOST_SEATS = 64  # stride of the decision number, line * MOST_SEATS + seat


class Rng(Struct):
    """State of the generator (xoroshiro64**), and the key that seeds it for each decision."""

    state_one: int = field()
    state_two: int = field()
    key_one: int = field()
    key_two: int = field()


def make_rng(key: Sequence[int]) -> Rng:
    """Return a generator with this key of two 32-bit integers, seeded for line 0 and seat 0."""
    rng = Rng()
    rng.key_one, rng.key_two = key[0] & MASK32, key[1] & MASK32
    reseed(rng, 0, 0)
    return rng


@jit
def reseed(rng: Rng, line: int, seat: int) -> None:
    """Seed the generator for one decision, from the key, the line of the log and the seat alone, not from earlier draws."""
    rng.state_one = mix32((rng.key_one ^ (line * MOST_SEATS + seat)) + 0x9E3779B9)
    rng.state_two = mix32(rng.key_two ^ rng.state_one) | 1


@jit
def derive_key(rng: Rng, key_one: int, key_two: int, number: int) -> None:
    """Derive the key of `rng` from another key and the number of a rollout or a game, of up to 63 bits."""
    rng.key_one, rng.key_two = mix32(key_one + number), mix32(key_two ^ number ^ mix32(number >> 32))


@jit
def mix32(number: int) -> int:
    """Return a well-mixed hash of a 32-bit integer (the finaliser of MurmurHash3)."""
    number = int(number) & MASK32
    number = (number ^ number >> 16) * 0x85EBCA6B & MASK32
    number = (number ^ number >> 13) * 0xC2B2AE35 & MASK32
    return number ^ number >> 16


@jit
def next_word(rng: Rng) -> int:
    """Return the next 32 random bits."""
    one, two = rng.state_one, rng.state_two
    word = one * 0x9E3779BB & MASK32
    two ^= one
    rng.state_one = ((one << 26 | one >> 6) ^ two ^ two << 9) & MASK32
    rng.state_two = (two << 13 | two >> 19) & MASK32
    return (word << 5 | word >> 27) * 5 & MASK32


@jit
def randbelow(rng: Rng, count: int) -> int:
    """Return a random integer from 0 to count - 1."""
    return next_word(rng) * count >> 32


@jit
def next_number(rng: Rng) -> int:
    """Return the next 62 random bits, for `pick`."""
    return next_word(rng) << 30 | next_word(rng) >> 2


@jit
def pick(weights: Array, count: int, number: int) -> int:
    """Return the index of the cumulative weight interval that `number` modulo the total weight falls into."""
    total = 0
    for place in range(count):
        total += weights[place]
    left = number % total
    for place in range(count):
        left -= weights[place]
        if left < 0:
            return place
    return count - 1
