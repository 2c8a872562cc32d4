"""Sites that the map marks: the places where the tile in hand may lie, and the tiles that the other seats laid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from tablee.core.narration import NarrationEntry
from tablee.games.mayflower.art.chart import edge_as_it_lies
from tablee.games.mayflower.faces import Face
from tablee.games.mayflower.tile_descriptions import SHOWN, SIDES

View = dict[str, Any]
CACHE_SIZE = 1 << 13  # places


def places_of(feature: View) -> list[str]:
    return [_place(*part) for part in feature["parts"]]


@lru_cache(maxsize=CACHE_SIZE)
def _place(col: int, row: int, name: str) -> str:
    return f"{col},{row} {name}".rstrip()


def sites(faces: dict[str, Face], before: View) -> list[dict[str, Any]]:
    """Return the places where the tile in hand may lie, with what it would join and give, and the settles it would allow by its turns.

    `before` is the view without the draft.
    """
    held = {place: feature for feature in before["features"] if feature["settlers"] for place in places_of(feature)}
    tiles = {(each["col"], each["row"]): each for each in before["tiles"]}
    return [
        site(cell, turns)
        | {
            "joins": [*_joins(faces, before["coast"], tiles, held, cell)],
            "settles": {turn: before["forecast"].get(f"lay {cell} {turn}", {}).get("settles", []) for turn in turns},
            "gives": [score for turn in turns for score in before["forecast"].get(f"lay {cell} {turn}", {}).get("scores", [])],
        }
        for cell, turns in before["places"].items()
    ]


NEIGHBOURS = {"N": (0, -1, "S"), "E": (-1, 0, "W"), "S": (0, 1, "N"), "W": (1, 0, "E")}  # columns count westward (R1)


def _joins(
    faces: dict[str, Face], coast: list[View], tiles: dict[tuple[int, int], View], held: dict[str, View], cell: str
) -> Iterator[dict[str, Any]]:
    """Yield the kind at each edge of a place, and the seats that hold it."""
    col, row = (int(each) for each in cell.split(","))
    for side, (west, south, facing) in NEIGHBOURS.items():
        there = (col + west, row + south)
        if there in tiles:
            shown, spot = edge_as_it_lies(faces[tiles[there]["letter"]], tiles[there]["turns"], facing)
        elif there[0] == 0 and 0 <= there[1] < len(coast):
            shown, spot = coast[there[1]]["kind"][0].upper(), facing
        else:
            continue
        feature = held.get(f"{there[0]},{there[1]} {spot}")
        yield {"side": SIDES[side], "shows": SHOWN[shown], "seats": [int(seat) for seat in feature["settlers"]] if feature else []}


def turns_here(before: View, draft: list[str]) -> int:
    """Return the number of turns in which the tile fits at the drafted place, or anywhere while it is in hand."""
    cell = draft[0].split()[1] if draft and draft[0].startswith("lay") else None
    return len({turn for at, turns in before["places"].items() if cell in (None, at) for turn in turns})


def site(cell: str, turns: list[int]) -> dict[str, Any]:
    col, row = (int(each) for each in cell.split(","))
    return {"cell": cell, "col": col, "row": row, "x": -100 * col, "y": 100 * row, "turns": turns}


def since_last_lay(entries: Sequence[NarrationEntry], me: int | None) -> Sequence[NarrationEntry]:
    """Return the log entries since `me` laid a tile, that turn included; for a spectator, those of the last turn."""
    laid = (number for number in reversed(range(len(entries))) if entries[number].kind == "lay" and me in (None, entries[number].seat))
    return entries[next(laid, 0) :]


def newly_laid(entries: Sequence[NarrationEntry], me: int | None) -> list[dict[str, Any]]:
    """Return the tiles that the other seats have laid since `me` laid one."""
    laid = [entry for entry in since_last_lay(entries, me) if entry.kind == "lay" and entry.seat != me]
    return [{"seat": entry.seat, "place": entry.place, **site(entry.place, [])} for entry in laid]
