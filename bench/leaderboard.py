"""Leaderboard of bots by one protocol, as a Markdown table: python -m bench.leaderboard --bots random,medium,my_package:bot --games 400.

Alone, the mean points of the same games. At a table of two, the share of the wins against `greedy`: every deal from both chairs, with
Wilson's interval; then the share with luck taken out. All intervals are at 95 %. The default seed is that of docs/research/evaluation.md.
"""

from __future__ import annotations

import argparse

from tablee import games
from tablee.arena import Executor, LocalExecutor, Plan, Results, Tournament, play_all, standings
from tablee.arena.tally import interval_of_mean

OPPONENT = "greedy"
ALONE, TABLES = ("rolling-village",), ("rolling-village", "mayflower", "amerique-1500")
HEADS = ("bot", *(f"{key}, alone" for key in ALONE), *(head for key in TABLES for head in (f"{key}, 2 players", "without luck")))
TEST_SEED = 2


def row(bot: str, count: int, seed: int, executor: Executor) -> list[str]:
    cells = [points_alone(key, bot, count, seed, executor) for key in ALONE]
    return [f"`{bot}`", *cells, *(share for key in TABLES for share in shares(key, bot, count, seed, executor))]


def points_alone(key: str, bot: str, count: int, seed: int, executor: Executor) -> str:
    scores = Results.join(play_all(Plan.of(games.find(key), 1, [bot], {}, seed), count, executor)).scores[:, 0]
    low, high = interval_of_mean(scores)
    return f"{scores.mean():.1f} ({low:.1f} to {high:.1f})"


def shares(key: str, bot: str, count: int, seed: int, executor: Executor) -> list[str]:
    """Return the share of the wins against the opponent, and the same without luck; nothing for the opponent itself."""
    if bot == OPPONENT:
        return ["", ""]
    tournament = Tournament.of(games.find(key), 2, [bot, OPPONENT], {}, seed, count, luck=True)
    found = standings(tournament, dict(tournament.play(executor=executor)))["bots"][0]
    plain, adjusted = (
        [found[name] for name in names] for names in (("share", "low", "high"), ("adjusted_share", "adjusted_low", "adjusted_high"))
    )
    return ["{:.1%} ({:.1%} to {:.1%})".format(*each).replace("%", " %") for each in (plain, adjusted)]


def table(bots: list[str], count: int, seed: int, executor: Executor) -> str:
    lines = [HEADS, ["---"] * len(HEADS), *(row(bot, count, seed, executor) for bot in bots)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", default="random,easy,greedy,medium", help="as `tablee arena` takes them")
    parser.add_argument("--games", type=int, default=400, help="in each column (default: 400)")
    parser.add_argument("--seed", type=int, default=TEST_SEED)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    print(table(args.bots.split(","), args.games, args.seed, LocalExecutor(args.jobs)))
    print(f"\n{args.games} games in each column, seed {args.seed}.")


if __name__ == "__main__":
    main()
