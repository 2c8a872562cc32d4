"""Every draw follows from a seed whose hash was shown first, and follows fairly."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import pairwise

import pytest

from tablee import games
from tablee.core import fairness
from tablee.core.match import Match

SEED = bytes(range(32))
EVEN = [(face, 1) for face in range(6)]
KNOWN_FACES = [3, 1, 2, 5, 4, 5, 2, 1, 5, 3, 1, 3]
KNOWN_SEED = "8ce248c877253f4d64fbf062c0bd976f2346ebcde1786ade56bb632fcf79e359"
KNOWN_BOT_LUCK = 301_309


def test_the_commitment_is_the_seeds_sha256() -> None:
    assert fairness.commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert fairness.commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_known_draws() -> None:
    """These numbers must never change: old records are checked by them."""
    assert [fairness.draw(SEED, position, EVEN) for position in range(12)] == KNOWN_FACES
    assert fairness.seed_for(1, 1).hex() == KNOWN_SEED
    assert fairness.bot_rng(SEED, 3, 1).randrange(1_000_000) == KNOWN_BOT_LUCK


def test_a_draw_can_be_checked_by_hand() -> None:
    number = int.from_bytes(hmac.digest(SEED, b"5", "sha256")) % 10
    expected = "first" if number < 3 else "second"
    odds = [(1, 3), (2, 7)]
    assert {1: "first", 2: "second"}[fairness.draw(SEED, 5, odds)] == expected


def test_draws_follow_their_weights() -> None:
    """Chi-square over 20,000 draws with weights 1, 2, 3, 4; with 3 degrees of freedom 16.3 is passed once in a thousand."""
    odds = [(move, move) for move in (1, 2, 3, 4)]
    count = Counter(fairness.draw(SEED, position, odds) for position in range(20_000))
    expected = {move: 20_000 * weight / 10 for move, weight in odds}
    assert sum((count[move] - mean) ** 2 / mean for move, mean in expected.items()) < 16.3


def test_one_draw_says_nothing_about_the_next() -> None:
    """Pairs of neighbouring draws: chi-square with 35 degrees of freedom, 66.6 is passed once in a thousand."""
    faces = [fairness.draw(SEED, position, EVEN) for position in range(18_001)]
    pairs = Counter(pairwise(faces))
    mean = 18_000 / 36
    assert sum((pairs[a, b] - mean) ** 2 / mean for a in range(6) for b in range(6)) < 66.6


@pytest.mark.parametrize("key", games.known())
def test_the_first_draw_of_a_game_follows_the_games_own_odds(key: str) -> None:
    game = games.find(key)
    match = Match(game, game.seats[-1])
    odds = game.odds(match.state)
    total, tries = sum(weight for _, weight in odds), 4000
    count = Counter(fairness.draw(fairness.seed_for(9, number), 0, odds) for number in range(tries))
    distance = sum((count[move] - tries * weight / total) ** 2 / (tries * weight / total) for move, weight in odds)
    freedom = len(odds) - 1
    assert distance < freedom + 4 * (2 * freedom) ** 0.5 + 8


def test_a_weight_of_nothing_is_never_drawn() -> None:
    assert {fairness.draw(SEED, position, [(1, 0), (2, 5), (3, 0)]) for position in range(200)} == {2}


def test_seeds_of_a_simulation_are_all_different_and_new_ones_are_secret() -> None:
    assert len({fairness.seed_for(seed, game) for seed in range(30) for game in range(30)}) == 900
    assert fairness.new_seed() != fairness.new_seed()
    assert len(fairness.new_seed()) == 32


def test_bots_have_luck_of_their_own() -> None:
    luck = {fairness.bot_rng(SEED, position, seat).random() for position in range(10) for seat in range(10)}
    assert len(luck) == 100
