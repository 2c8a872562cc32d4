"""Training of Amérique 1500's `win_model.json` and `learned_value.json`, each by the other.

1. The win model, by games of greedy bots.
2. The learned value, by playouts of greedy bots that this win model evaluates where they stop.
3. The win model that is written, by games that the learned value plays.
4. The learned value that is written: a second one for the quick game, by playouts of the first and of the new win model. For the full game
   the first was better (docs/experiments/learned-value-amerique-1500.md).

    python -m training.amerique_1500 [--games 800000] [--value-games 50000] [--seed 1] [--jobs J] [--cluster ADDRESS] [--out FOLDER]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tablee import games
from tablee.arena import Executor
from tablee.cli.executor_options import open_executor
from tablee.games.amerique_1500.box import INPUTS, VALUE_UNITS
from tablee.games.amerique_1500.loading import LEARNED_VALUE_FILE, SIDES, WIN_MODEL_FILE
from training import amerique_value, amerique_win_model
from training.amerique_win_model import GAME
from training.fitting import Numbers
from training.weights_file import provenance, training_parser, write_weights

RETRAINED_SIDE = "quick"


@dataclass
class Trainer:
    """Trainer of both networks by self-play."""

    games: int
    value_games: int
    executor: Executor

    def win_model(self, learned: Numbers, seed: int) -> tuple[Numbers, dict[str, str]]:
        """Return the win model of games that this learned value plays, and a report for each side."""
        found = list(amerique_win_model.positions(learned, self.games, seed, self.executor))
        weights, reports = zip(*(amerique_win_model.learn(found, side, seed) for side in SIDES), strict=True)
        return np.concatenate(weights), dict(zip(SIDES, reports, strict=True))

    def learned_value(self, learned: Numbers, win_model: Numbers, seed: int, sides: Sequence[str]) -> tuple[Numbers, dict[str, str]]:
        """Return a learned value, trained anew for these sides, and a report for each of them."""
        found = list(amerique_value.positions(learned, win_model, self.value_games, seed, self.executor, sides=sides))
        weights, reports = learned.copy(), {}
        for side in sides:
            weights[SIDES.index(side)], reports[side] = amerique_value.learn(found, side, seed)
        return weights, reports


def main() -> None:
    parser = training_parser(__doc__, GAME)
    parser.add_argument("--games", type=int, default=800_000, help="of each win model")
    parser.add_argument("--value-games", type=int, default=50_000, help="of each learned value")
    chosen = parser.parse_args()
    made = provenance(f"amerique_1500 --games {chosen.games} --value-games {chosen.value_games} --seed {chosen.seed}")
    box: Any = games.find(GAME).kernel.box
    nothing = np.zeros((len(SIDES), INPUTS, VALUE_UNITS), np.int32)
    with open_executor(chosen) as executor:
        trainer = Trainer(chosen.games, chosen.value_games, executor)
        win_model, _ = trainer.win_model(nothing, chosen.seed)
        learned, value_reports = trainer.learned_value(nothing, win_model, chosen.seed, SIDES)
        win_model, win_reports = trainer.win_model(learned, chosen.seed)
        learned, second_reports = trainer.learned_value(learned, win_model, chosen.seed + 1, [RETRAINED_SIDE])
    for file, reports, weights in (WIN_MODEL_FILE, win_reports, win_model), (LEARNED_VALUE_FILE, value_reports | second_reports, learned):
        head = {"box": box.checksum} | {side: made | {"told": reports[side]} for side in SIDES}
        write_weights(chosen.out / file.name, head, weights)
        print(file.name, *(f"{side}: {reports[side]}" for side in SIDES), sep="\n", flush=True)


if __name__ == "__main__":
    main()
