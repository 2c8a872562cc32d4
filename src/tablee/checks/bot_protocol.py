"""A program that plays as a bot keeps to the protocol of docs/bots-api.md: `tablee check-game GAME --bot 'python my_bot.py'` runs this."""

from __future__ import annotations

import pytest

from tablee import bots, games
from tablee.bots.program import ProgramBot
from tablee.core import fairness
from tablee.core.match import Match


@pytest.fixture
def command(request: pytest.FixtureRequest) -> str:
    return str(request.config.getoption("--bot"))


def play(command: str, key: str, seats: int, seed: int = 1) -> list[str]:
    """Return the lines of a game in which the program sits in every seat."""
    match = Match(games.find(key), seats, {}, fairness.seed_for(seed, 1))
    return bots.play_out(match, [ProgramBot(command)] * seats).lines()


def test_it_plays_whole_games_at_the_smallest_and_the_largest_table(key: str, seats: int, command: str) -> None:
    assert play(command, key, seats)


def test_a_game_played_again_is_the_same_game(key: str, command: str) -> None:
    """A bot that draws its luck from `random` repeats its games; one with luck of its own does not, and its runs cannot be repeated."""
    seats = games.find(key).seats[-1]
    assert play(command, key, seats) == play(command, key, seats)
