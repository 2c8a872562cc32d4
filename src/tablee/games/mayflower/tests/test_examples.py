"""The seven documented examples, played as games.

The lines of an example file:

0 lay 1,3 2             plays a line
= scores a road: 4 tiles = 4 [0]       asserts its next sentence, and the seat
box C 2, L 1            uses a box of only these tiles     legal score town N, ...   asserts the legal moves
promised MOVE {...}     asserts the forecast of a move     scores, supply, explorers, winners   assert the position
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablee.core.match import Match
from tablee.games.mayflower.state import State
from tablee.games.mayflower.tests.sample_games import GAME, begin, play_line, small_box, view

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.txt"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_example(file: Path) -> None:
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    seats, game = int(lines.pop(0).removeprefix("seats ")), GAME
    if lines[0].startswith("box "):
        game = small_box(lines.pop(0).removeprefix("box "))
    match, sentences = begin(seats, game), list[str]()
    for line in lines:
        if line.startswith("= "):
            assert sentences.pop(0) == line.removeprefix("= ")
        elif re.match("[-0-9] ", line):
            assert not sentences or sentences[0].startswith(("Tile", "lays tile", "puts ")), f"untold before {line}: {sentences}"
            sentences = play_line(match, line)
        else:
            check(match, *line.split(" ", 1))


def check(match: Match[State], what: str, expected: str) -> None:
    seen = view(match)
    if what == "promised":
        move, promise = re.fullmatch(r"(.*?) (\{.*)", expected).groups()  # type: ignore[union-attr]
        assert str(seen["forecast"][move]) == promise
        return
    outcome = match.outcome
    found = {
        "legal": lambda: ", ".join(match.game.show(move) for move in match.legal(match.to_act[0])),
        "scores": lambda: numbers(match.game.scores(match.state)),
        "supply": lambda: numbers([seat["supply"] for seat in seen["seats"]]),
        "explorers": lambda: numbers(seen["explorers"]),
        "winners": lambda: numbers(outcome.winners if outcome else []),
    }
    assert found[what]() == expected


def numbers(values: object) -> str:
    return " ".join(str(value) for value in values)  # type: ignore[attr-defined]
