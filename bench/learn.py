"""Learns the weights of Rolling Village's insight by fitted dynamic programming, from the last round back to the first. Sheets are taken
from games of the insight itself, half of them with slips; what a sheet with n rounds to come is worth is the mean over all rolls of the
best turn, by the weights for n - 1 rounds; the weights for n are the least squares' fit to that. No playouts, so hardly any noise.

    python -m bench.learn [--sheets 3000] [--times 2] [--seed 1] [--out src/tablee/games/rolling_village/insight.json]
"""

from __future__ import annotations

import argparse
import json
import random
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from tablee import games
from tablee.core.cells import Row, fill, grid, numbers
from tablee.core.contract import NATURE, OVER, POINT, POINTS, VALUES
from tablee.core.game import Game
from tablee.core.kernel import Desk
from tablee.core.loops import MOVES, STEPS
from tablee.core.luck import lucky
from tablee.games.rolling_village.box import AVENUES, FEATURES, PARKS
from tablee.games.rolling_village.insight import Scratch
from tablee.games.rolling_village.notation import ROLL_MOVE
from tablee.games.rolling_village.state import State

BEAM = 8
LONGEST = 6
SLIPS = 0.3  # of the turns of every second game
MILLION = 1_000_000
RIDGE = 1e-5  # for each sheet
ROLLS = 36
OUT = Path("src/tablee/games/rolling_village/insight.json")


class Learner:
    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.kernel, self.rng = game, game.kernel, random.Random(seed)
        self.desk, self.beam, self.turns = Desk(self.kernel), Row(State, 2 * BEAM), grid(2 * BEAM, MOVES + LONGEST)
        self.luck = lucky((seed, seed))
        self.rounds: int = self.kernel.box.rounds

    def unfold(self, state: State) -> Any:
        """The best turns, best first."""
        desk, kernel = self.desk, self.kernel
        arguments = state, self.beam, desk.states[0], desk.scratch, 0, self.luck, desk.out, desk.weights, self.turns
        found = self.turns.array[: kernel.loops.unfold(kernel.box, *arguments)]
        return found[np.argsort(-found[:, POINTS], kind="stable")]

    def sheets(self, count: int) -> list[list[State]]:
        """By rounds to come, what stood after that round in so many games."""
        found: list[list[State]] = [[] for _ in range(self.rounds + 1)]
        for number in range(count):
            state = self.game.setup(1, {"setup_types": "different"})
            while self.kernel.awaited(state) != OVER:
                one, other = self.rng.randrange(6), self.rng.randrange(6)
                state = self.kernel.apply(state, NATURE, ROLL_MOVE + max(one, other) * 6 + min(one, other))
                turns = self.unfold(state)
                turn = self.rng.choice(turns) if number % 2 and self.rng.random() < SLIPS else turns[0]
                for move in turn[MOVES : MOVES + turn[STEPS]]:
                    state = self.kernel.apply(state, 0, int(move))
                found[self.rounds - state.turn].append(state)
        return found

    def worth(self, state: State) -> float:
        """In points: over all rolls, the best turn."""
        odds = self.kernel.odds(state)
        total = sum(weight * self.unfold(self.kernel.apply(state, NATURE, roll))[0][POINTS] for roll, weight in odds)
        return float(total) / sum(weight for _, weight in odds) / POINT

    def counted(self, state: State) -> list[int]:
        scratch = Scratch()
        self.kernel.rules.insight(self.kernel.box, state, scratch, 0, numbers(VALUES))
        return list(scratch.counted)

    def learn(self, sheets: list[State], left: int) -> None:
        """The weights for so many rounds to come, at once in force."""
        counted = np.array([self.counted(state) for state in sheets], float)
        worth = np.array([self.worth(state) - self.kernel.score(state, 0) for state in sheets])
        scale = np.abs(counted).max(axis=0) + (counted.max(axis=0) == 0)
        scaled = counted / scale
        weights = np.linalg.solve(scaled.T @ scaled + RIDGE * len(sheets) * np.eye(FEATURES), scaled.T @ worth) / scale
        fill(self.kernel.box.insight[left], [round(MILLION * weight) for weight in weights])
        print(f"{left} rounds to come: {worth.mean():.2f} points, error {np.std(worth - counted @ weights):.3f}", flush=True)

    def begin(self) -> None:
        """Weights that know nothing but what is printed."""
        for left in range(self.rounds + 1):
            fill(self.kernel.box.insight[left], 0)
            self.kernel.box.insight[left, PARKS] = MILLION
            self.kernel.box.insight[left, AVENUES] = MILLION * left // ROLLS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=3000)
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    learner = Learner(games.find("rolling-village"), chosen.seed)
    learner.begin()
    for _ in range(chosen.times):
        sheets = learner.sheets(chosen.sheets)
        for left in range(1, learner.rounds + 1):
            learner.learn(sheets[left], left)
    made_by = f"python -m bench.learn --sheets {chosen.sheets} --times {chosen.times} --seed {chosen.seed}"
    rows = ",\n    ".join(json.dumps(list(row)) for row in learner.kernel.box.insight)
    made_on = date.today().isoformat()
    chosen.out.write_text(
        f'{{\n  "made_by": "{made_by}",\n  "made_on": "{made_on}",\n  "weights": [\n    {rows}\n  ]\n}}\n', encoding="utf-8"
    )


if __name__ == "__main__":
    main()
