"""Every game that learners can play as a PettingZoo environment: `from tablee.research.pettingzoo import mayflower_v0`, then
`mayflower_v0.env(seats=3, render_mode="ansi")`; or `pettingzoo.make("aec", "tablee/Mayflower-v0", seats=3)`. Like the rooms, they are
found, not listed.
"""

from __future__ import annotations

import sys
from functools import partial, update_wrapper
from types import ModuleType
from typing import Any

import pettingzoo

from tablee.research.gymnasium_env import NAMESPACE, VERSION, env_name
from tablee.research.pettingzoo.aec_env import env, raw_env
from tablee.research.spaces import known


def environment(key: str) -> ModuleType:
    """A game's module with its `env` and its `raw_env`."""
    made: Any = ModuleType(f"{__name__}.{key.replace('-', '_')}_{VERSION}", f"The PettingZoo environment of {key}.")
    made.env, made.raw_env = (update_wrapper(partial(each, key), each) for each in (env, raw_env))
    return made  # type: ignore[no-any-return]


for _key in known():
    _made = environment(_key)
    sys.modules[_made.__name__] = globals()[_made.__name__.rpartition(".")[2]] = _made
    if hasattr(pettingzoo, "register"):  # since 1.26
        pettingzoo.register("aec", f"{NAMESPACE}/{env_name(_key)}-{VERSION}", _made.env)


def __getattr__(name: str) -> Any:
    """For those who read types: which games there are is known only when this runs."""
    raise AttributeError(f"there is no environment {name!r}; there are: {', '.join(known())}")
