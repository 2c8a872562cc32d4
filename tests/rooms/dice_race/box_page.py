"""The box as a page, for comparing it with the real one."""

from __future__ import annotations

from dice_race.box import Pieces


def picture(pieces: Pieces, language: str) -> str:
    track = "".join("<td>~</td>" if pieces.box.puddle[space] else f"<td>{space}</td>" for space in range(pieces.box.length + 1))
    return f"<!doctype html><html lang={language}><meta charset=utf-8><title>Dice race</title><table><tr>{track}</tr></table></html>"
