"""What only the page needs, derived from the view: what each cell would take, what the dice ask for, what a reader has been told of the
other villages, and why a round scored what it did.
"""

from __future__ import annotations

from typing import Any

from tablee.core.i18n import Message, OrList, mark, msg
from tablee.games.rolling_village.box import TYPE_NAMES, TYPES

View = dict[str, Any]
ROWS = "ABCDE"
Entries = list[dict[str, Any]]  # as this reader has heard it: see `Game.apart`
NAMES = dict(zip(TYPES, TYPE_NAMES, strict=True))
DUTY_MESSAGES = {
    "house": mark("a House in column {column}"),
    "forest": mark("a Forest in column {column}"),
    "lake": mark("a Lake in column {column}"),
}


def scene(view: View) -> dict[str, Any]:
    cells = open_cells(view)
    choice = any(len(takes) > 1 for takes in cells.values())
    return {
        "names": NAMES,
        "cells": cells,
        "pencils": [kind for kind in TYPES if choice and any(kind in takes for takes in cells.values())],
        "key_of": {kind: number for number, kind in enumerate(TYPES, 1)},  # whatever is offered, a key keeps its meaning
        "first": next(iter(cells), None),
        "thirds": [(first, min(first + 2, view["rounds"])) for first in range(1, view["rounds"] + 1, 3)],  # a subtotal each (V11)
        "tasks": tasks,
        "duty_message": duty_message,
        "scored_cells": scored_cells,
        "offers_label": offers_label,
        "visible_cells": visible_cells,
        "cards": cards,
        "latest_by_seat": latest_by_seat,
        "scored_rounds": scored_rounds,
        "lead": lead,
    }


def open_cells(view: View) -> dict[str, dict[str, int]]:
    """Which projects each cell may take now, and what each would add."""
    cells: dict[str, dict[str, int]] = {}
    for move, gain in view["forecast"].items():
        if move.startswith("build"):
            _, kind, cell = move.split()
            cells.setdefault(cell, {})[kind] = gain
    return cells


def tasks(view: View, seat: int | None) -> list[dict[str, Any]]:
    """What the dice ask of everybody this round, each with its die, and whether this seat has done it."""
    left = list(view["sheets"][seat]["duties"]) if seat is not None else []
    asked = round_tasks(view)
    for task in asked:
        duty = {key: value for key, value in task.items() if key != "die"}
        task["done"] = seat is not None and duty not in left
        if duty in left:
            left.remove(duty)
    return asked


def round_tasks(view: View) -> list[dict[str, Any]]:
    if not view["dice"]:
        return []
    a, b = view["dice"]
    if view["setup"]:
        return [{"do": "setup", "column": die, "die": die} for die in (a, b)]
    asked: list[dict[str, Any]] = [{"do": "build", "type": view["legend"][a], "column": b, "die": a}]
    asked.append({"do": "build", "type": view["legend"][b], "column": a, "die": b} if a != b else {"do": "park", "die": b})
    if view["round"] in view["bonus_rounds"]:
        asked.append({"do": "bonus", "die": None})
    if view["avenue"] is None:
        asked.append({"do": "avenue", "die": None})
    return asked


def duty_message(duty: dict[str, Any]) -> Message:
    """A project that is still to be built, for the middle of a sentence."""
    if duty["do"] == "park":
        return msg("a Park on any free cell")
    project = DUTY_MESSAGES[duty["type"]]
    return msg(project, column=duty["column"])


def scored_cells(view: View, seat: int) -> list[str]:
    """The cells of the groups that reach the avenue that the seat has scored last (V9)."""
    sheet = view["sheets"][seat]
    cells, row = sheet["cells"], view["avenues"].index(sheet["rounds"][-1]["avenue"])
    reached = [cell for cell, kind in cells.items() if cell[1] == ROWS[row] and kind != "park"]
    for cell in reached:
        reached += [other for other in _beside(cell) if cells.get(other) == cells[cell] and other not in reached]
    return reached


def _beside(cell: str) -> list[str]:
    column, row = int(cell[0]), ROWS.index(cell[1])
    around = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return [f"{x}{ROWS[y]}" for x, y in around if 0 <= y < len(ROWS)]


def offers_label(offers: dict[str, int]) -> Message:
    """What a cell takes, for those who listen: what would add nothing is only named."""
    each = [msg("{project} +{gain}", project=msg(NAMES[kind]), gain=gain) if gain else msg(NAMES[kind]) for kind, gain in offers.items()]
    return msg("takes {projects}", projects=OrList(each))


def visible_cells(view: View, tale: Entries, me: int | None) -> list[dict[str, str]]:
    """What stands on each village's sheet, as far as the reader has been told: one's own whole, of the others what they did in rounds
    past."""
    heard: dict[int, set[str]] = {}
    for entry in tale:
        if entry["kind"] == "build":
            heard.setdefault(entry["seat"], set()).add(entry["place"])
    return [_visible(sheet["cells"], heard.get(seat, set()), seat == me) for seat, sheet in enumerate(view["sheets"])]


def _visible(cells: dict[str, str], heard: set[str], own: bool) -> dict[str, str]:
    return cells if own or cells.keys() <= heard else {cell: kind for cell, kind in cells.items() if cell in heard}


def cards(view: View, known: list[dict[str, str]]) -> list[tuple[bool, int]]:
    """For each village: whether its round is done, and the Parks that the reader knows of."""
    return [(not sheet["duties"], [*cells.values()].count("park")) for sheet, cells in zip(view["sheets"], known, strict=True)]


def latest_by_seat(news: Entries) -> dict[int, dict[str, Any]]:
    """What each village did last, by seat."""
    return {line["seat"]: line for line in news}


def scored_rounds(view: View, tale: Entries) -> list[list[dict[str, Any]]]:
    """Every round that each seat has scored, as the reader was told: its avenue, its points, and their parts."""
    heard: dict[int, list[Any]] = {}
    for entry in tale:
        if entry["kind"] == "score":
            heard.setdefault(entry["seat"], []).append(entry["parts"])
    rounds = [zip(sheet["rounds"], heard.get(seat, ()), strict=False) for seat, sheet in enumerate(view["sheets"])]
    return [[{**was, "parts": parts} for was, parts in each] for each in rounds]


def lead(ranked: list[dict[str, Any]]) -> int:
    """By how many points the first is ahead of the second."""
    first, second = (int(each["score"]) for each in ranked[:2])
    return first - second
