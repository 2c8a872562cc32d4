"""What a record comes to when it is replayed; the same in any Python."""

from __future__ import annotations

import hashlib

from tablee import games
from tablee.core import record


def replayed(text: str) -> list[str | int]:
    """Return the hash of all states of a record's game, the number of checked draws, and the scores."""
    verified = record.verify(games.find, text)
    match = verified.match
    states = hashlib.sha256(b"".join(match.at(line).state.tobytes() for line in range(0, len(match.log) + 1, 10)))
    return [states.hexdigest(), hashlib.sha256(match.state.tobytes()).hexdigest(), verified.draws, *match.game.scores(match.state)]
