"""The pieces of a real box (A20): cubes, and six cards that are x3 on one side and x5 on the other."""

from __future__ import annotations

from itertools import product

import pytest

from tablee.games.amerique_1500.multipliers import CARDS, CUBES, FIVE, THREE, cards_needed, suffices


def gathering(*amounts: int) -> list[list[int]]:
    """Return stocks that hold this much gathering and nothing else."""
    return [[amount, 0, 0, 0, 0, 0] for amount in amounts]


def test_a20_the_booklet_counts_16_cubes_of_each_food_15_wood_7_stones_and_6_cards() -> None:
    assert CUBES == {"G": 16, "M": 16, "F": 16, "C": 16, "W": 15, "S": 7}
    assert CARDS == 6


def test_a20_without_need_no_card_is_taken() -> None:
    assert cards_needed(gathering(8, 8)) == 0
    assert cards_needed([[0, 0, 0, 0, 15, 7]]) == 0


def test_a20_example_one_cube_on_a_three_stands_for_three() -> None:
    assert cards_needed(gathering(15, 3)) == 1
    assert cards_needed([[0, 0, 0, 0, 0, 3], [0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 2]]) == 1


def test_a20_example_pascal_returns_four_wood_and_keeps_one_on_a_five() -> None:
    assert cards_needed([[0, 0, 0, 0, 5, 0], [0, 0, 0, 0, 14, 0]]) == 1


def test_a20_a_card_shows_three_or_five_goods_of_one_player_and_no_other_number() -> None:
    assert cards_needed(gathering(*[2] * 9)) is None, "eighteen gathering, and nobody has three"
    assert not suffices(gathering(*[2] * 9))


def test_a20_the_special_reserve_lies_in_cubes() -> None:
    assert cards_needed(gathering(16), [1, 0, 0, 0, 0, 0]) == 1


def test_a20_six_cards_are_shared_by_all_kinds() -> None:
    assert cards_needed([[20, 20, 20, 20, 15, 7]]) == 4
    assert suffices([[24, 24, 24, 16, 15, 7]])
    assert not suffices([[24, 24, 24, 20, 15, 7]])


def by_trying(amounts: tuple[int, ...]) -> int | None:
    """Return the fewest cards, by trying every number of fives and threes in front of each player."""
    short = sum(amounts) - CUBES["G"]
    options = [
        [(fives + threes, 4 * fives + 2 * threes) for fives in range(3) for threes in range(4) if FIVE * fives + THREE * threes <= amount]
        for amount in amounts
    ]
    enough = [sum(cards for cards, _ in option) for option in product(*options) if sum(saved for _, saved in option) >= short]
    return min(enough, default=None)


@pytest.mark.parametrize("least", range(13))
def test_a20_no_other_use_of_the_cards_needs_fewer(least: int) -> None:
    for amounts in product((least,), range(13), range(0, 13, 2)):
        assert cards_needed(gathering(*amounts)) == by_trying(amounts), amounts
