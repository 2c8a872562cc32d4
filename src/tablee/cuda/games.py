"""Whole games between bots on a GPU, one per thread: the same rules, seeds and games as on the CPU, byte for byte.

A thread's state is in local memory, which the device interleaves so that neighbouring threads read neighbouring words; when its game is
over, the thread plays another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import cuda

from tablee import bots
from tablee.arena import Plan, Results
from tablee.core import loops
from tablee.core.contract import BaseState
from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.core.jit import copy
from tablee.core.kernel import GUARD, LEGAL_TOO_LONG, ODDS_TOO_LONG, Kernel, check_codes
from tablee.core.loops import DRAWS, FINISHED, LINES, PROGRESS_SIZE, RANDOM, WORKSPACE_SIZE
from tablee.cuda.functions import (
    SIMULATED,
    array_from_block,
    device_instance,
    kernel_jit,
    struct_array_from_block,
    struct_from_block,
    unused_choose,
)
from tablee.cuda.seeds import DEVICE_RNG_SIZE, device_nature_number, seed_message, seed_rng

THREADS = 256  # per block
REGISTERS = 64  # per thread if all bots are random: the higher occupancy outweighs the spills (measured on an H200)
GAMES_PER_LAUNCH = 1 << 22
SPARE_WORDS_PER_THREAD = 64  # behind a thread's lists, including the guard word: see `core/kernel.py`


def games_kernel(kernel: Kernel[Any, Any], has_greedy_bots: bool, keep_states: bool, registers: int | None = None) -> Any:
    """Return the CUDA kernel that plays games; with `keep_states` it also writes their last states."""
    replaced = {"nature_number": device_nature_number} | ({} if has_greedy_bots else {"choose": unused_choose})
    play_to_end, score, wins = device_instance(kernel.loops, loops, kernel, replaced).play_to_end, kernel.rules.score, kernel.rules.wins
    state_kind, scratch_kind = kernel.state, kernel.scratch if has_greedy_bots else kernel.state
    as_box, as_state, as_scratch = struct_from_block(type(kernel.box)), struct_from_block(state_kind), struct_from_block(scratch_kind)
    as_states, as_numbers = struct_array_from_block(state_kind), array_from_block()
    state_layout, scratch_layout = state_kind.layout, scratch_kind.layout
    most_moves, list_size, workspace_size = (
        kernel.most_moves,
        kernel.most_moves + SPARE_WORDS_PER_THREAD,
        WORKSPACE_SIZE if has_greedy_bots else 1,
    )
    weight = np.int64 if has_greedy_bots else np.int32  # greedy bots write evaluations there

    def play_games(
        boxes: Any, starts: Any, levels: Any, message: Any, first: int, scores: Any, winners: Any, lines: Any, states: Any
    ) -> None:
        box, start = as_box(boxes), as_state(starts)
        state, scratch = as_state(cuda.local.array(1, state_layout)), as_scratch(cuda.local.array(1, scratch_layout))
        workspace = as_states(cuda.local.array(workspace_size, state_layout))
        rng, progress = as_numbers(cuda.local.array(DEVICE_RNG_SIZE, np.int64)), as_numbers(cuda.local.array(PROGRESS_SIZE, np.int64))
        out, weights = as_numbers(cuda.local.array(list_size, np.int32)), as_numbers(cuda.local.array(list_size, weight))
        out[most_moves], weights[most_moves] = GUARD, GUARD
        number = cuda.grid(1)
        while number < len(lines):
            copy(start, state)
            seed_rng(rng, message, first + number)
            progress[LINES], progress[DRAWS], progress[FINISHED] = 0, 0, 0
            play_to_end(box, state, workspace, scratch, levels, weights[:0], rng, progress, weights[:0], out, weights)
            won = 0
            for seat in range(state.seats):
                scores[number, seat] = score(box, state, seat)
                won |= int(wins(box, state, seat)) << seat
            winners[number], lines[number] = won, progress[LINES]
            if weights[most_moves] != GUARD:
                lines[number] = ODDS_TOO_LONG
            elif out[most_moves] != GUARD:
                lines[number] = LEGAL_TOO_LONG
            if keep_states:
                copy(state, as_states(states)[number])
            number += cuda.gridsize(1)

    return kernel_jit(play_games, registers)


@dataclass(frozen=True)
class DeviceResults:
    """Results of games in device arrays; `states` are their last states, or empty."""

    scores: Any  # seat by seat
    winners: Any  # a mask of seats
    lines: Any
    states: Any

    def last_states(self, kind: type[BaseState]) -> Any:
        """Return the last states in host memory, including the padding between narrow fields."""
        return self.states.copy_to_host(np.zeros(len(self.states), kind.layout))


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
            cuda.to_device(each) for each in (self.kernel.box.block, plan.start.block, np.array(plan.levels), seed_message(plan.seed))
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
        launch(*self._device_args, numbers.start, played.scores, played.winners, played.lines, played.states)
        return played


def play_all(plan: Plan, count: int, at_once: int = GAMES_PER_LAUNCH) -> Iterator[Results]:
    """Yield the results of games 1 to `count`, as `arena.play_all` plays them."""
    runner, cooperative = GameRunner(plan), plan.opened.is_cooperative(plan.start)
    for first in range(1, count + 1, at_once):
        played = runner.play(range(first, min(first + at_once, count + 1)))
        lines = played.lines.copy_to_host()
        check_codes(plan.opened.kernel, int(lines.min()))
        yield Results(played.scores.copy_to_host(), played.winners.copy_to_host(), lines, cooperative)
