"""Balance of Amérique 1500 by self-play: win shares by society and turn order, and the course of the games.

Bots play every seating from every first seat, in the kernel.

    python bench/balance.py [--games N] [--version quick|full] [--coop] [--seats N] [--level greedy|random] [--seed N]
                            [--components FILE] [--json]

A shared win counts as a fraction. Intervals are 95 %. `seat 1` is the first player, `seat 2` the next in turn, and so on.
explore   the share of players who chose Explore at least once in their game
taps      of the active player in a turn, as the page counts them: one for the action, one for each card, partner, item, request and good
          chosen, in a barter one for each good given and taken, and one Confirm
pieces    the share of games in which the cubes and the six multiplier cards of a real box suffice at every position (multipliers.py, A20)
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from tablee import bots, games
from tablee.arena.plan_runner import CHUNK_SIZE
from tablee.arena.tally import interval_of_share, shares_of
from tablee.core import fairness
from tablee.core.batch import INITIAL_BLOCKS, Batch
from tablee.core.errors import TableeError
from tablee.core.game import Game, choose_options
from tablee.core.loops import SEAT_SHIFT
from tablee.games.amerique_1500.box import MAX_SEATS, SOCIETIES
from tablee.games.amerique_1500.multipliers import CUBES, suffices
from tablee.games.amerique_1500.notation import ACTIONS, DEMAND, DONE, EXPLORE, LOTS, PAIR, PLAY_TO, ROLLS, SERVE, SWAP

GAME = "amerique-1500"
MOVE = (1 << SEAT_SHIFT) - 1
NOBODY = -2
CONFIRM = 1
CUBES_OF_A_KIND = np.array(list(CUBES.values()))
TAPS = np.ones(LOTS, np.int64)  # by move
TAPS[SWAP:PAIR], TAPS[PAIR:SERVE], TAPS[PLAY_TO:DONE], TAPS[DONE] = 2, 3, 2, 0


@dataclass
class BalanceTally:
    """Running totals over all games."""

    seats: int
    played: int = 0
    won: int = 0
    shared: int = 0
    explored: int = 0  # players who chose Explore
    laid_out: int = 0  # games for which a real box has enough pieces
    society: dict[str, float] = field(default_factory=lambda: dict.fromkeys(SOCIETIES, 0.0))
    wins_by_turn_order: list[float] = field(default_factory=lambda: [0.0] * MAX_SEATS)
    rounds: Counter[int] = field(default_factory=Counter)
    taps: Counter[int] = field(default_factory=Counter)

    def add(self, batch: Batch, start: Any, order: tuple[str, ...], first: int) -> None:
        winners = batch.results()[1]
        for seat, share in enumerate(shares_of(winners, self.seats).sum(axis=0)):
            self.society[order[seat]] += share
            self.wins_by_turn_order[(seat - first) % self.seats] += share
        self.played += len(batch.seeds)
        self.shared, self.won = self.shared + int((winners & (winners - 1) != 0).sum()), self.won + int((winners != 0).sum())
        self.rounds.update((-(-batch.states.array["turns"] // self.seats)).tolist())
        for number in range(len(batch.seeds)):
            log = batch.logs.array[number, : batch.lines[number]]
            self.add_moves((log >> SEAT_SHIFT) - 1, log & MOVE)
            self.add_pieces(batch.game, start, log)

    def add_moves(self, seats: Any, moves: Any) -> None:
        """Count the players who explored and the taps of each turn."""
        self.explored += len(np.unique(seats[moves == EXPLORE]))
        rolls = (moves > ROLLS) & (moves < DEMAND)
        turn, chosen = np.cumsum(rolls), np.flatnonzero(moves < len(ACTIONS))
        active = np.full(turn[-1] + 1, NOBODY)  # by turn: the seat that chose the action
        active[turn[chosen]] = seats[chosen]
        own = (seats == active[turn]) & (moves < LOTS)
        taps = np.bincount(turn[own], TAPS[moves[own]], len(active))[turn[chosen]]
        self.taps.update((taps.astype(int) + CONFIRM).tolist())

    def add_pieces(self, game: Game, start: Any, log: Any) -> None:
        """Check whether a real box has enough pieces for the goods after each line."""
        state, apply, box = start.copy(), game.kernel.rules.apply, game.kernel.box
        owned, lying = state.block["goods"][0], state.block["spare"][0]
        history, spare = np.zeros((len(log), *owned.shape), np.int64), np.zeros((len(log), *lying.shape), np.int64)
        for number, line in enumerate(log.tolist()):
            apply(box, state, (line >> SEAT_SHIFT) - 1, line & MOVE)
            history[number], spare[number] = owned, lying
        short = np.flatnonzero((history.sum(axis=1) + spare > CUBES_OF_A_KIND).any(axis=1))
        self.laid_out += all(suffices(history[number].tolist(), spare[number].tolist()) for number in short)


def rate(wins: float, count: int) -> dict[str, float]:
    """Return a share of games with its 95 % interval, in per cent; a shared win counts as a fraction."""
    low, high = interval_of_share(wins / count, count)
    return {"percent": round(100 * wins / count, 2), "low": round(100 * low, 2), "high": round(100 * high, 2)}


def seatings(seats: int) -> list[tuple[str, ...]]:
    """Return every choice and order of societies; the ones not seated come last, as the option requires."""
    return [(*order, *(other for other in SOCIETIES if other not in order)) for order in permutations(SOCIETIES, seats)]


def balance(box: Path | None, count: int, seats: int, options: dict[str, Any], seed: int, level: str = "greedy") -> dict[str, Any]:
    """Play at least `count` games, equally many from each seating and first seat, and return the figures."""
    game, orders, blocks = games.find(GAME, box), seatings(seats), INITIAL_BLOCKS
    each, found, levels = math.ceil(count / (len(orders) * seats)), BalanceTally(seats), [bots.KERNEL_LEVELS[level].number] * seats
    for number, order in enumerate(orders):
        for first in range(seats):
            start = game.setup(seats, choose_options(game, seats, {**options, "societies": "-".join(order), "first": first}))
            seeds = [fairness.seed_for(seed * 1000 + number * MAX_SEATS + first, each_game) for each_game in range(1, each + 1)]
            for begin in range(0, each, CHUNK_SIZE):
                batch = Batch(game, start, seeds[begin : begin + CHUNK_SIZE], keep_logs=True, blocks=blocks)
                batch.play(levels)
                blocks = max(blocks, batch.blocks_used)
                found.add(batch, start, order, first)
    return {"level": level, "seats": seats, **options, **tally(found, bool(options["cooperative"]))}


def tally(found: BalanceTally, cooperative: bool) -> dict[str, Any]:
    played, seats = found.played, found.seats
    figures = {
        "games": played,
        "rounds": spread(found.rounds, 5, 50, 95),
        "explore": rate(found.explored, played * seats),
        "taps": {**spread(found.taps, 50, 90, 99), "most": max(found.taps)},
        "pieces": rate(found.laid_out, played),
    }
    if cooperative:
        return {**figures, "team wins": rate(found.won, played)}
    return {
        **figures,
        "societies": {name: rate(wins, played * seats // MAX_SEATS) for name, wins in found.society.items()},
        "turn order": [rate(wins, played) for wins in found.wins_by_turn_order[:seats]],
        "shared wins": rate(found.shared, played),
    }


def spread(counts: Counter[int], *shares: int) -> dict[str, float]:
    """Return the mean and these percentiles."""
    values = sorted(counts.elements())
    quantiles = {f"{share} %": float(values[len(values) * share // 100]) for share in shares}
    return {"mean": round(sum(values) / len(values), 2), **quantiles}


def rate_text(value: dict[str, float]) -> str:
    return f"{value['percent']:5.1f} %   ({value['low']:.1f} to {value['high']:.1f})"


def report(found: dict[str, Any], seconds: float) -> None:
    kind = "co-operative" if found["cooperative"] else "each for themselves"
    print(f"{found['games']} {found['game']} games of {found['seats']} {found['level']} bots, {kind}, in {seconds:.0f} s")
    rounds, taps = found["rounds"], found["taps"]
    print(f"  rounds        {rounds['mean']:5.2f}     (5 % to 95 %: {rounds['5 %']:.0f} to {rounds['95 %']:.0f})")
    print(f"  taps a turn   {taps['mean']:5.2f}     (90 %: {taps['90 %']:.0f}, 99 %: {taps['99 %']:.0f}, most {taps['most']})")
    print(f"  explore       {rate_text(found['explore'])}")
    print(f"  pieces        {rate_text(found['pieces'])}")
    if found["cooperative"]:
        print(f"  team wins     {rate_text(found['team wins'])}")
        return
    for name, value in found["societies"].items():
        print(f"  {name:<13} {rate_text(value)}")
    for number, value in enumerate(found["turn order"], start=1):
        print(f"  seat {number}        {rate_text(value)}")
    print(f"  shared wins   {rate_text(found['shared wins'])}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Balance of Amérique 1500 by self-play of bots.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--version", choices=("quick", "full"), default="quick")
    parser.add_argument("--coop", action="store_true", help="the co-operative variant")
    parser.add_argument("--seats", type=int, choices=range(2, MAX_SEATS + 1), default=MAX_SEATS)
    parser.add_argument("--level", choices=tuple(bots.KERNEL_LEVELS), default="greedy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--components", type=Path, help="another box")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    return parser.parse_args()


def main() -> int:
    given, begun = arguments(), time.perf_counter()
    try:
        options = {"game": given.version, "cooperative": given.coop}
        found = balance(given.components, max(1, given.games), given.seats, options, given.seed, given.level)
    except TableeError as error:
        print(error, file=sys.stderr)
        return 2
    if given.json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        report(found, time.perf_counter() - begun)
    return 0


if __name__ == "__main__":
    sys.exit(main())
