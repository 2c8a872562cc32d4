"""Set-up, drawing and laying (M2-M6, R1, R2, R6), and the option `rows`."""

from __future__ import annotations

import pytest

from tablee.core.errors import OptionError
from tablee.core.game import NATURE
from tablee.core.match import Match
from tablee.games.mayflower.loading import distinct_turns
from tablee.games.mayflower.tests.sample_games import (
    GAME,
    PIECES,
    begin,
    feature,
    legal,
    play_line,
    random_play,
    refused,
    small_box,
    take_turns,
    view,
)


def test_m1_the_bag_holds_every_tile_and_none_lies_on_the_table() -> None:
    seen = view(begin())
    assert seen["left"] == 95
    assert seen["bag"]["K"] == 4
    assert seen["tiles"] == []


def test_m2_two_to_five_players_with_five_settlers_each() -> None:
    assert [each["supply"] for each in view(begin(5))["seats"]] == [5] * 5
    for seats in (1, 6):
        with pytest.raises(OptionError, match="Mayflower is for 2 to 5 players"):
            begin(seats)


def test_m3_a_tile_may_be_laid_against_each_start_space() -> None:
    match = begin()
    play_line(match, "- draw H")  # plain to the east and west, a road north and south
    upright, lying = (0, 2), (1, 3)
    fitting = {0: upright, 2: upright, 3: lying, 4: upright, 6: lying, 7: upright, 9: upright}
    assert legal(match) == [f"lay 1,{row} {turns}" for row in fitting for turns in fitting[row]]


def test_m4_both_explorers_begin_in_column_0() -> None:
    assert view(begin())["explorers"] == [0, 0]


def test_m4_the_first_player_is_drawn_by_lot_or_named() -> None:
    by_lot = Match(GAME, 3)
    assert by_lot.to_act == (NATURE,)
    assert [(GAME.show(move), weight) for move, weight in GAME.odds(by_lot.state)] == [("first 0", 1), ("first 1", 1), ("first 2", 1)]
    play_line(by_lot, "- first 2")
    for match in (by_lot, begin(3, first=2)):
        play_line(match, "- draw B")
        assert match.to_act == (2,)


def test_m4_no_tile_comes_before_the_lot_has_named_the_first_player() -> None:
    assert refused(Match(GAME, 3), "- draw B") == "draw B cannot come by lot now (M4)"


def test_m5_every_tile_left_may_be_drawn() -> None:
    match = begin(game=small_box("A 2, B 1"))
    assert [(match.game.show(move), weight) for move, weight in match.game.odds(match.state)] == [("draw A", 2), ("draw B", 1)]
    play_line(match, "- draw B")
    assert view(match)["drawn"] == "B"
    assert view(match)["bag"] == {"A": 2, "B": 0}


def test_m5_a_tile_that_fits_nowhere_is_set_aside_and_another_drawn() -> None:
    match = begin(game=small_box("A 2, B 1, S 1"))
    take_turns(match, "A 1,3 3", "A 1,6 3")  # both harbour roads are closed, so a crossing of four roads has no place
    assert play_line(match, "- draw S") == ["Tile S is drawn", "Tile S fits nowhere and is set aside"]
    assert match.to_act == (NATURE,)
    assert view(match)["aside"] == {"S": 1}
    play_line(match, "- draw B")
    assert match.to_act == (0,)


def test_m5_the_game_ends_if_the_bag_runs_out_that_way() -> None:
    match = begin(game=small_box("A 2, S 1"))
    take_turns(match, "A 1,3 3: plain Nl", "A 1,6 3")
    assert play_line(match, "- draw S")[1:3] == ["Tile S fits nowhere and is set aside", "No tile is left: final scoring"]
    assert match.over


def test_m6_a_tile_touches_with_an_edge_not_only_with_a_corner() -> None:
    match = begin()
    take_turns(match, "B 1,2 0")
    play_line(match, "- draw B")
    assert refused(match, "1 lay 2,3 0") == "column 2, row 3 touches no tile and no start space (M6)"
    assert refused(match, "1 lay 1,2 0") == "a tile lies in column 1, row 2 already (M6)"


def test_m6_every_touching_edge_matches() -> None:
    match = begin()
    play_line(match, "- draw C")
    assert refused(match, "0 lay 1,1 0") == "to the east, a plain would meet a town (M6)"  # turned once it fits
    match = begin()
    take_turns(match, "C 1,0 2")  # a town to the south, above Plymouth's space
    play_line(match, "- draw C")
    assert refused(match, "1 lay 1,1 0") == "the tile fits there no way round: to the east, a plain would meet a town (M6)"
    assert refused(match, "1 lay 1,1 1") == "the tile fits there no way round: to the north, a plain would meet a town (M6)"
    assert "lay 1,1 0" not in legal(match)
    play_line(match, "1 lay 2,0 0")


def test_m6_of_turns_that_look_alike_only_the_smallest_is_legal() -> None:
    turns = {face.letter: distinct_turns(face) for face in PIECES.faces}
    assert turns["B"] == turns["F"] == turns["S"] == [0]
    assert turns["L"] == turns["Q"] == turns["AL"] == turns["AC"] == [0, 1]
    assert turns["H"] == turns["X"] == turns["C"] == [0, 1, 2, 3]  # an animal, or a town, on one side only
    match = begin()
    play_line(match, "- draw L")
    assert refused(match, "0 lay 1,3 3") == "the tile looks the same with fewer turns; its turns are: 0 and 1 (M6)"


def test_m6_the_tile_must_be_played() -> None:
    match = begin()
    play_line(match, "- draw B")
    assert refused(match, "0 pass") == "lay the tile first (M6)"
    assert refused(match, "0 settle farm") == "lay the tile first (M6)"


def test_r1_rows_may_be_negative_or_above_nine_but_column_0_is_the_coast() -> None:
    match = begin()
    take_turns(match, "B 1,0 0", "B 1,9 0")
    play_line(match, "- draw B")
    assert {"lay 1,-1 0", "lay 1,10 0"} <= set(legal(match))
    assert refused(match, "0 lay 0,3 0") == "column 0 is the coast and the sea: no tile is laid there (R1)"


@pytest.mark.parametrize(("cells", "turns"), [("{},3", 1), ("1,-{}", 0), ("1,{}", 0)], ids=["west", "north", "south"])
def test_r1_the_land_has_no_bounds_but_its_tiles(cells: str, turns: int) -> None:
    """Lay the largest possible box in a straight line: the cell table holds every tile and every gap."""
    match, start = begin(game=small_box("L 120")), {"{},3": 1, "1,-{}": 0, "1,{}": 9}[cells]
    for number in range(start, start + 120):
        take_turns(match, f"L {cells.format(number) if number else '1,0'} {turns}" + (": road E" if number == 1 and turns else ""))
    assert match.over
    assert len({(tile["col"], tile["row"]) for tile in view(match)["tiles"]}) == 120
    assert max(each["tiles"] for each in view(match)["features"]) >= 120
    assert list(match.game.scores(match.state)) == [121 if turns else 0, 0]


def test_r2_towns_and_harbours_separate_the_coastal_plains() -> None:
    coast = [each for each in view(begin())["features"] if each["kind"] == "plain"]
    assert [each["parts"] for each in coast] == [
        [(0, 0, "Wb")],
        [(0, 2, "Wb"), (0, 3, "Wt")],
        [(0, 3, "Wb"), (0, 4, "Wb")],
        [(0, 6, "Wb"), (0, 7, "Wb")],
        [(0, 6, "Wt")],
        [(0, 9, "Wb")],
    ]


def test_r2_coast_roads_start_at_a_closed_end_and_towns_are_open_to_the_west() -> None:
    match = begin()
    assert [(feature(match, f"0,{row}", "W")["kind"], feature(match, f"0,{row}", "W")["open"]) for row in (1, 3, 5, 6, 8)] == [
        ("town", 1),
        ("road", 1),
        ("town", 1),
        ("road", 1),
        ("town", 1),
    ]


def test_r6_nothing_is_laid_north_or_south_of_the_board_in_column_0() -> None:
    match = begin()
    take_turns(match, "B 1,0 0")
    play_line(match, "- draw B")
    assert refused(match, "1 lay 0,-1 0") == "column 0 is the coast and the sea: no tile is laid there (R6)"


def test_r6_an_edge_that_faces_the_sea_stays_open_for_ever() -> None:
    match = begin()
    take_turns(match, "B 1,0 0", "C 1,-1 1: town E")
    assert feature(match, "1,-1", "E")["open"] == 1
    assert not feature(match, "1,-1", "E")["complete"]


def test_option_rows_keeps_to_the_ten_rows_of_the_coast() -> None:
    match = begin(rows=10)
    take_turns(match, "B 1,0 0")
    play_line(match, "- draw B")
    assert "lay 1,-1 0" not in legal(match)
    assert refused(match, "1 lay 1,-1 0") == "this table keeps to rows 0 to 9 (M6)"
    for played in random_play(2, 8, rows=10):
        assert all(0 <= int(played.state.place[tile]) % 256 - 120 < 10 for tile in range(played.state.tiles))
