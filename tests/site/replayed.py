"""What records come to when they are replayed; the same in any Python."""

from __future__ import annotations

import hashlib
from typing import Any

from tablee import games
from tablee.core import record


def run(texts: list[str], *_: Any) -> list[list[str | int]]:
    """Return for each record the hash of its game's states, the number of checked draws, and the scores."""
    return [_replayed(text) for text in texts]


def _replayed(text: str) -> list[str | int]:
    verified = record.verify(games.find, text)
    match = verified.match
    states = hashlib.sha256(b"".join(match.at(line).state.tobytes() for line in range(0, len(match.log) + 1, 10)))
    return [states.hexdigest(), hashlib.sha256(match.state.tobytes()).hexdigest(), verified.draws, *match.game.scores(match.state)]
