"""What only the page needs, derived from the view: what each cell would take, what the dice ask for, and why a round scored what it did."""

from __future__ import annotations

from typing import Any

from tablee.core.words import Say, note, say
from tablee.games.rolling_village.box import TYPE_NAMES, TYPES

View = dict[str, Any]
NAMES = dict(zip(TYPES, TYPE_NAMES, strict=True))
IN_WORDS = {
    "house": note("a House in column {column}"),
    "forest": note("a Forest in column {column}"),
    "lake": note("a Lake in column {column}"),
}


def scene(view: View) -> dict[str, Any]:
    cells = open_cells(view)
    choice = any(len(takes) > 1 for takes in cells.values())
    return {
        "names": NAMES,
        "cells": cells,
        "pencils": [kind for kind in TYPES if choice and any(kind in takes for takes in cells.values())],
        "first": next(iter(cells), None),
        "tasks": tasks,
        "in_words": in_words,
        "why": why,
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
    asked = asked_by_dice(view)
    for task in asked:
        duty = {key: value for key, value in task.items() if key != "die"}
        task["done"] = seat is not None and duty not in left
        if duty in left:
            left.remove(duty)
    return asked


def asked_by_dice(view: View) -> list[dict[str, Any]]:
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


def in_words(duty: dict[str, Any]) -> Say:
    """A project that is still to be built, for the middle of a sentence."""
    if duty["do"] == "park":
        return say("a Park on any free cell")
    project = IN_WORDS[duty["type"]]
    return say(project, column=duty["column"])


def why(tale: list[dict[str, Any]], seat: int, number: int) -> list[tuple[str, int]]:
    """The parts of what a seat scored in a round, from the tale."""
    scored = [told["parts"] for told in tale if told["kind"] == "score" and told["seat"] == seat and told["place"]]
    return scored[number - 1] if number <= len(scored) else []
