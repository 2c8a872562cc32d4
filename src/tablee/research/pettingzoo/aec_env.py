"""A game as PettingZoo's agents play it, one after the other (AEC): an agent is a seat. Nature draws within a step.

An observation has the numbers of the room's `tensors.py` and the mask of what may be done, all 0 for who is not asked. Where the rules
await several seats at once they are asked in order; as at the table, a later one sees what an earlier one did where that lies open.
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

ILLEGAL_REWARD = -1  # the reward of who does what is not legal; the game then ends


class GameAECEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """`seats` is the least that the game is played with, `options` the table's, `reward` "win" or "points"."""

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

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002  as PettingZoo calls it
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
        seat, table = self.possible_agents.index(agent), self.stepper
        if seat == table.seat and not table.over and not self.terminations.get(agent, True):
            seen, mask = table.observe_and_mask()
        else:
            seen, mask = table.observe(seat), self._no_mask.copy()
        return {"observation": seen, "action_mask": mask}

    def render(self) -> str | None:
        return self.stepper.render(self.render_mode)

    def close(self) -> None:
        """Nothing is left open."""


def observation_space(stepper: GameStepper) -> Any:
    least, most = stepper.spaces.bounds()
    return spaces.Dict(
        {
            "observation": spaces.Box(least, most, dtype=np.int16),
            "action_mask": spaces.Box(0, 1, (stepper.spaces.actions,), np.int8),
        }
    )


def raw_env(game: str | Game, **settings: Any) -> GameAECEnv:
    """What is not legal is refused, and nothing has happened."""
    return GameAECEnv(game, **settings)


def env(game: str | Game, **settings: Any) -> Any:
    """The same, and what is not legal ends the game with a loss for who does it; a number that is no action at all is an error still."""
    found: Any = wrappers.TerminateIllegalWrapper(raw_env(game, **settings), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(found))
