"""Warm-up for research: compiles a room's rules and the loops that step one game or many. `tablee warm --research` runs it.

python -m tablee.research.warmup mayflower
"""

from __future__ import annotations

import sys

from tablee.bots import warmup
from tablee.research import spaces
from tablee.research.game_stepper import GameStepper
from tablee.research.vector import Vector


def compile_every_loop(key: str) -> None:
    """Compile every loop by calling it as the environments do."""
    vector = Vector(key)
    vector.reset(0)
    vector.step(vector.sample())
    if vector.spaces.feature_size:
        Vector(key, candidates=1).reset(0)
    stepper = GameStepper(key, None)
    stepper.reset(0)
    _, mask = stepper.observe_and_mask()
    stepper.observe(stepper.seat)
    stepper.spaces.mask(stepper.state, stepper.seat)
    stepper.encode(stepper.game.kernel.legal(stepper.state, stepper.seat)[0])
    stepper.step(int(mask.argmax()))


def main(key: str, *attached: str) -> None:
    warmup.main(key, *attached)
    if key in spaces.known():
        compile_every_loop(key)


if __name__ == "__main__":
    main(*sys.argv[1:])
