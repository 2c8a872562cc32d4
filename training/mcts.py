"""Monte Carlo tree search on `Vector`: many simulations at once, one in each game of a fork.

python -m training.mcts rolling-village --games 5

The search is open-loop: a node is a sequence of actions, and every simulation has its own luck and, where hands are hidden, its own
sample of them (`fork(..., seed=...)`). Each seat chooses by its own results (max^n) and UCB1; after the first new node a simulation goes
on at random.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from tablee.research.vector import Vector

EXPLORATION = 1.0  # of UCB1, in units of the spread of the results at the node


class Node:
    """Results by action of the seat that acts after a sequence of actions."""

    def __init__(self, actions: int) -> None:
        self.visits, self.sums, self.squares = np.zeros(actions), np.zeros(actions), np.zeros(actions)

    def select(self, mask: Any) -> int:
        """Return the legal action of the highest upper bound; untried ones come first."""
        visits = np.maximum(self.visits, 1e-9)
        mean, total = self.sums / visits, max(2.0, self.visits[mask > 0].sum())
        spread = max(1e-3, np.sqrt(max(0.0, self.squares.sum() / total - (self.sums.sum() / total) ** 2)))
        bound = np.where(self.visits > 0, mean + EXPLORATION * spread * np.sqrt(np.log(total) / visits), np.inf)
        return int(np.where(mask > 0, bound, -np.inf).argmax())

    def add(self, action: int, result: float) -> None:
        self.visits[action] += 1
        self.sums[action] += result
        self.squares[action] += result**2


def search(vector: Vector, row: int, rounds: int = 8, lanes: int = 64, seed: int = 0) -> Node:
    """Return the root after rounds x lanes simulations from game `row`; `visits.argmax()` is the action to play."""
    tree: dict[tuple[int, ...], Node] = {(): Node(vector.actions)}
    for number in range(rounds):
        simulate(tree, vector.fork(row, lanes, seed=seed * rounds + number))
    return tree[()]


def simulate(tree: dict[tuple[int, ...], Node], lanes: Vector) -> None:
    """Play every game of a fork to its end, and back its result up."""
    keys: list[tuple[int, ...]] = [()] * lanes.games
    paths: list[list[tuple[Node, int, int]]] = [[] for _ in keys]
    results, running = np.zeros((lanes.games, lanes.seats)), np.ones(lanes.games, bool)
    inside = running.copy()
    while running.any():
        actions = lanes.sample().copy()
        for game in np.flatnonzero(inside & running):
            node = tree.get(keys[game])
            if node is None:
                inside[game] = len(paths[game]) == 0
                node = tree[keys[game]] = Node(lanes.actions)
            actions[game] = node.select(lanes.masks[game])
            node.visits[actions[game]] += 1  # a virtual visit, so that the other lanes try something else
            paths[game].append((node, int(actions[game]), int(lanes.infos["seat"][game])))
            keys[game] = *keys[game], int(actions[game])
        _, rewards, terminated, truncated, _ = lanes.step(actions)
        results[running] += rewards[running]
        running &= ~(terminated | truncated)
    for path, result in zip(paths, results, strict=True):
        for node, action, seat in path:
            node.visits[action] -= 1
            node.add(action, result[seat])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    vector = Vector(options.game, options.seats)
    for game in range(options.games):
        vector.reset([options.seed + game])
        over = False
        while not over:
            over = bool(vector.step([search(vector, 0, options.rounds).visits.argmax()])[2][0])
        print(*vector.scores[0])


if __name__ == "__main__":
    main()
