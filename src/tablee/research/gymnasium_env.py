"""Gymnasium environment: one seat against bots, or alone.

`info["action_mask"]` is the mask of legal actions (also `action_masks()`, for libraries that call it) and `info["scores"]` the points by
seat; both are arrays. An illegal action changes nothing and costs one point of reward; `info["illegal"]` marks it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np

from tablee import bots, games
from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.i18n import msg
from tablee.research.game_stepper import ANSI, HUMAN, GameStepper, reward_kind
from tablee.research.spaces import Spaces, known

NAMESPACE, VERSION = "tablee", "v0"
ILLEGAL_REWARD = -1.0
MAX_EPISODE_STEPS = 5000  # for learners that choose only illegal actions


class SingleSeatEnv(gymnasium.Env[Any, Any]):
    """Single-agent environment of one seat.

    `opponent` is a bot's name or a function `(game, seen, rng) -> move` for every other seat, or a list with one of these for each of
    them, in the order of the seats.
    """

    metadata = {"render_modes": [ANSI, HUMAN], "render_fps": 2}  # noqa: RUF012  as Gymnasium declares it

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        seat: int = 0,
        opponent: str | bots.Bot | Sequence[str | bots.Bot] = "greedy",
        options: Mapping[str, Any] | None = None,
        reward: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.seat, self.render_mode = seat, render_mode
        others = _opponents(game, seats, opponent)
        if not 0 <= seat <= len(others):
            raise TableeError(msg("there is no seat {seat} at a table of {seats}", seat=seat, seats=len(others) + 1))
        others.insert(seat, None)
        self.stepper = GameStepper(game, len(others), options, [each if each in bots.KERNEL_LEVELS else None for each in others])
        self._bots = {other: bots.find(each) if isinstance(each, str) else each for other, each in enumerate(others) if each is not None}
        self._reward_kind = reward_kind(self.stepper.game, self.stepper.start, reward)
        least, most = self.stepper.spaces.bounds()
        self.observation_space = gymnasium.spaces.Box(least, most, dtype=np.int16)
        self.action_space = gymnasium.spaces.Discrete(self.stepper.spaces.actions)
        self._mask = np.zeros(self.stepper.spaces.actions, np.int8)

    @property
    def spaces(self) -> Spaces:
        return self.stepper.spaces

    @property
    def fingerprint(self) -> str:
        return self.spaces.fingerprint

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:  # noqa: ARG002
        super().reset(seed=seed)
        self.stepper.reset(seed)
        return self._play_bots(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self.spaces.allows(self._mask, action):
            return self.stepper.observe(self.seat), ILLEGAL_REWARD, self.stepper.over, False, self._info() | {"illegal": True}
        self.stepper.step(int(action))
        seen = self._play_bots()
        reward = self.stepper.rewards(self._reward_kind)[self.seat]
        if self.render_mode == HUMAN:
            self.render()
        return seen, reward, self.stepper.over, False, self._info()

    def _play_bots(self) -> Any:
        """Play the bots that the kernel cannot play, then return this seat's observation and update its mask."""
        while not self.stepper.over and self.stepper.seat != self.seat:
            self.stepper.play_bot(self._bots[self.stepper.seat])
        if self.stepper.over:
            seen, self._mask = self.stepper.observe(self.seat), self._mask * 0
        else:
            seen, self._mask = self.stepper.observe_and_mask()
        return seen

    def action_masks(self) -> Any:
        return self._mask.astype(np.bool_)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask.copy(), "scores": np.array(self.stepper.scores, np.int64)}

    def render(self) -> str | None:
        return self.stepper.render(self.render_mode)


def _opponents(game: str | Game, seats: int | None, opponent: str | bots.Bot | Sequence[str | bots.Bot]) -> list[Any]:
    """Return a bot for each seat but one."""
    if isinstance(opponent, str) or callable(opponent):
        return [opponent] * ((GameStepper(game, seats).seats) - 1)
    if seats is not None and len(opponent) != seats - 1:
        raise TableeError(msg("one bot is needed for each seat: {seats}, not {levels}", levels=len(opponent), seats=seats - 1))
    return list(opponent)


def env_name(key: str) -> str:
    """Return the key in camel case: `rolling-village` becomes `RollingVillage`."""
    return "".join(part.capitalize() for part in key.split("-"))


def register() -> None:
    """Register `tablee/Mayflower-v0` and the others, and `tablee/RollingVillageSolo-v0` where the game has a solo mode."""
    for key in known():
        tables = {"": max(2, games.find(key).seats[0])} | ({"Solo": 1} if 1 in games.find(key).seats else {})
        for suffix, seats in tables.items():
            gymnasium.register(
                f"{NAMESPACE}/{env_name(key)}{suffix}-{VERSION}",
                f"{__name__}:{SingleSeatEnv.__name__}",
                vector_entry_point="tablee.research.gymnasium_vector:SingleSeatVectorEnv",
                max_episode_steps=MAX_EPISODE_STEPS,
                kwargs={"game": key, "seats": seats},
            )
