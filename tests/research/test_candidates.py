"""Candidates: the legal moves of the acting seat, the features of the position after each, and steps by a move of this list."""

from __future__ import annotations

import numpy as np
import pytest

from tablee import games
from tablee.core.errors import TableeError
from tablee.core.rng import make_rng
from tablee.core.struct import array_view
from tablee.research.spaces import Spaces, known
from tablee.research.vector import Vector

LISTED = 128
DESCRIBED = [key for key in known() if Spaces(games.find(key), games.find(key).seats[0]).feature_size]


def features_after(vector: Vector, row: int, place: int) -> list[int]:
    """Return the features of the position after a candidate, computed alone."""
    kernel, state, seat = vector.game.kernel, vector.states[row], int(vector.infos["seat"][row])
    after, out = kernel.apply(state, seat, int(vector.candidates.moves[row, place])), np.zeros(vector.spaces.feature_size, np.int16)
    kernel_loops = vector.candidate_loops
    assert kernel_loops is not None
    kernel_loops.write_features(kernel.box, state, after, kernel.scratch(), seat, array_view(out))
    return out.tolist()


@pytest.mark.parametrize("key", DESCRIBED)
def test_candidates_are_the_legal_moves_with_the_features_of_the_position_after_each(key: str) -> None:
    vector = Vector(key, games=4, candidates=LISTED)
    vector.reset(3)
    for _ in range(60):
        vector.step(vector.sample())
        for row in range(4):
            count, seat = int(vector.candidates.count[row]), int(vector.infos["seat"][row])
            listed = vector.candidates.moves[row, :count].tolist()
            assert sorted(listed) == vector.game.kernel.legal(vector.states[row], seat)
            assert vector.masks[row].tolist() == [1] * count + [0] * (LISTED - count)
            assert vector.candidates.features[row, count - 1].tolist() == features_after(vector, row, count - 1)


@pytest.mark.parametrize("key", DESCRIBED)
def test_a_step_by_a_candidate_plays_its_move(key: str) -> None:
    """A whole `lay` is one candidate, where the actions of the room take a place and then a turn."""
    listed, plain = Vector(key, games=1, candidates=LISTED), Vector(key, games=1)
    listed.reset([5])
    plain.reset([5])
    for _ in range(40):
        candidate = listed.sample().copy()
        move = int(listed.candidates.moves[0, candidate[0]])
        actions = plain.spaces.encode(plain.states[0], int(plain.infos["seat"][0]), move)
        rewards = sum(plain.step([action])[1].copy() for action in actions)
        assert (listed.step(candidate)[1] == rewards).all()
        assert listed.states.array.tobytes() == plain.states.array.tobytes()
        assert listed.observations.tobytes() == plain.observations.tobytes()


def test_a_position_with_more_moves_than_rows_lists_the_first_of_them() -> None:
    vector = Vector("mayflower", games=2, candidates=3)
    vector.reset(1)
    while vector.candidates.count[0] <= 3:
        vector.step(vector.sample())
    assert vector.masks[0].tolist() == [1, 1, 1]
    with pytest.raises(TableeError, match="action 3 is not legal in game 0"):
        vector.step([3, 0])


def test_threads_change_no_candidate() -> None:
    one, two = (Vector("rolling-village", 1, 768, candidates=70, threads=threads) for threads in (1, 3))
    for vector in (one, two):
        vector.reset(2)
        vector.step(vector.sample())
    assert one.candidates.features.tobytes() == two.candidates.features.tobytes()


@pytest.mark.parametrize("key", [key for key in DESCRIBED if games.find(key).secrets])
def test_what_is_hidden_from_a_seat_changes_no_feature(key: str) -> None:
    vector = Vector(key, 3, 8, candidates=LISTED)
    vector.reset(9)
    changed = 0
    for number in range(120):
        vector.step(vector.sample())
        seat, true = int(vector.infos["seat"][0]), vector.states[0].copy()
        kernel, moves = vector.game.kernel, vector.candidates.moves[0, : vector.candidates.count[0]].tolist()
        other = kernel.determinize(kernel.redact(true, seat), seat, make_rng((number, 1)))
        changed += other != true
        shown = [features_after(vector, 0, place) for place in range(len(moves))]
        vector.states.array[0] = other.block[0]
        assert shown == [features_after(vector, 0, place) for place in range(len(moves))]
        vector.states.array[0] = true.block[0]
    assert changed > 20, "other hands were tried"


@pytest.mark.parametrize("key", DESCRIBED)
def test_features_lie_within_their_bounds(key: str) -> None:
    vector = Vector(key, games=16, candidates=LISTED)
    fields = {field.name: field for field in (*vector.spaces.table_features, *vector.spaces.seat_features)}
    vector.reset(4)
    for _ in range(150):
        vector.step(vector.sample())
        listed = vector.candidates.features[np.arange(LISTED) < vector.candidates.count[:, None]]
        for name, values in vector.spaces.features(listed).items():
            assert fields[name].least <= values.min(), name
            assert values.max() <= fields[name].most, name


def test_a_room_without_features_says_so() -> None:
    with pytest.raises(TableeError, match="dice-race names no features of candidates"):
        Vector("dice-race", candidates=8)
    with pytest.raises(TableeError, match="longest and candidates are at least 0"):
        Vector("mayflower", candidates=-1)
