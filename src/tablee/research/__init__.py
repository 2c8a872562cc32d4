"""The games as environments for learners, at the speed of the compiled rules (docs/research.md).

vector.py    thousands of games stepped at once           gymnasium_env.py  Gymnasium: one seat against bots, or alone
pettingzoo/  PettingZoo: every seat an agent              game_stepper.py  one game, as these two step it
cuda_vector.py  the same with `device="cuda"`
openspiel.py OpenSpiel: chance explicit, strings and tensors; importing it registers `tablee_mayflower` and the others
spaces.py  a room's observation and actions as Python reads them
curve.py     a game's chances, as a picture                warmup.py   `tablee warm --research`

Importing this registers Gymnasium's environments under `tablee/`, if Gymnasium is there (`pip install 'tablee[research]'`).
"""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("gymnasium"):
    from tablee.research.gymnasium_env import register

    register()
