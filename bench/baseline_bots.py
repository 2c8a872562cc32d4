"""Baseline bots that lost against the product's search; only `bench/strength.py` uses them.

rollout  flat Monte Carlo: greedy's eight best moves, each followed by playouts of greedy bots over five turns with common random numbers;
         plays the best mean of greedy's evaluation. No sequential halving, no whole turns, no learned value.
uct      Monte Carlo tree search (UCT) over whole turns, with chance nodes and progressive widening. A new leaf is played out for some lines
         by greedy bots and then evaluated. Hidden information is determinized, with a tree for each of a few determinizations. The tree is
         Python, its functions are compiled.
former   an earlier greedy of Rolling Village: 69.5 points on average alone. It ignores the points that parks may still bring.

The first two have a time budget: `rollout:ms=250`, `uct:ms=250`; further settings follow a comma: `uct:ms=250,playout_lines=0`.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from tablee.bots import Bot
from tablee.bots.search import ROLLOUTS_PER_CHECK
from tablee.core import loops
from tablee.core.contract import NATURE, NATURE_NEXT, OVER, POINT, POINTS, SHARE, VALUES, WHOLE_SHARE
from tablee.core.game import Game, Move, Observation
from tablee.core.jit import copy, jit, popcount, specialize
from tablee.core.kernel import Kernel
from tablee.core.loops import GREEDY_DETERMINIZED, lowest_seat
from tablee.core.rng import Rng, next_number, next_word, randbelow
from tablee.core.struct import StructArray, int_array, int_grid
from tablee.core.workspace import CandidateTurn, Progress, turn_of
from tablee.games.rolling_village.box import ROWS
from tablee.games.rolling_village.evaluation import current_round_points
from tablee.games.rolling_village.scoring import avenue_points, parks_that_count, score
from tablee.games.rolling_village.state import BUILDING

BEST_TURNS, TURNS = 8, 5
LINES_A_TURN = {"rolling-village": 7, "mayflower": 3, "amerique-1500": 10}  # roughly; in Rolling Village a round is a turn of every seat


@dataclass(frozen=True)
class RolloutBot:
    ms: float

    def __call__(self, game: Game, seen: Observation, rng: Rng) -> Move:
        assert seen.seat is not None
        until, kernel, seat = time.perf_counter() + self.ms / 1000, game.kernel, seen.seat
        state = kernel.determinize(seen.state, seat, rng)
        moves = sorted(kernel.legal(state, seat), key=lambda move: kernel.value(kernel.apply(state, seat, move), seat), reverse=True)[
            :BEST_TURNS
        ]
        turns, played, longest = StructArray(CandidateTurn, len(moves)), 0, TURNS * LINES_A_TURN[game.key]
        for place, move in enumerate(moves):
            copy(turn_of([move]), turns[place])
        levels, key = [GREEDY_DETERMINIZED] * seen.state.seats, (rng.key_one, rng.key_two)
        rollouts, workspace = kernel.rollouts(levels, longest, key, kernel.beam(1)), kernel.workspace()
        while len(moves) > 1 and time.perf_counter() < until:
            numbers = played, played + ROLLOUTS_PER_CHECK
            without_learned_value(kernel)(kernel.box, seen.state, int(seat), workspace, rollouts, turns, *numbers)
            played += ROLLOUTS_PER_CHECK
        return Move(moves[max(range(len(moves)), key=lambda place: (turns[place].share_sum, turns[place].points_sum))])


@cache
def without_learned_value(kernel: Kernel[Any, Any]) -> Any:
    """Return a room's rollout loop with greedy's evaluation in place of the learned values."""
    greedy = {"search_value": kernel.rules.value, "leaf_value": kernel.rules.value, "SECRETS": kernel.secrets}
    return specialize(loops, f"{kernel.package}.core_greedy_loops", vars(kernel.rules) | greedy).rollout


@dataclass
class TreeNode:
    """Node of the tree: visits, total reward by seat, and children by turn."""

    visits: int = 0
    total_reward: Any = 0.0
    turns: list[tuple[int, ...]] | None = None  # best first
    children: dict[tuple[int, ...], TreeNode] = field(default_factory=dict)


@dataclass(frozen=True)
class UctBot:
    ms: float
    playout_lines: int = 15  # log lines of a leaf's playout
    width: int = 12  # turns of a node at most
    exploration: float = 0.3
    determinizations: int = 4

    def __call__(self, game: Game, seen: Observation, rng: Rng) -> Move:
        assert seen.seat is not None
        if len(moves := game.kernel.legal(seen.state, seen.seat)) == 1:
            return Move(moves[0])
        until, tree = time.perf_counter() + self.ms / 1000, SearchTree(self, game, seen, rng)
        while time.perf_counter() < until:
            tree.visit()
        return tree.best_move()


class SearchTree:
    def __init__(self, uct: UctBot, game: Game, seen: Observation, rng: Rng) -> None:
        assert seen.seat is not None
        self.uct, self.kernel, self.rng, self.workspace = uct, game.kernel, rng, game.kernel.workspace()
        count = uct.determinizations if game.kernel.secrets else 1
        self.roots = [(game.kernel.determinize(seen.state, seen.seat, rng), TreeNode()) for _ in range(count)]
        self.beam, self.leaf = game.kernel.beam(uct.width), StructArray(game.kernel.state, 1)
        self.rngs, self.progress = StructArray(Rng, 1), StructArray(Progress, 1)
        self.levels, self.log = game.kernel.level_array([GREEDY_DETERMINIZED] * seen.state.seats), int_grid(1, uct.playout_lines)
        self.state, self.visited = self.leaf[0], 0

    def visit(self) -> None:
        """Descend to a new leaf, evaluate it and back up the rewards."""
        root, node = self.roots[self.visited % len(self.roots)]
        self.visited += 1
        self.leaf.array[0] = root.block[0]
        path = [node]
        while True:
            seats = self.kernel.to_act(self.state)
            if seats == OVER:
                break
            seat = NATURE if seats == NATURE_NEXT else lowest_seat(seats)
            turn = self.draw(node) if seat == NATURE else self.choose(node, seat)
            for move in turn:
                self.kernel.rules.apply(self.kernel.box, self.state, seat, move)
            node = node.children.setdefault(turn, TreeNode())
            path.append(node)
            if not node.visits:
                break
        rewards = self.playout()
        for node in path:
            node.visits, node.total_reward = node.visits + 1, node.total_reward + rewards

    def draw(self, node: TreeNode) -> tuple[int, ...]:
        """Sample nature's move by weight: any while the node may widen, else one of its children."""
        odds = self.kernel.odds(self.state)
        if len(node.children) > math.sqrt(node.visits):
            odds = [(move, weight) for move, weight in odds if (move,) in node.children]
        left = next_number(self.rng) % sum(weight for _, weight in odds)
        for move, weight in odds:
            left -= weight
            if left < 0:
                return (move,)
        raise AssertionError

    def choose(self, node: TreeNode, seat: int) -> tuple[int, ...]:
        """Return an untried turn if the node may widen, else the turn with the highest upper confidence bound."""
        if node.turns is None:
            node.turns = self.best_turns(seat)
        open_turns = node.turns[: 1 + int(math.sqrt(node.visits))]
        if len(node.children) < len(open_turns):
            return open_turns[len(node.children)]
        log = math.log(node.visits)
        return max(open_turns, key=lambda turn: self.bound(node.children[turn], seat, log))

    def bound(self, node: TreeNode, seat: int, log: float) -> float:
        return float(node.total_reward[seat]) / node.visits + self.uct.exploration * math.sqrt(log / node.visits)

    def best_turns(self, seat: int) -> list[tuple[int, ...]]:
        turns = self.kernel.turns(self.state, seat, self.workspace, self.rng, self.beam)
        best = sorted(turns, key=lambda turn: (turn.share, turn.points), reverse=True)
        return [tuple(turn.moves[: turn.steps]) for turn in best]

    def playout(self) -> Any:
        """Play out the leaf and return the reward of every seat: its share of the win plus the room's weight for points."""
        workspace, kernel, out = self.workspace, self.kernel, int_array(VALUES)
        if self.uct.playout_lines:
            self.progress.array[0] = 0
            self.rngs.array[0] = 0, 0, next_word(self.rng), next_word(self.rng)
            places = self.levels, workspace, self.rngs, self.progress, int_grid(1, 0), self.log
            kernel.loops.play_batch(kernel.box, self.leaf, *places)
        rewards, is_over = np.zeros(self.state.seats), kernel.to_act(self.state) == OVER
        for seat in range(self.state.seats):
            (kernel.loops.evaluate if is_over else kernel.rules.leaf_value)(kernel.box, self.state, workspace.scratch, seat, out)
            rewards[seat] = (out[SHARE] + kernel.share_per_point * out[POINTS] / POINT) / WHOLE_SHARE
        return rewards

    def best_move(self) -> Move:
        """Return the first move with the most visits, over all determinizations."""
        visits: Counter[int] = Counter()
        for _, root in self.roots:
            for turn, node in root.children.items():
                visits[turn[0]] += node.visits
        return Move(visits.most_common(1)[0][0])


@jit
def former_evaluation(box: Any, state: Any, seat: int) -> int:
    """Evaluate a sheet in 3600ths of a point: its score, this round's points so far, and the expected points of its avenues."""
    marks, todo = state.marks[seat], state.todo[seat]
    value = 3600 * score(box, state, seat) - 36 * popcount(todo & BUILDING)
    if todo:
        value += 3600 * current_round_points(box, state, seat)
    if todo or state.turn < box.rounds:
        value += 3600 * box.park_points * popcount(parks_that_count(marks))
    for row in range(ROWS):
        value += 90 * box.rolls_by_row[row] * avenue_points(box, marks, row) * (box.rounds - max(0, state.turn))
    return value


def former_bot(game: Game, seen: Observation, rng: Rng) -> Move:
    assert seen.seat is not None
    kernel, state, seat = game.kernel, seen.state, int(seen.seat)
    moves = kernel.legal(state, seat)
    values = [former_evaluation(kernel.box, kernel.apply(state, seat, move), seat) for move in moves]
    best = [move for move, each in zip(moves, values, strict=True) if each == max(values)]
    return Move(best[randbelow(rng, len(best))])


def find(name: str) -> Bot | None:
    """Return the baseline bot of this name, None if there is none."""
    kind, _, settings = name.partition(":")
    if kind == "former":
        return former_bot
    if kind not in KINDS:
        return None
    given = dict(each.split("=") for each in settings.split(","))
    bot: Bot = KINDS[kind](**{key: float(value) if key in ("ms", "exploration") else int(value) for key, value in given.items()})
    return bot


KINDS: dict[str, Any] = {"rollout": RolloutBot, "uct": UctBot}
