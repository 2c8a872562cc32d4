"""`python -m bench.learn`: what is learned does not depend on how many workers there are, nor on where they are."""

from __future__ import annotations

import pytest

from bench import learning
from bench.learning import Learner
from tablee import games
from tablee.arena import Here
from tablee.games.rolling_village.state import State


def test_the_games_of_the_first_round_and_what_is_learned_from_them_are_the_same_by_one_worker_and_by_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(learning, "HANDFUL", 5)
    alone, two = Learner(1), Learner(1, Here(2))
    sheets = alone.sheets(10, 0)
    assert two.sheets(10, 0) == sheets
    for learner in (alone, two):
        learner.learn(sheets[1], 1)
    assert two.weights == alone.weights
    assert alone.sheets(10, 1) != sheets, "the next time other games are played"
    assert [*games.find("rolling-village").kernel.box.insight[1]] not in alone.weights, "bots go on by the weights that they had"


def test_a_sheet_stands_where_its_rounds_to_come_say() -> None:
    learner = Learner(1)
    sheets = learner.sheets(2, 0)
    found = [{learner.rounds - State.from_bytes(sheet).turn for sheet in some} for some in sheets]
    assert found == [{left} for left in range(learner.rounds + 1)]
