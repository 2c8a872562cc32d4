"""Strength of one bot against another, in games with common seeds and exchanged seats, and the CPU time of their moves.

`rollout:ms=N`, `uct:ms=N` and `former` are baselines (`bench/baseline_bots.py`); `hint:nodes=N` follows the coach's hints, with N nodes in
place of the second of `hard`.

    python -m bench.strength GAME FIRST SECOND [--games 200] [--seats 2] [--seed 1] [--option KEY=VALUE]... [--minutes M]

FIRST holds one seat, SECOND all others; with --seats 1 only FIRST plays, and its mean score is printed.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field

import numpy as np

from bench import baseline_bots
from tablee import bots, games
from tablee.arena.tally import interval_of_mean, interval_of_share
from tablee.bots import coach
from tablee.bots.search import Search, compare_with_best
from tablee.core import fairness
from tablee.core.game import Game, Move, Observation
from tablee.core.match import Match
from tablee.core.rng import Rng


@dataclass
class TimedBot:
    """Bot with its CPU time."""

    bot: bots.Bot
    seconds: float = 0
    moves: int = field(default=0)

    def __call__(self, game: Game, seen: Observation, rng: Rng) -> Move:
        began = time.process_time()
        move = self.bot(game, seen, rng)
        self.seconds, self.moves = self.seconds + time.process_time() - began, self.moves + 1
        return move

    @property
    def cost(self) -> str:
        return f"{1000 * self.seconds / max(1, self.moves):.1f} ms"


@dataclass
class HintFollowingBot:
    """Bot that follows the coach's hints, with a hint's smaller budget for the later moves of a turn."""

    nodes: int
    expected: bytes = b""  # the state after the bot's last move: if it must move there again, the turn continues

    def __call__(self, game: Game, seen: Observation, rng: Rng) -> Move:
        assert seen.seat is not None
        follow_up = seen.state.tobytes() == self.expected
        share = coach.FOLLOW_UP_SEARCH.ms / bots.HARD.ms if follow_up and not game.kernel.rollout_beam else 1
        search = Search(nodes=round(self.nodes * share))
        moves = game.kernel.legal(seen.state, seen.seat)
        move = moves[0] if len(moves) == 1 else compare_with_best(game, seen, [bots.GREEDY(game, seen, rng)], rng, search)[0][0]
        self.expected = game.kernel.apply(seen.state, seen.seat, move).tobytes()
        return Move(move)


def find(name: str) -> TimedBot:
    """Return a level, a search, a bot that follows hints, or a baseline (`bench/baseline_bots.py`)."""
    if name.startswith("hint:nodes="):
        return TimedBot(HintFollowingBot(int(name.partition("=")[2])))
    return TimedBot(baseline_bots.find(name) or bots.find(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--minutes", type=float, default=1e9)
    chosen = parser.parse_args()
    game, options = games.find(chosen.game), dict(each.split("=") for each in chosen.option)
    for each in (chosen.first, chosen.second):  # compiles everything before the clock starts
        match = Match(game, chosen.seats, options, fairness.seed_for(0, 0))
        match.play_nature()
        bots.choose(match, match.to_act[0], find(each))
    first, second, began = find(chosen.first), find(chosen.second), time.monotonic()
    shares: list[float] = []
    leads: list[float] = []
    for number in range(1, -(-chosen.games // chosen.seats) + 1):
        if time.monotonic() - began > 60 * chosen.minutes:
            break
        for first_seat in range(chosen.seats):
            seated = [first if seat == first_seat else second for seat in range(chosen.seats)]
            outcome = bots.play_out(Match(game, chosen.seats, options, fairness.seed_for(chosen.seed, number)), seated).outcome
            assert outcome is not None
            others = [points for seat, points in enumerate(outcome.scores) if seat != first_seat] or [0]
            shares.append(1 / len(outcome.winners) if first_seat in outcome.winners else 0)
            leads.append(outcome.scores[first_seat] - max(others))
    share, lead = float(np.mean(shares)), interval_of_mean(np.array(leads, float))
    print(f"{chosen.game} {options} {chosen.first} - {chosen.second}, {chosen.seats} seats, {len(shares)} games from seed {chosen.seed}")
    print(f"share {share:.3f}, 95 % {interval_of_share(share, len(shares))}; {np.mean(leads):.2f} points ahead, 95 % {lead}")
    print(f"a move costs {first.cost} and {second.cost}", flush=True)


if __name__ == "__main__":
    main()
