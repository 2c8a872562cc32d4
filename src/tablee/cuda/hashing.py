"""SHA-256 and SHA-512 of one block for a GPU thread, with unrolled rounds, so that all words stay in registers.

The names are the standard's: a message of 16 words `w`, eight working words `a` to `h`, constants `K`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tablee.core.jit import jit


def _root(number: int, power: int, bits: int) -> int:
    """Return the first `bits` fractional bits of the `power`-th root of a number."""
    low, high, wanted = 0, number << bits, number << power * bits
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**power <= wanted else (low, middle)
    return low & (1 << bits) - 1


PRIMES = [number for number in range(2, 410) if all(number % factor for factor in range(2, number))]
K512 = np.array([_root(prime, 3, 64) for prime in PRIMES[:80]], np.uint64)
H512 = np.array([_root(prime, 2, 64) for prime in PRIMES[:8]], np.uint64)
K256 = np.array([_root(prime, 3, 32) for prime in PRIMES[:64]], np.uint32)
H256 = np.array([_root(prime, 2, 32) for prime in PRIMES[:8]], np.uint32)


@jit
def rotr256(x: Any, by: int) -> Any:
    return np.uint32(x >> np.uint32(by) | x << np.uint32(32 - by))


@jit
def round256(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, k: Any, w: Any) -> Any:
    """Return the new `e` and `a` of one round; the caller stores them as `d` and `h` and rotates the names instead of the words."""
    one = np.uint32(h + (rotr256(e, 6) ^ rotr256(e, 11) ^ rotr256(e, 25)) + (g ^ e & (f ^ g)) + k + w)
    two = np.uint32((rotr256(a, 2) ^ rotr256(a, 13) ^ rotr256(a, 22)) + (a & b | c & (a | b)))
    return np.uint32(d + one), np.uint32(one + two)


@jit
def schedule_word256(w: Any, w1: Any, w9: Any, w14: Any) -> Any:
    """Return the word of the message schedule 16 positions after `w`."""
    low = rotr256(w1, 7) ^ rotr256(w1, 18) ^ w1 >> np.uint32(3)
    high = rotr256(w14, 17) ^ rotr256(w14, 19) ^ w14 >> np.uint32(10)
    return np.uint32(w + low + w9 + high)


@jit
def extend_schedule256(w: Any) -> None:
    """Replace 16 words of the message schedule by the next 16."""
    w[0] = schedule_word256(w[0], w[1], w[9], w[14])
    w[1] = schedule_word256(w[1], w[2], w[10], w[15])
    w[2] = schedule_word256(w[2], w[3], w[11], w[0])
    w[3] = schedule_word256(w[3], w[4], w[12], w[1])
    w[4] = schedule_word256(w[4], w[5], w[13], w[2])
    w[5] = schedule_word256(w[5], w[6], w[14], w[3])
    w[6] = schedule_word256(w[6], w[7], w[15], w[4])
    w[7] = schedule_word256(w[7], w[8], w[0], w[5])
    w[8] = schedule_word256(w[8], w[9], w[1], w[6])
    w[9] = schedule_word256(w[9], w[10], w[2], w[7])
    w[10] = schedule_word256(w[10], w[11], w[3], w[8])
    w[11] = schedule_word256(w[11], w[12], w[4], w[9])
    w[12] = schedule_word256(w[12], w[13], w[5], w[10])
    w[13] = schedule_word256(w[13], w[14], w[6], w[11])
    w[14] = schedule_word256(w[14], w[15], w[7], w[12])
    w[15] = schedule_word256(w[15], w[0], w[8], w[13])


@jit
def sha256(w: Any, out: Any) -> None:
    """Write the hash of a message of one block; the message is overwritten."""
    a, b, c, d, e, f, g, h = H256[0], H256[1], H256[2], H256[3], H256[4], H256[5], H256[6], H256[7]
    for first in range(0, 64, 16):
        if first:
            extend_schedule256(w)
        d, h = round256(a, b, c, d, e, f, g, h, K256[first + 0], w[0])
        c, g = round256(h, a, b, c, d, e, f, g, K256[first + 1], w[1])
        b, f = round256(g, h, a, b, c, d, e, f, K256[first + 2], w[2])
        a, e = round256(f, g, h, a, b, c, d, e, K256[first + 3], w[3])
        h, d = round256(e, f, g, h, a, b, c, d, K256[first + 4], w[4])
        g, c = round256(d, e, f, g, h, a, b, c, K256[first + 5], w[5])
        f, b = round256(c, d, e, f, g, h, a, b, K256[first + 6], w[6])
        e, a = round256(b, c, d, e, f, g, h, a, K256[first + 7], w[7])
        d, h = round256(a, b, c, d, e, f, g, h, K256[first + 8], w[8])
        c, g = round256(h, a, b, c, d, e, f, g, K256[first + 9], w[9])
        b, f = round256(g, h, a, b, c, d, e, f, K256[first + 10], w[10])
        a, e = round256(f, g, h, a, b, c, d, e, K256[first + 11], w[11])
        h, d = round256(e, f, g, h, a, b, c, d, K256[first + 12], w[12])
        g, c = round256(d, e, f, g, h, a, b, c, K256[first + 13], w[13])
        f, b = round256(c, d, e, f, g, h, a, b, K256[first + 14], w[14])
        e, a = round256(b, c, d, e, f, g, h, a, K256[first + 15], w[15])
    out[0], out[1], out[2], out[3] = H256[0] + a, H256[1] + b, H256[2] + c, H256[3] + d
    out[4], out[5], out[6], out[7] = H256[4] + e, H256[5] + f, H256[6] + g, H256[7] + h


@jit
def rotr512(x: Any, by: int) -> Any:
    return np.uint64(x >> np.uint64(by) | x << np.uint64(64 - by))


@jit
def round512(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, k: Any, w: Any) -> Any:
    """Return the new `e` and `a` of one round; the caller stores them as `d` and `h` and rotates the names instead of the words."""
    one = np.uint64(h + (rotr512(e, 14) ^ rotr512(e, 18) ^ rotr512(e, 41)) + (g ^ e & (f ^ g)) + k + w)
    two = np.uint64((rotr512(a, 28) ^ rotr512(a, 34) ^ rotr512(a, 39)) + (a & b | c & (a | b)))
    return np.uint64(d + one), np.uint64(one + two)


@jit
def schedule_word512(w: Any, w1: Any, w9: Any, w14: Any) -> Any:
    """Return the word of the message schedule 16 positions after `w`."""
    low = rotr512(w1, 1) ^ rotr512(w1, 8) ^ w1 >> np.uint64(7)
    high = rotr512(w14, 19) ^ rotr512(w14, 61) ^ w14 >> np.uint64(6)
    return np.uint64(w + low + w9 + high)


@jit
def extend_schedule512(w: Any) -> None:
    """Replace 16 words of the message schedule by the next 16."""
    w[0] = schedule_word512(w[0], w[1], w[9], w[14])
    w[1] = schedule_word512(w[1], w[2], w[10], w[15])
    w[2] = schedule_word512(w[2], w[3], w[11], w[0])
    w[3] = schedule_word512(w[3], w[4], w[12], w[1])
    w[4] = schedule_word512(w[4], w[5], w[13], w[2])
    w[5] = schedule_word512(w[5], w[6], w[14], w[3])
    w[6] = schedule_word512(w[6], w[7], w[15], w[4])
    w[7] = schedule_word512(w[7], w[8], w[0], w[5])
    w[8] = schedule_word512(w[8], w[9], w[1], w[6])
    w[9] = schedule_word512(w[9], w[10], w[2], w[7])
    w[10] = schedule_word512(w[10], w[11], w[3], w[8])
    w[11] = schedule_word512(w[11], w[12], w[4], w[9])
    w[12] = schedule_word512(w[12], w[13], w[5], w[10])
    w[13] = schedule_word512(w[13], w[14], w[6], w[11])
    w[14] = schedule_word512(w[14], w[15], w[7], w[12])
    w[15] = schedule_word512(w[15], w[0], w[8], w[13])


@jit
def sha512(w: Any, out: Any) -> None:
    """Write the hash of a message of one block; the message is overwritten."""
    a, b, c, d, e, f, g, h = H512[0], H512[1], H512[2], H512[3], H512[4], H512[5], H512[6], H512[7]
    for first in range(0, 80, 16):
        if first:
            extend_schedule512(w)
        d, h = round512(a, b, c, d, e, f, g, h, K512[first + 0], w[0])
        c, g = round512(h, a, b, c, d, e, f, g, K512[first + 1], w[1])
        b, f = round512(g, h, a, b, c, d, e, f, K512[first + 2], w[2])
        a, e = round512(f, g, h, a, b, c, d, e, K512[first + 3], w[3])
        h, d = round512(e, f, g, h, a, b, c, d, K512[first + 4], w[4])
        g, c = round512(d, e, f, g, h, a, b, c, K512[first + 5], w[5])
        f, b = round512(c, d, e, f, g, h, a, b, K512[first + 6], w[6])
        e, a = round512(b, c, d, e, f, g, h, a, K512[first + 7], w[7])
        d, h = round512(a, b, c, d, e, f, g, h, K512[first + 8], w[8])
        c, g = round512(h, a, b, c, d, e, f, g, K512[first + 9], w[9])
        b, f = round512(g, h, a, b, c, d, e, f, K512[first + 10], w[10])
        a, e = round512(f, g, h, a, b, c, d, e, K512[first + 11], w[11])
        h, d = round512(e, f, g, h, a, b, c, d, K512[first + 12], w[12])
        g, c = round512(d, e, f, g, h, a, b, c, K512[first + 13], w[13])
        f, b = round512(c, d, e, f, g, h, a, b, K512[first + 14], w[14])
        e, a = round512(b, c, d, e, f, g, h, a, K512[first + 15], w[15])
    out[0], out[1], out[2], out[3] = H512[0] + a, H512[1] + b, H512[2] + c, H512[3] + d
    out[4], out[5], out[6], out[7] = H512[4] + e, H512[5] + f, H512[6] + g, H512[7] + h
