"""Template data of the box page: the sheet, the dice legend, and the points of stars and parks."""

from __future__ import annotations

from typing import Any

from tablee.games.rolling_village.box import CELLS, COLUMNS, TYPES, Pieces
from tablee.games.rolling_village.scene import NAMES


def contents(pieces: Pieces) -> dict[str, Any]:
    box = pieces.box
    return {
        "sheet": {
            "avenues": pieces.avenues,
            "printed": [list(box.printed[start : start + COLUMNS]) for start in range(0, CELLS, COLUMNS)],
            "legend": {face: TYPES[box.type_of[face]] for face in range(1, COLUMNS + 1)},
        },
        "names": NAMES,
        "stars": sum(box.printed),
        "any_avenue": pieces.any_avenue,
        "rounds": box.rounds,
        "bonus_rounds": [each for each in range(1, box.rounds + 1) if box.is_bonus[each]],
        "park_points": box.park_points,
        "solo_target": box.solo_target,
    }
