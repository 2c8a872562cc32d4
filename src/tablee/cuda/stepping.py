"""Many games stepped together on a GPU: each thread steps one of them, by the very loop of `core/stepping.py`. The states, and all that a
learner reads, stay in the device's memory.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import cuda

from tablee.core.kernel import GUARD, LEGAL_TOO_LONG, ODDS_TOO_LONG, Kernel
from tablee.core.loops import WORKSPACE_SIZE
from tablee.core.rng import RNG_SIZE, reseed
from tablee.core.stepping import KEY, KEY2
from tablee.cuda.functions import DeviceFunctions, array_from_block, grid_from_block, kernel_jit, struct_array_from_block, struct_from_block
from tablee.cuda.games import SPARE_WORDS_PER_THREAD, unused_choose

SAMPLING_STREAM = 62  # in the place of a seat


def step_kernel(kernel: Kernel[Any, Any], loops: SimpleNamespace, thinking: bool) -> Any:
    """What a thread does for its game. Without `thinking` no bot sits at the table. A list that was too long is noted in `wrong[1]`."""
    step_batch = DeviceFunctions({} if thinking else {"choose": unused_choose})(loops.step_batch)
    state_kind, scratch_kind = kernel.state, kernel.scratch if thinking else kernel.state
    as_box, as_start, as_scratch = struct_from_block(type(kernel.box)), struct_from_block(state_kind), struct_from_block(scratch_kind)
    as_states, as_numbers, as_grid = struct_array_from_block(state_kind), array_from_block(), grid_from_block()
    state_layout, scratch_layout = state_kind.layout, scratch_kind.layout
    most_moves, room, desk_size = kernel.most_moves, kernel.most_moves + SPARE_WORDS_PER_THREAD, WORKSPACE_SIZE if thinking else 1

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
        rewarded: int,
        longest: int,
        wrong: Any,
    ) -> None:
        number = cuda.grid(1)
        if number < len(actions):
            desk, scratch = as_states(cuda.local.array(desk_size, state_layout)), as_scratch(cuda.local.array(1, scratch_layout))
            out, weights = as_numbers(cuda.local.array(room, np.int32)), as_numbers(cuda.local.array(room, np.int64))
            out[most_moves], weights[most_moves] = GUARD, GUARD
            step_batch(
                as_box(boxes),
                as_start(starts),
                as_states(states),
                desk,
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
                rewarded,
                longest,
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


def sample_kernel(loops: SimpleNamespace) -> Any:
    """Any legal action of each game; `times` says how often this was asked before."""
    device = DeviceFunctions({})
    sample_batch, begin = device(loops.sample_batch), device(reseed)
    as_numbers, as_grid = array_from_block(), grid_from_block()

    def sample_games(masks: Any, progress_rows: Any, times: int, actions: Any) -> None:
        number = cuda.grid(1)
        if number < len(actions):
            luck = as_numbers(cuda.local.array(RNG_SIZE, np.int64))
            luck[2], luck[3] = progress_rows[number, KEY], progress_rows[number, KEY2]
            begin(luck, times, SAMPLING_STREAM)
            sample_batch(as_grid(masks), luck, as_numbers(actions), number, number + 1)

    return kernel_jit(sample_games)


def store_actions_kernel() -> Any:
    """Keeps the actions that were given; `wrong[0]` becomes the first game in which one is not legal."""

    def hold(given: Any, masks: Any, actions: Any, wrong: Any) -> None:
        number = cuda.grid(1)
        if number < len(actions):
            action = given[number]
            actions[number] = action
            if action < 0 or action >= masks.shape[1] or masks[number, action] == 0:
                cuda.atomic.min(wrong, 0, number)

    return kernel_jit(hold)
