"""Thousands of games at once: the same games as one by one, for any number of threads, without copies."""

from __future__ import annotations

import pydoc

import numpy as np
import pytest

from tablee import games
from tablee.core import slots, stepping, tensors
from tablee.core.errors import TableeError
from tablee.core.jit import PYTHON_ONLY
from tablee.research.game_stepper import GameStepper, reward_kind
from tablee.research.spaces import known, specialized_for
from tablee.research.vector import ALIGNMENT, MIN_GAMES_PER_THREAD, Vector
from tablee.research.warmup import compile_every_loop


def most_seats(key: str) -> int:
    return min(3, games.find(key).seats[-1])


def everything(vector: Vector, steps: int) -> list[bytes]:
    """Step at random and return the bytes of everything that a learner receives."""
    found = []
    vector.reset(5)
    for _ in range(steps):
        vector.step(vector.sample())
        found += [array.tobytes() for array in (vector.observations, vector.masks, vector.rewards, vector.terminated, vector.scores)]
    return found


@pytest.mark.parametrize("key", known())
def test_threads_change_nothing(key: str) -> None:
    one, two = (Vector(key, most_seats(key), 3 * MIN_GAMES_PER_THREAD, threads=threads, reward="points") for threads in (1, 3))
    assert everything(one, 25) == everything(two, 25)


@pytest.mark.parametrize("key", known())
@pytest.mark.parametrize("reward", ["win", "points"])
def test_a_place_plays_the_games_of_its_seed_as_a_single_table_does(key: str, reward: str) -> None:
    """Compares seat, observation, mask and reward after each action, in the first game and in the next."""
    seeds, seats = [3, 11], most_seats(key)
    vector, tables = Vector(key, seats, len(seeds), reward=reward), [GameStepper(key, seats) for _ in seeds]
    vector.reset(seeds)
    for table, seed in zip(tables, seeds, strict=True):
        table.reset(seed)
    games_left = [2, 2]
    for _ in range(6000):
        actions = vector.sample()
        for place, table in enumerate(tables):
            if table.over:
                continue
            assert vector.infos["seat"][place] == table.seat
            seen, mask = table.observe_and_mask()
            assert vector.observations[place].tobytes() == seen.tobytes() == table.observe(table.seat).tobytes()
            assert vector.masks[place].tobytes() == mask.tobytes()
        vector.step(actions)
        for place, table in enumerate(tables):
            if not table.over:
                table.step(int(actions[place]))
                assert vector.terminated[place] == table.over
                expected = table.rewards(reward_kind(table.game, table.start, reward))
                assert vector.rewards[place] == pytest.approx(expected)
                if table.over:
                    assert list(vector.scores[place]) == list(table.outcome.scores)
                    games_left[place] -= 1
                    if games_left[place]:
                        table.reset(None)
        if all(table.over for table in tables):
            break
    assert all(table.over for table in tables)


@pytest.mark.parametrize("key", known())
def test_a_game_that_is_over_is_followed_by_another_one(key: str) -> None:
    vector = Vector(key, games=8, longest=300)
    first, _ = vector.reset(2)
    begun = first.copy()
    ends = np.zeros(8, int)
    for _ in range(900):
        _, _, terminated, truncated, _ = vector.step(vector.sample())
        ends += terminated | truncated
        assert not (terminated & truncated).any()
    assert (ends > 1).all()
    again, _ = vector.reset(2)
    assert (again == begun).all(), "a seed begins the same games again"
    assert len({row.tobytes() for row in begun}) > 1, "and each place has games of its own"


@pytest.mark.parametrize("key", known())
@pytest.mark.parametrize("longest", [7, 0])
def test_final_obs_holds_what_was_seen_last_of_a_game(key: str, longest: int) -> None:
    """As in Gymnasium's vector environments that reset in the same step.

    A truncated game leaves the observation and mask of the seat to act next, a finished game the observation of the seat that acted
    last; both leave the scores.
    """
    seats = most_seats(key)
    vector, table = Vector(key, seats, 3, longest=longest, final_obs=True), GameStepper(key, seats)
    vector.reset([5, 6, 7])
    table.reset(6)
    ended = False
    while not ended:
        actions = vector.sample()
        table.step(actions[1])
        vector.step(actions)
        ended = bool(vector.terminated[1] or vector.truncated[1])
    final, final_info = vector.infos["final_obs"][1], vector.infos["final_info"]
    assert (vector.truncated[1], vector.terminated[1]) == (longest > 0, longest == 0)
    assert table.over == (longest == 0)
    assert final_info["seat"][1] == table.seat
    assert final.tobytes() == table.observe(table.seat).tobytes()
    assert final_info["scores"][1].tolist() == vector.infos["scores"][1].tolist() == table.scores
    assert final_info["action_mask"][1].tolist() == (table.observe_and_mask()[1].tolist() if longest else [0] * vector.spaces.actions)
    assert vector.observations[1].tobytes() != final.tobytes(), "the observation is the next game's"


def test_without_final_obs_only_the_scores_of_a_game_remain() -> None:
    infos = Vector("rolling-village", longest=9).infos
    assert set(infos) == {"action_mask", "seat", "scores"}


@pytest.mark.parametrize("key", known())
def test_every_action_is_drawn_alike_and_only_what_is_legal(key: str) -> None:
    vector = Vector(key, games=64)
    vector.reset(4)
    for _ in range(100):
        actions = vector.sample()
        assert (vector.masks[np.arange(64), actions] == 1).all()
        vector.step(actions)


def test_an_action_that_is_not_legal_is_refused_before_anything_is_stepped() -> None:
    vector = Vector("rolling-village", games=3)
    vector.reset(1)
    before = vector.states.array.tobytes()
    for wrong in (-1, vector.spaces.actions, int(np.flatnonzero(vector.masks[1] == 0)[0])):
        actions = vector.sample().copy()
        actions[1] = wrong
        with pytest.raises(TableeError, match=f"action {wrong} is not legal in game 1"):
            vector.step(actions)
    assert vector.states.array.tobytes() == before


def test_arrays_are_overwritten_and_shared_without_copying() -> None:
    vector = Vector("rolling-village", games=4)
    observations, infos = vector.reset(1)
    shared = np.from_dlpack(observations)
    assert np.shares_memory(shared, observations)
    for array in (observations, vector.masks, vector.rewards, vector.scores, vector.terminated, vector.truncated):
        assert array.flags.c_contiguous
        assert array.ctypes.data % ALIGNMENT == 0, "JAX would copy it"
    before = shared.copy()
    again, rewards, terminated, truncated, later = vector.step(vector.sample())
    assert again is observations
    assert later is infos
    assert rewards is vector.rewards
    assert terminated.dtype == truncated.dtype == np.bool_
    assert (shared != before).any(), "the shared memory shows the step"


def test_bots_play_inside_the_step() -> None:
    """Only the learning seat acts, and its reward includes the effects of the bots' moves."""
    vector = Vector("amerique-1500", 2, 16, opponents=[None, "random"], reward="win", longest=4000)
    vector.reset(3)
    rewards = np.zeros(2)
    for _ in range(3000):
        assert (vector.infos["seat"] == 0).all()
        vector.step(vector.sample())
        rewards += vector.rewards.sum(axis=0)
    assert rewards[0] == -rewards[1], "what one wins the other loses"


def test_a_team_wins_or_loses_together() -> None:
    table = GameStepper("amerique-1500", 2, {"cooperative": True})
    assert reward_kind(table.game, table.start, None) == slots.REWARD_TEAM_WIN
    vector = Vector("amerique-1500", 2, 16, options={"cooperative": True})
    vector.reset(3)
    ends = 0
    for _ in range(3000):
        _, rewards, terminated, _, _ = vector.step(vector.sample())
        assert (np.abs(rewards[terminated]) == 1).all()
        assert (rewards[:, 0] == rewards[:, 1]).all()
        ends += terminated.sum()
    assert ends > 0


def test_help_shows_what_a_batch_is_made_of() -> None:
    shown = pydoc.plain(pydoc.render_doc(Vector))
    assert "Vector(game: 'str | Game', seats: 'int | None' = None, games: 'int' = 1, *," in shown


def test_what_cannot_be_set_up_is_said_in_a_sentence() -> None:
    with pytest.raises(TableeError, match="there is no reward 'fame'"):
        Vector("mayflower", reward="fame")
    with pytest.raises(TableeError, match="at least one seat must learn"):
        Vector("mayflower", 2, opponents=["random", "greedy"])
    with pytest.raises(TableeError, match="there is no bot 'hardest'"):
        Vector("mayflower", 2, opponents=["hardest"])
    with pytest.raises(TableeError, match="one bot is needed for each seat: 2, not 3"):
        Vector("mayflower", 2, opponents=["easy", None, None])
    with pytest.raises(TableeError, match="one seed is needed for each game: 3, not 2"):
        Vector("rolling-village", games=3).reset([1, 2])
    with pytest.raises(TableeError, match="there is no game 'chess'"):
        Vector("chess")


@pytest.mark.skipif(PYTHON_ONLY, reason="nothing is compiled")
@pytest.mark.parametrize("key", known())
def test_a_room_that_is_warmed_for_learners_has_every_loop_on_disk(key: str) -> None:
    """`tablee warm --research`: the first environment then starts without compiling."""
    compile_every_loop(key)
    loops = vars(specialized_for(key)[1])
    for each in (*stepping.LOOPS, tensors.action_of, tensors.move_of):
        rule = loops[each.__name__]
        if rule.room.package == "tablee.core":  # derived where a room says nothing, and inlined
            continue
        assert list(rule.room.folder.glob(f"*.{each.__name__}-*")), each.__name__
