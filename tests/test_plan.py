"""A plan is serialised as text, and any worker plays the same games from it; a wrong plan is refused before play begins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablee import bots, games
from tablee.arena import LocalExecutor, Plan, Results, play_all
from tablee.arena.plan_runner import PlanRunner
from tablee.bots.search import Search
from tablee.core import record
from tablee.core.components import Components
from tablee.core.errors import TableeError
from tests.rounds import rounds

GAME = games.find("rolling-village")
PLAN = Plan.of(GAME, 2, ["greedy", "random"], {}, seed=5)


def changed(**facts: Any) -> str:
    return json.dumps({**json.loads(PLAN.dump()), **facts})


def test_options_that_are_not_named_are_the_games_own() -> None:
    assert dict(PLAN.options) == {"setup_types": "different"}
    assert Plan.parse(changed(options={})) == PLAN


def test_a_plan_takes_its_box_along() -> None:
    text = GAME.components.text.replace("park_points = 10", "park_points = 99")
    rich = Plan.of(games.open_box(GAME.key, Components.parse("mine.toml", text)), 2, ["random"] * 2, {}, seed=5)
    there = Plan.parse(rich.dump())
    assert there.opened.components.text == text
    poor = Plan.of(GAME, 2, ["random"] * 2, {}, seed=5)
    results = [Results.join(play_all(plan, 40)).scores.sum() for plan in (rich, there, poor)]
    assert results[0] == results[1] > results[2]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("nonsense", "this is not a plan of format tablee-plan/1"),
        ("[]", "this is not a plan"),
        (changed(format="tablee/1"), "this is not a plan"),
        (changed(extra=1), "this is not a plan"),
        (changed(rules=99), "this plan is for rules 99; these are rules 1"),
        (changed(bots=["greedy"]), "one bot is needed for each seat: 2, not 1"),
        (changed(bots=["greedy", "gredy"]), "there is no bot 'gredy'"),
        (changed(seats=99), "players, not 99"),
        (changed(seed="x"), "a seed is a whole number, not 'x'"),
        (changed(options={"setup_types": "none"}), "option setup_types cannot be 'none'"),
        (changed(game="chess"), "there is no game 'chess'"),
        (changed(box=["mine.toml", "[sheet"]), "mine.toml is not valid TOML"),
    ],
)
def test_a_wrong_plan_is_refused_in_one_sentence(wrong: str, sentence: str) -> None:
    with pytest.raises(TableeError, match=sentence):
        Plan.parse(wrong)


def test_no_games_are_no_results() -> None:
    assert list(play_all(PLAN, 0, executor=LocalExecutor(2))) == []


@pytest.mark.parametrize("key", rounds(few=["rolling-village"], many=games.known()))
def test_a_bot_that_thinks_sits_down_like_any_other(key: str, tmp_path: Path) -> None:
    """The kernel does not know this bot; its games are numbered, recorded and counted alike, for any number of jobs."""
    seats = max(2, games.find(key).seats[0])
    plan = Plan.parse(Plan.of(games.find(key), seats, ["search:nodes=3", "random"], {}, seed=5).dump())
    assert plan.levels is None
    alone = Results.join(play_all(plan, 3))
    recorded = Results.join(play_all(plan, 3, executor=LocalExecutor(2), folder=tmp_path))
    for name in ("scores", "winners", "lines"):
        assert (getattr(alone, name) == getattr(recorded, name)).all()
    assert alone.scores.shape == (3, seats)
    for number, file in enumerate(sorted(tmp_path.iterdir())):
        match = record.verify(games.find, file.read_text(encoding="utf-8")).match
        assert match.outcome is not None
        assert (len(match.log), match.outcome.scores) == (alone.lines[number], tuple(alone.scores[number]))


def test_the_kernel_plays_the_games_that_a_table_would() -> None:
    inside, outside = PlanRunner(PLAN), PlanRunner(PLAN)
    fast, slow = inside.play(range(1, 4)), outside._matches(range(1, 4))
    for name in ("scores", "winners", "lines"):
        assert getattr(fast, name).tolist() == getattr(slow, name).tolist()


def test_bots_are_read_by_their_names() -> None:
    assert bots.find("greedy") is bots.GREEDY
    assert bots.find("easy") is bots.EASY
    assert bots.find("medium") is bots.MEDIUM
    assert bots.find("hard") is bots.HARD
    assert bots.find("search:nodes=2000") == Search(nodes=2000)
    assert bots.find("search:ms=250") == Search(ms=250)


@pytest.mark.parametrize(
    "name", ["", "Greedy", "search", "search:", "search:nodes", "search:nodes=", "search:nodes=0", "search:nodes=-1", "search:ms=1.5",
             "search:ms=²", "search:depth=3", "search:nodes=1\n", "search:nodes=9999999999", "search:nodes=5:ms=5"],
)  # fmt: skip
def test_a_wrong_name_is_one_sentence_that_lists_what_there_is(name: str) -> None:
    with pytest.raises(TableeError) as refusal:
        bots.find(name)
    there_are = "random, easy, greedy, medium, hard, search:nodes=N or search:ms=N or module:function or program:COMMAND"
    assert str(refusal.value) == f"there is no bot {name!r}; there are: {there_are}"
    with pytest.raises(TableeError, match=r"there are: random, easy, greedy, medium, hard$"):
        bots.find_for_table(name)
