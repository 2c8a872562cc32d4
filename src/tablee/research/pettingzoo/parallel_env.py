"""PettingZoo parallel environment of a game whose seats act at the same time: one action of every agent is a step.

The games are those of the AEC environment and of `Vector` from the same seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.i18n import msg
from tablee.research.game_stepper import ANSI, HUMAN, GameStepper, reward_kind
from tablee.research.gymnasium_env import VERSION
from tablee.research.pettingzoo.aec_env import observation_space


class GameParallelEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Parallel environment of a game; the mask of an agent that waits for the others is all 0, and its action is ignored."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.stepper, self.render_mode = GameStepper(game, seats, options), render_mode
        if not self.stepper.game.simultaneous_turns:
            raise TableeError(msg("the seats of {game} act one after another", game=self.stepper.game.key))
        fingerprint = self.stepper.spaces.fingerprint
        self.metadata = {"name": f"{self.stepper.game.key}_{VERSION}", "render_modes": [ANSI, HUMAN], "fingerprint": fingerprint}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.stepper.seats)]
        self._reward_kind = reward_kind(self.stepper.game, self.stepper.start, reward)
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation_space(self.stepper))
        self.action_spaces = {agent: spaces.Discrete(self.stepper.spaces.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:  # noqa: ARG002
        self.stepper.reset(seed)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        stepper = self.stepper
        acting = stepper.game.to_act(stepper.state)
        masks = {seat: stepper.spaces.mask(stepper.state, seat) for seat in acting}
        chosen = {seat: stepper.spaces.check(masks[seat], actions[self.possible_agents[seat]]) for seat in acting}
        stepper.play_together(chosen)
        rewards = dict(zip(self.agents, stepper.rewards(self._reward_kind), strict=True))
        ended, cut = dict.fromkeys(self.agents, stepper.over), dict.fromkeys(self.agents, False)
        infos: dict[str, Any] = {agent: {} for agent in self.agents}
        found = self._observations(), rewards, ended, cut, infos
        if stepper.over:
            self.agents = []
        if self.render_mode == HUMAN:
            self.render()
        return found

    def _observations(self) -> dict[str, Any]:
        rows, state, acting = self.stepper.spaces, self.stepper.state, self.stepper.game.to_act(self.stepper.state)
        masks = [rows.mask(state, seat) if seat in acting else np.zeros(rows.actions, np.int8) for seat in range(self.stepper.seats)]
        return {
            agent: {"observation": rows.observe(state, seat), "action_mask": masks[seat]} for seat, agent in enumerate(self.possible_agents)
        }

    def render(self) -> str | None:
        return self.stepper.render(self.render_mode)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


def parallel_env(game: str | Game, **settings: Any) -> GameParallelEnv:
    """Return an environment that raises for illegal actions and leaves the game unchanged."""
    return GameParallelEnv(game, **settings)
