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
from tablee.core.contract import Seated
from tablee.core.errors import TableeError
from tablee.core.i18n import say
from tablee.core.jit import copy, plain
from tablee.core.kernel import GUARD, LEGAL_TOO_LONG, ODDS_TOO_LONG, Kernel, check_codes
from tablee.core.loops import COURSE, DESK, DRAWS, FINISHED, LINES, NO_MOVE, RANDOM
from tablee.cuda.functions import SIMULATED, Functions, launched, numbers_on, record_on, rows_on
from tablee.cuda.seeds import LONG_LUCK, begin_luck, message, promised_number

THREADS = 256  # in a block
REGISTERS = 64  # for a thread whose bots are all random: more of them fit, which is worth what they spill (measured on an H200)
AT_ONCE = 1 << 22  # games of one launch
SPARE = 64  # numbers behind a thread's lists, the guard word among them: see `core/kernel.py`


def unasked(box: Any, state: Any, desk: Any, scratch: Any, seat: int, level: int, luck: Any, out: Any, worth: Any) -> int:
    """In the place of `choose` where no bot thinks. Nobody calls it, for the loops draw random moves themselves; it spares the device
    what it takes to think."""
    return NO_MOVE


def games_kernel(kernel: Kernel[Any, Any], thinking: bool, keeping: bool, registers: int | None = None) -> Any:
    """The program of a thread. Without `thinking` all bots are random; with `keeping` it hands over the states in which its games end."""
    device = Functions({"nature_number": promised_number} if thinking else {"nature_number": promised_number, "choose": unasked})
    play_on, begin = device(plain(kernel.loops.play_batch).__globals__["play_on"]), device(begin_luck)
    copy_record, score, wins = device(copy), device(kernel.rules.score), device(kernel.rules.wins)
    state_kind, scratch_kind = kernel.state, kernel.scratch if thinking else kernel.state
    as_box, as_state, as_scratch = record_on(type(kernel.box)), record_on(state_kind), record_on(scratch_kind)
    as_states, as_numbers = rows_on(state_kind), numbers_on()
    state_layout, scratch_layout = state_kind.layout, scratch_kind.layout
    most_moves, room, desk_size = kernel.most_moves, kernel.most_moves + SPARE, DESK if thinking else 1
    weight = np.int64 if thinking else np.int32  # a bot that thinks writes what a position is worth there

    def play_games(
        boxes: Any, starts: Any, levels: Any, begun: Any, first: int, scores: Any, winners: Any, lines: Any, states: Any
    ) -> None:
        box, start = as_box(boxes), as_state(starts)
        state, scratch = as_state(cuda.local.array(1, state_layout)), as_scratch(cuda.local.array(1, scratch_layout))
        desk = as_states(cuda.local.array(desk_size, state_layout))
        luck, course = as_numbers(cuda.local.array(LONG_LUCK, np.int64)), as_numbers(cuda.local.array(COURSE, np.int64))
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

    return launched(play_games, registers)


@dataclass(frozen=True)
class Played:
    """How some games ended, in arrays of the device; with their last states, if these were kept."""

    scores: Any  # seat by seat
    winners: Any  # a mask of seats
    lines: Any
    states: Any

    def last_states(self, kind: type[Seated]) -> Any:
        """The last states as the processor holds them, gaps between narrow cells and all."""
        return self.states.copy_to_host(np.zeros(len(self.states), kind.layout))


class Games:
    """Plays the games of one plan on the device. `blocks` of `threads` play on until all games are over; without a number of blocks, every
    game has a thread of its own."""

    def __init__(
        self, plan: Plan, keeping: bool = False, threads: int = THREADS, blocks: int | None = None, registers: int | None = None
    ) -> None:
        if plan.levels is None:
            raise TableeError(say("on a GPU only these bots play: {known}", known=", ".join(bots.LEVELS)))
        self.plan, self.keeping, self.blocks = plan, keeping, blocks
        self.threads = 1 if SIMULATED else threads  # in the simulator the threads of a block would disturb each other
        self.kernel, self.thinking = plan.opened.kernel, any(level != RANDOM for level in plan.levels)
        self.program = games_kernel(self.kernel, self.thinking, keeping, registers or (None if self.thinking else REGISTERS))
        self._given = [
            cuda.to_device(each) for each in (self.kernel.box.block, plan.start.block, np.array(plan.levels), message(plan.seed))
        ]

    def play(self, numbers: range) -> Played:
        """These games, counted from 1, to their end; nobody waits for the device yet."""
        count = len(numbers)
        played = Played(
            cuda.device_array((count, self.plan.seats), np.int32),
            cuda.device_array(count, np.int32),
            cuda.device_array(count, np.int32),
            cuda.device_array(count if self.keeping else 0, self.kernel.state.layout),
        )
        blocks = -(-count // self.threads)
        launch = self.program[min(blocks, self.blocks or blocks), self.threads]
        launch(*self._given, numbers.start, played.scores, played.winners, played.lines, played.states)
        return played


def play_all(plan: Plan, count: int, at_once: int = AT_ONCE) -> Iterator[Results]:
    """Games 1 to `count`, as `arena.play_all` plays them."""
    games, together = Games(plan), plan.opened.together(plan.start)
    for first in range(1, count + 1, at_once):
        played = games.play(range(first, min(first + at_once, count + 1)))
        lines = played.lines.copy_to_host()
        check_codes(plan.opened.kernel, int(lines.min()))
        yield Results(played.scores.copy_to_host(), played.winners.copy_to_host(), lines, together)
