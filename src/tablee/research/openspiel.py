"""Every game that learners can play as a game of OpenSpiel, registered by importing this: `pyspiel.load_game("tablee_mayflower")`.

Chance is explicit: nature's outcomes are numbered in the order of `game.odds`. A seat's actions are those of the room's `tensors.py`; where
a move is several actions, one decision follows the other. Seats that are awaited together are asked one after the other, the lowest
first. The parameters are `players` and the game's options as it spells them: `tablee_amerique_1500(players=4,game=full)`; one that is a
text by default stays a text: `pyspiel.load_game("tablee_mayflower", {"first": "1"})`.

observation         tensor: what `tensors.py` writes for the seat        string: the table in characters, as the seat sees it
information state   tensor: the same, then the last HEARD lines of the log as the seat heard them, the newest first: of each who moved
                    (seat + 2, nature 1, nobody 0) and the move's number + 1, 0 where the seat could not hear it
                    string: all lines as the seat heard them, then the table
returns             as everywhere in `tablee.research`: the win, shared if need be; points for who plays alone
lengths, utilities  `max_game_length`, `max_chance_nodes_in_history`, `min_utility` and `max_utility` are true of every game at this table:
                    a room derives them from its box (`bounds` in its `tensors.py`). Where the rules set no end, as in Amérique 1500, whose
                    players may explore for ever, a game ends after LONGEST decisions and draws, with 0 for everybody
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pyspiel

from tablee import games
from tablee.core import stepping
from tablee.core.game import NATURE, Game, Move, Option, Seat, choose_options
from tablee.core.match import Line
from tablee.core.rng import MASK, lucky
from tablee.core.tensors import NOTHING
from tablee.research.game_stepper import rewarded, won
from tablee.research.spaces import Learners, known

HEARD = 512
LONGEST = 10_000  # decisions and draws, after which a game ends undecided whose rules set no end
MOST_POINTS = 10_000  # alone, in a game whose room names no bounds: a guess
USUAL_PLAYERS = 2
UTILITIES = {
    stepping.WIN: pyspiel.GameType.Utility.ZERO_SUM,
    stepping.TEAM_WIN: pyspiel.GameType.Utility.IDENTICAL,
    stepping.POINTS: pyspiel.GameType.Utility.GENERAL_SUM,
}


class Setting:
    """A game at a table of so many seats, with its options. It travels as these three, and is made once in a process."""

    def __init__(self, key: str, seats: int, options: tuple[tuple[str, Any], ...]) -> None:
        self.key, self.seats, self.options, self.game = key, seats, options, games.find(key)
        self.start = self.game.setup(seats, choose_options(self.game, seats, dict(options)))
        self.learners, self.rewarded = Learners(self.game, seats), rewarded(self.game, self.start, None)
        self.bounds = self.learners.bounds_of(self.start)

    def __reduce__(self) -> Any:
        return setting_of, (self.key, self.seats, self.options)


@cache
def setting_of(key: str, seats: int, options: tuple[tuple[str, Any], ...]) -> Setting:
    return Setting(key, seats, options)


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel ships no types
    """A game as OpenSpiel asks for it: a class of its own for each, which says its key."""

    key: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen, options = dict(params or {}), games.find(self.key).options
        wanted = tuple((option.key, _spelled(option, chosen[option.key])) for option in options if option.key in chosen)
        self.setting = setting_of(self.key, int(chosen.get("players", USUAL_PLAYERS)), wanted)
        super().__init__(game_type(self.setting.game, self.setting.rewarded), self._info(self.setting), chosen)

    def _info(self, at: Setting) -> Any:
        least, most = utilities(at)
        return pyspiel.GameInfo(
            num_distinct_actions=at.learners.actions,
            max_chance_outcomes=at.game.kernel.most_moves,
            num_players=at.seats,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if at.rewarded == stepping.WIN else None,
            max_game_length=at.bounds.decisions if at.bounds else LONGEST,
        )

    def new_initial_state(self) -> State:
        return State(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.setting.bounds.draws if self.setting.bounds else LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, _: Any = None) -> Observer:
        return Observer(self.setting, iig_obs_type is not None and iig_obs_type.perfect_recall)


class Position:
    """Where a game stands. OpenSpiel copies a state by copying this; `witnesses` are those who imagined the state, one after the other, and
    after how many lines: what was hidden from one of them in these is told to nobody."""

    def __init__(self, setting: Setting, state: Any, half: int, log: list[Line], witnesses: Mapping[Seat, int]) -> None:
        self.setting, self.state, self.half, self.log, self.witnesses = setting, state, half, log, witnesses
        self.game, self.seats = setting.game, setting.game.to_act(state)

    def __deepcopy__(self, _: Any) -> Position:
        return Position(self.setting, self.state.copy(), self.half, self.log.copy(), self.witnesses)

    def __reduce__(self) -> Any:
        return _restored, (self.setting, self.state.tobytes(), self.half, self.log, self.witnesses)

    def imagined(self, seat: Seat, luck: Any) -> Position:
        """A position that fits all that a seat knows."""
        state = self.game.imagine(self.game.observe(self.state, seat), luck)
        return Position(self.setting, state, self.half_of(seat), self.log.copy(), {**self.witnesses, seat: len(self.log)})

    def take(self, action: int) -> None:
        """Nature's outcome of this number, or an action of the seat that is asked."""
        seat = self.seats[0]
        made = self.drawn_by(action) if seat == NATURE else self.made_by(seat, self.setting.learners.check(self.allowed(seat), action))
        if made < 0:
            self.half = made
            return
        self.state, self.half = self.game.kernel.apply(self.state, seat, made), NOTHING
        self.log.append(Line(seat, made))
        self.seats = self.game.to_act(self.state)

    def drawn_by(self, outcome: int) -> int:
        """Nature's outcome of this number."""
        odds = self.game.odds(self.state)
        return odds[self.setting.learners.check(np.ones(len(odds)), outcome)][0]

    def allowed(self, seat: Seat) -> Any:
        """The mask of what a seat may do; other actions mean nothing to the rules."""
        return self.setting.learners.mask(self.state, seat, self.half_of(seat))

    def made_by(self, seat: Seat, action: int) -> int:
        """The move that an action makes; below zero, the choice half made."""
        return int(self.setting.learners.loops.move_of(self.game.kernel.box, self.state, self.half, seat, action))

    def half_of(self, seat: int) -> int:
        """What a seat has chosen of its move already; nobody else knows."""
        return self.half if self.seats and self.seats[0] == seat else NOTHING

    def drawn(self, seat: int) -> str:
        """The table as a seat sees it."""
        half, drawing = self.half_of(seat), self.game.draw(self.game.observe(self.state, Seat(seat)).state)
        return f"{drawing}\n{self.setting.learners.show_half(half)}" if half else drawing

    def heard(self, place: int, seat: int) -> str:
        """A line of the log as a seat heard it."""
        line, shown = self.log[place], self.game.show(self.log[place].move)
        missed = (one for one, lines in self.witnesses.items() if place < lines and self.game.hear(line.move, one) != shown)
        return line.heard(self.game, next(missed, Seat(seat)))


def _restored(setting: Setting, state: bytes, *rest: Any) -> Position:
    return Position(setting, setting.game.kernel.state.from_bytes(state), *rest)


class State(pyspiel.State):  # type: ignore[misc]
    """A state as OpenSpiel asks for it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.at = Position(game.setting, game.setting.start.copy(), NOTHING, [], {})

    def current_player(self) -> Any:
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.at.seats[0] == NATURE else int(self.at.seats[0])

    def _legal_actions(self, player: int) -> list[int]:
        found: list[int] = np.flatnonzero(self.at.allowed(Seat(player))).tolist()
        return found

    def chance_outcomes(self) -> list[tuple[int, float]]:
        odds = self.at.game.odds(self.at.state)
        total = sum(weight for _, weight in odds)
        return [(number, weight / total) for number, (_, weight) in enumerate(odds)]

    def _apply_action(self, action: int) -> None:
        self.at.take(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.at.game.show(Move(self.at.drawn_by(action)))
        if not self.at.setting.learners.allows(self.at.allowed(Seat(player)), action):
            return f"action {action}, which is not legal"
        made = self.at.made_by(Seat(player), action)
        return self.at.game.show(made) if made >= 0 else self.at.setting.learners.show_half(made)

    def is_terminal(self) -> bool:
        return not self.at.seats or (self.at.setting.bounds is None and self.move_number() >= LONGEST)

    def returns(self) -> list[float]:
        setting = self.at.setting
        if self.at.seats:
            return [0.0] * setting.seats
        if setting.rewarded == stepping.POINTS:
            return [float(points) for points in self.at.game.scores(self.at.state)]
        return won(setting.rewarded, self.at.game.outcome(self.at.state), setting.seats)

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> State:
        """For a search under hidden information."""
        other: State = self.clone()
        other.at = self.at.imagined(Seat(player_id), lucky((int(sampler() * MASK), int(sampler() * MASK))))
        return other

    def __str__(self) -> str:
        half = f", {self.at.setting.learners.show_half(self.at.half)}" if self.at.half else ""
        return f"{self.at.game.draw(self.at.state)}\n{len(self.at.log)} lines{half}"


class Observer:
    """What a seat knows now; with `recall`, also all that it heard."""

    def __init__(self, setting: Setting, recall: bool) -> None:
        self.setting, self.recall = setting, recall
        size = setting.learners.size
        self.tensor = np.zeros(size + (2 * HEARD if recall else 0), np.float32)
        self.dict = {"observation": self.tensor[:size]}
        if recall:
            self.dict["heard"] = self.tensor[size:].reshape(HEARD, 2)

    def set_from(self, state: State, player: int) -> None:
        at = state.at
        self.dict["observation"][:] = self.setting.learners.observe(at.state, player, at.half_of(player))
        if self.recall:
            self.dict["heard"][:] = 0
            for row, place in enumerate(range(len(at.log) - 1, max(-1, len(at.log) - 1 - HEARD), -1)):
                line = at.log[place]
                self.dict["heard"][row] = line.seat + 2, (line.move + 1) * (at.heard(place, player) == line.show(at.game))

    def string_from(self, state: State, player: int) -> str:
        at = state.at
        lines = [at.heard(place, player) for place in range(len(at.log))] if self.recall else []
        return "\n".join([*lines, at.drawn(player)])


def name_of(key: str) -> str:
    """What OpenSpiel calls a game."""
    return f"tablee_{key.replace('-', '_')}"


def utilities(at: Setting) -> tuple[float, float]:
    """The least and the most that a seat can be given at the end."""
    if at.rewarded == stepping.POINTS:
        return (at.bounds.least_points, at.bounds.most_points) if at.bounds else (-MOST_POINTS, MOST_POINTS)
    return stepping.share(at.rewarded, at.seats, int(at.rewarded == stepping.WIN), False), 1.0


def game_type(game: Game, reward: int) -> Any:
    return pyspiel.GameType(
        short_name=name_of(game.key),
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
        parameter_specification={"players": USUAL_PLAYERS} | {option.key: option.default for option in game.options},
    )


def _spelled(option: Option, value: Any) -> Any:
    """OpenSpiel reads `first=1` as a number and `order=automatic` as a text, whatever the option wants."""
    return next((each for each in option.values if str(each).lower() == str(value).lower()), value)


def register(key: str) -> None:
    class Named(SpielGame):
        """OpenSpiel keeps it to the very end of a process, which only a class survives."""

    Named.key = key
    pyspiel.register_game(game_type(games.find(key), stepping.WIN), Named)


for _each in known():
    register(_each)
