"""The view: features with their extent and owners, forecasts, and the text board."""

from __future__ import annotations

from collections import Counter

from tablee.games.mayflower.tests.reference_land import ReferenceLand
from tablee.games.mayflower.tests.sample_games import GAME, PIECES, begin, feature, play_line, random_play, take_turns, two_towns_wait, view


def test_features_of_the_view_are_the_regions_of_the_land() -> None:
    for number, match in enumerate(random_play(3, 12)):
        if number % 40 == 39:
            features, land = view(match)["features"], ReferenceLand(PIECES, match.state)
            found = Counter((each["kind"], each["tiles"], each["extra"], len(each["parts"])) for each in features if each["kind"] != "farm")
            assert found == Counter((region.kind, len(region.cells), region.extra, len(region.segments)) for region in land.regions)
            assert sum(each["kind"] == "farm" for each in features) == len(land.farms)


def test_a_feature_tells_its_owners_and_its_worth_now_and_completed() -> None:
    match = begin()
    take_turns(match, "AB 1,5 0: town E", "T 1,3 1")
    town = feature(match, "1,5", "E")
    assert town["parts"] == [(0, 5, "W"), (1, 5, "E")]
    assert {key: town[key] for key in ("tiles", "extra", "open", "complete", "waiting", "settlers", "owners", "points", "full")} == {
        "tiles": 2,
        "extra": 1,
        "open": 1,
        "complete": False,
        "waiting": False,
        "settlers": {"0": 1},
        "owners": [0],
        "points": 3,
        "full": 6,
    }
    assert feature(match, "1,3", "E")["owners"] == []


def test_the_forecast_of_a_lay_says_what_it_completes_and_for_whom() -> None:
    match = begin()
    take_turns(match, "L 1,6 1: road E", "B 1,2 0")
    play_line(match, "- draw A")
    promised = view(match)["forecast"]
    assert promised["lay 2,6 3"]["scores"] == [{"kind": "road", "points": {"0": 3}}]
    assert promised["lay 1,3 3"]["scores"] == []
    spectator = GAME.view(GAME.observe(match.state, None))
    assert spectator["forecast"] == {}
    assert spectator["places"] == view(match)["places"]


def test_the_forecast_of_a_lay_says_who_may_settle_then() -> None:
    match = begin()
    take_turns(match, "L 1,6 1: road E", "B 1,2 0")
    play_line(match, "- draw A")
    for move, promise in view(match)["forecast"].items():
        after = match.branch()
        play_line(after, f"0 {move}")
        assert promise["settles"] == [each for each in view(after)["forecast"] if each != "pass"]


def test_the_forecast_of_a_settler_says_what_its_feature_is_worth() -> None:
    match = begin()
    take_turns(match, "C 1,1 1: town E", "B 1,7 0")
    play_line(match, "- draw C")
    play_line(match, "0 lay 1,5 1")
    assert view(match)["forecast"] == {
        "pass": {},
        "settle town E": {"now": 8, "full": 8, "complete": True, "risk": False},  # an explorer stands in column 1
        "settle plain Nl": {"now": 1, "full": 1, "complete": False, "risk": False},
    }


def test_a_promise_of_points_is_kept() -> None:
    match = two_towns_wait()
    play_line(match, "0 pass")
    for move, promise in view(match)["forecast"].items():
        step = match.branch().play(match.to_act[0], GAME.read(move))
        first = next(event for event in step.events if event.kind == "score")
        assert {str(first.seat): first.points} == promise["points"]


def test_the_parts_of_a_score_add_up_and_its_sentence_says_them() -> None:
    *_, match = random_play(5, 3)
    events = [event for line_events in match.events for event in line_events if event.kind in ("score", "final")]
    assert {event.kind for event in events} == {"score", "final"}
    for event in events:
        assert sum(points for _, points in event.parts) == event.points
        assert str(event.sentence).endswith(f"= {event.points}")
    assert sum(event.points for event in events) == sum(GAME.scores(match.state))


def test_the_land_in_characters() -> None:
    match = begin()
    take_turns(match, "AC 1,1 0: town E", "A 1,3 3: plain Nl")
    play_line(match, "- draw K")
    drawn = GAME.text_board(match.state).splitlines()
    assert drawn[:16] == LAND.splitlines()[1:]
    assert drawn[-8:] == HAND.splitlines()[1:]


LAND = """
        2      1     0 EE

  -1

                    .  ~ ~
   0                . ~ ~
                    .  ~ ~
            #.   .###  ~ ~
   1        #####0###Plymo
            #.   .###  ~ ~
                    .  ~ ~
   2                . ~ ~
                    .  ~ ~
             1   .  .  ~ ~
   3           F------o~ ~
             .   .  .  ~ ~"""
HAND = """
seat 0:   0 points, 4/5 settlers
seat 1:   0 points, 4/5 settlers
92 tiles in the bag

tile K, turned 0, 1, 2, 3:
 .   .     . | .     . | .     .   .
---+      ---+         +---      +---
 . | .     .   .     .   .     . | ."""
