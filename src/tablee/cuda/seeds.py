"""A game's luck on the device, from its seed as `core/fairness.py` says: so the same numbers give the same games everywhere.

A thread's luck goes on where that of `core/rng.py` ends: with the game's seed, and the block of nature's numbers that it has come to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from tablee.core.errors import TableeError
from tablee.core.fairness import PER_BLOCK
from tablee.core.i18n import msg
from tablee.core.rng import MASK32, RNG_SIZE
from tablee.cuda.hashing import sha256, sha512

SEED = RNG_SIZE  # eight words of 32 bits
NUMBERS = SEED + 8
DEVICE_RNG_SIZE = NUMBERS + PER_BLOCK

WORDS = 16  # of a message that is one block
ONE_BLOCK = 55  # bytes of a message that SHA-256 hashes at once
MOST_DIGITS = ONE_BLOCK - len("tablee  ") - len(str(2**63))  # of a seed, with the largest number of a game behind it
DRAW, BOTS = int.from_bytes(b"draw") << 32, int.from_bytes(b"bots") << 32
PADDING_BYTE = 0x80  # the byte after a message
BITS_OF_DRAW, BITS_OF_BOTS = 8 * (32 + 4 + 8), 8 * (32 + 4)


def seed_message(seed: int) -> Any:
    """What is hashed into the seed of a game, all but the game's number: 16 words, and how many bytes."""
    if len(str(seed)) > MOST_DIGITS:
        raise TableeError(msg("a seed has at most {count} digit on a GPU", "a seed has at most {count} digits on a GPU", count=MOST_DIGITS))
    text = f"tablee {seed} ".encode()
    return np.append(np.frombuffer(text.ljust(4 * WORDS, b"\0"), ">u4").astype(np.int64), len(text))


def seed_rng(rng: Any, begun: Any, game: int) -> None:
    """The seed of the game of this number, and the key of its bots."""
    words, found = cuda.local.array(WORDS, np.uint32), cuda.local.array(8, np.uint32)
    write_message(words, begun, game)
    sha256(words, found)
    for place in range(8):
        rng[SEED + place] = int(found[place])
    digest = cuda.local.array(8, np.uint64)
    hash_seed(rng, BOTS | PADDING_BYTE << 24, 0, BITS_OF_BOTS, digest)
    rng[2], rng[3] = int(digest[0] >> np.uint64(32)), int(digest[0] & np.uint64(MASK32))


def write_message(words: Any, begun: Any, game: int) -> None:
    """The message that was begun, with the game's number in decimal."""
    for place in range(WORDS):
        words[place] = np.uint32(begun[place])
    end, left = begun[WORDS], game
    while left:
        end, left = end + 1, left // 10
    place, left = end, game
    while left:
        place -= 1
        put_byte(words, place, 48 + left % 10)
        left //= 10
    put_byte(words, end, PADDING_BYTE)
    words[15] = np.uint32(8 * end)


def put_byte(words: Any, place: int, byte: int) -> None:
    words[place >> 2] |= np.uint32(byte << 24 - 8 * (place & 3))


def hash_seed(rng: Any, purpose: int, rest: int, bits: int, digest: Any) -> None:
    """SHA-512 of the seed and what follows it."""
    words = cuda.local.array(WORDS, np.uint64)
    for place in range(4):
        words[place] = np.uint64(rng[SEED + 2 * place] << 32 | rng[SEED + 2 * place + 1])
    words[4], words[5] = np.uint64(purpose), np.uint64(rest)
    for place in range(6, 15):
        words[place] = np.uint64(0)
    words[15] = np.uint64(bits)
    sha512(words, digest)


def device_nature_number(stream: Any, rng: Any, draw: int) -> int:
    """The number behind a draw: what `nature_number` is on the device."""
    if draw % PER_BLOCK == 0:
        digest = cuda.local.array(8, np.uint64)
        hash_seed(rng, DRAW, draw // PER_BLOCK << 32 | PADDING_BYTE << 24, BITS_OF_DRAW, digest)
        for place in range(PER_BLOCK):
            rng[NUMBERS + place] = int(digest[place] >> np.uint64(1))
    return rng[NUMBERS + draw % PER_BLOCK]  # type: ignore[no-any-return]
