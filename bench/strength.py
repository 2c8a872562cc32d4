"""How strong a bot is against another, in pairs of games with the same luck and the chairs exchanged, and what a move of each costs in
milliseconds of processor time. `rollout:ms=N`, `uct:ms=N` and `former` are others to compare with (`bench/baseline_bots.py`); `hint:nodes=N` takes
every hint of a coach who has so many nodes where `hard` has its second.

    python -m bench.strength GAME FIRST SECOND [--games 200] [--seats 2] [--seed 1] [--option KEY=VALUE]... [--minutes M]

FIRST sits alone, SECOND in all other chairs; with --seats 1 only FIRST plays, and its mean score is told.
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
from tablee.core.struct import Array


@dataclass
class TimedBot:
    """A bot, and the processor time it took."""

    bot: bots.Bot
    seconds: float = 0
    moves: int = field(default=0)

    def __call__(self, game: Game, seen: Observation, luck: Array) -> Move:
        began = time.process_time()
        move = self.bot(game, seen, luck)
        self.seconds, self.moves = self.seconds + time.process_time() - began, self.moves + 1
        return move

    @property
    def cost(self) -> str:
        return f"{1000 * self.seconds / max(1, self.moves):.1f} ms"


@dataclass
class HintFollowingBot:
    """Plays what the coach's hints say, with as much of the budget for the later moves of a turn as in a hint."""

    nodes: int
    expected: bytes = b""  # the position after its own last move: where it is awaited there again, the turn goes on

    def __call__(self, game: Game, seen: Observation, luck: Array) -> Move:
        assert seen.seat is not None
        goes_on = seen.state.tobytes() == self.expected
        less = coach.FOLLOW_UP_SEARCH.ms / bots.HARD.ms if goes_on and not game.kernel.beam else 1
        search = Search(nodes=round(self.nodes * less))
        moves = game.kernel.legal(seen.state, seen.seat)
        move = moves[0] if len(moves) == 1 else compare_with_best(game, seen, [bots.GREEDY(game, seen, luck)], luck, search)[0][0]
        self.expected = game.kernel.apply(seen.state, seen.seat, move).tobytes()
        return Move(move)


def find(name: str) -> TimedBot:
    """A level or a search, as everywhere; a player who takes hints; or one of those that lost (`bench/baseline_bots.py`)."""
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
    for each in (chosen.first, chosen.second):  # whatever must be compiled is, before anybody looks at the clock
        match = Match(game, chosen.seats, options, fairness.seed_for(0, 0))
        match.play_nature()
        bots.choose(match, match.to_act[0], find(each))
    first, second, began = find(chosen.first), find(chosen.second), time.monotonic()
    shares: list[float] = []
    leads: list[float] = []
    for number in range(1, -(-chosen.games // chosen.seats) + 1):
        if time.monotonic() - began > 60 * chosen.minutes:
            break
        for chair in range(chosen.seats):
            seated = [first if seat == chair else second for seat in range(chosen.seats)]
            outcome = bots.play_out(Match(game, chosen.seats, options, fairness.seed_for(chosen.seed, number)), seated).outcome
            assert outcome is not None
            others = [points for seat, points in enumerate(outcome.scores) if seat != chair] or [0]
            shares.append(1 / len(outcome.winners) if chair in outcome.winners else 0)
            leads.append(outcome.scores[chair] - max(others))
    share, lead = float(np.mean(shares)), interval_of_mean(np.array(leads, float))
    print(f"{chosen.game} {options} {chosen.first} - {chosen.second}, {chosen.seats} seats, {len(shares)} games from seed {chosen.seed}")
    print(f"share {share:.3f}, 95 % {interval_of_share(share, len(shares))}; {np.mean(leads):.2f} points ahead, 95 % {lead}")
    print(f"a move costs {first.cost} and {second.cost}", flush=True)


if __name__ == "__main__":
    main()
