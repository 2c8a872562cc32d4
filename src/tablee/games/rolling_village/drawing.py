"""The sheets in characters for the terminal, and the box as a page for comparing it with a printed sheet."""

from __future__ import annotations

from html import escape

from tablee.core.words import Words
from tablee.games.rolling_village.box import COLUMNS, PARK, ROWS, TYPE_NAMES, Box
from tablee.games.rolling_village.notation import ROWS_NAMED
from tablee.games.rolling_village.sight import AVENUE_NAMES, total
from tablee.games.rolling_village.state import SETUP, State

LETTERS = "HFLP"


def draw(box: Box, state: State) -> str:
    """Every sheet side by side: H F L P are projects, * are points still free."""
    dice = f"dice {state.dice[0]} {state.dice[1]}" if state.turn >= SETUP else "dice -"
    blocks = [_sheet(box, state, seat) for seat in range(state.seats)]
    rows = ["   ".join(parts) for group in range(0, len(blocks), 3) for parts in zip(*blocks[group : group + 3], strict=True)]
    return "\n".join([f"round {max(0, state.turn)}/{box.rounds}  {dice}", *rows])


def _sheet(box: Box, state: State, seat: int) -> list[str]:
    lines = [f"seat {seat}: {total(state, seat):>3}".ljust(27), "          1  2  3  4  5  6 "]
    for row in range(ROWS):
        cells = "".join(f" {_cell(box, state, seat, row * COLUMNS + column):<2}" for column in range(COLUMNS))
        lines.append(f"{ROWS_NAMED[row]} {'[' + AVENUE_NAMES[row] + ']':<7}{cells}")
    return lines


def _cell(box: Box, state: State, seat: int, cell: int) -> str:
    for kind in range(PARK + 1):
        if state.marks[seat, kind] >> cell & 1:
            return LETTERS[kind]
    return "*" * int(box.printed[cell]) if box.printed[cell] < 3 else "3*"


def picture(box: Box, language: str) -> str:
    words = Words(language)
    head = "".join(f"<th>{face} {escape(words(TYPE_NAMES[box.type_of[face]]))}</th>" for face in range(1, COLUMNS + 1))
    rows = ""
    for row in range(ROWS):
        cells = "".join(f"<td>{'★' * int(box.printed[row * COLUMNS + column])}</td>" for column in range(COLUMNS))
        rows += f"<tr><th>{ROWS_NAMED[row]} [{escape(AVENUE_NAMES[row])}]</th>{cells}</tr>"
    style = (
        "body{font:16px sans-serif;margin:1em;color-scheme:light dark}table{border-collapse:collapse}"
        "td,th{border:1px solid;padding:.5em min(.6em,1vw);text-align:center}@media(max-width:30em){body{font-size:12px}}"
    )
    top = f"<!doctype html><html lang={language}><meta charset=utf-8><title>Rolling Village</title><style>{style}</style>"
    return f"{top}<main><h1>Rolling Village</h1><table><tr><td></td>{head}</tr>{rows}</table></main></html>"
