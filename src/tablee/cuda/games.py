"""Whole games between bots on a GPU, one per thread: the games that the same rules play on the CPU with the same generator, byte for byte.

Nature draws from the game's generator, because hashing the stream of `core/fairness.py` costs a quarter of the time of short games
(docs/experiments/gpu-throughput.md). A thread's state is in local memory, which the device interleaves so that neighbouring threads read
neighbouring words; when its game is over, the thread plays another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from tablee import bots
from tablee.arena import Plan, Results
from tablee.core import fairness, loops
from tablee.core.batch import Batch
from tablee.core.contract import VALUES, BaseState
from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.core.jit import copy
from tablee.core.kernel import GUARD, LEGAL_TOO_LONG, ODDS_TOO_LONG, Kernel, check_codes
from tablee.core.loops import RANDOM
from tablee.core.rng import Rng, derive_key
from tablee.core.workspace import Progress, Workspace
from tablee.cuda.functions import (
    SIMULATED,
    array_from_block,
    device_instance,
    kernel_jit,
    struct_array_from_block,
    struct_from_block,
    unused_choose,
)

THREADS = 256  # per block
REGISTERS = 64  # per thread if all bots are random: the higher occupancy outweighs the spills (measured on an H200)
GAMES_PER_LAUNCH = 1 << 22
SPARE_WORDS_PER_THREAD = 64  # behind a thread's lists, including the guard word: see `core/kernel.py`


class DeviceResults(NamedTuple):
    """Results of games in device arrays; `states` are their last states, or empty."""

    scores: Any  # seat by seat
    winners: Any  # a mask of seats
    lines: Any
    states: Any

    def last_states(self, kind: type[BaseState]) -> Any:
        """Return the last states in host memory, including the padding between narrow fields."""
        return self.states.copy_to_host(np.zeros(len(self.states), kind.layout))


def games_kernel(kernel: Kernel[Any, Any], has_greedy_bots: bool, keep_states: bool, registers: int | None = None) -> Any:
    """Return the CUDA kernel that plays games; with `keep_states` it also writes their last states."""
    play_to_end = device_instance(kernel.loops, loops, kernel, {} if has_greedy_bots else {"choose": unused_choose}).play_to_end
    score, wins = kernel.rules.score, kernel.rules.wins
    as_box, as_state, as_scratch = (struct_from_block(each) for each in (type(kernel.box), kernel.state, kernel.scratch))
    as_rng, as_progress = struct_from_block(Rng), struct_from_block(Progress)
    as_states, as_numbers = struct_array_from_block(kernel.state), array_from_block()
    state_layout, scratch_layout, rng_layout, progress_layout = (each.layout for each in (kernel.state, kernel.scratch, Rng, Progress))
    most_moves, list_size = kernel.most_moves, kernel.most_moves + SPARE_WORDS_PER_THREAD

    def play_games(boxes: Any, starts: Any, levels: Any, key: Any, first: int, results: Any) -> None:
        box, start, state = as_box(boxes), as_state(starts), as_state(cuda.local.array(1, state_layout))
        rng, progress = as_rng(cuda.local.array(1, rng_layout)), as_progress(cuda.local.array(1, progress_layout))
        out, weights = as_numbers(cuda.local.array(list_size, np.int32)), as_numbers(cuda.local.array(list_size, np.int32))
        values = as_numbers(cuda.local.array(VALUES, np.int64))
        if has_greedy_bots:
            seen, trial = as_state(cuda.local.array(1, state_layout)), as_state(cuda.local.array(1, state_layout))
            workspace = Workspace(seen, trial, state, as_scratch(cuda.local.array(1, scratch_layout)), out, weights, values)
        else:
            workspace = Workspace(state, state, state, state, out, weights, values)
        out[most_moves], weights[most_moves] = GUARD, GUARD
        number = cuda.grid(1)
        while number < len(results.lines):
            copy(start, state)
            derive_key(rng, key[0], key[1], first + number)
            progress.lines, progress.draws, progress.finished = 0, 0, 0
            play_to_end(box, state, levels, workspace, rng, progress, out[:0], out[:0])
            won = 0
            for seat in range(state.seats):
                results.scores[number, seat] = score(box, state, seat)
                won |= int(wins(box, state, seat)) << seat
            results.winners[number], results.lines[number] = won, progress.lines
            if weights[most_moves] != GUARD:
                results.lines[number] = ODDS_TOO_LONG
            elif out[most_moves] != GUARD:
                results.lines[number] = LEGAL_TOO_LONG
            if keep_states:
                copy(state, as_states(results.states)[number])
            number += cuda.gridsize(1)

    return kernel_jit(play_games, registers)


def base_key(plan: Plan) -> tuple[int, int]:
    """Return the key from which the keys of a plan's games are derived."""
    return fairness.bot_key(fairness.seed_for(plan.seed, 0))


def batch_on_processor(plan: Plan, numbers: range) -> Batch:
    """Return these games, played on the processor."""
    assert plan.levels is not None
    batch = Batch(plan.opened, plan.start, [b""] * len(numbers), blocks=0)
    for place, number in enumerate(numbers):
        derive_key(batch.rngs[place], *base_key(plan), number)
    batch.play(plan.levels)
    return batch


class GameRunner:
    """Runner of one plan's games on the device: `blocks` blocks of `threads` threads share them; by default a thread per game."""

    def __init__(
        self, plan: Plan, keep_states: bool = False, threads: int = THREADS, blocks: int | None = None, registers: int | None = None
    ) -> None:
        if plan.levels is None:
            raise TableeError(msg("on a GPU only these bots play: {known}", known=", ".join(bots.KERNEL_LEVELS)))
        self.plan, self.keep_states, self.blocks = plan, keep_states, blocks
        self.threads = 1 if SIMULATED else threads  # the simulator's threads of a block would interfere
        self.kernel, self.has_greedy_bots = plan.opened.kernel, any(level != RANDOM for level in plan.levels)
        self.program = games_kernel(
            self.kernel, self.has_greedy_bots, keep_states, registers or (None if self.has_greedy_bots else REGISTERS)
        )
        self._device_args = [
            cuda.to_device(each) for each in (self.kernel.box.block, plan.start.block, np.array(plan.levels), np.array(base_key(plan)))
        ]

    def play(self, numbers: range) -> DeviceResults:
        """Launch these games, numbered from 1, and return their results without waiting for the device."""
        count = len(numbers)
        played = DeviceResults(
            cuda.device_array((count, self.plan.seats), np.int32),
            cuda.device_array(count, np.int32),
            cuda.device_array(count, np.int32),
            cuda.device_array(count if self.keep_states else 0, self.kernel.state.layout),
        )
        blocks = -(-count // self.threads)
        launch = self.program[min(blocks, self.blocks or blocks), self.threads]
        launch(*self._device_args, numbers.start, played)
        return played


def play_all(plan: Plan, count: int, at_once: int = GAMES_PER_LAUNCH) -> Iterator[Results]:
    """Yield the results of games 1 to `count`."""
    runner, cooperative = GameRunner(plan), plan.opened.is_cooperative(plan.start)
    for first in range(1, count + 1, at_once):
        played = runner.play(range(first, min(first + at_once, count + 1)))
        lines = played.lines.copy_to_host()
        check_codes(plan.opened.kernel, int(lines.min()))
        yield Results(played.scores.copy_to_host(), played.winners.copy_to_host(), lines, cooperative)
