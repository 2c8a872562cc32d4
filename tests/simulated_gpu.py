"""Plays games of the plans that stdin brings, as on a GPU, in Numba's simulator of one (NUMBA_ENABLE_CUDASIM=1, in a process of its own),
and prints how they ended.
"""

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
        games = GameRunner(plan, keeping=True, blocks=2)
        played = games.play(range(1, 1 + int(sys.argv[1])))
        states = [hashlib.sha256(state.tobytes()).hexdigest() for state in played.last_states(games.kernel.state)]
        ends.append([*(each.copy_to_host().tolist() for each in (played.scores, played.winners, played.lines)), states])
    print(json.dumps(ends))  # noqa: T201


if __name__ == "__main__":
    main()
