"""A program that plays the plans from stdin in Numba's GPU simulator (NUMBA_ENABLE_CUDASIM=1) and prints the ends of the games."""

from __future__ import annotations

import hashlib
import json
import sys

from tablee import cuda
from tablee.arena import Plan
from tablee.cuda.games import GameRunner


def main() -> None:
    cuda.check_device()
    ends = []
    for line in sys.stdin:
        plan = Plan.parse(line)
        games = GameRunner(plan, keep_states=True, blocks=2)
        played = games.play(range(1, 1 + int(sys.argv[1])))
        states = [hashlib.sha256(state.tobytes()).hexdigest() for state in played.last_states(games.kernel.state)]
        ends.append([*(each.copy_to_host().tolist() for each in (played.scores, played.winners, played.lines)), states])
    print(json.dumps(ends))  # noqa: T201


if __name__ == "__main__":
    main()
