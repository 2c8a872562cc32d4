"""The rules of the dice race, as readable moves."""

from __future__ import annotations

import pytest

from tablee import games
from tablee.core.components import Components
from tablee.core.errors import ComponentsError, IllegalMove
from tablee.core.game import Seat
from tablee.core.match import Match

GAME = games.find("dice-race")


def race(*lines: str) -> Match:
    return Match.replay(GAME, 2, {}, lines)


def runners(match: Match) -> list[list[int]]:
    found: list[list[int]] = GAME.view(GAME.observe(match.state, None))["runners"]
    return found


def test_d1_two_to_four_players_with_two_runners_each() -> None:
    assert list(GAME.seats) == [2, 3, 4]
    assert runners(race()) == [[0, 0], [0, 0]]


def test_d2_one_runner_runs_as_far_as_the_die_shows() -> None:
    assert runners(race("- roll 4", "0 run 2", "- roll 3", "1 run 1")) == [[0, 4], [3, 0]]


def test_d2_a_runner_at_the_finish_runs_no_more() -> None:
    match = race(*(line for _ in range(4) for line in ("- roll 6", "0 run 1", "- roll 1", "1 run 1")), "- roll 6")
    assert runners(match)[0] == [24, 0]
    with pytest.raises(IllegalMove, match="runner 1 is at the finish already"):
        match.play(Seat(0), GAME.read("run 1"))


def test_d3_a_puddle_sends_a_runner_back() -> None:
    match = race("- roll 5", "0 run 1")
    assert runners(match)[0] == [2, 0]
    assert [event.kind for event in match.events[-1]] == ["slip"]


def test_d4_whoever_has_both_runners_home_wins_at_once() -> None:
    lines = [line for runner in "12" for _ in range(4) for line in ("- roll 6", f"0 run {runner}", "- roll 1", "1 run 2")]
    match = race(*lines[:-2])
    assert match.outcome is not None
    assert (match.outcome.winners, match.outcome.scores[0]) == ((0,), 48)


@pytest.mark.parametrize(("wrong", "message"), [("length = 2", "line 2"), ("length = 9\npuddles = [9]\nslip = 1", "line 3: puddles must")])
def test_a_wrong_box_names_its_line(wrong: str, message: str) -> None:
    with pytest.raises(ComponentsError, match=message):
        games.open_box("dice-race", Components.parse("box.toml", f"[track]\n{wrong}\n"))
