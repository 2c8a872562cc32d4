"""Learns the weights of Mayflower's insight from turns that are played out, and writes the room's `learned_value.json`. The hand-made value says
what each of a position's best turns promises, playouts say what it comes to. Where they differ *between the turns of one position*, the
weights are to make up for it: least squares, with the mean of each position taken off. (Fitted to how whole games end, weights explain who
was ahead anyway, and a bot that goes by them plays worse: docs/bots.md.) A few playouts of each turn are enough, for their noise
averages out over the positions, of which many are needed.

    python -m bench.train_mayflower_value [--games 1200] [--seed 1] [--jobs J] [--cluster ADDRESS] [--out src/tablee/games/mayflower/learned_value.json]

Positions depend on the seed and the number of their game only. Workers find this file by its name, as they find Tablée.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from tablee import games
from tablee.arena import LOCAL_EXECUTOR, Executor, Plan
from tablee.bots import warmup
from tablee.bots.search import LONGEST_TURN
from tablee.cli.executor_options import add_executor_arguments, open_executor
from tablee.core.contract import NATURE, NATURE_NEXT, OVER, SHARE, VALUES, WHOLE_SHARE
from tablee.core.game import Seat
from tablee.core.kernel import Workspace
from tablee.core.loops import BEAM_SEARCH, GREEDY, GREEDY_DETERMINIZED, MOVES, PROGRESS_SIZE, STEPS, lowest_seat
from tablee.core.rng import make_rng
from tablee.core.struct import StructArray, fill, int_array, int_grid
from tablee.games.mayflower import open_box

GAME = "mayflower"
OUT = Path("src/tablee/games/mayflower/learned_value.json")
SEATS = (2, 2, 2, 3)  # of four games
SAMPLE_PROBABILITY, BLUNDER_PROBABILITY = 0.15, 0.3  # how often a turn is looked at, and another than the best is taken then
WIDTH, PLAYOUT_LINES, PLAYOUTS = 12, 30, 6  # turns of a position, lines that two seats play on (further than a search does), and how often
GAMES_PER_CHUNK = 5  # games that a worker is given at once
RIDGE = 0.01  # for each turn, when what a weight does is counted in its spread
PERTURBATION = 100_000_000  # what a weight is given to see what it does: a tenth of a point

HAND_MADE, PLAYED_OUT, SLOPE, COUNTS = range(
    4
)  # the columns of a turn: of the win; of the win for one of a weight and of a count; the counts
TurnRows = Any  # a row for each turn


class TurnWorker:
    """Plays positions and their turns by the hand-made value."""

    def __init__(self, seed: str) -> None:
        warmup.warm_once(GAME)
        self.seed, game = seed, open_box(games.find(GAME).components)  # a box of its own, for all others share theirs
        fill(game.kernel.box.insight, 0)
        self.kernel, self.workspace, self.value_buffer = game.kernel, Workspace(game.kernel), int_array(VALUES)
        self.scratch: Any = game.kernel.scratch()
        self.starts = {seats: Plan.of(game, seats, ["greedy"] * seats, {}, 1).start for seats in SEATS}
        self.beam, self.found = StructArray(self.kernel.state, 2 * WIDTH), int_grid(2 * WIDTH, MOVES + LONGEST_TURN)
        self.narrow, self.turn = StructArray(self.kernel.state, 2), int_grid(2, MOVES + LONGEST_TURN)

    def play(self, which: range) -> list[TurnRows]:
        """Of these games, some positions with their best turns."""
        return [position for number in which for position in self.positions(number)]

    def positions(self, number: int) -> Iterator[TurnRows]:
        rng = random.Random(f"{self.seed} {number}")
        for state, seat in self.sampled_turns(self.starts[SEATS[number % len(SEATS)]].copy(), rng):
            tries = self.best_turns(state, seat, rng)
            came_to = self.played_out(state, seat, tries, rng)
            rows = [self.row(state, seat, turn, share) for turn, share in zip(tries.array, came_to, strict=True)]
            if len(known := [row for row in rows if row is not None]) > 1:
                yield np.array(known, np.float32)
            taken = rng.randrange(len(came_to)) if rng.random() < BLUNDER_PROBABILITY else int(np.argmax(came_to))
            self.kernel.rules.apply(self.kernel.box, state, seat, int(tries[taken, MOVES]))

    def sampled_turns(self, state: Any, rng: random.Random) -> Iterator[tuple[Any, Seat]]:
        """In a game of greedy bots, some turns that begin; whoever looks may move."""
        luck, asked, rules, desk = make_rng((rng.getrandbits(60), 1)), None, self.kernel.rules, self.workspace
        while (awaited := self.kernel.to_act(state)) != OVER:
            if awaited == NATURE_NEXT:
                draws, weights = zip(*self.kernel.odds(state), strict=True)
                rules.apply(self.kernel.box, state, NATURE, rng.choices(draws, weights)[0])
                asked = None
                continue
            seat, before = Seat(lowest_seat(awaited)), asked
            asked = seat
            if before != seat and rng.random() < SAMPLE_PROBABILITY and len(self.kernel.legal(state, seat)) > 1:
                yield state, seat
                continue
            places = desk.states, desk.scratch, seat, GREEDY, luck, desk.out, desk.weights
            rules.apply(self.kernel.box, state, seat, self.kernel.loops.choose(self.kernel.box, state, *places))

    def best_turns(self, state: Any, seat: Seat, rng: random.Random) -> Any:
        """The turns that promise most."""
        desk, luck = self.workspace, make_rng((rng.getrandbits(60), rng.getrandbits(60)))
        places = self.beam, desk.states[0], desk.scratch, seat, luck, desk.out, desk.weights, self.found
        count = self.kernel.loops.generate_turns(self.kernel.box, state, *places)
        tries = int_grid(count, MOVES + LONGEST_TURN)
        tries.array[:] = self.found.array[:count]
        return tries

    def played_out(self, state: Any, seat: Seat, tries: Any, rng: random.Random) -> Any:
        """What each turn comes to, with the same luck for all."""
        desk, luck, sums = self.workspace, make_rng((rng.getrandbits(60), rng.getrandbits(60))), int_grid(len(tries), VALUES)
        levels = self.kernel.level_array([BEAM_SEARCH if each == seat else GREEDY_DETERMINIZED for each in range(state.seats)])
        places = (
            desk.states,
            self.narrow,
            desk.scratch,
            seat,
            tries,
            levels,
            luck,
            int_array(PROGRESS_SIZE),
            PLAYOUT_LINES * state.seats // 2,
        )
        self.kernel.loops.rollout(self.kernel.box, state, *places, desk.out, desk.weights, self.turn, sums, 0, PLAYOUTS)
        return sums.array[:, SHARE] / (PLAYOUTS * WHOLE_SHARE)

    def row(self, state: Any, seat: Seat, turn: Any, came_to: float) -> list[float] | None:
        """Of a turn that does not end the game. What a weight does to the promise is seen by giving one some weight."""
        for move in turn[MOVES : MOVES + turn[STEPS]]:
            state = self.kernel.apply(state, seat, int(move))
        if self.kernel.to_act(state) == OVER:
            return None
        promised, insight = self.hand_made_value(state, seat), self.kernel.box.insight
        counts = self.scratch.counted_up.tolist()
        most = max(range(len(counts)), key=lambda each: abs(counts[each]))
        if counts[most] == 0:
            return [promised, came_to, 0, *counts]
        insight[most] = given = max(1, PERTURBATION // abs(counts[most]))
        slope = (self.hand_made_value(state, seat) - promised) / (given * counts[most])
        insight[most] = 0
        return [promised, came_to, slope, *counts]

    def hand_made_value(self, state: Any, seat: Seat) -> float:
        self.kernel.rules.search_value(self.kernel.box, state, self.scratch, seat, self.value_buffer)
        return float(self.value_buffer[SHARE] / WHOLE_SHARE)


def make_worker(seed: str) -> Callable[[range], list[TurnRows]]:
    return TurnWorker(seed).play


def positions(count: int, seed: int, executor: Executor = LOCAL_EXECUTOR) -> list[TurnRows]:
    """Of so many games."""
    todo = [range(first, min(first + GAMES_PER_CHUNK, count)) for first in range(0, count, GAMES_PER_CHUNK)]
    return [*chain.from_iterable(executor.map(partial(make_worker, str(seed)), todo))]


def learn(found: list[TurnRows]) -> tuple[list[int], str]:
    """The weights that make up best for what the hand-made value misses; and how well they do. Where a point weighs much, late in a game,
    luck weighs as much, so such positions count less."""
    place, rows = np.repeat(np.arange(len(found)), [len(turns) for turns in found]), np.concatenate(found).astype(float)
    missed, done = (
        centred_by_position(rows[:, PLAYED_OUT] - rows[:, HAND_MADE], place),
        centred_by_position(rows[:, [SLOPE]] * rows[:, COUNTS:], place),
    )
    steep = np.bincount(place, rows[:, SLOPE]) / np.bincount(place)
    counts_for = (1 / (1 + (steep / np.median(steep)) ** 2))[place]
    spread = np.sqrt((counts_for[:, None] * done**2).mean(axis=0))
    spread[spread == 0] = 1
    done /= spread
    squares = (done.T * counts_for) @ done + RIDGE * counts_for.sum() * np.eye(len(spread))
    weights = np.linalg.solve(squares, (done.T * counts_for) @ missed)
    by_hand, learned = (np.sqrt((counts_for * left**2).mean()) for left in (missed, missed - done @ weights))
    said = f"{len(found)} positions, {len(rows)} turns: off by {by_hand:.5f} of the win by hand, by {learned:.5f} with this"
    return [round(float(weight)) for weight in weights / spread], said


def centred_by_position(numbers_of_turns: Any, place: Any) -> Any:
    """What sets the turns of one position apart: the mean of the position is taken off."""
    rows = numbers_of_turns.reshape(len(place), -1)
    means = np.stack([np.bincount(place, column) for column in rows.T], axis=1) / np.bincount(place)[:, None]
    return (rows - means[place]).reshape(numbers_of_turns.shape)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    add_executor_arguments(parser)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    with open_executor(chosen) as where:
        weights, said = learn(positions(chosen.games, chosen.seed, where))
    made_by = f"python -m bench.train_mayflower_value --games {chosen.games} --seed {chosen.seed}"
    made = {"made_by": made_by, "made_on": date.today().isoformat(), "found": said}
    lines = ",\n  ".join(f'"{name}": "{text}"' for name, text in made.items())
    rows = ",\n    ".join(", ".join(map(str, weights[first : first + 15])) for first in range(0, len(weights), 15))
    chosen.out.write_text(f'{{\n  {lines},\n  "weights": [\n    {rows}\n  ]\n}}\n', encoding="utf-8")
    print(json.dumps(made), flush=True)


if __name__ == "__main__":
    main()
