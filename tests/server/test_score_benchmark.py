"""Score benchmark of a solo game: the share of each level's games it beats, and each level's score with the same draws."""

from __future__ import annotations

import json

import pytest
from starlette.testclient import TestClient

from tablee import bots, games
from tablee.core import fairness
from tablee.core.match import Match
from tablee.server.table import coaching
from tablee.server.table.coaching import score_on_same_draws
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

ROOM = "rolling-village"


def test_the_shipped_distributions_are_whole_and_stronger_levels_score_more() -> None:
    benchmark = json.loads((games.folder(ROOM) / coaching.BENCHMARK_FILE).read_text(encoding="utf-8"))
    assert set(benchmark["levels"]) == set(bots.LEVEL_NAMES)
    assert set(benchmark["made"]) >= {"command", "seed", "date"}
    means = {}
    for level, found in benchmark["levels"].items():
        assert sum(found["scores"].values()) == found["games"] >= 100
        means[level] = sum(int(score) * often for score, often in found["scores"].items()) / found["games"]
    assert means["random"] < means["easy"] < means["greedy"] < min(means["medium"], means["hard"])


def test_beaten_counts_fewer_points_and_half_of_the_same() -> None:
    assert [coaching.percent_below({60: 1, 70: 2, 80: 1}, score) for score in (59, 60, 70, 75, 81)] == [0, 12, 50, 75, 100]


def test_a_room_without_a_benchmark_has_none() -> None:
    assert coaching.percent_beaten("dice-race", 3) == {}


def test_the_same_draws_are_the_same_dice() -> None:
    game = games.find(ROOM)
    match = bots.play_out(Match(game, 1, {}, fairness.seed_for(4, 4)), [bots.GREEDY])
    assert score_on_same_draws(match, "greedy") == game.scores(match.state)[0]
    other = bots.play_out(Match(game, 1, {}, match.seed), [bots.RANDOM])
    rolls = [[line for line in each.lines() if line.startswith("- roll")] for each in (match, other)]
    assert rolls[0] == rolls[1]


def test_the_end_page_of_a_game_for_one_shows_it(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coaching, "is_uncompiled", lambda _: True)
    table = TableClient(client, people=1)
    assert "How you compare" not in client.get(table.made["watch"]).text
    table.finish()
    assert "How you compare" in client.get(table.made["watch"]).text
    page = client.get(table.made["seats"][0]["link"].replace("#", "?")).text
    assert f'data-score="{table.see()["scores"][0]}"' in page
