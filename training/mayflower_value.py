"""Training of Mayflower's `learned_value.json` from playouts of turns.

The weights learn the difference between playouts and the hand-made value *between the turns of one position*, by least squares centred by
position. Weights fitted to the results of whole games explain who was ahead anyway, and the bot plays worse
(docs/experiments/learned-value-mayflower.md). A few playouts of each turn are enough: their noise averages out over many positions.

    python -m training.mayflower_value [--games 1200] [--seed 1] [--jobs J] [--cluster ADDRESS] [--out FOLDER]

Positions depend only on the seed and the number of their game. Workers import this module by its name.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from tablee import games
from tablee.arena import LOCAL_EXECUTOR, Executor, Plan
from tablee.bots import warmup
from tablee.cli.executor_options import open_executor
from tablee.core.contract import NATURE, NATURE_NEXT, OVER, SHARE, VALUES, WHOLE_SHARE
from tablee.core.game import Seat
from tablee.core.loops import BEAM_SEARCH, GREEDY, GREEDY_DETERMINIZED, lowest_seat
from tablee.core.rng import make_rng
from tablee.core.struct import fill, int_array
from tablee.core.workspace import CandidateTurn
from tablee.games.mayflower import open_box
from tablee.games.mayflower.loading import WEIGHTS_FILE
from training.weights_file import provenance, training_parser

GAME = "mayflower"
SEATS = (2, 2, 2, 3)  # of four games
SAMPLE_PROBABILITY, BLUNDER_PROBABILITY = 0.15, 0.3  # share of the turns that are sampled; of playing another than the best there
WIDTH, PLAYOUT_LINES, PLAYOUTS = 12, 30, 6  # turns of a position, log lines with two seats (more than a search), playouts
GAMES_PER_CHUNK = 5  # games of a worker's task
RIDGE = 0.01  # per turn, for inputs of unit variance
PERTURBATION = 100_000_000  # a tenth of a point, for the slope of the value by finite difference

# columns of a turn: hand-made value, playouts' result, slope of the value by weight times count, the counts
HAND_MADE, PLAYED_OUT, SLOPE, COUNTS = range(4)
TurnRows = Any  # a row for each turn


class TurnWorker:
    """Worker that samples positions of greedy games and evaluates their best turns by playouts."""

    def __init__(self, seed: str, sample_probability: float = SAMPLE_PROBABILITY) -> None:
        warmup.warm_once(GAME)
        self.seed, self.sample_probability, game = (
            seed,
            sample_probability,
            open_box(games.find(GAME).components),
        )  # its own box: `games.find` shares one
        fill(game.kernel.box.learned_weights, 0)
        self.kernel, self.workspace, self.value_buffer = game.kernel, game.kernel.workspace(), int_array(VALUES)
        self.scratch: Any = game.kernel.scratch()
        self.starts = {seats: Plan.of(game, seats, ["greedy"] * seats, {}, 1).start for seats in SEATS}
        self.beam, self.narrow = self.kernel.beam(WIDTH), self.kernel.beam(1)

    def play(self, numbers: range) -> list[TurnRows]:
        """Return sampled positions of these games, with their best turns."""
        return [position for number in numbers for position in self.positions(number)]

    def positions(self, number: int) -> Iterator[TurnRows]:
        rng = random.Random(f"{self.seed} {number}")
        for state, seat in self.sampled_turns(self.starts[SEATS[number % len(SEATS)]].copy(), rng):
            tries = self.best_turns(state, seat, rng)
            came_to = self.played_out(state, seat, tries, rng)
            rows = [self.row(state, seat, turn, share) for turn, share in zip(tries, came_to, strict=True)]
            if len(known := [row for row in rows if row is not None]) > 1:
                yield np.array(known, np.float32)
            taken = rng.randrange(len(came_to)) if rng.random() < BLUNDER_PROBABILITY else int(np.argmax(came_to))
            self.kernel.rules.apply(self.kernel.box, state, seat, tries[taken].moves[0])

    def sampled_turns(self, state: Any, rng: random.Random) -> Iterator[tuple[Any, Seat]]:
        """Play a greedy game and yield the starts of some turns; the caller may play the turn."""
        bot_rng, acting, rules, workspace = make_rng((rng.getrandbits(60), 1)), None, self.kernel.rules, self.workspace
        while (to_act := self.kernel.to_act(state)) != OVER:
            if to_act == NATURE_NEXT:
                draws, weights = zip(*self.kernel.odds(state), strict=True)
                rules.apply(self.kernel.box, state, NATURE, rng.choices(draws, weights)[0])
                acting = None
                continue
            seat, before = Seat(lowest_seat(to_act)), acting
            acting = seat
            if before != seat and rng.random() < self.sample_probability and len(self.kernel.legal(state, seat)) > 1:
                yield state, seat
                continue
            rules.apply(self.kernel.box, state, seat, self.kernel.loops.choose(self.kernel.box, state, seat, GREEDY, workspace, bot_rng))

    def best_turns(self, state: Any, seat: Seat, rng: random.Random) -> list[CandidateTurn]:
        """Return the best turns by the hand-made value."""
        beam_rng = make_rng((rng.getrandbits(60), rng.getrandbits(60)))
        return self.kernel.turns(state, seat, self.workspace, beam_rng, self.beam)

    def played_out(self, state: Any, seat: Seat, tries: list[CandidateTurn], rng: random.Random) -> Any:
        """Return each turn's mean playout result; all turns share their random numbers."""
        levels = [BEAM_SEARCH if each == seat else GREEDY_DETERMINIZED for each in range(state.seats)]
        key = rng.getrandbits(60), rng.getrandbits(60)
        rollouts = self.kernel.rollouts(levels, PLAYOUT_LINES * state.seats // 2, key, self.narrow)
        _, played = self.kernel.rollout(state, seat, tries, self.workspace, rollouts, range(PLAYOUTS))
        return played.array["share_sum"] / (PLAYOUTS * WHOLE_SHARE)

    def row(self, state: Any, seat: Seat, turn: CandidateTurn, came_to: float) -> list[float] | None:
        """Return the columns of a turn, None if it ends the game; the slope is a finite difference in the weight of the largest count."""
        for move in turn.moves[: turn.steps]:
            state = self.kernel.apply(state, seat, move)
        if self.kernel.to_act(state) == OVER:
            return None
        promised, weights = self.hand_made_value(state, seat), self.kernel.box.learned_weights
        counts = self.scratch.inputs.tolist()
        most = max(range(len(counts)), key=lambda each: abs(counts[each]))
        if counts[most] == 0:
            return [promised, came_to, 0, *counts]
        weights[most] = given = max(1, PERTURBATION // abs(counts[most]))
        slope = (self.hand_made_value(state, seat) - promised) / (given * counts[most])
        weights[most] = 0
        return [promised, came_to, slope, *counts]

    def hand_made_value(self, state: Any, seat: Seat) -> float:
        self.kernel.rules.search_value(self.kernel.box, state, self.scratch, seat, self.value_buffer)
        return float(self.value_buffer[SHARE] / WHOLE_SHARE)


def make_worker(seed: str, sample_probability: float) -> Callable[[range], list[TurnRows]]:
    return TurnWorker(seed, sample_probability).play


def positions(count: int, seed: int, executor: Executor = LOCAL_EXECUTOR, sample_probability: float = SAMPLE_PROBABILITY) -> list[TurnRows]:
    """Return sampled positions of `count` games."""
    tasks = [range(first, min(first + GAMES_PER_CHUNK, count)) for first in range(0, count, GAMES_PER_CHUNK)]
    return [*chain.from_iterable(executor.map(partial(make_worker, str(seed), sample_probability), tasks))]


def learn(found: list[TurnRows]) -> tuple[list[int], str]:
    """Fit the weights by ridge regression; return them with a report.

    Late in a game a point changes the win probability much, and noise does so too: such positions get less weight.
    """
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
    report = f"{len(found)} positions, {len(rows)} turns: off by {by_hand:.5f} of the win by hand, by {learned:.5f} with this"
    return [round(float(weight)) for weight in weights / spread], report


def centred_by_position(numbers_of_turns: Any, place: Any) -> Any:
    """Subtract the mean of each position, which leaves the differences between its turns."""
    rows = numbers_of_turns.reshape(len(place), -1)
    means = np.stack([np.bincount(place, column) for column in rows.T], axis=1) / np.bincount(place)[:, None]
    return (rows - means[place]).reshape(numbers_of_turns.shape)


def main() -> None:
    parser = training_parser(__doc__, GAME)
    parser.add_argument("--games", type=int, default=1200)
    chosen = parser.parse_args()
    with open_executor(chosen) as executor:
        weights, report = learn(positions(chosen.games, chosen.seed, executor))
    made = provenance(f"mayflower_value --games {chosen.games} --seed {chosen.seed}") | {"found": report}
    lines = ",\n  ".join(f'"{name}": "{text}"' for name, text in made.items())
    rows = ",\n    ".join(", ".join(map(str, weights[first : first + 15])) for first in range(0, len(weights), 15))
    (chosen.out / WEIGHTS_FILE.name).write_text(f'{{\n  {lines},\n  "weights": [\n    {rows}\n  ]\n}}\n', encoding="utf-8")
    print(json.dumps(made), flush=True)


if __name__ == "__main__":
    main()
