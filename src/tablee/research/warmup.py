"""A room is compiled for learners too: its rules, and then the loops that step many games or one. `tablee warm --research` starts this.

python -m tablee.research.warmup mayflower
"""

from __future__ import annotations

import sys

from tablee.bots import warmup
from tablee.research import spaces
from tablee.research.game_stepper import GameStepper
from tablee.research.vector import Vector


def compile_every_loop(key: str) -> None:
    """As the environments call them."""
    vector = Vector(key)
    vector.reset(0)
    vector.step(vector.sample())
    table = GameStepper(key, None)
    table.reset(0)
    _, mask = table.observe_and_mask()
    table.observe(table.seat)
    table.spaces.mask(table.state, table.seat)
    table.encode(table.game.kernel.legal(table.state, table.seat)[0])
    table.step(int(mask.argmax()))


def main(key: str, *attached: str) -> None:
    warmup.main(key, *attached)
    if key in spaces.known():
        compile_every_loop(key)


if __name__ == "__main__":
    main(*sys.argv[1:])
