"""PettingZoo environments, a module for each game, discovered as the rooms are.

`from tablee.research.pettingzoo import mayflower_v0`, then `mayflower_v0.env(seats=3, render_mode="ansi")`;
or `pettingzoo.make("aec", "tablee/Mayflower-v0", seats=3)`.
"""

from __future__ import annotations

import sys
from functools import partial, update_wrapper
from types import ModuleType
from typing import Any

import pettingzoo

from tablee import games
from tablee.research.gymnasium_env import NAMESPACE, VERSION, env_name
from tablee.research.pettingzoo.aec_env import env, raw_env
from tablee.research.pettingzoo.parallel_env import parallel_env
from tablee.research.spaces import known


def environment(key: str) -> ModuleType:
    """Return a game's module with its `env`, its `raw_env` and, where seats act at the same time, its `parallel_env`."""
    module: Any = ModuleType(f"{__name__}.{key.replace('-', '_')}_{VERSION}", f"The PettingZoo environment of {key}.")
    module.env, module.raw_env = (update_wrapper(partial(each, key), each) for each in (env, raw_env))
    if games.find(key).simultaneous_turns:
        module.parallel_env = update_wrapper(partial(parallel_env, key), parallel_env)
    return module  # type: ignore[no-any-return]


for _key in known():
    _module = environment(_key)
    sys.modules[_module.__name__] = globals()[_module.__name__.rpartition(".")[2]] = _module
    if hasattr(pettingzoo, "register"):  # since 1.26
        pettingzoo.register("aec", f"{NAMESPACE}/{env_name(_key)}-{VERSION}", _module.env)


def __getattr__(name: str) -> Any:
    """Raise for an unknown environment; also tells type checkers that attributes are dynamic."""
    raise AttributeError(f"there is no environment {name!r}; there are: {', '.join(known())}")
