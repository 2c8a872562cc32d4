"""Template data of the box page."""

from __future__ import annotations

from typing import Any

from dice_race.box import Pieces


def contents(pieces: Pieces) -> dict[str, Any]:
    return {"length": pieces.box.length, "puddles": [space for space in range(pieces.box.length) if pieces.box.puddle[space]]}
