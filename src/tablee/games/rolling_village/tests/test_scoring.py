"""Avenues, groups and parks (V9, V10); the bitboards against a plain flood fill."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablee.games.rolling_village import view
from tablee.games.rolling_village.box import CELLS, COLUMNS, PARK, ROWS
from tablee.games.rolling_village.evaluation import current_round_points
from tablee.games.rolling_village.forecast import forecast
from tablee.games.rolling_village.scoring import avenue_points, parks_that_count
from tablee.games.rolling_village.state import State
from tablee.games.rolling_village.tests.sample_sheets import ALONE, BOX, GAME, LETTERS, build, legal, position, refusal, sheet
from tablee.games.rolling_village.turn import setup

GROUPS = """
    H H . L . F
    . H . L . F
    . . . . . F
    . F H H . .
    . F . H . .
"""


def marked(drawing: str) -> State:
    state = setup(1, free_types=False)
    state.marks[0] = sheet(drawing)
    return state


def points_by_avenue(drawing: str) -> list[int]:
    state = marked(drawing)
    return [int(avenue_points(BOX, state.marks[0], row)) for row in range(ROWS)]


def good_parks(drawing: str) -> list[int]:
    bits = int(parks_that_count(marked(drawing).marks[0]))
    return [cell for cell in range(CELLS) if bits >> cell & 1]


def test_v9_a_group_on_the_avenue_scores_all_its_cells() -> None:
    houses_above, lake, forest = 3 + 0 + 1, 2 + 0, 3 + 0 + 2
    houses_below, forest_below = 0 + 0 + 2, 1 + 0
    assert points_by_avenue(GROUPS) == [
        houses_above + lake + forest,
        houses_above + lake + forest,
        forest,
        houses_below + forest_below,
        houses_below + forest_below,
    ]


def test_v9_groups_touch_side_to_side_not_at_corners_nor_around_the_edge() -> None:
    drawing = """
        H . . . . .
        . H . . . H
        H . . . . .
        . . . . . .
        . . . . . .
    """
    assert points_by_avenue(drawing) == [3, 1, 2, 0, 0]


def test_v9_types_are_scored_apart_and_parks_not_at_all() -> None:
    drawing = """
        H F P . . .
        P P H . . .
        P . . . . .
        . . . . . .
        . . . . . .
    """
    assert points_by_avenue(drawing) == [3, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("dice", "avenue"),
    [
        ((2, 1), "3-4"),
        ((3, 1), "3-4"),
        ((4, 1), "5-6"),
        ((4, 2), "5-6"),
        ((4, 3), "7"),
        ((5, 3), "8-9"),
        ((5, 4), "8-9"),
        ((6, 5), "10-11"),
    ],
)
def test_v9_the_sum_of_the_dice_names_the_avenue(dice: tuple[int, int], avenue: str) -> None:
    state = position(GROUPS, 1, dice)
    assert GAME.view(GAME.observe(state, ALONE))["avenue"] == avenue


def test_v9_a_round_is_scored_when_its_last_project_is_built() -> None:
    state = build(position(GROUPS, 1, (4, 2)), "build house 2C")
    assert GAME.scores(state) == [0]
    step = GAME.apply(state, ALONE, GAME.read("build forest 4C"))
    assert [str(event.sentence) for event in step.events] == ["draws a Forest on 4C", "scores 11 points on avenue [5-6]"]
    assert [(str(part), points) for part, points in step.events[1].parts] == [("House", 4), ("Forest", 5), ("Lake", 2)]


@pytest.mark.parametrize("dice", [(1, 1), (6, 6)])
def test_v9_on_2_or_12_the_player_picks_after_building(dice: tuple[int, int]) -> None:
    state = position(GROUPS, 1, dice)
    assert refusal(state, "avenue A") == "finish building before you pick an avenue (V9)"
    project = "house 1C" if dice == (1, 1) else "lake 6E"
    state = build(state, f"build {project}", "build park 5E")
    assert legal(state) == [f"avenue {row}" for row in "ABCDE"]
    assert refusal(state, "build park 5D") == "pick an avenue now: everything is built (V9)"
    assert GAME.scores(build(state, "avenue A")) == [11]


def test_v9_otherwise_nobody_picks() -> None:
    assert refusal(position(GROUPS, 1, (4, 2)), "avenue A") == "an avenue is picked only when the dice add up to 2 or 12 (V9)"


def test_v10_a_park_needs_a_house_a_forest_and_a_lake_side_to_side() -> None:
    drawing = """
        . H . . . .
        F P L . H .
        . . . F P .
        H L . . . L
        P F . . . .
    """
    assert good_parks(drawing) == [7], "5C has its lake only at a corner, 1E has no lake beside it"


def test_v10_parks_score_ten_each_after_the_last_round() -> None:
    drawing = """
        . H . . . .
        F P L . H .
        . . . F P L
        . . . . . .
        . . . . . .
    """
    before = position(drawing, 8, (4, 2))
    assert GAME.scores(build(before, "build house 2C", "build forest 4D")) == [1 + 0 + 0], "not yet: [5-6] has the House on 5B"
    state = build(position(drawing, 9, (4, 2)), "build house 2C", "build forest 4D")
    step = GAME.apply(state, ALONE, GAME.read("build lake 1E"))
    parks = step.events[-1]
    assert (parks.kind, parks.place, parks.points) == ("final", "2B 5C", 20), "a step of the final scoring that the page shows in its place"
    assert str(parks.sentence) == "scores 20 points with the Parks on 2B and 5C, each beside a House, a Forest and a Lake"
    assert GAME.to_act(step.state) == ()
    assert GAME.outcome(step.state).scores == (21,)


def test_v10_equal_totals_share_the_victory() -> None:
    state = setup(3, free_types=False)
    state.points[0, 1], state.points[1, 1], state.points[2, 1] = 40, 42, 42
    assert GAME.outcome(state).winners == (1, 2)


def test_the_preview_promises_what_the_score_gives() -> None:
    state = build(position(GROUPS, 1, (4, 2)), "build house 2C")
    promised = forecast(BOX, state, ALONE)
    before = current_round_points(BOX, state, ALONE)
    for text, gain in promised.items():
        assert GAME.scores(build(state, text)) == [before + gain]


cells = st.lists(st.sampled_from("." + LETTERS), min_size=CELLS, max_size=CELLS)


def neighbours(cell: int) -> list[int]:
    row, column = divmod(cell, COLUMNS)
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * COLUMNS + c for r, c in near if 0 <= r < ROWS and 0 <= c < COLUMNS]


def flood(drawn: list[str], start: int) -> set[int]:
    group, edge = {start}, [start]
    while edge:
        for cell in neighbours(edge.pop()):
            if drawn[cell] == drawn[start] and cell not in group:
                group.add(cell)
                edge.append(cell)
    return group


@given(cells, st.integers(0, ROWS - 1))
def test_v9_bitboards_score_like_a_flood_fill(drawn: list[str], row: int) -> None:
    scoring: set[int] = set()
    for cell in range(row * COLUMNS, (row + 1) * COLUMNS):
        if drawn[cell] in LETTERS[:PARK]:
            scoring |= flood(drawn, cell)
    assert points_by_avenue(" ".join(drawn))[row] == sum(int(BOX.printed[cell]) for cell in scoring)


@given(cells)
def test_v10_bitboards_find_the_parks_that_a_look_around_finds(drawn: list[str]) -> None:
    found = [cell for cell in range(CELLS) if drawn[cell] == "P" and set("HFL") <= {drawn[near] for near in neighbours(cell)}]
    assert good_parks(" ".join(drawn)) == found


@given(cells)
def test_v9_the_parts_of_a_score_add_up(drawn: list[str]) -> None:
    state = marked(" ".join(drawn))
    for row in range(ROWS):
        assert sum(points for _, points in view.score_parts(BOX, state.marks[0], row)) == points_by_avenue(" ".join(drawn))[row]
