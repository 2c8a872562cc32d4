"""Verifiable draws by commitment: players see the SHA-256 of a secret seed at the start and the seed at the end; it determines every draw.

Nature's choice is a number modulo the sum of the weights, looked up in the cumulative weights in the order of the game. The number:

version 2    the draws of a game, counted from 0, are one stream: SHA-512(seed + "draw" + b as 8 bytes) for b = 0, 1, ... cut into pieces of
             8 bytes, each read big-endian and without its last bit
version 1    HMAC-SHA256(key=seed, message=the line's position in the log in decimal)
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import struct
from collections.abc import Callable, Mapping, Sequence

from tablee.core.errors import RecordError
from tablee.core.game import Move
from tablee.core.i18n import msg
from tablee.core.rng import Rng, make_rng, reseed

NEWEST = 2
PER_BLOCK = 8  # numbers in one SHA-512

Derivation = Callable[[bytes, int, int], int]  # (seed, the line's position, number of draws before it)


def new_seed() -> bytes:
    return secrets.token_bytes(32)


def seed_for(seed: int, game: int) -> bytes:
    """Return the seed of one game of a simulation: the same arguments give the same game in any process."""
    return hashlib.sha256(f"tablee {seed} {game}".encode()).digest()


def commitment(seed: bytes) -> str:
    return hashlib.sha256(seed).hexdigest()


def draw(seed: bytes, version: int, position: int, drawn: int, odds: Sequence[tuple[Move, int]]) -> Move:
    """Return nature's choice for the line at this position, after `drawn` draws."""
    left = derivation(version)(seed, position, drawn) % sum(weight for _, weight in odds)
    for move, weight in odds:
        left -= weight
        if left < 0:
            return move
    raise AssertionError("the weights do not add up")


def derivation(version: int) -> Derivation:
    if version not in DERIVATIONS:
        known = ", ".join(map(str, DERIVATIONS))
        raise RecordError(
            msg("the draws are of version {version!r}, which is not known here; known: {known}", version=version, known=known)
        )
    return DERIVATIONS[version]


def blocks(seed: bytes, first: int, count: int) -> bytes:
    """Return `count` blocks of version 2's stream, concatenated; NumPy reads their numbers as `frombuffer(..., ">u8") >> 1`."""
    prefix = seed + b"draw"
    return b"".join(hashlib.sha512(prefix + block.to_bytes(8)).digest() for block in range(first, first + count))


def stream_numbers(seed: bytes, first: int, count: int) -> list[int]:
    """Return version 2's numbers for the draws `first` to `first + count - 1`, each below 2**63."""
    block, skipped = divmod(first, PER_BLOCK)
    stream = blocks(seed, block, -(-(skipped + count) // PER_BLOCK))
    return [number >> 1 for (number,) in struct.iter_unpack(">Q", stream)][skipped : skipped + count]


def _by_position(seed: bytes, position: int, drawn: int) -> int:
    return _hmac_number(seed, str(position))


def _by_stream(seed: bytes, position: int, drawn: int) -> int:
    return stream_numbers(seed, drawn, 1)[0]


DERIVATIONS: Mapping[int, Derivation] = {1: _by_position, 2: _by_stream}


def bot_key(seed: bytes) -> tuple[int, int]:
    """Return the key of the bots' random generators in a match with this seed."""
    digest = hashlib.sha512(seed + b"bots").digest()
    return int.from_bytes(digest[:4]), int.from_bytes(digest[4:8])


def bot_rng(seed: bytes, line: int, seat: int) -> Rng:
    """Return a bot's random generator at one line of the log.

    It is derived from the seed, so a restarted server and a repeated simulation make the same choices.
    """
    rng = make_rng(bot_key(seed))
    reseed(rng, line, seat)
    return rng


def _hmac_number(seed: bytes, message: str) -> int:
    return int.from_bytes(hmac.digest(seed, message.encode(), "sha256"))
