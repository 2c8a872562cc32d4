"""The games as OpenSpiel games; importing this module registers them: `pyspiel.load_game("tablee_mayflower")`.

Chance is explicit: nature's outcomes are numbered in the order of `game.odds`. A seat's actions are those of the room's `tensors.py`; a
move of several actions is several consecutive decisions. Seats that act simultaneously decide one after the other, the lowest first.
The parameters are `players` and the game's options, spelled as in the game: `tablee_amerique_1500(players=4,game=full)`. A parameter
whose default is a string stays a string: `pyspiel.load_game("tablee_mayflower", {"first": "1"})`.

observation         tensor: the observation of `tensors.py` for the seat        string: the text board as the seat sees it
information state   tensor: the observation, then the last HISTORY_LINES lines of the log that the seat saw, the newest first: the mover
                    (seat + 2, nature 1, nobody 0) and the move's number + 1, or 0 where it is hidden from the seat
                    string: all lines of the log as the seat saw them, then the text board
returns             as everywhere in `tablee.research`: zero-sum, 1 for a sole winner, less for each of several; points for a single player
lengths, utilities  `max_game_length`, `max_chance_nodes_in_history`, `min_utility` and `max_utility` are true bounds: a room derives them
                    from its box (`bounds` in its `tensors.py`). Where the rules set no end, as in Amérique 1500, whose players may
                    explore for ever, a game ends after MAX_GAME_LENGTH decisions and draws, with 0 for every seat
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pyspiel

from tablee import games
from tablee.core import slots, stepping
from tablee.core.game import NATURE, Game, Move, Option, Seat, choose_options
from tablee.core.match import Line
from tablee.core.rng import MASK32, make_rng
from tablee.core.tensors import NOTHING_CHOSEN
from tablee.research.game_stepper import final_rewards, reward_kind
from tablee.research.spaces import Spaces, known

HISTORY_LINES = 512
MAX_GAME_LENGTH = 10_000  # decisions and draws, for games whose rules set no end
MAX_POINTS = 10_000  # of a single player, in a game without `bounds`: a guess
DEFAULT_PLAYERS = 2
UTILITIES = {
    slots.REWARD_WIN: pyspiel.GameType.Utility.ZERO_SUM,
    slots.REWARD_TEAM_WIN: pyspiel.GameType.Utility.IDENTICAL,
    slots.REWARD_POINTS: pyspiel.GameType.Utility.GENERAL_SUM,
}


class GameConfig:
    """A game with its number of seats and options: pickled as these three, created once per process."""

    def __init__(self, key: str, seats: int, options: tuple[tuple[str, Any], ...]) -> None:
        self.key, self.seats, self.options, self.game = key, seats, options, games.find(key)
        self.start = self.game.setup(seats, choose_options(self.game, seats, dict(options)))
        self.spaces, self.reward_kind = Spaces(self.game, seats), reward_kind(self.game, self.start, None)
        self.bounds = self.spaces.game_bounds(self.start)

    def __reduce__(self) -> Any:
        return game_config, (self.key, self.seats, self.options)


@cache
def game_config(key: str, seats: int, options: tuple[tuple[str, Any], ...]) -> GameConfig:
    return GameConfig(key, seats, options)


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel ships no types
    """OpenSpiel's game; each game has a subclass with its `key`."""

    key: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen, options = dict(params or {}), games.find(self.key).options
        wanted = tuple((option.key, _parse_option(option, chosen[option.key])) for option in options if option.key in chosen)
        self.config = game_config(self.key, int(chosen.get("players", DEFAULT_PLAYERS)), wanted)
        super().__init__(game_type(self.config.game, self.config.reward_kind), self._info(self.config), chosen)

    def _info(self, at: GameConfig) -> Any:
        least, most = utilities(at)
        return pyspiel.GameInfo(
            num_distinct_actions=at.spaces.actions,
            max_chance_outcomes=at.game.kernel.most_moves,
            num_players=at.seats,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if at.reward_kind == slots.REWARD_WIN else None,
            max_game_length=at.bounds.decisions if at.bounds else MAX_GAME_LENGTH,
        )

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.config.bounds.draws if self.config.bounds else MAX_GAME_LENGTH

    def make_py_observer(self, iig_obs_type: Any = None, _: Any = None) -> SpielObserver:
        return SpielObserver(self.config, iig_obs_type is not None and iig_obs_type.perfect_recall)


class GamePosition:
    """State, partial move and log of a game; OpenSpiel clones a state by copying it.

    `determinized_for` maps each seat for which the state was determinized to the length of the log then. Moves in those lines that were
    hidden from that seat stay hidden from every seat.
    """

    def __init__(self, config: GameConfig, state: Any, half: int, log: list[Line], determinized_for: Mapping[Seat, int]) -> None:
        self.config, self.state, self.half, self.log, self.determinized_for = config, state, half, log, determinized_for
        self.game, self.seats = config.game, config.game.to_act(state)

    def __deepcopy__(self, _: Any) -> GamePosition:
        return GamePosition(self.config, self.state.copy(), self.half, self.log.copy(), self.determinized_for)

    def __reduce__(self) -> Any:
        return _unpickle, (self.config, self.state.tobytes(), self.half, self.log, self.determinized_for)

    def determinized(self, seat: Seat, rng: Any) -> GamePosition:
        """Return a random position consistent with everything that a seat knows."""
        state = self.game.determinize(self.game.observe(self.state, seat), rng)
        return GamePosition(self.config, state, self.half_of(seat), self.log.copy(), {**self.determinized_for, seat: len(self.log)})

    def apply(self, action: int) -> None:
        """Apply nature's outcome of this number, or an action of the acting seat."""
        seat = self.seats[0]
        made = (
            self.chance_move(action)
            if seat == NATURE
            else self.move_of_action(seat, self.config.spaces.check(self.action_mask(seat), action))
        )
        if made < 0:
            self.half = made
            return
        self.state, self.half = self.game.kernel.apply(self.state, seat, made), NOTHING_CHOSEN
        self.log.append(Line(seat, made))
        self.seats = self.game.to_act(self.state)

    def chance_move(self, outcome: int) -> int:
        """Return nature's move for the outcome of this number."""
        odds = self.game.odds(self.state)
        return odds[self.config.spaces.check(np.ones(len(odds)), outcome)][0]

    def action_mask(self, seat: Seat) -> Any:
        """Return a seat's action mask; the rules are undefined for other actions."""
        return self.config.spaces.mask(self.state, seat, self.half_of(seat))

    def move_of_action(self, seat: Seat, action: int) -> int:
        """Return the move that an action completes; a negative number is a partial move."""
        return int(self.config.spaces.loops.move_of(self.game.kernel.box, self.state, self.half, seat, action))

    def half_of(self, seat: int) -> int:
        """Return a seat's partial move, which no other seat sees."""
        return self.half if self.seats and self.seats[0] == seat else NOTHING_CHOSEN

    def text_board(self, seat: int) -> str:
        """Return the text board as a seat sees it."""
        half, board = self.half_of(seat), self.game.text_board(self.game.observe(self.state, Seat(seat)).state)
        return f"{board}\n{self.config.spaces.show_half(half)}" if half else board

    def line_for(self, place: int, seat: int) -> str:
        """Return a line of the log as a seat saw it."""
        line, shown = self.log[place], self.log[place].show(self.game)
        blind = (one for one, lines in self.determinized_for.items() if place < lines and line.show_to(self.game, one) != shown)
        return line.show_to(self.game, next(blind, Seat(seat)))


def _unpickle(config: GameConfig, state: bytes, *rest: Any) -> GamePosition:
    return GamePosition(config, config.game.kernel.state.from_bytes(state), *rest)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """State of a game for OpenSpiel, a `pyspiel.State` around a GamePosition."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position = GamePosition(game.config, game.config.start.copy(), NOTHING_CHOSEN, [], {})

    def current_player(self) -> Any:
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.position.seats[0] == NATURE else int(self.position.seats[0])

    def _legal_actions(self, player: int) -> list[int]:
        found: list[int] = np.flatnonzero(self.position.action_mask(Seat(player))).tolist()
        return found

    def chance_outcomes(self) -> list[tuple[int, float]]:
        odds = self.position.game.odds(self.position.state)
        total = sum(weight for _, weight in odds)
        return [(number, weight / total) for number, (_, weight) in enumerate(odds)]

    def _apply_action(self, action: int) -> None:
        self.position.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.position.game.show(Move(self.position.chance_move(action)))
        if not self.position.config.spaces.allows(self.position.action_mask(Seat(player)), action):
            return f"action {action}, which is not legal"
        made = self.position.move_of_action(Seat(player), action)
        return self.position.game.show(made) if made >= 0 else self.position.config.spaces.show_half(made)

    def is_terminal(self) -> bool:
        return not self.position.seats or (self.position.config.bounds is None and self.move_number() >= MAX_GAME_LENGTH)

    def returns(self) -> list[float]:
        config = self.position.config
        if self.position.seats:
            return [0.0] * config.seats
        if config.reward_kind == slots.REWARD_POINTS:
            return [float(points) for points in self.position.game.scores(self.position.state)]
        return final_rewards(config.reward_kind, self.position.game.outcome(self.position.state), config.seats)

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state determinized for a seat, for searches under hidden information."""
        other: SpielState = self.clone()
        other.position = self.position.determinized(Seat(player_id), make_rng((int(sampler() * MASK32), int(sampler() * MASK32))))
        return other

    def __str__(self) -> str:
        half = f", {self.position.config.spaces.show_half(self.position.half)}" if self.position.half else ""
        return f"{self.position.game.text_board(self.position.state)}\n{len(self.position.log)} lines{half}"


class SpielObserver:
    """OpenSpiel's observer of a seat: its observation and, with perfect recall, its history."""

    def __init__(self, config: GameConfig, perfect_recall: bool) -> None:
        self.config, self.perfect_recall = config, perfect_recall
        size = config.spaces.size
        self.tensor = np.zeros(size + (2 * HISTORY_LINES if perfect_recall else 0), np.float32)
        self.dict = {"observation": self.tensor[:size]}
        if perfect_recall:
            self.dict["heard"] = self.tensor[size:].reshape(HISTORY_LINES, 2)

    def set_from(self, state: SpielState, player: int) -> None:
        at = state.position
        self.dict["observation"][:] = self.config.spaces.observe(at.state, player, at.half_of(player))
        if self.perfect_recall:
            self.dict["heard"][:] = 0
            for row, place in enumerate(range(len(at.log) - 1, max(-1, len(at.log) - 1 - HISTORY_LINES), -1)):
                line = at.log[place]
                self.dict["heard"][row] = line.seat + 2, (line.move + 1) * (at.line_for(place, player) == line.show(at.game))

    def string_from(self, state: SpielState, player: int) -> str:
        at = state.position
        lines = [at.line_for(place, player) for place in range(len(at.log))] if self.perfect_recall else []
        return "\n".join([*lines, at.text_board(player)])


def spiel_name(key: str) -> str:
    """Return OpenSpiel's name of a game."""
    return f"tablee_{key.replace('-', '_')}"


def utilities(at: GameConfig) -> tuple[float, float]:
    """Return the lowest and the highest possible return of a seat."""
    if at.reward_kind == slots.REWARD_POINTS:
        return (at.bounds.least_points, at.bounds.most_points) if at.bounds else (-MAX_POINTS, MAX_POINTS)
    return stepping.win_reward(at.reward_kind, at.seats, int(at.reward_kind == slots.REWARD_WIN), False), 1.0


def game_type(game: Game, reward: int) -> Any:
    return pyspiel.GameType(
        short_name=spiel_name(game.key),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=getattr(pyspiel.GameType.Information, "IMPERFECT_INFORMATION" if game.secrets else "PERFECT_INFORMATION"),
        utility=UTILITIES[reward],
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": DEFAULT_PLAYERS} | {option.key: option.default for option in game.options},
    )


def _parse_option(option: Option, value: Any) -> Any:
    """Return the option's own value: OpenSpiel parses `first=1` as a number and `order=automatic` as a string."""
    return next((each for each in option.values if str(each).lower() == str(value).lower()), value)


def register(key: str) -> None:
    class Named(SpielGame):
        """Subclass with a key: OpenSpiel holds it until interpreter shutdown, where a closure would fail."""

    Named.key = key
    pyspiel.register_game(game_type(games.find(key), slots.REWARD_WIN), Named)


for _each in known():
    register(_each)
