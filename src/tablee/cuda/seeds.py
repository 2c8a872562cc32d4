"""Seeds and nature's draws on the device, derived as in `core/fairness.py`: the same numbers give the same games everywhere.

A thread's `rng` extends that of `core/rng.py` by the game's seed and the current block of nature's numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from tablee.core.errors import TableeError
from tablee.core.fairness import PER_BLOCK
from tablee.core.i18n import msg
from tablee.core.jit import jit
from tablee.core.rng import MASK32, RNG_SIZE
from tablee.cuda.functions import device_rule
from tablee.cuda.hashing import sha256, sha512

SEED = RNG_SIZE  # offset of eight 32-bit words
NUMBERS = SEED + 8
DEVICE_RNG_SIZE = NUMBERS + PER_BLOCK

WORDS = 16  # of a one-block message
ONE_BLOCK = 55  # bytes: the longest one-block message of SHA-256
MOST_DIGITS = ONE_BLOCK - len("tablee  ") - len(str(2**63))  # of a seed, so that the largest game number fits behind it
DRAW, BOTS = int.from_bytes(b"draw") << 32, int.from_bytes(b"bots") << 32
PADDING_BYTE = 0x80  # follows the message
BITS_OF_DRAW, BITS_OF_BOTS = 8 * (32 + 4 + 8), 8 * (32 + 4)


def seed_message(seed: int) -> Any:
    """Return the prefix of the message that is hashed into a game's seed, as 16 words, and its length in bytes."""
    if len(str(seed)) > MOST_DIGITS:
        raise TableeError(msg("a seed has at most {count} digit on a GPU", "a seed has at most {count} digits on a GPU", count=MOST_DIGITS))
    text = f"tablee {seed} ".encode()
    return np.append(np.frombuffer(text.ljust(4 * WORDS, b"\0"), ">u4").astype(np.int64), len(text))


@device_rule
def seed_rng(rng: Any, prefix: Any, game: int) -> None:
    """Write the seed of a game, and the key of its bots, into `rng`."""
    words, seed = cuda.local.array(WORDS, np.uint32), cuda.local.array(8, np.uint32)
    write_message(words, prefix, game)
    sha256(words, seed)
    for place in range(8):
        rng[SEED + place] = int(seed[place])
    digest = cuda.local.array(8, np.uint64)
    hash_seed(rng, BOTS | PADDING_BYTE << 24, 0, BITS_OF_BOTS, digest)
    rng[2], rng[3] = int(digest[0] >> np.uint64(32)), int(digest[0] & np.uint64(MASK32))


@jit
def write_message(words: Any, prefix: Any, game: int) -> None:
    """Write the padded message: the prefix and the game's number in decimal."""
    for place in range(WORDS):
        words[place] = np.uint32(prefix[place])
    end, left = prefix[WORDS], game
    while left:
        end, left = end + 1, left // 10
    place, left = end, game
    while left:
        place -= 1
        put_byte(words, place, 48 + left % 10)
        left //= 10
    put_byte(words, end, PADDING_BYTE)
    words[15] = np.uint32(8 * end)


@jit
def put_byte(words: Any, place: int, byte: int) -> None:
    words[place >> 2] |= np.uint32(byte << 24 - 8 * (place & 3))


@device_rule
def hash_seed(rng: Any, purpose: int, rest: int, bits: int, digest: Any) -> None:
    """Write to `digest` the SHA-512 of `bits` bits: the seed in `rng`, then the words `purpose` and `rest`, which end in padding."""
    words = cuda.local.array(WORDS, np.uint64)
    for place in range(4):
        words[place] = np.uint64(rng[SEED + 2 * place] << 32 | rng[SEED + 2 * place + 1])
    words[4], words[5] = np.uint64(purpose), np.uint64(rest)
    for place in range(6, 15):
        words[place] = np.uint64(0)
    words[15] = np.uint64(bits)
    sha512(words, digest)


@device_rule
def device_nature_number(stream: Any, rng: Any, draw: int) -> int:
    """Return the random number of nature's draw number `draw`: `loops.nature_number` on the device."""
    if draw % PER_BLOCK == 0:
        digest = cuda.local.array(8, np.uint64)
        hash_seed(rng, DRAW, draw // PER_BLOCK << 32 | PADDING_BYTE << 24, BITS_OF_DRAW, digest)
        for place in range(PER_BLOCK):
            rng[NUMBERS + place] = int(digest[place] >> np.uint64(1))
    return rng[NUMBERS + draw % PER_BLOCK]  # type: ignore[no-any-return]
