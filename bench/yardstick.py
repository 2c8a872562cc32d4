"""What each level scores alone, over many seeds: writes the room's `yardstick.json`, which the end page of a game for one compares with.

python -m bench.yardstick rolling-village --games 10000 --thinking 1000 --hard 200

Levels that play inside the kernel play `--games` seeds, `medium` as many as `--thinking` says and `hard` as many as `--hard`; its second is
here a budget of nodes (`server/tables/yardstick.py`), so that whoever runs this again gets the same figures.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial

from tablee import bots, games
from tablee.core import fairness
from tablee.core.match import Match
from tablee.server.tables.yardstick import FILE, HARD

SEED = 1


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("game")
    wanted.add_argument("--games", type=int, default=10_000)
    wanted.add_argument("--thinking", type=int, default=1_000)
    wanted.add_argument("--hard", type=int, default=200)
    wanted.add_argument("--jobs", type=int, default=2)
    asked = wanted.parse_args()
    counts = dict.fromkeys(bots.LEVELS, asked.games) | {"medium": asked.thinking, "hard": asked.hard}
    levels = {level: measured(asked.game, level, count, asked.jobs) for level, count in counts.items()}
    command = f"python -m bench.yardstick {asked.game} --games {asked.games} --thinking {asked.thinking} --hard {asked.hard}"
    made = {"command": command, "seed": SEED, "hard": f"search:nodes={HARD.nodes}", "date": f"{datetime.now(UTC):%Y-%m-%d}"}
    text = json.dumps({"made": made, "levels": levels}, indent=1)
    (games.folder(asked.game) / FILE).write_text(text + "\n", encoding="utf-8")


def measured(key: str, level: str, count: int, jobs: int) -> dict[str, object]:
    with ProcessPoolExecutor(jobs) as pool:
        scores = list(pool.map(partial(score, key, level), range(count), chunksize=max(1, count // (20 * jobs))))
    spread = statistics.pstdev(scores)
    print(f"{level:>8} {count:>6} games, mean {statistics.mean(scores):5.1f}, spread {spread:4.1f}, best {max(scores)}", file=sys.stderr)
    return {"games": count, "scores": {str(made): often for made, often in sorted(Counter(scores).items())}}


def score(key: str, level: str, number: int) -> int:
    """What a level scores alone with this seed."""
    game = games.find(key)
    bot = HARD if level == "hard" else bots.find(level)
    match = bots.play_out(Match(game, 1, {}, fairness.seed_for(SEED, number)), [bot])
    return game.scores(match.state)[0]


if __name__ == "__main__":
    main()
