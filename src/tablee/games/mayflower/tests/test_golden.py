"""Whole games: the golden record replays to its scores and draws, compiled and interpreted, and random games obey the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablee import bots
from tablee.core import record
from tablee.core.match import Match
from tablee.games.mayflower.tests.sample_games import GAME

GOLDEN = (Path(__file__).parent / "golden.json").read_text(encoding="utf-8")


def test_the_golden_game_keeps_to_the_rules_and_its_draws_to_the_seed() -> None:
    verdict = record.verify({"mayflower": GAME}.__getitem__, GOLDEN)
    assert verdict.draws == 96  # the lot for the first player, and every tile
    assert list(GAME.scores(verdict.match.state)) == record.parse(GOLDEN)["scores"]


@pytest.mark.parametrize("seats", GAME.seats)
def test_whole_random_games_are_played_inside_the_rules(seats: int) -> None:
    match = bots.play_out(Match(GAME, seats, {}, bytes(32)), [bots.RANDOM] * seats)
    assert 270 < len(match.log) < 300
    assert match.lines() == bots.play_out(Match(GAME, seats, {}, bytes(32)), [bots.RANDOM] * seats).lines()
