"""Vectorised environment on a GPU: each thread steps one game, by the loop of `core/stepping.py`.

States, observations, masks and rewards stay in device memory.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
from numba import cuda

from tablee.core import candidates, stepping
from tablee.core.contract import VALUES
from tablee.core.kernel import GUARD, LEGAL_TOO_LONG, ODDS_TOO_LONG, Kernel
from tablee.core.rng import Rng, reseed
from tablee.core.slots import Environment, SlotProgress
from tablee.core.workspace import Workspace
from tablee.cuda.functions import (
    array_from_block,
    device_instance,
    grid_from_block,
    kernel_jit,
    slots_from_blocks,
    struct_array_from_block,
    struct_from_block,
    unused_choose,
)
from tablee.cuda.games import SPARE_WORDS_PER_THREAD

SAMPLING_STREAM = 62  # seat number that seeds the sampling of actions


def step_kernel(kernel: Kernel[Any, Any], loops: ModuleType, has_bots: bool) -> Any:
    """Return the CUDA kernel that steps games; it sets `wrong[1]` to an error code if a list of moves or odds overflows its buffer."""
    step_batch = device_instance(loops, stepping, kernel, {} if has_bots else {"choose": unused_choose}).step_batch
    as_box, as_state, as_scratch = (struct_from_block(each) for each in (type(kernel.box), kernel.state, kernel.scratch))
    as_slots, as_numbers = slots_from_blocks(kernel.state), array_from_block()
    state_layout, scratch_layout = kernel.state.layout, kernel.scratch.layout
    most_moves, list_size = kernel.most_moves, kernel.most_moves + SPARE_WORDS_PER_THREAD

    def step_games(boxes: Any, starts: Any, levels: Any, slots: Any, reward_scheme: int, max_steps: int, wrong: Any) -> None:
        number = cuda.grid(1)
        if number < len(slots.actions):
            start = as_state(starts)
            environment = Environment(start, as_numbers(levels), reward_scheme, max_steps)
            out, weights = as_numbers(cuda.local.array(list_size, np.int32)), as_numbers(cuda.local.array(list_size, np.int32))
            values = as_numbers(cuda.local.array(VALUES, np.int64))
            if has_bots or loops.REDACTED:
                seen, trial = as_state(cuda.local.array(1, state_layout)), as_state(cuda.local.array(1, state_layout))
                workspace = Workspace(seen, trial, trial, as_scratch(cuda.local.array(1, scratch_layout)), out, weights, values)
            else:
                workspace = Workspace(start, start, start, start, out, weights, values)
            out[most_moves], weights[most_moves] = GUARD, GUARD
            step_batch(as_box(boxes), environment, as_slots(slots), workspace, number, number + 1)
            if weights[most_moves] != GUARD:
                wrong[1] = ODDS_TOO_LONG
            elif out[most_moves] != GUARD:
                wrong[1] = LEGAL_TOO_LONG

    return kernel_jit(step_games)


def describe_kernel(kernel: Kernel[Any, Any], loops: ModuleType) -> Any:
    """Return the CUDA kernel that writes the features of candidates."""
    describe_batch = device_instance(loops, candidates, kernel, {}).describe_batch
    as_box, as_state, as_scratch = (struct_from_block(each) for each in (type(kernel.box), kernel.state, kernel.scratch))
    as_slots, as_numbers = slots_from_blocks(kernel.state), array_from_block()
    state_layout, scratch_layout = kernel.state.layout, kernel.scratch.layout

    def describe_candidates(boxes: Any, slots: Any, size: int) -> None:
        number = cuda.grid(1)
        if number < len(slots.actions):
            trial, scratch = as_state(cuda.local.array(1, state_layout)), as_scratch(cuda.local.array(1, scratch_layout))
            unused = as_numbers(cuda.local.array(1, np.int64))
            workspace = Workspace(trial, trial, trial, scratch, unused, unused, unused)
            describe_batch(as_box(boxes), as_slots(slots), size, workspace, number, number + 1)

    return kernel_jit(describe_candidates)


def sample_kernel(loops: ModuleType) -> Any:
    """Return the CUDA kernel that samples a legal action per game; `times` counts the earlier calls."""
    sample_batch, rng_layout = loops.sample_batch, Rng.layout
    as_rng, as_progress = struct_from_block(Rng), struct_array_from_block(SlotProgress)
    as_numbers, as_grid = array_from_block(), grid_from_block()

    def sample_games(masks: Any, progress_rows: Any, times: int, actions: Any) -> None:
        number = cuda.grid(1)
        if number < len(actions):
            rng, progress = as_rng(cuda.local.array(1, rng_layout)), as_progress(progress_rows)[number]
            rng.key_one, rng.key_two = progress.key_one, progress.key_two
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
