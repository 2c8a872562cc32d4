"""The end of the game: final scoring, winners, the track (M18-M22, R5)."""

from __future__ import annotations

import pytest

from tablee import bots
from tablee.core.components import Components
from tablee.core.match import Match
from tablee.games.mayflower import open_box
from tablee.games.mayflower.state import EXTRAS
from tablee.games.mayflower.tests.sample_games import COMPONENTS, begin, small_box, take_turns, view
from tablee.games.mayflower.view import track


def test_m18_the_last_tile_s_completions_are_scored_as_usual_before_the_final_scoring() -> None:
    match = begin(game=small_box("C 1, L 1"))
    sentences = take_turns(match, "L 1,3 1: road E", "C 1,8 1: town E")
    assert sentences == [
        "puts a merchant in the town",
        "scores a town: 2 tiles × 2 = 4 [1]",
        "sends an explorer to column 1",
        "lays the last tile: final scoring",
        "scores an unfinished road: 2 tiles = 2 [0]",
    ]
    assert match.over


def test_m19_post_stations_count_two_on_an_incomplete_road_and_shields_one_in_an_incomplete_town() -> None:
    sentences = take_turns(begin(game=small_box("AB 1, T 1")), "T 1,3 1: road E", "AB 1,5 0: town E")
    assert sentences[-2:] == [
        "scores an unfinished road: 2 tiles + 1 post station × 2 = 4 [0]",
        "scores an unfinished town: 2 tiles + 1 shield = 3 [1]",
    ]


def test_m19_an_incomplete_farm_scores_itself_and_its_neighbours() -> None:
    sentences = take_turns(begin(game=small_box("A 1, B 1")), "B 1,0 0: farm", "A 1,3 3: farm")
    assert sentences[-2:] == ["scores an unfinished farm: 3 tiles = 3 [0]", "scores an unfinished farm: 4 tiles = 4 [1]"]


def test_m19_explorers_count_nothing_at_the_end() -> None:
    match = begin(game=small_box("C 1, L 1"))
    take_turns(match, "C 1,8 1: town E", "L 1,3 1: road E")
    assert view(match)["explorers"] == [1, 0]
    assert list(match.game.scores(match.state)) == [4, 2]


def test_r5_incomplete_features_count_tiles_not_portions() -> None:
    match = begin(game=small_box("G 1, N 2, O 1"))
    take_turns(match, "O 1,0 0: town N", "N 2,0 1", "G 1,-1 3")
    sentences = take_turns(match, "N 2,-1 2")
    assert sentences[-1] == "scores an unfinished town: 4 tiles + 1 shield = 5 [0]"  # the first tile has two portions of this town


def test_m20_plains_score_one_per_animal() -> None:
    sentences = take_turns(begin(game=small_box("AW 1, C 1")), "AW 1,0 0: plain Nr", "C 1,4 0: plain Et")
    assert sentences[-2:] == ["scores a plain: 3 animals = 3 [0]", "scores a plain: 1 animal = 1 [1]"]


def test_m20_plains_are_scored_last_and_may_be_worth_nothing() -> None:
    sentences = take_turns(begin(game=small_box("L 2")), "L 1,3 1: plain Nl", "L 1,6 1: road E")
    assert sentences[-2:] == ["scores an unfinished road: 2 tiles = 2 [1]", "scores a plain: 0 animals = 0 [0]"]


def test_m21_equal_scores_share_the_win() -> None:
    match = begin(game=small_box("L 2"))
    take_turns(match, "L 1,3 1: road E", "L 1,6 1: road E")
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((2, 2), (0, 1))


def test_m21_most_points_win() -> None:
    match = begin(3, small_box("L 2"))
    take_turns(match, "L 1,3 1: road E", "L 2,3 1")
    outcome = match.outcome
    assert outcome is not None
    assert outcome.winners == (0,)


def test_m22_the_track_wraps_after_fifty_and_the_marker_lies_down() -> None:
    assert track(0) == {"space": 0, "lying": False}
    assert track(50) == {"space": 50, "lying": False}
    assert track(51) == {"space": 1, "lying": True}
    assert track(123) == {"space": 23, "lying": True}


@pytest.mark.parametrize("face", ['towns = ["NESW+++++++++"]', "animals = { Nl = 9 }"])
def test_m20_the_largest_numbers_fit_their_cells(face: str) -> None:
    """Play 120 tiles that are one town with nine shields each, or one plain with nine animals each."""
    head = COMPONENTS.text.partition("[tiles.")[0]
    game = open_box(Components.parse("large.toml", f"{head}[tiles.A]\ncount = 120\n{face}\n"))
    match = bots.play_out(Match(game, 5, {}, bytes(32)), [bots.RANDOM] * 5)
    assert max(game.scores(match.state)) > 1000
    assert max(each["extra"] for each in view(match)["features"]) == max(row[EXTRAS] for row in match.state.segment)
