"""Dice you can check: the SHA-256 of a secret seed is shown at the start, the seed at the end, and every draw follows from both.

Nature's choice at log position n is HMAC-SHA256(key=seed, message=n in decimal) read as one big number, modulo the sum of the weights,
counted off along the outcomes in the order the game lists them.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import secrets
from collections.abc import Sequence

from tablee.core.game import Move


def new_seed() -> bytes:
    return secrets.token_bytes(32)


def seed_for(seed: int, game: int) -> bytes:
    """The secret of one game of a simulation: the same numbers give the same games in any process."""
    return hashlib.sha256(f"tablee {seed} {game}".encode()).digest()


def commitment(seed: bytes) -> str:
    return hashlib.sha256(seed).hexdigest()


def draw(seed: bytes, position: int, odds: Sequence[tuple[Move, int]]) -> Move:
    left = _number(seed, str(position)) % sum(weight for _, weight in odds)
    for move, weight in odds:
        left -= weight
        if left < 0:
            return move
    raise AssertionError("the weights do not add up")


def bot_rng(seed: bytes, position: int, seat: int) -> random.Random:
    """A bot's own luck: it follows from the seed too, so a restarted server and a repeated simulation make the same choices."""
    return random.Random(_number(seed, f"bot {seat} {position}"))


def _number(seed: bytes, message: str) -> int:
    return int.from_bytes(hmac.digest(seed, message.encode(), "sha256"))
