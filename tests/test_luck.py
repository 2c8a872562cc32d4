"""Luck and skill: what the draws gave, by the evaluation of the game."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tablee import bots, games
from tablee.arena import Results, Tournament, standings
from tablee.arena.tally import Z_95
from tablee.bots.luck import balances, draws, luck_of, unit
from tablee.cli import main
from tablee.core import fairness
from tablee.core.contract import WHOLE_SHARE
from tablee.core.game import NATURE, Game
from tablee.core.match import Match


def played(game: Game, seats: int, number: int) -> Match:
    return bots.play_out(Match(game, seats, {}, fairness.seed_for(3, number)), [bots.GREEDY] * seats)


@pytest.mark.parametrize(("key", "seats"), [("rolling-village", 1), ("rolling-village", 2), ("mayflower", 2)])
def test_luck_and_skill_add_up_to_the_result(key: str, seats: int) -> None:
    game = games.find(key)
    match = played(game, seats, 1)
    found = balances(match)
    assert match.outcome is not None
    wanted = (
        [match.outcome.scores[0]] if seats == 1 else [(seat in match.outcome.winners) / len(match.outcome.winners) for seat in range(2)]
    )
    assert [each.result / unit(seats) for each in found] == wanted
    assert all(each.luck + each.skill == each.result for each in found)
    assert any(each.luck for each in found)


@pytest.mark.parametrize("key", ["rolling-village", "mayflower"])
def test_the_luck_of_all_possible_draws_is_nothing_on_average(key: str) -> None:
    game = games.find(key)
    match = played(game, 2, 2)
    before = [each for _, each, _ in draws(game, match.at(0).state, match.log)][5]
    odds = game.odds(before)
    for seat in range(2):
        total = sum(weight * luck_of(game, before, game.kernel.apply(before, NATURE, move))[seat] for move, weight in odds)
        assert 0 <= total < sum(weight for _, weight in odds), "but for rounding a mean down"


def test_shares_without_luck_have_a_narrower_interval() -> None:
    """Two seeds in both seatings: the draws decide who wins, so without luck every game gives one half."""
    tournament = Tournament.of(games.find("rolling-village"), 2, ["greedy", "random"], {}, seed=3, games=4, luck=True)
    won, part = np.array([0b01, 0b01]), WHOLE_SHARE // 2
    luck = np.array([[part, -part], [part, -part]])
    here, there = (Results(np.zeros((2, 2), int), won, np.array([9, 9]), False, each) for each in (luck, luck // 2))
    greedy, _ = standings(tournament, dict(zip(tournament.chunks, (here, there), strict=True)))["bots"]
    assert (greedy["share"], greedy["luck"]) == (0.5, 0.125)
    assert greedy["adjusted_share"] == 0.375, "a half of the games with the better draws, a quarter of those with the worse"
    won = np.array([0b01, 0b10])
    even = Results(np.zeros((2, 2), int), won, np.array([9, 9]), False, np.array([[part, -part], [-part, part]]) // 2)
    same = Results(np.zeros((2, 2), int), 3 - won, np.array([9, 9]), False, -even.luck // 1)
    greedy, _ = standings(tournament, dict(zip(tournament.chunks, (even, same), strict=True)))["bots"]
    assert greedy["fewer_games"] == 4, "half of every result was luck"
    assert (greedy["adjusted_share"], greedy["adjusted_high"] - greedy["adjusted_low"]) == (0.5, pytest.approx(Z_95 / 2, abs=1e-4))


def test_the_arena_takes_luck_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["arena", "rolling-village", "--json", "--games", "8", "--resume", str(tmp_path / "games")]
    assert main(command) == 0
    plain = json.loads(capsys.readouterr().out)
    assert main([*command, "--luck"]) == 2, "the file has no luck"
    assert "another tournament" in capsys.readouterr().err
    with_luck = [*command[:-1], str(tmp_path / "luck"), "--luck"]
    assert main(with_luck) == 0
    first = capsys.readouterr().out
    assert main(with_luck) == 0
    assert capsys.readouterr().out == first, "from the file"
    for bot, bot_before in zip(json.loads(first)["bots"], plain["bots"], strict=True):
        assert bot | bot_before == bot, "fields are only added"
        assert bot["adjusted_share"] == pytest.approx(bot["share"] - bot["luck"], abs=1e-5)
        assert bot["adjusted_low"] <= bot["adjusted_share"] <= bot["adjusted_high"]
        assert bot["luck"] != 0
