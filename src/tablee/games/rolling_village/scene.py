"""Template data that only the page needs, derived from the view.

It holds the projects that each cell may take, the tasks of the dice, the cells of other villages that the reader may see, and the parts of
the scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tablee.core.i18n import Message, OrList, mark, msg
from tablee.core.narration import NarrationEntry
from tablee.games.rolling_village.box import TYPE_NAMES, TYPES

View = dict[str, Any]
Entries = Sequence[NarrationEntry]  # as this reader may see them: see `Game.simultaneous_turns`
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
        "key_of": {kind: number for number, kind in enumerate(TYPES, 1)},  # each type has the same key, even if not all are offered
        "row": view["avenues"].index(view["avenue"]) if view["avenue"] else None,
        "picks": {move: points for move, points in view["forecast"].items() if move.startswith("avenue")},
        "common": {name: value for name, value in view.items() if name not in ("sheets", "forecast")},
        "thirds": thirds(view),
        "strip": strip,
        "park_points": park_points,
        "points_of_thirds": points_of_thirds,
        "tasks": tasks,
        "sum_of_dice": sum(view["dice"] or ()),
        "duty_message": duty_message,
        "further_project": further_project,
        "offers_label": offers_label,
        "visible_cells": visible_cells,
        "cards": cards,
        "owners": owners,
        "tried": tried,
        "fresh": fresh,
        "from_afar": from_afar,
        "villages": villages,
        "lead": lead,
    }


def open_cells(view: View) -> dict[str, dict[str, int]]:
    """Return the projects that each cell may take now, with the gain of each."""
    cells: dict[str, dict[str, int]] = {}
    for move, gain in view["forecast"].items():
        if move.startswith("build"):
            _, kind, cell = move.split()
            cells.setdefault(cell, {})[kind] = gain
    return cells


def strip(view: View, seat: int) -> list[dict[str, Any]]:
    """Return the rounds of the strip below a sheet, each with its avenue and points once scored, and with its third's subtotal (V11)."""
    scored = view["sheets"][seat]["rounds"]
    ends = {last for _, last in thirds(view)}
    found = []
    for number in range(1, view["rounds"] + 1):
        was = scored[number - 1] if number <= len(scored) else None
        so_far = sum(each["points"] for each in scored[:number]) if was else None
        is_bonus, is_now = number in view["bonus_rounds"], number == view["round"] and not view["over"]
        found.append({"number": number, "bonus": is_bonus, "now": is_now, "scored": was, "ends": number in ends, "so_far": so_far})
    return found


def thirds(view: View) -> list[tuple[int, int]]:
    """Return the first and the last round of each third of the game, which has a subtotal (V11)."""
    return [(first, min(first + 2, view["rounds"])) for first in range(1, view["rounds"] + 1, 3)]


def park_points(view: View, seat: int) -> int | None:
    """Return what the Parks of a sheet bring, or would bring as it stands; nothing before the first that counts."""
    points = int(view["sheets"][seat]["park_points"])
    return points if points or view["over"] else None


def points_of_thirds(view: View, seat: int) -> list[int]:
    rounds = view["sheets"][seat]["rounds"]
    return [sum(each["points"] for each in rounds[first - 1 : last]) for first, last in thirds(view)]


def tasks(view: View, seat: int | None) -> list[dict[str, Any]]:
    """Return the tasks that the dice set all seats this round, and whether this seat has done each."""
    left = list(view["sheets"][seat]["duties"]) if seat is not None else []
    found = []
    for task in view["tasks"]:
        duty = {key: value for key, value in task.items() if key != "die"}
        found.append({**task, "done": seat is not None and duty not in left})
        if duty in left:
            left.remove(duty)
    return found


def duty_message(duty: dict[str, Any]) -> Message:
    """Return a project still to be built, for the middle of a sentence."""
    if duty["do"] == "park":
        return msg("a Park on any free cell")
    project = DUTY_MESSAGES[duty["type"]]
    return msg(project, column=duty["column"])


def further_project(duties: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the project still to be built after the first."""
    return next((duty for duty in duties[1:] if duty["do"] in ("build", "park")), None)


def offers_label(offers: dict[str, int]) -> Message:
    """Return the projects that a cell may take, for screen readers; a gain of 0 is left out."""
    each = [msg("{project} +{gain}", project=msg(NAMES[kind]), gain=gain) if gain else msg(NAMES[kind]) for kind, gain in offers.items()]
    return msg("takes {projects}", projects=OrList(each))


def visible_cells(view: View, narration: Entries, me: int | None) -> list[dict[str, str]]:
    """Return the cells of each sheet that the reader may see: their own sheet, and of the others what the narration names."""
    told = {(entry.seat, entry.place) for entry in narration if entry.kind == "build"}
    sheets = [sheet["cells"] for sheet in view["sheets"]]
    return [
        cells if seat == me else {cell: kind for cell, kind in cells.items() if (seat, cell) in told} for seat, cells in enumerate(sheets)
    ]


def cards(view: View, visible: list[dict[str, str]]) -> list[tuple[bool, int]]:
    """Return for each village whether its round is done, and how many Parks the reader can see."""
    return [(not sheet["duties"], [*cells.values()].count("park")) for sheet, cells in zip(view["sheets"], visible, strict=True)]


def tried(draft: Sequence[str]) -> list[str]:
    """Return the cells on which the draft builds."""
    return [move.rpartition(" ")[2] for move in draft if move.startswith("build")]


def fresh(draft: Sequence[str]) -> str:
    """Return the cell on which the last move of the draft builds, empty if it builds nothing."""
    return next(iter(tried(draft[-1:])), "")


def owners(players: Iterable[Any]) -> list[tuple[int, str, str, int]]:
    """Return each village's seat with its player's initial, name and score."""
    return [(each.seat, each.initial, each.name, each.score) for each in players]


def from_afar(
    players: Iterable[Any], visible: list[dict[str, str]], cards: list[tuple[bool, int]], news: Iterable[Any]
) -> list[tuple[Any, ...]]:
    """Return for each village its owner, the visible cells, whether its round is done, and the points and places of its latest turn."""
    latest = {summary.seat: (summary.points, summary.places) for summary in news}
    return [(owner, visible[owner[0]], cards[owner[0]][0], latest.get(owner[0])) for owner in owners(players)]


def scored_rounds(view: View, narration: Entries) -> list[list[dict[str, Any]]]:
    """Return each seat's scored rounds, as far as the narration names them: the avenue, the points and their parts."""
    told: dict[int, list[Any]] = {}
    for entry in narration:
        if entry.kind == "score" and entry.seat is not None:
            told.setdefault(entry.seat, []).append(entry.parts)
    rounds = [zip(sheet["rounds"], told.get(seat, ()), strict=False) for seat, sheet in enumerate(view["sheets"])]
    return [[{**scored, "parts": parts} for scored, parts in each] for each in rounds]


def villages(view: View, narration: Entries, ranked: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the villages with their scored rounds and their Parks, the first first."""
    rounds = scored_rounds(view, narration)
    return [
        {"seat": each.seat, "initial": each.initial, "name": each.name, "score": each.score, "rounds": rounds[each.seat]}
        | {name: view["sheets"][each.seat][name] for name in ("parks", "good_parks")}
        for each in ranked
    ]


def lead(ranked: Sequence[Any]) -> int:
    """Return by how many points the first player is ahead of the second."""
    first, second = (int(each.score) for each in ranked[:2])
    return first - second
