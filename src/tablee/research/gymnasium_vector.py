"""Gymnasium's `VectorEnv` over `Vector`: `gymnasium.make_vec("tablee/RollingVillageSolo-v0", num_envs=1024)`.

One seat learns in every game, against bots or alone, as in `gymnasium_env.py`. Arrays are copies, rewards and infos are those of the
learning seat, and a game that ends is followed by the next one within the step. An illegal action is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.i18n import msg
from tablee.research.vector import Vector


class SingleSeatVectorEnv(VectorEnv[Any, Any, Any]):
    """Vector environment of one seat; `opponent` is that of `Vector` for every other seat, or a list with one for each of them."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        num_envs: int = 1,
        *,
        seat: int = 0,
        opponent: str | Sequence[str] = "greedy",
        max_episode_steps: int = 0,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.seat, self.render_mode = seat, render_mode
        opponents = _opponents(opponent, seat, seats or Vector(game).seats)
        self.vector = Vector(game, seats, num_envs, opponents=opponents, longest=max_episode_steps, final_obs=True, **settings)
        self.num_envs, spaces = num_envs, self.vector.spaces
        least, most = spaces.bounds()
        self.single_observation_space = gymnasium.spaces.Box(least, most, dtype=np.int16)
        self.single_action_space = gymnasium.spaces.Discrete(self.vector.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | Sequence[int] | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:  # noqa: ARG002
        """Start new games; game *i* of a seed is the one that a single environment starts from `seed + i`."""
        observations, _ = self.vector.reset(range(seed, seed + self.num_envs) if isinstance(seed, int) else seed)
        return observations.copy(), self._infos(np.zeros(self.num_envs, bool))

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        observations, rewards, terminated, truncated, _ = self.vector.step(actions)
        infos = self._infos(terminated | truncated)
        return observations.copy(), rewards[:, self.seat].astype(np.float64), terminated.copy(), truncated.copy(), infos

    def action_masks(self) -> Any:
        return self.vector.masks.astype(np.bool_)

    def _infos(self, ended: Any) -> dict[str, Any]:
        """Return the infos as Gymnasium's vector environments give them: arrays, each with the mask of the games that have it."""
        everywhere, infos = np.ones(self.num_envs, bool), self.vector.infos
        found = {"action_mask": infos["action_mask"].copy(), "_action_mask": everywhere}
        if ended.any():
            final = {"action_mask": infos["final_info"]["action_mask"].copy(), "scores": infos["scores"].copy()}
            final |= {f"_{name}": ended.copy() for name in ("action_mask", "scores")}
            found |= {"final_obs": infos["final_obs"].copy(), "_final_obs": ended.copy(), "final_info": final, "_final_info": ended.copy()}
        return found


def _opponents(opponent: Any, seat: int, seats: int) -> list[Any]:
    if not 0 <= seat < seats:
        raise TableeError(msg("there is no seat {seat} at a table of {seats}", seat=seat, seats=seats))
    others = [opponent] * (seats - 1) if isinstance(opponent, str) or callable(opponent) else list(opponent)
    if len(others) != seats - 1:
        raise TableeError(msg("one bot is needed for each seat: {seats}, not {levels}", levels=len(others), seats=seats - 1))
    return [*others[:seat], None, *others[seat:]]
