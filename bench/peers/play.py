"""Random games of other projects, played as their documentation shows, for some CPU seconds; prints a JSON line for each game.

Runs in its own environment, with `requirements.txt`:

    python bench/peers/play.py [--seconds 5]
"""

from __future__ import annotations

import argparse
import json
import random
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version

PlayGame = Callable[[int], int]  # plays the game of this number; returns its number of decisions


def catanatron(seats: int) -> PlayGame:
    module = import_module("catanatron")
    colours = list(module.Color)[:seats]

    def play(number: int) -> int:
        game = module.Game([module.RandomPlayer(colour) for colour in colours], seed=number)
        game.play()
        return len(game.state.action_records if hasattr(game.state, "action_records") else game.state.actions)

    return play


def open_spiel(name: str) -> PlayGame:
    game = import_module("pyspiel").load_game(name)

    def play(number: int) -> int:
        state, rng, decisions = game.new_initial_state(), random.Random(number), 0
        while not state.is_terminal():
            if state.is_chance_node():
                moves, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(moves, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def pettingzoo(name: str) -> PlayGame:
    """Return a player of the raw environment, without the wrappers that check every step."""
    env = import_module(f"pettingzoo.classic.{name}").raw_env()

    def play(number: int) -> int:
        env.reset(seed=number)
        rng, decisions = random.Random(number), 0
        for agent in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
                continue
            env.step(rng.choice(seen["action_mask"].nonzero()[0].tolist()))
            decisions += agent is not None
        return decisions

    return play


def rlcard(name: str) -> PlayGame:
    module, agents = import_module("rlcard"), import_module("rlcard.agents")
    env = module.make(name, config={"seed": 1})
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play(number: int) -> int:
        trajectories, _ = env.run(is_training=False)
        return sum(len(each) // 2 for each in trajectories)  # position, action, position, ...

    return play


PEERS: tuple[tuple[str, str, str, int, Callable[[], PlayGame]], ...] = (
    ("catanatron", "catanatron", "Catan", 2, lambda: catanatron(2)),
    ("catanatron", "catanatron", "Catan", 4, lambda: catanatron(4)),
    ("OpenSpiel", "open-spiel", "Connect Four", 2, lambda: open_spiel("connect_four")),
    ("OpenSpiel", "open-spiel", "Backgammon", 2, lambda: open_spiel("backgammon")),
    ("OpenSpiel", "open-spiel", "Chess", 2, lambda: open_spiel("chess")),
    ("OpenSpiel", "open-spiel", "Gin Rummy", 2, lambda: open_spiel("gin_rummy")),
    ("PettingZoo", "pettingzoo", "Connect Four", 2, lambda: pettingzoo("connect_four_v3")),
    ("PettingZoo", "pettingzoo", "Chess", 2, lambda: pettingzoo("chess_v6")),
    ("PettingZoo", "pettingzoo", "Texas Hold'em", 2, lambda: pettingzoo("texas_holdem_v4")),
    ("RLCard", "rlcard", "UNO", 2, lambda: rlcard("uno")),
    ("RLCard", "rlcard", "Gin Rummy", 2, lambda: rlcard("gin-rummy")),
    ("RLCard", "rlcard", "Dou Dizhu", 3, lambda: rlcard("doudizhu")),
)


def measured(seconds: float) -> Iterator[dict[str, object]]:
    for project, package, game, seats, prepare in PEERS:
        play = prepare()
        play(0)  # warm-up
        games = decisions = 0
        began = time.process_time()
        while (passed := time.process_time() - began) < seconds or not games:
            games += 1
            decisions += play(games)
        found = {"project": f"{project} {version(package)}", "game": game, "seats": seats, "games": games}
        yield found | {"games_per_second": games / passed, "decisions_per_second": decisions / passed}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5)
    warnings.simplefilter("ignore")
    for found in measured(parser.parse_args().seconds):
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
