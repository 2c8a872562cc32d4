"""Vectorised environment on a GPU: each thread steps one game, by the loop of `core/stepping.py`.

States, observations, masks and rewards stay in device memory.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
from numba import cuda

from tablee.core import stepping
from tablee.core.kernel import GUARD, LEGAL_TOO_LONG, ODDS_TOO_LONG, Kernel
from tablee.core.loops import WORKSPACE_SIZE
from tablee.core.rng import RNG_SIZE, reseed
from tablee.core.stepping import KEY, KEY2
from tablee.cuda.functions import (
    array_from_block,
    device_instance,
    grid_from_block,
    kernel_jit,
    struct_array_from_block,
    struct_from_block,
    unused_choose,
)
from tablee.cuda.games import SPARE_WORDS_PER_THREAD

SAMPLING_STREAM = 62  # seat number that seeds the sampling of actions


def step_kernel(kernel: Kernel[Any, Any], loops: ModuleType, has_bots: bool) -> Any:
    """Return the CUDA kernel that steps games; it sets `wrong[1]` to an error code if a list of moves or odds overflows its buffer."""
    step_batch = device_instance(loops, stepping, kernel, {} if has_bots else {"choose": unused_choose}).step_batch
    state_kind, scratch_kind = kernel.state, kernel.scratch if has_bots else kernel.state
    as_box, as_start, as_scratch = struct_from_block(type(kernel.box)), struct_from_block(state_kind), struct_from_block(scratch_kind)
    as_states, as_numbers, as_grid = struct_array_from_block(state_kind), array_from_block(), grid_from_block()
    state_layout, scratch_layout = state_kind.layout, scratch_kind.layout
    most_moves, list_size, workspace_size = kernel.most_moves, kernel.most_moves + SPARE_WORDS_PER_THREAD, WORKSPACE_SIZE if has_bots else 1

    def step_games(
        boxes: Any,
        starts: Any,
        levels: Any,
        states: Any,
        rngs: Any,
        progress_rows: Any,
        actions: Any,
        observations: Any,
        masks: Any,
        final_observations: Any,
        final_masks: Any,
        rewards: Any,
        scores: Any,
        ended: Any,
        cut_off: Any,
        reward_scheme: int,
        max_steps: int,
        wrong: Any,
    ) -> None:
        number = cuda.grid(1)
        if number < len(actions):
            workspace, scratch = as_states(cuda.local.array(workspace_size, state_layout)), as_scratch(cuda.local.array(1, scratch_layout))
            out, weights = as_numbers(cuda.local.array(list_size, np.int32)), as_numbers(cuda.local.array(list_size, np.int64))
            out[most_moves], weights[most_moves] = GUARD, GUARD
            step_batch(
                as_box(boxes),
                as_start(starts),
                as_states(states),
                workspace,
                scratch,
                as_numbers(levels),
                as_grid(rngs),
                as_grid(progress_rows),
                as_numbers(actions),
                as_grid(observations),
                as_grid(masks),
                as_grid(final_observations),
                as_grid(final_masks),
                as_grid(rewards),
                as_grid(scores),
                as_numbers(ended),
                as_numbers(cut_off),
                reward_scheme,
                max_steps,
                out,
                weights,
                number,
                number + 1,
            )
            if weights[most_moves] != GUARD:
                wrong[1] = ODDS_TOO_LONG
            elif out[most_moves] != GUARD:
                wrong[1] = LEGAL_TOO_LONG

    return kernel_jit(step_games)


def sample_kernel(loops: ModuleType) -> Any:
    """Return the CUDA kernel that samples a legal action per game; `times` counts the earlier calls."""
    sample_batch = loops.sample_batch
    as_numbers, as_grid = array_from_block(), grid_from_block()

    def sample_games(masks: Any, progress_rows: Any, times: int, actions: Any) -> None:
        number = cuda.grid(1)
        if number < len(actions):
            rng = as_numbers(cuda.local.array(RNG_SIZE, np.int64))
            rng[2], rng[3] = progress_rows[number, KEY], progress_rows[number, KEY2]
            reseed(rng, times, SAMPLING_STREAM)
            sample_batch(as_grid(masks), rng, as_numbers(actions), number, number + 1)

    return kernel_jit(sample_games)


def store_actions_kernel() -> Any:
    """Return the CUDA kernel that stores the given actions; it sets `wrong[0]` to the first game with an illegal one."""

    def store_actions(given: Any, masks: Any, actions: Any, wrong: Any) -> None:
        number = cuda.grid(1)
        if number < len(actions):
            action = given[number]
            actions[number] = action
            if action < 0 or action >= masks.shape[1] or masks[number, action] == 0:
                cuda.atomic.min(wrong, 0, number)

    return kernel_jit(store_actions)
