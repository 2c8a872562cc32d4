"""The box as a page, for comparing it with a printed sheet."""

from __future__ import annotations

from html import escape

from tablee.core.words import Words
from tablee.games.rolling_village.box import COLUMNS, ROWS, TYPE_NAMES, Pieces
from tablee.games.rolling_village.notation import ROWS_NAMED


def picture(pieces: Pieces, language: str) -> str:
    words, box = Words(language), pieces.box
    head = "".join(f"<th>{face} {escape(words(TYPE_NAMES[box.type_of[face]]))}</th>" for face in range(1, COLUMNS + 1))
    rows = ""
    for row in range(ROWS):
        cells = "".join(f"<td>{'★' * box.printed[row * COLUMNS + column]}</td>" for column in range(COLUMNS))
        rows += f"<tr><th>{ROWS_NAMED[row]} [{escape(pieces.avenues[row])}]</th>{cells}</tr>"
    style = (
        "body{font:16px sans-serif;margin:1em;color-scheme:light dark}table{border-collapse:collapse}"
        "td,th{border:1px solid;padding:.5em min(.6em,1vw);text-align:center}@media(max-width:30em){body{font-size:12px}}"
    )
    top = f"<!doctype html><html lang={language}><meta charset=utf-8><title>Rolling Village</title><style>{style}</style>"
    return f"{top}<main><h1>Rolling Village</h1><table><tr><td></td>{head}</tr>{rows}</table></main></html>"
