"""Tiny boxes on which exact methods run, what these find (docs/research/tiny.md), and bounds that are compared with it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bench.village_bound import Relaxation, most_covered, proven
from tablee import games
from tablee.arena import Plan
from tablee.arena.plan_runner import PlanRunner
from tablee.core.contract import NATURE, POINT
from tablee.core.game import Game, choose_options
from tablee.research.vector import Vector
from training.exact import Solver

BOXES = Path(__file__).parents[2] / "docs" / "research" / "boxes"


@pytest.fixture(scope="module")
def village() -> Game[Any]:
    return games.find("rolling-village", BOXES / "tiny-village.toml")


def played(game: Game[Any], *moves: str) -> Any:
    """Return a position of a game alone; the dice alternate with what is built."""
    state = game.setup(1, choose_options(game, 1, {}))
    for move in moves:
        state = game.kernel.apply(state, NATURE if move.startswith("roll") else 0, game.read(move))
    return state


def test_the_second_of_two_tiles_wins_tiny_mayflower() -> None:
    game = games.find("mayflower", BOXES / "tiny-mayflower.toml")
    solver = Solver(game)
    for first in range(2):
        start = game.setup(2, choose_options(game, 2, {"first": first}))
        assert solver.value(start) == (Fraction(first), Fraction(1 - first))
    by_lot = game.setup(2, choose_options(game, 2, {}))
    assert solver.value(by_lot) == (Fraction(1, 2), Fraction(1, 2))


def test_a_box_may_have_fewer_settlers() -> None:
    game = games.find("mayflower", BOXES / "small-mayflower.toml")
    state = game.setup(2, choose_options(game, 2, {"first": 0}))
    assert (list(state.supply[:2]), state.left) == ([2, 2], 20)
    vector = Vector(game, games=64)
    vector.reset(seed=1)
    seen = set[int]()
    for _ in range(40):
        vector.step(vector.sample())
        seen |= set(vector.spaces.fields(vector.observations)["supply"].ravel().tolist())
    assert seen == {0, 1, 2}


def test_two_exact_methods_agree_about_a_tiny_village(village: Game[Any]) -> None:
    """Expectimax move by move, and the mean of the best whole turns."""
    built = played(village, "roll 6 1", "build house 1A", "build lake 6A")
    turns = Relaxation(village, 1, 200, 200)
    odds = village.odds(built)
    mean = Fraction(sum(weight * turns.value_after(built, roll) for roll, weight in odds), 36 * POINT)
    assert Solver(village).value(built) == (mean,)
    assert mean == Fraction(23, 9)


def test_the_penalty_is_nothing_on_average(village: Game[Any]) -> None:
    built = played(village, "roll 6 1", "build house 1A", "build lake 6A")
    relaxation = Relaxation(village, 1, 8, 4)
    found = [(weight, relaxation.penalty(built, roll)) for roll, weight in village.odds(built)]
    assert sum(weight * penalty for weight, penalty in found) == pytest.approx(0, abs=1e-6)
    assert max(penalty for _, penalty in found) > 0


def test_with_the_exact_value_as_penalty_nothing_is_gained_by_knowing_the_dice(village: Game[Any]) -> None:
    """The relaxed value of a sheet is then the same for every last roll: its exact value."""
    built = played(village, "roll 6 1", "build house 1A", "build lake 6A")
    exact = Relaxation(village, 1, 200, 200)
    (value,) = Solver(village).value(built)
    for roll, _ in village.odds(built):
        assert (exact.value_after(built, roll) + exact.penalty(built, roll)) / POINT == pytest.approx(float(value))


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_nobody_exceeds_what_is_proven(bot: str) -> None:
    game = games.find("rolling-village")
    batch = PlanRunner(Plan.of(game, 1, [bot], {}, seed=5)).batch(range(1, 65), keep_logs=True)
    scores, _ = batch.results()
    for number, score in enumerate(scores[:, 0]):
        rolls = [line.move for line in batch.log(number) if line.seat == NATURE]
        assert score <= proven(game, rolls)


def test_projects_cover_the_best_cells_that_the_dice_allow() -> None:
    """Column 1 is printed 3, 0, 2, 0, 3 and column 2 is printed 0, 1, 0, 1, 0."""
    box = games.find("rolling-village").kernel.box
    assert most_covered(box, [2, 0, 0, 0, 0, 0], 0) == 6
    assert most_covered(box, [1, 2, 0, 0, 0, 0], 0) == 3 + 2
    assert most_covered(box, [0, 2, 0, 0, 0, 0], 1) == 2 + 3, "one may stand anywhere"
    assert most_covered(box, [0, 6, 0, 0, 0, 0], 0) == 2 + 3, "the sixth finds its column full"
    assert most_covered(box, [5] * 6, 0) == sum(box.printed)


@pytest.mark.parametrize(
    ("key", "file"), [("rolling-village", "tiny-village"), ("mayflower", "tiny-mayflower"), ("mayflower", "small-mayflower")]
)
def test_learners_play_tiny_boxes(key: str, file: str) -> None:
    game = games.find(key, BOXES / f"{file}.toml")
    vector = Vector(game, games=8, candidates=8)
    vector.reset(seed=1)
    assert vector.fingerprint != Vector(key).fingerprint
    ended = 0
    for _ in range(60):
        ended += int(vector.step(vector.sample())[2].sum())
    assert ended >= 8
