"""The RNG: the same numbers on every machine, uniform, and independent for each decision."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablee.core.contract import WHOLE_SHARE
from tablee.core.rng import make_rng, next_number, next_word, pick, randbelow, reseed
from tablee.core.struct import fill, int_array
from tablee.core.win_probability import MILLION, exp2_fixed, win_share

KNOWN_WORDS = [1782225427, 1957960033, 1720299002, 879999378]


def test_known_words() -> None:
    """These must never change: the bots of old simulations replay by them."""
    rng = make_rng((1, 2))
    assert [next_word(rng) for _ in range(4)] == KNOWN_WORDS


def test_a_decisions_numbers_depend_on_its_line_and_seat_alone() -> None:
    rng, found = make_rng((1, 2)), set()
    for line in range(40):
        for seat in range(12):
            reseed(rng, line, seat)
            first = next_number(rng)
            reseed(rng, line, seat)
            assert next_number(rng) == first
            found.add(first)
    assert len(found) == 40 * 12


def test_randbelow_is_fair() -> None:
    """Chi-square over 20,000 draws; with 9 degrees of freedom P(χ² > 27.9) = 0.001."""
    rng = make_rng((5, 6))
    count = Counter(randbelow(rng, 10) for _ in range(20_000))
    assert set(count) == set(range(10))
    assert sum((count[face] - 2000) ** 2 / 2000 for face in range(10)) < 27.9


def test_the_first_draws_of_neighbouring_decisions_are_fair_too() -> None:
    rng, count = make_rng((7, 8)), Counter[int]()
    for line in range(20_000):
        reseed(rng, line, 3)
        count[randbelow(rng, 10)] += 1
    assert sum((count[face] - 2000) ** 2 / 2000 for face in range(10)) < 27.9


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any), st.integers(0, 2**62))
def test_pick_counts_a_number_off_along_the_weights(weights: list[int], number: int) -> None:
    room = int_array(len(weights))
    fill(room, weights)
    laid_out = [place for place, weight in enumerate(weights) for _ in range(weight)]
    assert pick(room, len(weights), number) == laid_out[number % len(laid_out)]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_level_players_have_equal_shares_and_a_lead_raises_a_share(seats: int) -> None:
    shares = [win_share(lead, 5000, seats) for lead in (-100_000, -5000, 0, 1, 5000, 100_000)]
    assert shares == sorted(set(shares))
    assert all(0 < share < WHOLE_SHARE for share in shares)
    assert shares[2] == WHOLE_SHARE // seats
    if seats == 2:
        assert (shares[1], shares[4]) == (WHOLE_SHARE // 4, 3 * WHOLE_SHARE // 4)


@given(st.integers(-9 * MILLION, 20 * MILLION))
def test_two_to_the_power_of_a_part_is_right_to_the_fourth_digit_and_grows(times: int) -> None:
    assert exp2_fixed(times) == pytest.approx(MILLION * 2 ** (times / MILLION), rel=2e-4, abs=1)
    assert exp2_fixed(times) <= exp2_fixed(times + 1000)


def test_two_to_the_power_of_anything_has_room() -> None:
    assert exp2_fixed(-(10**12)) == 0
    assert exp2_fixed(10**12) == exp2_fixed(20 * MILLION) == MILLION << 20
    assert (exp2_fixed(0), exp2_fixed(MILLION)) == (MILLION, 2 * MILLION)
