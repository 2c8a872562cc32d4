"""The game so far in words, as one seat may hear it: entries in order, the log's turns, and what the others did since one's last move."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

BUNDLES, TURNS = 24, 8  # so many bundles of so many turns; a longer game's last bundle holds the rest
Entry = dict[str, Any]  # see Screen.tale: position, seat, name, by_nature, kind, sentence, brief, points, parts, place


def turns(tale: Sequence[Entry], opens: Collection[str]) -> list[list[Entry]]:
    """One block for each turn. An entry of a kind in `opens` begins one; where a game names none, another seat does."""
    blocks: list[list[Entry]] = []
    for entry in tale:
        if not blocks or _begins(entry, blocks[-1], opens):
            blocks.append([])
        blocks[-1].append(entry)
    return blocks


def bundled(log: Sequence[list[Entry]]) -> list[Sequence[list[Entry]]]:
    """The log in bundles, as many for a game that begins as for one that ends."""
    return [*(log[TURNS * number : TURNS * (number + 1)] for number in range(BUNDLES - 1)), log[TURNS * (BUNDLES - 1) :]]


def told_once(turn: Sequence[Entry]) -> list[Entry]:
    """What a seat does several times in a row is one entry that says how many `times`."""
    found: list[Entry] = []
    for entry in turn:
        times = 1 + (found.pop()["times"] if found and _same(entry, found[-1]) else 0)
        found.append(entry | {"times": times})
    return found


def _same(entry: Entry, other: Entry) -> bool:
    return entry["seat"] is not None and not entry["points"] and all(entry[key] == other[key] for key in ("seat", "kind", "sentence"))


def _begins(entry: Entry, block: Sequence[Entry], opens: Collection[str]) -> bool:
    if opens:
        return entry["kind"] in opens and any(each["kind"] not in opens for each in block)
    return entry["seat"] is not None and any(each["seat"] not in (None, entry["seat"]) for each in block)


def opened(tale: Iterable[Entry], opens: Collection[str], by: int) -> int:
    """Where the turn was opened that was played at this position of the log; -1 before the first."""
    return max((entry["position"] for entry in tale if entry["kind"] in opens and entry["position"] <= by), default=-1)


def news(blocks: Iterable[Sequence[Entry]], since: int, me: int | None) -> list[Entry]:
    """What the others did after a position of the log, a line for each turn and seat: who, in few words, for how many points, and where.
    What nature brought them is no deed, unless it is points.
    """
    found = []
    for block in blocks:
        deeds = [entry for entry in block if entry["points"] or not entry["by_nature"]]
        heard = [entry for entry in deeds if entry["position"] > since and entry["seat"] not in (None, me)]
        found += [_line([entry for entry in heard if entry["seat"] == seat]) for seat in dict.fromkeys(entry["seat"] for entry in heard)]
    return found


def _line(entries: Sequence[Entry]) -> Entry:
    scored = [entry for entry in entries if entry["points"]]
    told = scored or [next((entry for entry in entries if entry["brief"]), entries[0])]
    return {
        "seat": entries[0]["seat"],
        "name": entries[0]["name"],
        "position": entries[-1]["position"],
        "words": ", ".join(entry["brief"] or entry["sentence"] for entry in told),
        "points": sum(entry["points"] for entry in scored),
        "places": [entry["place"] for entry in entries if entry["place"]],
    }
