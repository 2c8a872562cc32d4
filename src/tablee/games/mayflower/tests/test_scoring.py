"""Completed features: which are scored, their points, and who takes them (M8-M13, R4), and the option `order`."""

from __future__ import annotations

from tablee.core.match import Match
from tablee.games.mayflower.state import State
from tablee.games.mayflower.tests.sample_games import begin, feature, legal, play_line, refused, take_turns, two_towns_wait, view

PASSED = "puts no settler on it"


def test_m8_a_completed_feature_without_settlers_is_not_scored_and_moves_no_explorer() -> None:
    match = begin()
    assert take_turns(match, "C 1,8 1") == [PASSED]
    assert feature(match, "1,8", "E")["complete"]
    assert view(match)["explorers"] == [0, 0]


def test_m8_the_active_player_chooses_the_order() -> None:
    match = two_towns_wait()
    assert play_line(match, "0 pass") == [PASSED]
    assert legal(match) == ["score town N", "score town E"]
    assert refused(match, "0 score farm 1,0") == "nothing completed waits to be scored there (M8)"
    assert refused(match, "0 pass") == "choose which completed feature is scored next (M8)"
    sentences = play_line(match, "0 score town N")
    assert sentences == [
        "scores a town: 2 tiles × 2 = 4 [0]",
        "sends an explorer to column 1",
        "scores a town: 3 tiles × 2 + 1 explorer × 4 = 10 [0]",
        "sends an explorer to column 1",
    ]


def test_m8_a_single_feature_is_scored_without_asking() -> None:
    match = begin()
    assert take_turns(match, "C 1,8 1: town E")[1] == "scores a town: 2 tiles × 2 = 4 [0]"


def test_option_order_automatic_scores_what_gives_the_active_player_most_first() -> None:
    match = two_towns_wait(order="automatic")
    assert play_line(match, "0 pass") == [
        PASSED,
        "scores a town: 3 tiles × 2 = 6 [0]",
        "sends an explorer to column 1",
        "scores a town: 2 tiles × 2 = 4 [0]",
        "sends an explorer to column 1",
    ]


def test_m9_a_road_that_closes_on_itself_is_complete() -> None:
    match = begin()
    take_turns(match, "K 1,0 1: road N", "B 1,2 0", "K 2,0 2", "B 1,4 0", "K 1,-1 0")
    assert take_turns(match, "K 2,-1 3") == [PASSED, "scores a road: 4 tiles = 4 [0]", "sends an explorer to column 1"]


def test_m9_a_tile_counts_once_though_both_ends_of_the_road_stop_there() -> None:
    match = begin()
    take_turns(match, "S 1,3 0: road N", "K 1,2 0", "K 2,2 3", "H 1,9 0")
    assert take_turns(match, "K 2,3 2") == [PASSED, "scores a road: 4 tiles = 4 [0]", "sends an explorer to column 1"]


def test_m9_a_road_stops_at_a_crossing_a_farm_a_town_and_a_harbour() -> None:
    for turn in ("U 1,3 0: road E", "A 1,3 3: road E", "AG 1,3 0: road E"):
        assert take_turns(begin(), turn)[1] == "scores a road: 2 tiles = 2 [0]"


def test_m9_post_stations_on_the_road_count_two_each() -> None:
    match = begin()
    take_turns(match, "T 1,3 1: road E", "B 1,7 0")
    assert take_turns(match, "A 2,3 3")[1] == "scores a road: 3 tiles + 1 post station × 2 = 5 [0]"


def test_m10_a_town_scores_two_per_tile_and_per_shield() -> None:
    match = begin()
    take_turns(match, "AB 1,5 0: town E", "B 1,7 0")
    assert take_turns(match, "E 2,5 1")[1] == "scores a town: 3 tiles × 2 + 2 shields × 2 = 10 [0]"


def test_m11_a_farm_with_seven_neighbours_waits() -> None:
    match = begin()
    take_turns(match, "B 1,2 0: farm", "C 1,1 1", "K 1,3 3", "B 2,2 0", "B 2,1 0")
    farm = feature(match, "1,2", "")
    assert (farm["complete"], farm["tiles"], farm["points"], farm["full"]) == (False, 8, 8, 9)
    assert take_turns(match, "K 2,3 0")[1] == "scores a farm: 9 tiles = 9 [0]"


def three_robbers() -> Match[State]:
    """Return a match with two robbers of seat 0 and one of seat 1 on parts of a road, all in column 1 with one explorer."""
    match = begin()
    take_turns(match, "C 1,8 1: town E", "K 1,9 0", "A 1,0 2: road N", "B 2,0 0", "B 2,-1 0", "B 2,-2 0")
    take_turns(match, "L 1,-2 0: road N", "K 2,-3 1", "H 2,-4 0", "A 1,-4 0: road S", "L 1,-1 0")
    assert view(match)["explorers"] == [1, 0]
    return match


def test_m12_the_majority_takes_all_and_the_others_nothing() -> None:
    match = three_robbers()
    sentences = take_turns(match, "L 1,-3 0")
    assert sentences[1:3] == ["scores a road: 5 tiles + 2 explorers × 4 = 13 [0]", "is outnumbered on the road and scores nothing [1]"]
    assert view(match)["seats"][1]["supply"] == 5


def test_m13_the_bonus_is_for_each_settler_and_each_explorer_in_its_column() -> None:
    match = three_robbers()
    take_turns(match, "L 1,-3 0")
    assert match.events[-1][1].parts[1][1] == 8
    assert view(match)["seats"][0]["earned"] == {"explorer": 8, "plain": 0, "town": 4, "road": 5, "farm": 0}


def test_m13_the_bonus_counts_before_any_explorer_moves() -> None:
    match = begin()
    take_turns(match, "C 1,1 1: town E", "B 1,7 0")
    assert take_turns(match, "C 1,5 1: town E")[1:] == [
        "scores a town: 2 tiles × 2 + 1 explorer × 4 = 8 [0]",
        "sends an explorer to column 1",
    ]


def test_r4_settlers_of_a_player_who_does_not_take_the_points_earn_no_bonus() -> None:
    match = three_robbers()
    take_turns(match, "L 1,-3 0")
    assert view(match)["seats"][1]["earned"]["explorer"] == 0
    assert list(match.game.scores(match.state)) == [17, 0]
