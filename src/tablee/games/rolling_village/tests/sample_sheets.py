"""Sheets drawn as text for the tests: five rows of six cells, H F L P for projects, a dot for an empty cell."""

from __future__ import annotations

from tablee import games
from tablee.core.game import NATURE, Game, Seat
from tablee.core.match import Match
from tablee.games.rolling_village.box import CELLS, Box
from tablee.games.rolling_village.notation import CELL_NAMES
from tablee.games.rolling_village.state import State
from tablee.games.rolling_village.turn import setup

LETTERS = "HFLP"
GAME: Game[State] = games.find("rolling-village")
BOX: Box = GAME.kernel.box
ALONE = Seat(0)


def sheet(drawing: str) -> list[int]:
    """Return the four bitboards of a drawn sheet."""
    cells = drawing.split()
    assert len(cells) == CELLS, "a sheet is five rows of six cells"
    return [sum(1 << cell for cell, letter in enumerate(cells) if letter == kind) for kind in LETTERS]


def position(drawing: str, round_: int, dice: tuple[int, int], seats: int = 1, bonus: int = 0) -> State:
    """Return a state in which all seats have this sheet and these dice; `bonus` has a bit for each bonus taken before."""
    state = setup(seats, free_types=False)
    state.turn = round_ - 1
    for seat in range(seats):
        state.marks[seat] = sheet(drawing)
        state.bonus[seat] = bonus
    after: State = GAME.apply(state, NATURE, GAME.read(f"roll {dice[0]} {dice[1]}")).state
    return after


def build(state: State, *moves: str) -> State:
    """Play the lone player's moves, and check that each is legal."""
    for text in moves:
        move = GAME.read(text)
        assert move in GAME.legal(state, ALONE), f"{text} is not legal"
        state = GAME.apply(state, ALONE, move).state
    return state


def choices(state: State, project: str) -> set[str]:
    """Return the cells to which a project may go now."""
    begins = f"build {project} "
    return {text.removeprefix(begins) for text in legal(state) if text.startswith(begins)}


def legal(state: State) -> list[str]:
    return [GAME.show(move) for move in GAME.legal(state, ALONE)]


def refusal(state: State, text: str) -> str:
    """Return the reason for which this move is refused."""
    return str(GAME.refuse(state, ALONE, GAME.read(text)))


def column(number: int) -> set[str]:
    return {f"{number}{row}" for row in "ABCDE"}


def empty(drawing: str) -> set[str]:
    return {CELL_NAMES[cell] for cell, letter in enumerate(drawing.split()) if letter == "."}


def replay(*lines: str, seats: int = 1, options: dict[str, str] | None = None) -> Match[State]:
    return Match.replay(GAME, seats, dict(options or {}), lines)
