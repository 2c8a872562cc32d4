"""Fairness: every draw follows from a seed whose hash was published first, and the draws have the right distribution."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablee import games
from tablee.core import fairness
from tablee.core.errors import RecordError
from tablee.core.game import Move
from tablee.core.match import Match
from tablee.core.rng import next_number, randbelow

SEED = bytes(range(32))
EVEN = [(face, 1) for face in range(6)]
KNOWN_FACES = {1: [3, 1, 2, 5, 4, 5, 2, 1, 5, 3, 1, 3], 2: [5, 5, 1, 5, 4, 0, 2, 0, 2, 1, 4, 2]}
KNOWN_NUMBERS = {0: 576_614_844_166_823_537, 7: 1_032_105_184_111_237_002, 8: 3_705_999_597_145_603_910, 1000: 4_029_655_649_989_621_731}
VERSIONS = pytest.mark.parametrize("version", fairness.DERIVATIONS)
KNOWN_SEED = "8ce248c877253f4d64fbf062c0bd976f2346ebcde1786ade56bb632fcf79e359"
KNOWN_BOT_LUCK = 750_844


def test_the_commitment_is_the_seeds_sha256() -> None:
    assert fairness.commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert fairness.commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def drawn(version: int, nth: int, odds: Sequence[tuple[Move, int]], seed: bytes = SEED) -> Move:
    """Return draw number `nth` of a game in which only nature moves."""
    return fairness.draw(seed, version, nth, nth, odds)


@VERSIONS
def test_known_draws(version: int) -> None:
    """These numbers must never change: old records are checked by them."""
    assert [drawn(version, nth, EVEN) for nth in range(12)] == KNOWN_FACES[version]


def test_known_numbers() -> None:
    """These numbers must never change either."""
    assert {nth: fairness.stream_numbers(SEED, nth, 1)[0] for nth in KNOWN_NUMBERS} == KNOWN_NUMBERS
    assert fairness.seed_for(1, 1).hex() == KNOWN_SEED
    assert randbelow(fairness.bot_rng(SEED, 3, 1), 1_000_000) == KNOWN_BOT_LUCK


def test_a_draw_can_be_checked_by_hand() -> None:
    odds = [(1, 3), (2, 7)]
    old = int.from_bytes(hmac.digest(SEED, b"5", "sha256")) % 10
    assert fairness.draw(SEED, 1, 5, 0, odds) == (1 if old < 3 else 2)
    block = hashlib.sha512(SEED + b"draw" + bytes([0, 0, 0, 0, 0, 0, 0, 2])).digest()
    number = (int.from_bytes(block[24:32]) >> 1) % 10
    assert fairness.draw(SEED, 2, 50, 19, odds) == (1 if number < 3 else 2)


def test_the_first_version_counts_lines_and_the_second_counts_draws() -> None:
    many = [(move, 1) for move in range(10**6)]
    assert fairness.draw(SEED, 1, 30, 4, many) == fairness.draw(SEED, 1, 30, 9, many) != fairness.draw(SEED, 1, 31, 4, many)
    assert fairness.draw(SEED, 2, 30, 4, many) == fairness.draw(SEED, 2, 31, 4, many) != fairness.draw(SEED, 2, 30, 9, many)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 10**6), st.integers(0, 40))
def test_the_stream_is_one_however_it_is_read(seed: bytes, first: int, count: int) -> None:
    one_by_one = [fairness.stream_numbers(seed, nth, 1)[0] for nth in range(first, first + count)]
    assert fairness.stream_numbers(seed, first, count) == one_by_one
    assert all(0 <= number < 2**63 for number in one_by_one)
    skipped = first % fairness.PER_BLOCK
    raw = np.frombuffer(fairness.blocks(seed, first // fairness.PER_BLOCK, 6), ">u8") >> 1
    assert raw[skipped : skipped + count].tolist() == one_by_one


def test_a_version_that_is_not_known_is_named() -> None:
    with pytest.raises(RecordError, match="the draws are of version 3, which is not known here; known: 1, 2"):
        drawn(3, 0, EVEN)
    with pytest.raises(RecordError, match="version 0"):
        Match(games.find("rolling-village"), 2, derivation=0)


@VERSIONS
def test_draws_follow_their_weights(version: int) -> None:
    """Chi-square over 20,000 draws with weights 1, 2, 3, 4; with 3 degrees of freedom P(χ² > 16.3) = 0.001."""
    odds = [(move, move) for move in (1, 2, 3, 4)]
    count = Counter(drawn(version, nth, odds) for nth in range(20_000))
    expected = {move: 20_000 * weight / 10 for move, weight in odds}
    assert sum((count[move] - mean) ** 2 / mean for move, mean in expected.items()) < 16.3


@VERSIONS
def test_one_draw_says_nothing_about_the_next(version: int) -> None:
    """Chi-square over pairs of consecutive draws; with 35 degrees of freedom P(χ² > 66.6) = 0.001."""
    faces = [drawn(version, nth, EVEN) for nth in range(18_001)]
    pairs = Counter(pairwise(faces))
    mean = 18_000 / 36
    assert sum((pairs[a, b] - mean) ** 2 / mean for a in range(6) for b in range(6)) < 66.6


@pytest.mark.parametrize("key", games.known())
def test_the_first_draw_of_a_game_follows_the_games_own_odds(key: str) -> None:
    game = games.find(key)
    match = Match(game, game.seats[-1])
    odds = game.odds(match.state)
    total, tries = sum(weight for _, weight in odds), 4000
    count = Counter(drawn(fairness.NEWEST, 0, odds, fairness.seed_for(9, number)) for number in range(tries))
    distance = sum((count[move] - tries * weight / total) ** 2 / (tries * weight / total) for move, weight in odds)
    freedom = len(odds) - 1
    assert distance < freedom + 4 * (2 * freedom) ** 0.5 + 8


@VERSIONS
def test_a_weight_of_nothing_is_never_drawn(version: int) -> None:
    assert {drawn(version, nth, [(1, 0), (2, 5), (3, 0)]) for nth in range(200)} == {2}


def test_seeds_of_a_simulation_are_all_different_and_new_ones_are_secret() -> None:
    assert len({fairness.seed_for(seed, game) for seed in range(30) for game in range(30)}) == 900
    assert fairness.new_seed() != fairness.new_seed()
    assert len(fairness.new_seed()) == 32


def test_bot_rngs_differ_for_each_line_and_seat() -> None:
    numbers = {next_number(fairness.bot_rng(SEED, line, seat)) for line in range(10) for seat in range(10)}
    assert len(numbers) == 100
