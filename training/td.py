"""TD(λ) on afterstates in NumPy: learns the value of the position after a move, by self-play on one core.

python -m training.td mayflower --seconds 600 --seed 1 --out td-mayflower-1.npz
python -m training.td mayflower --play td-mayflower-1.npz --games 1000

The value of an afterstate is the expected final result of the seat that moved: its points alone, its lead over the best other seat in
Mayflower, or the win. A network with one hidden layer and a linear part predicts what the result adds to the present lead; the agent
plays the candidate with the highest value. `Vector(..., candidates=N)` gives the features.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, NamedTuple

import numpy as np

from tablee.arena.tally import interval_of_share
from tablee.research.vector import Vector

GAMES, STEPS, LISTED, WIDTH, BATCH = 256, 48, 128, 64, 1024
LAMBDA, EXPLORE, RATE, LAST_RATE, CLIP = 0.7, 0.03, 2e-3, 5e-5, 5.0
SETTINGS = {"rolling-village": (1, "points", 20.0), "mayflower": (2, "points", 40.0), "amerique-1500": (2, "win", 1.0)}


class Net:
    """y = x·skip + ReLU(x·first + bias)·second, of standardised inputs; `x` are the features, and the features times what is left."""

    def __init__(self, size: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.mean, self.scale = np.zeros(size, np.float32), np.ones(size, np.float32)
        first = rng.standard_normal((size, WIDTH)) * (2 / size) ** 0.5
        self.parts = [first, np.zeros(WIDTH), rng.standard_normal(WIDTH) * 0.01, np.zeros(size)]
        self.parts = [part.astype(np.float32) for part in self.parts]
        self._means, self._squares, self._steps = [0 * part for part in self.parts], [0 * part for part in self.parts], 0

    def inputs(self, features: Any) -> Any:
        x = features.astype(np.float32)
        x = np.concatenate([x, x * (x[:, :1] / 100)], 1)
        return ((x - self.mean) * self.scale).clip(-CLIP, CLIP)

    def fit_scale(self, features: Any) -> None:
        """Standardise the inputs by a sample of features."""
        x = features.astype(np.float32)
        x = np.concatenate([x, x * (x[:, :1] / 100)], 1)
        self.mean, self.scale = x.mean(0), 1 / np.maximum(x.std(0), 0.05)

    def forward(self, x: Any) -> Any:
        first, bias, second, skip = self.parts
        return np.maximum(x @ first + bias, 0) @ second + x @ skip

    def learn(self, x: Any, targets: Any, rate: float) -> float:
        """Make one step of Adam on the Huber loss and return the mean squared error."""
        first, bias, second, _ = self.parts
        hidden = np.maximum(x @ first + bias, 0)
        error = self.forward(x) - targets
        down = error.clip(-1, 1) / len(x)
        below = np.outer(down, second) * (hidden > 0)
        self._steps += 1
        for number, gradient in enumerate((x.T @ below, below.sum(0), hidden.T @ down, x.T @ down)):
            self._means[number] += 0.1 * (gradient - self._means[number])
            self._squares[number] += 0.001 * (gradient**2 - self._squares[number])
            mean, square = self._means[number] / (1 - 0.9**self._steps), self._squares[number] / (1 - 0.999**self._steps)
            self.parts[number] -= rate * mean / (np.sqrt(square) + 1e-8)
        return float((error**2).mean())

    def save(self, file: str) -> None:
        np.savez(file, *self.parts, mean=self.mean, scale=self.scale)

    @classmethod
    def load(cls, file: str) -> Net:
        saved = np.load(file)
        net = cls(len(saved["mean"]), 0)
        net.parts, net.mean, net.scale = [saved[f"arr_{number}"] for number in range(4)], saved["mean"], saved["scale"]
        return net


class Choice(NamedTuple):
    """What was chosen in every game: the candidate, its inputs, and its value in the unit of the targets."""

    actions: Any
    inputs: Any
    values: Any


class Agent:
    """Chooses the candidate of the highest value."""

    def __init__(self, net: Net, key: str) -> None:
        self.net, (self.seats, self.goal, self.unit) = net, SETTINGS[key]

    def choose(self, vector: Vector, explore: float, rng: Any) -> Choice:
        games, listed = np.nonzero(vector.masks)
        features = vector.candidates.features[games, listed]
        inputs = self.net.inputs(features)
        values = self.net.forward(inputs) + self.lead(vector, features) / self.unit
        starts = np.searchsorted(games, np.arange(vector.games))
        best = np.maximum.reduceat(values, starts)
        counts = np.diff(np.append(starts, len(games)))
        rows = starts + np.array([part.argmax() for part in np.split(values, starts[1:])])
        at_random = rng.random(vector.games) < explore
        rows = np.where(at_random, starts + (rng.random(vector.games) * counts).astype(int), rows)
        return Choice(listed[rows], inputs[rows], np.where(at_random, values[rows], best))

    def lead(self, vector: Vector, features: Any) -> Any:
        """Return the present lead in each of these rows, or 0 if only the win counts."""
        return leads(vector.spaces.features(features)["points"][..., 0].astype(np.float32))[:, 0] if self.goal == "points" else 0.0


def leads(points: Any) -> Any:
    """Return each seat's lead over the best other seat, from points of shape (rows, seats); alone, the points."""
    if points.shape[1] == 1:
        return points
    others = [np.delete(points, seat, 1).max(1) for seat in range(points.shape[1])]
    return points - np.stack(others, 1)


def train(key: str, seconds: float, seed: int, say: Any = print) -> Net:
    """Train by self-play for this much processor time."""
    seats, goal, unit = SETTINGS[key]
    rng, vector = np.random.default_rng(seed), Vector(key, seats, GAMES, candidates=LISTED, threads=1)
    vector.reset(seed)
    sample = []
    for _ in range(200):
        vector.step(vector.sample())
        sample.append(vector.candidates.features[np.arange(GAMES), 0].copy())
    agent = Agent(Net(2 * vector.spaces.feature_size, seed), key)
    agent.net.fit_scale(np.concatenate(sample))
    begun, games, error, told = time.process_time(), 0, 0.0, 0.0
    while (done := (time.process_time() - begun) / seconds) < 1:
        chosen, seen, ends, results = [], [], [], []
        for _ in range(STEPS):
            seen.append(vector.infos["seat"].copy())
            chosen.append(agent.choose(vector, EXPLORE * (1 - done), rng))
            _, rewards, over, _, _ = vector.step(chosen[-1].actions)
            ends.append(over.copy())
            results.append((leads(vector.scores.astype(np.float32)) if goal == "points" else rewards.copy()) / unit)
            games += int(over.sum())
        inputs, values, targets = lambda_returns(chosen, seen, ends, results, agent)
        # The network predicts what the result adds to the lead that the values contain.
        targets = targets - (values - agent.net.forward(inputs))
        for batch in np.array_split(rng.permutation(len(inputs)), max(1, len(inputs) // BATCH)):
            error = agent.net.learn(inputs[batch], targets[batch], RATE + done * (LAST_RATE - RATE))
        if time.process_time() - begun > told:
            told += seconds / 10
            say(f"{time.process_time() - begun:.0f} s, {games} games, error {error:.3f}", flush=True)
    return agent.net


def lambda_returns(chosen: list[Choice], seen: list[Any], ends: list[Any], results: list[Any], agent: Agent) -> tuple[Any, Any, Any]:
    """Return inputs, values and λ-returns of every afterstate that the same seat's next one, or the end, follows in these steps."""
    rows, known = np.arange(GAMES), np.zeros((GAMES, agent.seats), bool)
    value, ahead = (np.zeros((GAMES, agent.seats), np.float32) for _ in range(2))
    found: list[tuple[Any, Any, Any]] = []
    for choice, seat, over, result in zip(*(reversed(each) for each in (chosen, seen, ends, results)), strict=True):
        value[over], ahead[over], known[over] = result[over], result[over], True
        target, usable = (1 - LAMBDA) * value[rows, seat] + LAMBDA * ahead[rows, seat], known[rows, seat]
        found.append((choice.inputs[usable], choice.values[usable], target[usable]))
        value[rows, seat], known[rows, seat] = choice.values, True
        ahead[rows, seat] = np.where(usable, target, choice.values)
    inputs, values, targets = (np.concatenate(each) for each in zip(*found, strict=True))
    return inputs, values, targets


def play(net: Net, key: str, games: int, seed: int, opponent: str = "greedy") -> tuple[Any, Any]:
    """Return the scores of first games and the agent's rewards, by game: every deal from each chair, or alone."""
    agent, rng, scores, rewards = Agent(net, key), np.random.default_rng(0), [], []
    for seat in range(agent.seats):
        opponents = [None if each == seat else opponent for each in range(agent.seats)]
        vector = Vector(key, agent.seats, games // agent.seats, candidates=LISTED, threads=1, opponents=opponents, reward="win")
        vector.reset(seed)
        first, won, over = np.zeros((vector.games, agent.seats)), np.zeros(vector.games), np.zeros(vector.games, bool)
        while not over.all():
            _, reward, ended, _, _ = vector.step(agent.choose(vector, 0.0, rng).actions)
            fresh = ended & ~over
            first[fresh], won[fresh] = vector.scores[fresh], reward[fresh, seat]
            over |= ended
        scores.append(np.roll(first, -seat, 1))
        rewards.append(won)
    return np.concatenate(scores), np.concatenate(rewards)


def report(net: Net, key: str, games: int, seed: int) -> str:
    scores, rewards = play(net, key, games, seed)
    half = 1.96 * scores[:, 0].std() / len(scores) ** 0.5
    points = f"{scores[:, 0].mean():.2f} ± {half:.2f} points in {len(scores)} games"
    if scores.shape[1] == 1:
        return points
    share = (rewards + 1) / 2
    low, high = interval_of_share(float(share.mean()), len(share))
    return f"{100 * share.mean():.1f} % ({100 * low:.1f} to {100 * high:.1f}) against greedy, {points}, greedy {scores[:, 1].mean():.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=SETTINGS)
    parser.add_argument("--seconds", type=float, default=600, help="processor time to train for")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=1000, help="to evaluate with")
    parser.add_argument("--out", help="file for the weights")
    parser.add_argument("--play", help="evaluate these weights instead of training")
    options = parser.parse_args()
    net = Net.load(options.play) if options.play else train(options.game, options.seconds, options.seed)
    if options.out:
        net.save(options.out)
    print(report(net, options.game, options.games, 1_000_000))


if __name__ == "__main__":
    main()
