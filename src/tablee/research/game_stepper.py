"""One game as the environments of single games step it: the rules in the kernel, the asked seat chosen there too. It plays the very games
that `vector.Vector` plays at a place with the same seed, one after the other.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from tablee import bots, games
from tablee.core import fairness, stepping
from tablee.core.errors import TableeError
from tablee.core.game import Game, Move, Outcome, Seat, choose_options
from tablee.core.i18n import msg
from tablee.core.kernel import Workspace
from tablee.core.loops import LINES
from tablee.core.rng import RNG_SIZE, reseed
from tablee.core.struct import Array, fill, int_array
from tablee.core.tensors import NO_ACTION
from tablee.research.spaces import Spaces

REWARDS = ("win", "points")
ANSI, HUMAN = "ansi", "human"  # ways to render


class GameStepper:
    """`opponents` names a bot for each seat that does not learn, of those that play inside the kernel."""

    def __init__(
        self, game: str | Game, seats: int | None, options: Mapping[str, Any] | None = None, opponents: Sequence[str | None] = ()
    ) -> None:
        self.game = games.find(game) if isinstance(game, str) else game
        self.seats = self.game.seats[0] if seats is None else seats
        self.spaces = Spaces(self.game, self.seats)
        self.start = self.game.setup(self.seats, choose_options(self.game, self.seats, options or {}))
        self.levels = levels_by_seat(self.seats, opponents)
        self.state, self.over, self._points = self.start, False, [0] * self.seats
        self._mask: Any = None  # what the asked seat may do, where somebody has asked
        self._rng, self._progress, self._workspace = (
            int_array(RNG_SIZE),
            int_array(stepping.STEP_PROGRESS_SIZE),
            Workspace(self.game.kernel),
        )

    def render(self, mode: str | None) -> str | None:
        """The table in characters, as in the terminal; for a human it is printed."""
        drawn = self.game.text_board(self.state)
        if mode == HUMAN:
            print(drawn)  # noqa: T201
            return None
        return drawn

    def reset(self, seed: int | None) -> None:
        """The first game from this seed; without one the next from the seed before, or the first from luck."""
        self.state = self.start.copy()
        if seed is not None or not self._progress[stepping.ROUND]:
            key = fairness.bot_key(fairness.seed_for(secrets.randbits(63) if seed is None else seed, 0))
            self._progress[stepping.ROUND], (self._progress[stepping.KEY], self._progress[stepping.KEY2]) = 0, key
        stepping.begin_game(self._rng, self._progress)
        self._advance(NO_ACTION)
        self._points = self.scores

    def step(self, action: Any) -> None:
        """The asked seat does this, if it may, and the game goes on to where a seat that learns is asked, or to its end."""
        mask = self.spaces.mask(self.state, self.seat, self.half) if self._mask is None else self._mask
        self._advance(self.spaces.check(mask, action))

    def _advance(self, action: int) -> None:
        self._mask = None
        kernel, desk = self.game.kernel, self._workspace
        became = self.spaces.loops.take_action(
            kernel.box,
            self.state,
            desk.states,
            desk.scratch,
            self.levels,
            self._rng,
            self._progress,
            action,
            desk.out,
            desk.weights,
        )
        desk.check()
        self.over = became == stepping.TERMINATED

    def play_bot(self, bot: bots.Bot) -> None:
        """A bot chooses for the asked seat; of the state it gets what that seat may know."""
        reseed(self._rng, self._progress[LINES], self.seat)
        for action in self.encode(bot(self.game, self.game.observe(self.state, Seat(self.seat)), self._rng)):
            self._advance(action)

    @property
    def seat(self) -> int:
        """Who is asked."""
        return self._progress[stepping.ACTING_SEAT]

    @property
    def half(self) -> int:
        """What this seat has chosen of a move already."""
        return self._progress[stepping.HALF]

    def observe(self, seat: int) -> Any:
        """What a seat knows; what is half chosen only who chose it."""
        return self.spaces.observe(self.state, seat, self.half if seat == self.seat else 0)

    def observe_and_mask(self) -> tuple[Any, Any]:
        """What the asked seat knows, and what it may do."""
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
        """What came since this was last asked, seat by seat."""
        if reward_kind == stepping.REWARD_POINTS:
            before, self._points = self._points, self.scores
            return [float(now - then) for now, then in zip(self._points, before, strict=True)]
        return final_rewards(reward_kind, self.outcome, self.seats) if self.over else [0.0] * self.seats


def final_rewards(reward_kind: int, outcome: Outcome, seats: int) -> list[float]:
    """What the end brings, seat by seat."""
    return [stepping.win_reward(reward_kind, seats, len(outcome.winners), seat in outcome.winners) for seat in range(seats)]


def reward_kind(game: Game, start: Any, reward: str | None) -> int:
    """What a table's reward is: who plays alone plays for points, others for the win, unless they say otherwise."""
    if reward is not None and reward not in REWARDS:
        raise TableeError(msg("there is no reward {reward!r}; there are: {known}", reward=reward, known=", ".join(REWARDS)))
    if reward == "points" or (reward is None and start.seats == 1):
        return stepping.REWARD_POINTS
    return stepping.REWARD_TEAM_WIN if game.is_cooperative(start) or start.seats == 1 else stepping.REWARD_WIN


def levels_by_seat(seats: int, opponents: Sequence[str | None]) -> Array:
    """By seat, whether it learns or what level of bot sits there."""
    levels = int_array(seats)
    fill(levels, stepping.LEARNER_LEVEL)
    if len(opponents) > seats:
        raise TableeError(msg("one bot is needed for each seat: {seats}, not {levels}", levels=len(opponents), seats=seats))
    for seat, name in enumerate(opponents):
        if name is not None and name not in bots.LEVELS:
            raise TableeError(msg("there is no bot {level!r}; there are: {known}", level=name, known=", ".join(bots.LEVELS)))
        levels[seat] = stepping.LEARNER_LEVEL if name is None else bots.LEVELS[name].number
    if stepping.LEARNER_LEVEL not in list(levels):
        raise TableeError(msg("at least one seat must learn"))
    return levels
