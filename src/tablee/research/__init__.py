"""The games as reinforcement-learning environments, at the speed of the compiled rules (docs/research/).

vector.py         thousands of games stepped at once
cuda_vector.py    the same on a GPU (`device="cuda"`)
gymnasium_env.py  Gymnasium: one seat against bots, or alone
gymnasium_vector.py  the same, many games at once (`gymnasium.make_vec`)
pettingzoo/       PettingZoo: every seat an agent
openspiel.py      OpenSpiel: explicit chance, strings and tensors; importing it registers `tablee_mayflower` and the others
game_stepper.py   one game, stepped by Gymnasium's and PettingZoo's environments
spaces.py         the observation and action spaces of a game
opponents.py      policies and bots that play between the steps of a `Vector`
dataset_columns.py, dataset_card.py  what `tablee dataset --observations --card` writes
curve.py          the win probabilities of a finished game, as an SVG
warmup.py         `tablee warm --research`

Importing this package registers the Gymnasium environments under `tablee/`, if Gymnasium is installed (`pip install 'tablee[research]'`).
"""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("gymnasium"):
    from tablee.research.gymnasium_env import register

    register()
