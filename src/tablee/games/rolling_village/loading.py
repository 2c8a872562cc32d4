"""Box loader: read, check and lay out components.toml; every fault names its line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tablee.core.components import Components
from tablee.core.errors import ComponentsError
from tablee.core.i18n import msg
from tablee.core.struct import fill
from tablee.games.rolling_village.box import (
    ANY_AVENUE,
    COLUMNS,
    FOREST,
    HIDDEN_UNITS,
    HOUSE,
    INPUTS,
    LAKE,
    MAX_ROUNDS,
    PARK,
    ROWS,
    SUMS,
    TYPES,
    Box,
    Pieces,
)

WEIGHTS_FILE = Path(__file__).with_name("learned_value.json")


def load_pieces(components: Components) -> Pieces:
    box = build_box(components)
    rows = [[each for each in SUMS if box.avenue_of[each] == row] for row in (*range(ROWS), ANY_AVENUE)]
    return Pieces(box, tuple(format_sums(sums) for sums in rows[:-1]), tuple(rows[-1]))


def format_sums(sums: Iterable[int]) -> str:
    """Format rising sums as printed beside an avenue: "7", "3-4", "2-4, 9"; "-" for none."""
    runs: list[list[int]] = []
    for each in sums:
        if runs and runs[-1][-1] == each - 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs) or "-"


def build_box(components: Components) -> Box:
    box = Box()
    for row in range(ROWS):
        box.avenues[row] = sum(1 << (row * COLUMNS + column) for column in range(COLUMNS))
    for column in range(COLUMNS):
        box.columns[column] = sum(1 << (row * COLUMNS + column) for row in range(ROWS))
    _load_points(box, components)
    _load_avenues(box, components)
    _load_legend(box, components)
    _load_weights(box)
    box.rounds = components.get_int("game", "rounds", 1, MAX_ROUNDS)
    box.park_points = components.get_int("game", "park_points", 0, 100)
    box.solo_target = components.get_int("game", "solo_target", 0, 1000)
    for turn in _int_list(components, "game", "bonus_rounds", 1, box.rounds):
        box.is_bonus[turn] = 1
    if sum(box.is_bonus) > PARK:
        raise components.fault(msg("there are three bonus projects, so at most three bonus rounds"), "game", "bonus_rounds")
    return box


def _load_weights(box: Box) -> None:
    """Load the learned weights; trained with the printed box, they serve for corrected ones too."""
    box.hidden_units = HIDDEN_UNITS
    for left, rows in enumerate(json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))["weights"], start=1):
        for number, row in enumerate(rows):
            fill(box.learned_weights[left * INPUTS + number], row)
    for rows in range(1 << ROWS):
        box.rolls_by_mask[rows] = sum(box.rolls_by_row[row] for row in range(ROWS) if rows >> row & 1)


def _load_points(box: Box, components: Components) -> None:
    rows = components.value("sheet", "points")
    if not isinstance(rows, list) or len(rows) != ROWS:
        raise components.fault(msg("points must be {count} row", "points must be {count} rows", count=ROWS), "sheet", "points")
    for number, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != COLUMNS or not all(type(points) is int and 0 <= points <= 3 for points in row):
            raise components.fault(
                msg(
                    "a row of points is {count} whole number from 0 to 3",
                    "a row of points is {count} whole numbers from 0 to 3",
                    count=COLUMNS,
                ),
                "sheet",
                "points",
                row=number + 1,
            )
        fill(box.printed[number * COLUMNS : (number + 1) * COLUMNS], row)
    for cell_number, points in enumerate(box.printed):
        box.odd_points |= (points & 1) << cell_number
        box.high_points |= (points >> 1) << cell_number


def _load_avenues(box: Box, components: Components) -> None:
    """Load the avenues; every sum of two dice must name one avenue or any of them (V9)."""
    avenues = components.value("sheet", "avenues")
    if not isinstance(avenues, list) or len(avenues) != ROWS:
        raise components.fault(
            msg("avenues must be {count} list of sums", "avenues must be {count} lists of sums", count=ROWS), "sheet", "avenues"
        )
    sums: dict[int, int] = dict.fromkeys(_int_list(components, "sheet", "any_avenue", 2, 12), ANY_AVENUE)
    for row, named in enumerate(avenues):
        for each in named if isinstance(named, list) else [named]:
            if type(each) is not int or not 2 <= each <= 12 or each in sums:
                raise components.fault(msg("{sum} is not a sum of two dice, or stands twice", sum=str(each)), "sheet", "avenues")
            sums[each] = row
    if len(sums) != len(SUMS):
        raise components.fault(msg("every sum from 2 to 12 needs an avenue"), "sheet", "avenues")
    for each, row in sums.items():
        box.avenue_of[each] = row
        if row != ANY_AVENUE:
            box.rolls_by_row[row] += 6 - abs(7 - each)


def _load_legend(box: Box, components: Components) -> None:
    fill(box.type_of, -1)
    for kind in (HOUSE, FOREST, LAKE):
        for face in _int_list(components, "dice", TYPES[kind], 1, 6):
            if box.type_of[face] >= 0:
                raise components.fault(msg("die face {face} stands twice", face=face), "dice", TYPES[kind])
            box.type_of[face] = kind
    if -1 in list(box.type_of)[1:]:
        raise components.fault(msg("every die face needs a project"), "dice")


def _int_list(components: Components, table: str, key: str, low: int, high: int) -> list[int]:
    found: Any = components.value(table, key)
    if isinstance(found, list) and all(type(each) is int and low <= each <= high for each in found):
        return found
    fault: ComponentsError = components.fault(
        msg("{key} must be a list of whole numbers from {low} to {high}", key=key, low=low, high=high), table, key
    )
    raise fault
