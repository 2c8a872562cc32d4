"""Whole games between bots on a GPU, one in each thread, from the same rules and the same seeds as on the processor: the same games, byte
for byte. A thread keeps its state in memory of its own, which the device lays out so that neighbouring threads read neighbouring words;
when its game is over it plays another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import cuda

from tablee import bots
from tablee.arena import Plan, Results
from tablee.core.contract import BaseState
from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.core.jit import copy, unwrap
from tablee.core.kernel import GUARD, LEGAL_TOO_LONG, ODDS_TOO_LONG, Kernel, check_codes
from tablee.core.loops import DRAWS, FINISHED, LINES, NO_MOVE, PROGRESS_SIZE, RANDOM, WORKSPACE_SIZE
from tablee.cuda.functions import SIMULATED, DeviceFunctions, array_from_block, kernel_jit, struct_array_from_block, struct_from_block
from tablee.cuda.seeds import DEVICE_RNG_SIZE, device_nature_number, seed_message, seed_rng

THREADS = 256  # in a block
REGISTERS = 64  # for a thread whose bots are all random: more of them fit, which is worth what they spill (measured on an H200)
GAMES_PER_LAUNCH = 1 << 22  # games of one launch
SPARE_WORDS_PER_THREAD = 64  # numbers behind a thread's lists, the guard word among them: see `core/kernel.py`


def unused_choose(box: Any, state: Any, workspace: Any, scratch: Any, seat: int, level: int, rng: Any, out: Any, values: Any) -> int:
    """In the place of `choose` where no bot thinks. Nobody calls it, for the loops draw random moves themselves; it spares the device
    what it takes to think."""
    return NO_MOVE


def games_kernel(kernel: Kernel[Any, Any], thinking: bool, keeping: bool, registers: int | None = None) -> Any:
    """The program of a thread. Without `thinking` all bots are random; with `keeping` it hands over the states in which its games end."""
    device = DeviceFunctions(
        {"nature_number": device_nature_number} if thinking else {"nature_number": device_nature_number, "choose": unused_choose}
    )
    play_on, begin = device(unwrap(kernel.loops.play_batch).__globals__["play_to_end"]), device(seed_rng)
    copy_record, score, wins = device(copy), device(kernel.rules.score), device(kernel.rules.wins)
    state_kind, scratch_kind = kernel.state, kernel.scratch if thinking else kernel.state
    as_box, as_state, as_scratch = struct_from_block(type(kernel.box)), struct_from_block(state_kind), struct_from_block(scratch_kind)
    as_states, as_numbers = struct_array_from_block(state_kind), array_from_block()
    state_layout, scratch_layout = state_kind.layout, scratch_kind.layout
    most_moves, room, desk_size = kernel.most_moves, kernel.most_moves + SPARE_WORDS_PER_THREAD, WORKSPACE_SIZE if thinking else 1
    weight = np.int64 if thinking else np.int32  # a bot that thinks writes what a position is worth there

    def play_games(
        boxes: Any, starts: Any, levels: Any, begun: Any, first: int, scores: Any, winners: Any, lines: Any, states: Any
    ) -> None:
        box, start = as_box(boxes), as_state(starts)
        state, scratch = as_state(cuda.local.array(1, state_layout)), as_scratch(cuda.local.array(1, scratch_layout))
        desk = as_states(cuda.local.array(desk_size, state_layout))
        luck, course = as_numbers(cuda.local.array(DEVICE_RNG_SIZE, np.int64)), as_numbers(cuda.local.array(PROGRESS_SIZE, np.int64))
        out, weights = as_numbers(cuda.local.array(room, np.int32)), as_numbers(cuda.local.array(room, weight))
        out[most_moves], weights[most_moves] = GUARD, GUARD
        number = cuda.grid(1)
        while number < len(lines):
            copy_record(start, state)
            begin(luck, begun, first + number)
            course[LINES], course[DRAWS], course[FINISHED] = 0, 0, 0
            play_on(box, state, desk, scratch, levels, weights[:0], luck, course, weights[:0], out, weights)
            won = 0
            for seat in range(state.seats):
                scores[number, seat] = score(box, state, seat)
                won |= int(wins(box, state, seat)) << seat
            winners[number], lines[number] = won, course[LINES]
            if weights[most_moves] != GUARD:
                lines[number] = ODDS_TOO_LONG
            elif out[most_moves] != GUARD:
                lines[number] = LEGAL_TOO_LONG
            if keeping:
                copy_record(state, as_states(states)[number])
            number += cuda.gridsize(1)

    return kernel_jit(play_games, registers)


@dataclass(frozen=True)
class DeviceResults:
    """How some games ended, in arrays of the device; with their last states, if these were kept."""

    scores: Any  # seat by seat
    winners: Any  # a mask of seats
    lines: Any
    states: Any

    def last_states(self, kind: type[BaseState]) -> Any:
        """The last states as the processor holds them, gaps between narrow cells and all."""
        return self.states.copy_to_host(np.zeros(len(self.states), kind.layout))


class GameRunner:
    """Plays the games of one plan on the device. `blocks` of `threads` play on until all games are over; without a number of blocks, every
    game has a thread of its own."""

    def __init__(
        self, plan: Plan, keeping: bool = False, threads: int = THREADS, blocks: int | None = None, registers: int | None = None
    ) -> None:
        if plan.levels is None:
            raise TableeError(msg("on a GPU only these bots play: {known}", known=", ".join(bots.LEVELS)))
        self.plan, self.keep_states, self.blocks = plan, keeping, blocks
        self.threads = 1 if SIMULATED else threads  # in the simulator the threads of a block would disturb each other
        self.kernel, self.has_greedy_bots = plan.opened.kernel, any(level != RANDOM for level in plan.levels)
        self.program = games_kernel(self.kernel, self.has_greedy_bots, keeping, registers or (None if self.has_greedy_bots else REGISTERS))
        self._device_args = [
            cuda.to_device(each) for each in (self.kernel.box.block, plan.start.block, np.array(plan.levels), seed_message(plan.seed))
        ]

    def play(self, numbers: range) -> DeviceResults:
        """These games, counted from 1, to their end; nobody waits for the device yet."""
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
    """Games 1 to `count`, as `arena.play_all` plays them."""
    games, together = GameRunner(plan), plan.opened.is_cooperative(plan.start)
    for first in range(1, count + 1, at_once):
        played = games.play(range(first, min(first + at_once, count + 1)))
        lines = played.lines.copy_to_host()
        check_codes(plan.opened.kernel, int(lines.min()))
        yield Results(played.scores.copy_to_host(), played.winners.copy_to_host(), lines, together)
