"""Luck and skill: what the draws gave, by the evaluation of the game."""

from __future__ import annotations

import pytest

from tablee import bots, games
from tablee.arena.luck import Balance, balances, draws, luck_of, reduction, unit
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
    line = [number for number, _ in draws(game, match.at(0).state, match.log)][5]
    before = match.at(line).state
    odds = game.odds(before)
    for seat in range(2):
        total = sum(weight * luck_of(game, before, game.kernel.apply(before, NATURE, move))[seat] for move, weight in odds)
        assert 0 <= total < sum(weight for _, weight in odds), "but for rounding a mean down"


def test_results_without_luck_have_a_narrower_interval() -> None:
    """Four games: luck alone decides who wins, so without it every game gives one half."""
    found = [Balance(won * WHOLE_SHARE, (2 * won - 1) * WHOLE_SHARE // 2) for won in (0, 1, 1, 1)]
    measured = reduction(found, 2)
    assert (measured.mean, measured.adjusted) == (0.75, 0.5)
    assert measured.adjusted_half == 0
    half = [Balance(each.result, each.luck // 2) for each in found]
    assert reduction(half, 2).fewer_games == pytest.approx(4)
