"""Bots that the product's search was measured against, and that lost: `bench/strength.py` knows them by name, nobody else does.

rollout  greedy's eight best moves, each played on for five turns by greedy bots, again and again with common luck; the best mean of what
         greedy thinks of it then is kept. Nothing is halved, turns are not looked at as a whole, nothing was learned.
uct      a tree of whole turns by the upper confidence bound. Turns and nature's draws are let in little by little, the more the oftener
         their place is visited (progressive widening); a new leaf is played on for some lines by greedy bots and then valued. Hidden hands
         are imagined, a tree for each of a few worlds. The tree is Python, what it calls is compiled.

former   greedy in Rolling Village as it was when its marks were set: 69.5 points alone. It does not see what parks may still count.

The first two stop after so many milliseconds: `rollout:ms=250`, `uct:ms=250`; what follows a comma is a setting: `uct:ms=250,ahead=0`.
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
from tablee.bots.search import LONGEST_TURN, PLAYOUTS_PER_CHECK
from tablee.core.contract import NATURE, NATURE_NEXT, OVER, POINT, POINTS, SHARE, VALUES, WHOLE_SHARE
from tablee.core.game import Game, Move, Observation
from tablee.core.jit import jit, popcount, specialize
from tablee.core.kernel import Kernel, Workspace
from tablee.core.loops import GREEDY_DETERMINIZED, MOVES, PROGRESS_SIZE, STEPS, lowest_seat, rollout
from tablee.core.rng import RNG_SIZE, next_number, next_word, randbelow
from tablee.core.struct import Array, StructArray, int_array, int_grid
from tablee.games.rolling_village.box import ROWS
from tablee.games.rolling_village.evaluation import current_round_points
from tablee.games.rolling_village.scoring import avenue_points, parks_that_count, score
from tablee.games.rolling_village.state import BUILDING

BEST_TURNS, TURNS = 8, 5
LINES_A_TURN = {"rolling-village": 7, "mayflower": 3, "amerique-1500": 10}  # about; a round of the Village is everybody's turn


@dataclass(frozen=True)
class RolloutBot:
    ms: float

    def __call__(self, game: Game, seen: Observation, luck: Array) -> Move:
        assert seen.seat is not None
        until, kernel, seat = time.perf_counter() + self.ms / 1000, game.kernel, seen.seat
        state = kernel.determinize(seen.state, seat, luck)
        moves = sorted(kernel.legal(state, seat), key=lambda move: kernel.value(kernel.apply(state, seat, move), seat), reverse=True)[
            :BEST_TURNS
        ]
        tries, sums, played = int_grid(len(moves), MOVES + LONGEST_TURN), int_grid(len(moves), VALUES), 0
        tries.array[:, STEPS], tries.array[:, MOVES] = 1, moves
        desk, levels, most = Workspace(kernel), kernel.level_array([GREEDY_DETERMINIZED] * seen.state.seats), TURNS * LINES_A_TURN[game.key]
        places = desk.states, StructArray(kernel.state, 2), desk.scratch, int(seat), tries, levels, luck, int_array(PROGRESS_SIZE), most
        while len(moves) > 1 and time.perf_counter() < until:
            written = desk.out, desk.weights, int_grid(2, MOVES + LONGEST_TURN), sums
            without_learned_value(kernel)(kernel.box, seen.state, *places, *written, played, PLAYOUTS_PER_CHECK)
            played += PLAYOUTS_PER_CHECK
        return Move(moves[max(range(len(moves)), key=lambda place: (sums[place, SHARE], sums[place, POINTS]))])


@cache
def without_learned_value(kernel: Kernel[Any, Any]) -> Any:
    """A room's playouts, with nothing to go by but what greedy goes by."""
    greedy = {"search_value": kernel.rules.value, "leaf_value": kernel.rules.value, "SECRETS": kernel.secrets}
    return specialize([rollout], vars(kernel.rules) | greedy, __name__)["rollout"]


@dataclass
class TreeNode:
    """A position in the tree: how often it was visited, what each seat got of it, and where one may go on to."""

    visits: int = 0
    total_reward: Any = 0.0
    turns: list[tuple[int, ...]] | None = None  # best first; nature's draws as they came
    children: dict[tuple[int, ...], TreeNode] = field(default_factory=dict)


@dataclass(frozen=True)
class UctBot:
    ms: float
    playout_lines: int = 15  # lines that a leaf is played on
    width: int = 12  # turns that may be let in
    exploration: float = 0.3
    determinizations: int = 4

    def __call__(self, game: Game, seen: Observation, luck: Array) -> Move:
        assert seen.seat is not None
        if len(moves := game.kernel.legal(seen.state, seen.seat)) == 1:
            return Move(moves[0])
        until, tree = time.perf_counter() + self.ms / 1000, SearchTree(self, game, seen, luck)
        while time.perf_counter() < until:
            tree.visit()
        return tree.best_move()


class SearchTree:
    def __init__(self, uct: UctBot, game: Game, seen: Observation, luck: Array) -> None:
        assert seen.seat is not None
        self.uct, self.kernel, self.rng, self.workspace = uct, game.kernel, luck, Workspace(game.kernel)
        worlds = uct.determinizations if game.kernel.secrets else 1
        self.roots = [(game.kernel.determinize(seen.state, seen.seat, luck), TreeNode()) for _ in range(worlds)]
        self.found, self.beam = int_grid(2 * uct.width, MOVES + LONGEST_TURN), StructArray(game.kernel.state, 2 * uct.width)
        self.leaf, self.rngs, self.progress = StructArray(game.kernel.state, 1), int_grid(1, RNG_SIZE), int_grid(1, PROGRESS_SIZE)
        self.levels, self.log = game.kernel.level_array([GREEDY_DETERMINIZED] * seen.state.seats), int_grid(1, uct.playout_lines)
        self.state, self.visited = self.leaf[0], 0

    def visit(self) -> None:
        """Down the tree to a new leaf, and what it is worth back up."""
        root, place = self.roots[self.visited % len(self.roots)]
        self.visited += 1
        self.leaf.array[0] = root.block[0]
        path = [place]
        while True:
            seats = self.kernel.to_act(self.state)
            if seats == OVER:
                break
            seat = NATURE if seats == NATURE_NEXT else lowest_seat(seats)
            turn = self.draw(place) if seat == NATURE else self.choose(place, seat)
            for move in turn:
                self.kernel.rules.apply(self.kernel.box, self.state, seat, move)
            place = place.children.setdefault(turn, TreeNode())
            path.append(place)
            if not place.visits:
                break
        got = self.playout()
        for place in path:
            place.visits, place.total_reward = place.visits + 1, place.total_reward + got

    def draw(self, place: TreeNode) -> tuple[int, ...]:
        """A new draw of nature's if it is time for one, else one of those that came before; both by weight."""
        odds = self.kernel.odds(self.state)
        if len(place.children) > math.sqrt(place.visits):
            odds = [(move, weight) for move, weight in odds if (move,) in place.children]
        left = next_number(self.rng) % sum(weight for _, weight in odds)
        for move, weight in odds:
            left -= weight
            if left < 0:
                return (move,)
        raise AssertionError

    def choose(self, place: TreeNode, seat: int) -> tuple[int, ...]:
        """By the upper confidence bound among the turns that were let in; a new one comes first."""
        if place.turns is None:
            place.turns = self.best_turns(seat)
        open_turns = place.turns[: 1 + int(math.sqrt(place.visits))]
        if len(place.children) < len(open_turns):
            return open_turns[len(place.children)]
        log = math.log(place.visits)
        return max(open_turns, key=lambda turn: self.bound(place.children[turn], seat, log))

    def bound(self, place: TreeNode, seat: int, log: float) -> float:
        return float(place.total_reward[seat]) / place.visits + self.uct.exploration * math.sqrt(log / place.visits)

    def best_turns(self, seat: int) -> list[tuple[int, ...]]:
        desk, kernel = self.workspace, self.kernel
        arguments = self.state, self.beam, desk.states[0], desk.scratch, seat, self.rng, desk.out, desk.weights, self.found
        rows = self.found.array[: kernel.loops.generate_turns(kernel.box, *arguments)]
        best = sorted(rows.tolist(), key=lambda row: (row[SHARE], row[POINTS]), reverse=True)
        return [tuple(row[MOVES : MOVES + row[STEPS]]) for row in best]

    def playout(self) -> Any:
        """What every seat gets: the share of the win, and what the room says points are worth besides."""
        desk, kernel, out = self.workspace, self.kernel, int_array(VALUES)
        if self.uct.playout_lines:
            self.progress.array[0] = 0
            self.rngs.array[0] = 0, 0, next_word(self.rng), next_word(self.rng)
            places = self.leaf, desk.states, desk.scratch, self.levels, int_grid(1, 0), self.rngs, self.progress, self.log
            kernel.loops.play_batch(kernel.box, *places, desk.out, desk.weights)
        got, is_over = np.zeros(self.state.seats), kernel.to_act(self.state) == OVER
        for seat in range(self.state.seats):
            (kernel.loops.evaluate if is_over else kernel.rules.leaf_value)(kernel.box, self.state, desk.scratch, seat, out)
            got[seat] = (out[SHARE] + kernel.per_point * out[POINTS] / POINT) / WHOLE_SHARE
        return got

    def best_move(self) -> Move:
        """The first move that was gone most often."""
        visits: Counter[int] = Counter()
        for _, root in self.roots:
            for turn, place in root.children.items():
                visits[turn[0]] += place.visits
        return Move(visits.most_common(1)[0][0])


@jit
def former_evaluation(box: Any, state: Any, seat: int) -> int:
    """In 3600ths of a point: what a sheet has, what this round brings as it stands, and what its avenues promise for the others."""
    marks, todo = state.marks[seat], state.todo[seat]
    worth = 3600 * score(box, state, seat) - 36 * popcount(todo & BUILDING)
    if todo:
        worth += 3600 * current_round_points(box, state, seat)
    if todo or state.turn < box.rounds:
        worth += 3600 * box.park_points * popcount(parks_that_count(marks))
    for row in range(ROWS):
        worth += 90 * box.ways[row] * avenue_points(box, marks, row) * (box.rounds - max(0, state.turn))
    return worth


def former_bot(game: Game, seen: Observation, luck: Array) -> Move:
    assert seen.seat is not None
    kernel, state, seat = game.kernel, seen.state, int(seen.seat)
    moves = kernel.legal(state, seat)
    worth = [former_evaluation(kernel.box, kernel.apply(state, seat, move), seat) for move in moves]
    best = [move for move, each in zip(moves, worth, strict=True) if each == max(worth)]
    return Move(best[randbelow(luck, len(best))])


def find(name: str) -> Bot | None:
    """A bot of this name, if it is one of these."""
    kind, _, settings = name.partition(":")
    if kind == "former":
        return former_bot
    if kind not in KINDS:
        return None
    given = dict(each.split("=") for each in settings.split(","))
    bot: Bot = KINDS[kind](**{key: float(value) if key in ("ms", "curious") else int(value) for key, value in given.items()})
    return bot


KINDS: dict[str, Any] = {"rollout": RolloutBot, "uct": UctBot}
