"""Stepper of one game for the single-game environments (Gymnasium, PettingZoo).

The rules, nature and the kernel's bots run compiled. From one seed it plays the same sequence of games as one slot of `vector.Vector`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from tablee import bots, games
from tablee.core import fairness, jit, slots, stepping
from tablee.core.errors import TableeError
from tablee.core.game import Game, Move, Outcome, Seat, choose_options
from tablee.core.i18n import msg
from tablee.core.jit import copy
from tablee.core.rng import Rng, reseed
from tablee.core.slots import SlotProgress
from tablee.core.struct import Array, fill, int_array
from tablee.core.tensors import NO_ACTION
from tablee.research.spaces import Spaces

REWARDS = ("win", "points")
ANSI, HUMAN = "ansi", "human"  # render modes


class GameStepper:
    """One game, stepped action by action. `opponents` has a kernel bot's name for each seat that does not learn, None for the others."""

    def __init__(
        self, game: str | Game, seats: int | None, options: Mapping[str, Any] | None = None, opponents: Sequence[str | None] = ()
    ) -> None:
        self.game = games.find(game) if isinstance(game, str) else game
        self.seats = self.game.seats[0] if seats is None else seats
        self.spaces = Spaces(self.game, self.seats)
        self.start = self.game.setup(self.seats, choose_options(self.game, self.seats, options or {}))
        self.levels = levels_by_seat(self.seats, opponents)
        self.state, self.over, self._points = self.start.copy(), False, [0] * self.seats
        self._mask: Any = None  # action mask of the acting seat, if `observe_and_mask` computed it
        self._rng, self._progress = Rng(), SlotProgress()
        self._bind_loop()

    def _bind_loop(self) -> None:
        kernel, take_action = self.game.kernel, self.spaces.loops.take_action
        self._workspace = kernel.workspace()
        self._take_action = jit.bind(take_action, kernel.box, self.state, self.levels, self._workspace, self._rng, self._progress)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"levels": self.levels.tolist(), "_workspace": None, "_take_action": None}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self.levels = self.game.kernel.level_array(saved["levels"])
        self._bind_loop()

    def render(self, mode: str | None) -> str | None:
        """Return the text board of the terminal; in mode "human" print it instead."""
        board = self.game.text_board(self.state)
        if mode == HUMAN:
            print(board)  # noqa: T201
            return None
        return board

    def reset(self, seed: int | None) -> None:
        """Start the first game of this seed; without a seed, the next game of the previous seed, or the first of a random one."""
        copy(self.start, self.state)
        if seed is not None or not self._progress.games:
            key = fairness.bot_key(fairness.seed_for(secrets.randbits(63) if seed is None else seed, 0))
            self._progress.games, (self._progress.key_one, self._progress.key_two) = 0, key
        stepping.begin_game(self._rng, self._progress)
        self._advance(NO_ACTION)
        self._points = self.scores

    def step(self, action: Any) -> None:
        """Apply a legal action of the acting seat and advance to the next decision of a learning seat, or to the end."""
        mask = self.spaces.mask(self.state, self.seat, self.half) if self._mask is None else self._mask
        self._advance(self.spaces.check(mask, action))

    def play_together(self, actions: Mapping[Seat, int]) -> None:
        """Apply an action of each of these seats, none of which sees the others', and advance; their moves commute."""
        box, loops = self.game.kernel.box, self.spaces.loops
        for seat, action in actions.items():
            self.game.kernel.rules.apply(box, self.state, seat, loops.move_of(box, self.state, 0, seat, action))
        self._advance(NO_ACTION)

    def _advance(self, action: int) -> None:
        self._mask = None
        status = self._take_action(action)
        self.game.kernel.check(self._workspace)
        self.over = status == stepping.TERMINATED

    def play_bot(self, bot: bots.Bot) -> None:
        """Let a bot choose for the acting seat, from what that seat may know of the state."""
        reseed(self._rng, self._progress.lines, self.seat)
        for action in self.encode(bot(self.game, self.game.observe(self.state, Seat(self.seat)), self._rng)):
            self._advance(action)

    @property
    def seat(self) -> int:
        """Return the acting seat."""
        return self._progress.acting_seat

    @property
    def half(self) -> int:
        """Return the partial move of the acting seat, where a move takes several actions."""
        return self._progress.half

    def observe(self, seat: int) -> Any:
        """Return a seat's observation; only the acting seat sees its partial move."""
        return self.spaces.observe(self.state, seat, self.half if seat == self.seat else 0)

    def observe_and_mask(self) -> tuple[Any, Any]:
        """Return the acting seat's observation and action mask."""
        seen, mask = self.spaces.observe_and_mask(self.state, self.seat, self.half)
        self._mask = mask.copy()
        return seen, mask

    def encode(self, move: Move) -> list[int]:
        return self.spaces.encode(self.state, self.seat, move)

    @property
    def scores(self) -> list[int]:
        return self.game.scores(self.state)

    @property
    def outcome(self) -> Outcome:
        return self.game.outcome(self.state)

    def rewards(self, reward_kind: int) -> list[float]:
        """Return the rewards by seat since the last call."""
        if reward_kind == slots.REWARD_POINTS:
            before, self._points = self._points, self.scores
            return [float(now - then) for now, then in zip(self._points, before, strict=True)]
        return final_rewards(reward_kind, self.outcome, self.seats) if self.over else [0.0] * self.seats


def final_rewards(reward_kind: int, outcome: Outcome, seats: int) -> list[float]:
    """Return the rewards by seat of a finished game."""
    return [stepping.win_reward(reward_kind, seats, len(outcome.winners), seat in outcome.winners) for seat in range(seats)]


def reward_kind(game: Game, start: Any, reward: str | None) -> int:
    """Return the kind of reward: by default points for one seat, the win for several."""
    if reward is not None and reward not in REWARDS:
        raise TableeError(msg("there is no reward {reward!r}; there are: {known}", reward=reward, known=", ".join(REWARDS)))
    if reward == "points" or (reward is None and start.seats == 1):
        return slots.REWARD_POINTS
    return slots.REWARD_TEAM_WIN if game.is_cooperative(start) or start.seats == 1 else slots.REWARD_WIN


def levels_by_seat(seats: int, opponents: Sequence[str | None]) -> Array:
    """Return by seat the level of its bot, or `LEARNER_LEVEL`."""
    levels = int_array(seats)
    fill(levels, slots.LEARNER_LEVEL)
    if len(opponents) > seats:
        raise TableeError(msg("one bot is needed for each seat: {seats}, not {levels}", levels=len(opponents), seats=seats))
    for seat, name in enumerate(opponents):
        if name is not None and name not in bots.KERNEL_LEVELS:
            raise TableeError(msg("there is no bot {level!r}; there are: {known}", level=name, known=", ".join(bots.KERNEL_LEVELS)))
        levels[seat] = slots.LEARNER_LEVEL if name is None else bots.KERNEL_LEVELS[name].number
    if slots.LEARNER_LEVEL not in list(levels):
        raise TableeError(msg("at least one seat must learn"))
    return levels
