"""Training of Rolling Village's `learned_value.json` by fitted value iteration, from the last round back to the first.

Sheets come from games of the learned value itself, most of them with noise, and from alternatives to their turns. The target of a sheet
with n rounds left is the mean over all rolls of the best turn by the weights for n - 1 rounds; the network for n is fitted to these.
There are no playouts, hence hardly any noise. Each iteration plays three times as many games with the weights of the previous one, because
the value must be right where a search by it looks. Games and sheets are distributed as the games of `tablee simulate`; a GPU evaluates
sheets much faster.

    python -m training.rolling_village_value [--games 45000] [--times 3] [--seed 1] [--jobs J] [--cluster ADDRESS] [--gpu] [--out FOLDER]
"""

from __future__ import annotations

from tablee.cli.executor_options import open_executor
from tablee.games.rolling_village.loading import WEIGHTS_FILE
from training.rolling_village_learner import GAME, Learner
from training.weights_file import provenance, training_parser, write_weights

GAMES_GROWTH = 3  # times as many games as in the previous iteration


def main() -> None:
    parser = training_parser(__doc__, GAME)
    parser.add_argument("--games", type=int, default=45_000, help="of the last time")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--gpu", action="store_true")
    chosen = parser.parse_args()
    command = f"rolling_village_value --games {chosen.games} --times {chosen.times} --seed {chosen.seed}{' --gpu' * chosen.gpu}"
    with open_executor(chosen) as executor:
        learner = Learner(chosen.seed, executor, chosen.gpu)
        for iteration in range(chosen.times):
            sheets = learner.sheets(max(1, chosen.games // GAMES_GROWTH ** (chosen.times - 1 - iteration)), iteration)
            for left in range(1, learner.rounds + 1):
                learner.learn(sheets[left], left)
            write_weights(chosen.out / WEIGHTS_FILE.name, provenance(command), learner.weights[1:])


if __name__ == "__main__":
    main()
