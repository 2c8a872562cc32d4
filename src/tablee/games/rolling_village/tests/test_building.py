"""Set-up, building and the bonus: the cells of each project (V4-V8, R1-R3)."""

from __future__ import annotations

import pytest

from tablee.games.rolling_village.state import A_PARK, FIRST_DIE, SECOND_DIE
from tablee.games.rolling_village.tests.sample_sheets import ALONE, GAME, build, choices, column, empty, legal, position, refusal, replay

EMPTY = ". . . . . .  " * 5
OPENED = """
    . . . . . .
    . H . . . .
    . . . F . .
    . . . . . .
    . . . . . .
"""
COLUMN_2_FULL = """
    . H . . . .
    . F . . . .
    . L . . . .
    . H H . . .
    . F . . . .
"""


def test_v4_one_project_in_each_rolled_column_and_no_park() -> None:
    state = replay("- roll 4 2").state
    for project in ("house", "forest", "lake"):
        assert choices(state, project) == column(2) | column(4)
    assert choices(state, "park") == set()
    assert refusal(state, "build park 2A") == "no Park during set-up (V4)"
    assert refusal(state, "build lake 3A") == "3A is not in a column that was rolled (V4)"


def test_v4_the_second_project_goes_to_the_other_column() -> None:
    state = replay("- roll 4 2", "0 build house 2A").state
    assert choices(state, "lake") == column(4)
    assert refusal(state, "build lake 2B") == "that column already has its project (V4)"


def test_v4_on_a_double_both_go_to_the_same_column() -> None:
    state = build(replay("- roll 3 3").state, "build house 3A")
    assert choices(state, "forest") == column(3) - {"3A"}
    assert GAME.to_act(build(state, "build forest 3B")) == (-1,), "the dice come next"


def test_v4_set_up_scores_nothing() -> None:
    match = replay("- roll 6 1", "0 build house 6A", "0 build lake 1A")
    assert GAME.scores(match.state) == [0]


def test_r1_the_two_first_projects_are_of_different_types() -> None:
    state = replay("- roll 4 2", "0 build house 2A").state
    assert choices(state, "house") == set()
    assert refusal(state, "build house 4A") == "the first two projects are of different types (R1)"


def test_r1_is_lifted_by_the_option_free() -> None:
    state = replay("- roll 4 2", "0 build house 2A", options={"setup_types": "free"}).state
    assert choices(state, "house") == column(4)
    assert refusal(state, "build house 2B") == "that column already has its project (V4)"


def test_v5_each_die_names_a_project_and_the_other_its_column() -> None:
    state = position(OPENED, 1, (4, 2))
    assert choices(state, "house") == column(2) - {"2B"}
    assert choices(state, "forest") == column(4) - {"4C"}
    assert choices(state, "lake") == choices(state, "park") == set()


@pytest.mark.parametrize("order", [("build house 2A", "build forest 4A"), ("build forest 4A", "build house 2A")])
def test_v5_both_are_mandatory_in_either_order(order: tuple[str, str]) -> None:
    state = build(position(OPENED, 1, (4, 2)), order[0])
    assert GAME.to_act(state) == (ALONE,)
    assert not choices(state, order[0].split()[1])
    assert GAME.to_act(build(state, order[1])) == (-1,)


def test_v5_refusals_say_why() -> None:
    state = position(OPENED, 1, (4, 2))
    assert refusal(state, "build house 2B") == "2B is already taken (V5)"
    assert refusal(state, "build house 4A") == "these dice do not put a House on 4A (V5)"


def test_v6_a_double_asks_for_one_project_and_a_park_anywhere() -> None:
    state = position(OPENED, 1, (5, 5))
    assert choices(state, "forest") == column(5)
    assert choices(state, "park") == empty(OPENED)
    assert choices(build(state, "build park 5A"), "forest") == column(5) - {"5A"}
    assert refusal(position(OPENED, 1, (4, 2)), "build park 1A") == "these dice do not put a Park on 1A (V6)"


def test_v6_one_park_only() -> None:
    state = build(position(OPENED, 1, (5, 5)), "build park 1A")
    assert choices(state, "park") == set()
    assert state.todo[0] & (FIRST_DIE | A_PARK) == FIRST_DIE


def test_v7_a_full_column_sends_its_project_to_the_roomier_neighbour() -> None:
    state = position(COLUMN_2_FULL, 2, (5, 2))
    assert choices(state, "forest") == column(5) | column(1), "the Forest of the 5 goes to column 1, which has more room than column 3"


def test_v7_the_player_chooses_between_columns_with_equal_room() -> None:
    drawing = COLUMN_2_FULL.replace(". H H", ". H .")
    assert choices(position(drawing, 2, (6, 2)), "lake") == column(1) | column(3)


def test_v7_r2_a_farther_column_waits_until_the_nearer_ones_are_full() -> None:
    drawing = """
        H H H . . .
        F F F . . .
        L L L . . .
        H H H . . .
        F F . . . .
    """
    assert choices(position(drawing, 3, (6, 2)), "lake") == {"3E"}, "one cell next door comes before five cells two columns away"


def test_v7_r2_the_distance_grows_until_there_is_room_on_either_side() -> None:
    drawing = """
        . H F H F .
        . F L F L .
        . L H L H .
        . H F H F .
        F F L F L .
    """
    assert choices(position(drawing, 6, (6, 3)), "lake") == column(6) | empty(drawing) & column(1), "6 -> column 3 is full -> column 1"


def test_r2_column_1_is_not_next_to_column_6() -> None:
    drawing = """
        H . . . . .
        F . . . . .
        L . . . . .
        H . . . . .
        F . . . . .
    """
    assert choices(position(drawing, 2, (2, 1)), "forest") == column(2)


def test_r2_what_counts_is_the_moment_of_the_project() -> None:
    drawing = """
        . H . . . .
        . F . . . .
        . L . . . .
        . H . . . .
        . . . . . .
    """
    state = position(drawing, 2, (5, 2))
    assert choices(state, "forest") == {"2E"} | column(5)
    late = build(position(drawing, 3, (2, 2)), "build park 2E")
    assert choices(late, "forest") == column(1) | column(3), "the Park has filled column 2 a moment before"


def test_r3_a_project_serves_the_die_in_whose_column_it_stands() -> None:
    state = position(OPENED, 1, (4, 1))  # both dice ask for a House, in columns 1 and 4
    assert choices(state, "house") == column(1) | column(4) - {"4C"}
    assert choices(build(state, "build house 1A"), "house") == column(4) - {"4C"}
    assert choices(build(state, "build house 4A"), "house") == column(1)


def test_r3_outside_both_columns_it_serves_the_higher_die() -> None:
    drawing = """
        H . . H . .
        F . . F . .
        L . . L . .
        H . . H . .
        F . F F F .
    """
    state = position(drawing, 5, (4, 1))  # column 1 sends its House to 2, column 4 to 3 or 5
    after = build(state, "build house 2A")
    assert after.todo[0] == SECOND_DIE, "the 4 put its House next to column 1; the 1 still has to build"
    crowded = """
        H H . H F .
        F F . F L .
        L L . L H .
        H H . H F .
        F F . F L .
    """
    state = position(crowded, 6, (4, 1))
    assert choices(state, "house") == column(3), "both overflow into column 3"
    assert build(state, "build house 3A").todo[0] & (FIRST_DIE | SECOND_DIE) == SECOND_DIE, "the higher die is served first"


@pytest.mark.parametrize("round_", [3, 6, 9])
def test_v8_a_bonus_project_after_building(round_: int) -> None:
    state = position(OPENED, round_, (4, 2))
    assert choices(state, "lake") == set(), "not before building is done"
    state = build(state, "build house 2A", "build forest 4A")
    assert choices(state, "house") == choices(state, "forest") == choices(state, "lake") == empty(OPENED) - {"2A", "4A"}
    assert choices(state, "park") == set()
    assert GAME.to_act(state) == (ALONE,), "it is mandatory"


def test_v8_no_bonus_in_the_other_rounds() -> None:
    for round_ in (1, 2, 4, 5, 7, 8):
        assert GAME.to_act(build(position(OPENED, round_, (4, 2)), "build house 2A", "build forest 4A")) == (-1,)


def test_v8_each_type_once_per_game() -> None:
    state = build(position(OPENED, 6, (4, 2), bonus=0b100), "build house 2A", "build forest 4A")
    assert choices(state, "lake") == set()
    assert refusal(state, "build lake 1A") == "the bonus is a House, Forest or Lake not yet taken as a bonus (V8)"
    assert build(state, "build house 1A").bonus[0] == 0b101


def test_an_empty_sheet_has_every_move_in_a_stable_order() -> None:
    assert legal(position(EMPTY, 1, (4, 2))) == [f"build house 2{row}" for row in "ABCDE"] + [f"build forest 4{row}" for row in "ABCDE"]
