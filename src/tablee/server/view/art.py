"""The art of a box: its drawings that never change, as one SVG file that browsers keep for ever."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from tablee.core.game import Game

STAMP_LENGTH = 16  # hexadecimal digits of the content hash


def art_url(game: Game) -> str | None:
    """Return the URL of a game's art with its stamp, or None for a game without art.

    The checksum of the box lets any process find the art, also of a table that was started with another box.
    """
    return game.art and f"/art/{game.key}/{game.components.sha256}/{stamp_of(game.art())}.svg"


@lru_cache(maxsize=64)
def stamp_of(svg: str) -> str:
    """Return the stamp of an SVG document, a hash of its content."""
    return hashlib.sha256(svg.encode()).hexdigest()[:STAMP_LENGTH]
