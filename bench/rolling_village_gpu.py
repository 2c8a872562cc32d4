"""Judging the sheets of Rolling Village on a GPU: each thread takes one sheet and one roll, and looks for the best turn by the same rules,
weights and beam as `bench/rolling_village_training.py` does on a processor; so both judge alike, but hundreds of thousands of sheets are judged in seconds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from tablee.core.contract import NATURE, POINTS, VALUES
from tablee.core.jit import copy
from tablee.core.kernel import Kernel
from tablee.core.loops import MOVES
from tablee.core.rng import RNG_SIZE, reseed
from tablee.cuda.functions import DeviceFunctions, array_from_block, grid_from_block, kernel_jit, struct_array_from_block, struct_from_block
from tablee.games.rolling_village.box import COUNT_INPUTS

THREADS = 128
SHEETS_PER_LAUNCH = 1 << 17  # sheets


def turns_kernel(kernel: Kernel[Any, Any], beam: int, longest: int) -> Any:
    """What a thread does: the best turn of a sheet after a roll, in thousandths of a point."""
    device = DeviceFunctions({})
    unfold, apply, copy_record, begin = device(kernel.loops.generate_turns), device(kernel.rules.apply), device(copy), device(reseed)
    as_box, as_state, as_scratch = struct_from_block(type(kernel.box)), struct_from_block(kernel.state), struct_from_block(kernel.scratch)
    as_states, as_numbers, as_grid = struct_array_from_block(kernel.state), array_from_block(), grid_from_block()
    state_layout, scratch_layout, most_moves = kernel.state.layout, kernel.scratch.layout, kernel.most_moves
    rows, columns = 2 * beam, MOVES + longest

    def best_turns(boxes: Any, sheets: Any, rolls: Any, best: Any) -> None:
        number = cuda.grid(1)
        if number < len(sheets) * len(rolls):
            state, trial = as_state(cuda.local.array(1, state_layout)), as_state(cuda.local.array(1, state_layout))
            kept, scratch = as_states(cuda.local.array(rows, state_layout)), as_scratch(cuda.local.array(1, scratch_layout))
            turns, luck = as_grid(cuda.local.array((rows, columns), np.int64)), as_numbers(cuda.local.array(RNG_SIZE, np.int64))
            out, worth = as_numbers(cuda.local.array(most_moves, np.int64)), as_numbers(cuda.local.array(VALUES, np.int64))
            for place in range(RNG_SIZE):
                luck[place] = 0
            begin(luck, 0, 0)
            copy_record(as_states(sheets)[number // len(rolls)], state)
            apply(as_box(boxes), state, NATURE, rolls[number % len(rolls)])
            most = 0
            for row in range(unfold(as_box(boxes), state, kept, trial, scratch, 0, luck, out, worth, turns)):
                most = max(most, turns[row, POINTS])
            best[number // len(rolls), number % len(rolls)] = most

    return kernel_jit(best_turns)


def counts_kernel(kernel: Kernel[Any, Any]) -> Any:
    """What can be counted on a sheet."""
    insight = DeviceFunctions({})(kernel.rules.search_value)
    as_box, as_scratch = struct_from_block(type(kernel.box)), struct_from_block(kernel.scratch)
    as_states, as_numbers, scratch_layout = struct_array_from_block(kernel.state), array_from_block(), kernel.scratch.layout

    def count_sheets(boxes: Any, sheets: Any, counts: Any) -> None:
        number = cuda.grid(1)
        if number < len(sheets):
            scratch, worth = as_scratch(cuda.local.array(1, scratch_layout)), as_numbers(cuda.local.array(VALUES, np.int64))
            insight(as_box(boxes), as_states(sheets)[number], scratch, 0, worth)
            for place in range(COUNT_INPUTS):
                counts[number, place] = scratch.counted[place]

    return kernel_jit(count_sheets)


class GpuEvaluator:
    """Both, for as many sheets as there may be."""

    def __init__(self, kernel: Kernel[Any, Any], beam: int, longest: int) -> None:
        self.kernel, self.turns, self.counts = kernel, turns_kernel(kernel, beam, longest), counts_kernel(kernel)

    def __call__(self, sheets: Any) -> tuple[Any, Any]:
        """Of each sheet what is counted, and over all rolls the mean of the best turn, in thousandths of a point."""
        odds = self.kernel.odds(self.kernel.state(sheets[:1].copy()))
        rolls, weights = (np.array(column, np.int64) for column in zip(*odds, strict=True))
        box, on_device = cuda.to_device(self.kernel.box.block), cuda.to_device(rolls)
        counts, best = np.zeros((len(sheets), COUNT_INPUTS), np.int32), np.zeros((len(sheets), len(rolls)), np.int64)
        for first in range(0, len(sheets), SHEETS_PER_LAUNCH):
            some = slice(first, first + SHEETS_PER_LAUNCH)
            given, counted, found = cuda.to_device(sheets[some]), cuda.to_device(counts[some]), cuda.to_device(best[some])
            self.counts[-(-len(counted) // THREADS), THREADS](box, given, counted)
            self.turns[-(-found.size // THREADS), THREADS](box, given, on_device, found)
            counts[some], best[some] = counted.copy_to_host(), found.copy_to_host()
        return counts, best @ weights / weights.sum()
