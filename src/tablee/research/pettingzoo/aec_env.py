"""PettingZoo environment (AEC): an agent is a seat, and nature draws within a step.

An observation is the observation of the room's `tensors.py` with the action mask, which is all 0 for agents other than the acting one.
Seats that act simultaneously act in order; as at the table, a later one sees the public moves of an earlier one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tablee.core.game import Game
from tablee.research.game_stepper import ANSI, HUMAN, GameStepper, reward_kind
from tablee.research.gymnasium_env import VERSION

ILLEGAL_REWARD = -1  # for an illegal action, which ends the game


class GameAECEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """AEC environment of a game. `seats` defaults to the fewest, `options` are the table's, `reward` is "win" or "points"."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.stepper, self.render_mode = GameStepper(game, seats, options), render_mode
        self.metadata = {
            "name": f"{self.stepper.game.key}_{VERSION}",
            "render_modes": [ANSI, HUMAN],
            "is_parallelizable": False,
            "render_fps": 2,
            "fingerprint": self.stepper.spaces.fingerprint,
        }
        self._reward_kind = reward_kind(self.stepper.game, self.stepper.start, reward)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.stepper.seats)]
        seen = observation_space(self.stepper)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(self.stepper.spaces.actions) for agent in self.possible_agents}
        self._no_mask = np.zeros(self.stepper.spaces.actions, np.int8)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002  PettingZoo's signature
        self.stepper.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.stepper.seat]

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.stepper.step(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict(zip(self.agents, self.stepper.rewards(self._reward_kind), strict=True))
        if self.stepper.over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.stepper.seat]
        self._accumulate_rewards()
        if self.render_mode == HUMAN:
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        seat, stepper = self.possible_agents.index(agent), self.stepper
        if seat == stepper.seat and not stepper.over and not self.terminations.get(agent, True):
            seen, mask = stepper.observe_and_mask()
        else:
            seen, mask = stepper.observe(seat), self._no_mask.copy()
        return {"observation": seen, "action_mask": mask}

    def render(self) -> str | None:
        return self.stepper.render(self.render_mode)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


def observation_space(stepper: GameStepper) -> Any:
    least, most = stepper.spaces.bounds()
    return spaces.Dict(
        {
            "observation": spaces.Box(least, most, dtype=np.int16),
            "action_mask": spaces.Box(0, 1, (stepper.spaces.actions,), np.int8),
        }
    )


def raw_env(game: str | Game, **settings: Any) -> GameAECEnv:
    """Return an environment that raises for illegal actions and leaves the game unchanged."""
    return GameAECEnv(game, **settings)


def env(game: str | Game, **settings: Any) -> Any:
    """Return an environment in which an illegal action loses the game; a number outside the action space still raises."""
    found: Any = wrappers.TerminateIllegalWrapper(raw_env(game, **settings), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(found))
