"""The sheets as text, for the terminal."""

from __future__ import annotations

from tablee.games.rolling_village.box import COLUMNS, PARK, ROWS, Box, Pieces
from tablee.games.rolling_village.notation import ROW_LETTERS
from tablee.games.rolling_village.scoring import score
from tablee.games.rolling_village.state import SETUP, State

LETTERS = "HFLP"


def render(pieces: Pieces, state: State) -> str:
    """Render the sheets as text, three side by side: H F L P are projects built, * are points printed on empty cells."""
    dice = f"dice {state.dice[0]} {state.dice[1]}" if state.turn >= SETUP else "dice -"
    blocks = [_sheet(pieces, state, seat) for seat in range(state.seats)]
    rows = ["   ".join(parts) for group in range(0, len(blocks), 3) for parts in zip(*blocks[group : group + 3], strict=True)]
    return "\n".join([f"round {max(0, state.turn)}/{pieces.box.rounds}  {dice}", *rows])


def _sheet(pieces: Pieces, state: State, seat: int) -> list[str]:
    names = [f"{letter} [{name}]" for letter, name in zip(ROW_LETTERS, pieces.avenues, strict=True)]
    margin = max(9, *map(len, names))
    columns = "".join(f" {face} " for face in range(1, COLUMNS + 1))
    lines = [f"seat {seat}: {score(pieces.box, state, seat):>3}".ljust(margin + len(columns)), " " * margin + columns]
    for row in range(ROWS):
        cells = "".join(f" {_cell(pieces.box, state, seat, row * COLUMNS + column):<2}" for column in range(COLUMNS))
        lines.append(names[row].ljust(margin) + cells)
    return lines


def _cell(box: Box, state: State, seat: int, cell: int) -> str:
    for kind in range(PARK + 1):
        if state.marks[seat, kind] >> cell & 1:
            return LETTERS[kind]
    return "*" * box.printed[cell] if box.printed[cell] < 3 else "3*"
