"""Evaluation of Rolling Village's sheets on a GPU: hundreds of thousands of sheets in seconds.

Each thread finds the best turn of one sheet after one roll, with the rules, weights and beam of `rolling_village_learner.py`, so the values
are the same as on the CPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from tablee.core.contract import NATURE, VALUES
from tablee.core.jit import copy
from tablee.core.kernel import Kernel
from tablee.core.rng import Rng, reseed
from tablee.core.workspace import Beam, CandidateTurn, Workspace
from tablee.cuda.functions import array_from_block, kernel_jit, struct_array_from_block, struct_from_block
from tablee.games.rolling_village.box import COUNT_INPUTS

THREADS = 128
SHEETS_PER_LAUNCH = 1 << 17


def turns_kernel(kernel: Kernel[Any, Any], beam: int, longest: int) -> Any:
    """Return the CUDA kernel that computes the best turn of a sheet after a roll, in thousandths of a point."""
    generate_turns, apply = kernel.loops.generate_turns, kernel.rules.apply
    as_box, as_state, as_scratch = struct_from_block(type(kernel.box)), struct_from_block(kernel.state), struct_from_block(kernel.scratch)
    as_states, as_turns = struct_array_from_block(kernel.state), struct_array_from_block(CandidateTurn)
    as_rng, as_numbers = struct_from_block(Rng), array_from_block()
    state_layout, scratch_layout, turn_layout, rng_layout = (each.layout for each in (kernel.state, kernel.scratch, CandidateTurn, Rng))
    most_moves, rows = kernel.most_moves, 2 * beam

    def best_turns(boxes: Any, sheets: Any, rolls: Any, best: Any) -> None:
        number = cuda.grid(1)
        if number < len(sheets) * len(rolls):
            state, trial = as_state(cuda.local.array(1, state_layout)), as_state(cuda.local.array(1, state_layout))
            scratch, rng = as_scratch(cuda.local.array(1, scratch_layout)), as_rng(cuda.local.array(1, rng_layout))
            out, values = as_numbers(cuda.local.array(most_moves, np.int64)), as_numbers(cuda.local.array(VALUES, np.int64))
            beam_states, turns = as_states(cuda.local.array(rows, state_layout)), as_turns(cuda.local.array(rows, turn_layout))
            workspace, memory = Workspace(trial, trial, trial, scratch, out, out, values), Beam(beam_states, turns, longest)
            rng.key_one, rng.key_two = 0, 0
            reseed(rng, 0, 0)
            copy(as_states(sheets)[number // len(rolls)], state)
            apply(as_box(boxes), state, NATURE, rolls[number % len(rolls)])
            most = 0
            for row in range(generate_turns(as_box(boxes), state, 0, workspace, rng, memory)):
                most = max(most, turns[row].points)
            best[number // len(rolls), number % len(rolls)] = most

    return kernel_jit(best_turns)


def counts_kernel(kernel: Kernel[Any, Any]) -> Any:
    """Return the CUDA kernel that computes the count inputs of a sheet."""
    search_value = kernel.rules.search_value
    as_box, as_scratch = struct_from_block(type(kernel.box)), struct_from_block(kernel.scratch)
    as_states, as_numbers, scratch_layout = struct_array_from_block(kernel.state), array_from_block(), kernel.scratch.layout

    def count_sheets(boxes: Any, sheets: Any, counts: Any) -> None:
        number = cuda.grid(1)
        if number < len(sheets):
            scratch, values = as_scratch(cuda.local.array(1, scratch_layout)), as_numbers(cuda.local.array(VALUES, np.int64))
            search_value(as_box(boxes), as_states(sheets)[number], scratch, 0, values)
            for place in range(COUNT_INPUTS):
                counts[number, place] = scratch.count_inputs[place]

    return kernel_jit(count_sheets)


class GpuEvaluator:
    """Both kernels, launched for any number of sheets."""

    def __init__(self, kernel: Kernel[Any, Any], beam: int, longest: int) -> None:
        self.kernel, self.turns, self.counts = kernel, turns_kernel(kernel, beam, longest), counts_kernel(kernel)

    def __call__(self, sheets: Any) -> tuple[Any, Any]:
        """Return the count inputs of each sheet, and its mean best turn over all rolls in thousandths of a point."""
        odds = self.kernel.odds(self.kernel.state(sheets[:1].copy()))
        rolls, weights = (np.array(column, np.int64) for column in zip(*odds, strict=True))
        box, on_device = cuda.to_device(self.kernel.box.block), cuda.to_device(rolls)
        counts, best = np.zeros((len(sheets), COUNT_INPUTS), np.int32), np.zeros((len(sheets), len(rolls)), np.int64)
        for first in range(0, len(sheets), SHEETS_PER_LAUNCH):
            part = slice(first, first + SHEETS_PER_LAUNCH)
            given, counted, found = cuda.to_device(sheets[part]), cuda.to_device(counts[part]), cuda.to_device(best[part])
            self.counts[-(-len(counted) // THREADS), THREADS](box, given, counted)
            self.turns[-(-found.size // THREADS), THREADS](box, given, on_device, found)
            counts[part], best[part] = counted.copy_to_host(), found.copy_to_host()
        return counts, best @ weights / weights.sum()
