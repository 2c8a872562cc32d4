"""The rule book's examples, played from the files in `examples`, whose lines are as follows.

0 build house 2B    plays a line            = draws a House on 2B         is the next event of the line before
? avenue A 7, ...   is the forecast of each of seat 0's moves
! 0 build lake 2A: why    is a refused line, and the reason
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tablee.core.errors import Refusal
from tablee.core.match import Match, read_line
from tablee.games.rolling_village.state import State
from tablee.games.rolling_village.tests.sample_sheets import ALONE, GAME

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.txt"))


def play_example(lines: list[str]) -> Match[State]:
    seats, *rest = [line for line in lines if line and not line.startswith("#")]
    match = Match(GAME, int(seats.removeprefix("seats ")))
    sentences: list[str] = []
    for line in rest:
        kind, _, text = line.partition(" ")
        if kind == "=":
            assert sentences.pop(0) == text
        elif kind == "?":
            assert promised(match) == text
        elif kind == "!":
            check_refused(match, text)
        else:
            sentences = play_line(match, line)
    return match


def play_line(match: Match[State], text: str) -> list[str]:
    line = read_line(GAME, text)
    return [str(event.sentence) for event in match.play(line.seat, line.move).events]


def promised(match: Match[State]) -> str:
    forecast = GAME.view(GAME.observe(match.state, ALONE))["forecast"]
    return ", ".join(f"{move} {points}" for move, points in forecast.items())


def check_refused(match: Match[State], text: str) -> None:
    line, _, why = text.partition(": ")
    with pytest.raises(Refusal) as refused:
        play_line(match, line)
    assert str(refused.value) == why


@pytest.mark.parametrize("file", EXAMPLES, ids=[file.stem for file in EXAMPLES])
def test_the_example_plays_as_it_is_told(file: Path) -> None:
    match = play_example(file.read_text(encoding="utf-8").splitlines())
    again = Match.replay(GAME, match.seats, {}, match.lines())
    assert again.state.tobytes() == match.state.tobytes()


def test_v5_v9_the_rule_books_own_examples_are_there() -> None:
    assert {"v5-dice-4-and-2", "v9-avenues-7-6-6-3"} <= {file.stem for file in EXAMPLES}
