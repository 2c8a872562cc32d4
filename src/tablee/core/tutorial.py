"""A first game by which one learns: a room's `tutorial.toml` has the lines that come by themselves, what the learner is asked to do between
them, and what is said about it. A game that follows it is an ordinary game; where it stands in the lesson is read off its log.

    opponents = ["Pia"]                  # the learner is seat 0
    options = { first = 0 }
    learnt = ["You build side by side.", ...]

    [[steps]]
    plays = ["- roll 4 2"]               # before anything is asked; also lines of the learner, where the lesson turns some pages
    says = "Two dice were rolled."       # what there is to see
    todo = "Tap a lit cell."             # what is asked, in these words
    asks = ["build house 2C | build house 2D", "build forest *"]  # move by move, each one of several; or `any_order = true`
    points = ["#cell-2C, #cell-2D"]      # selectors of places on the page: the first that is in sight is pointed at
    ready = "It will score 4."           # said when everything is tried out and only Confirm is left
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from tablee.core.errors import Refusal
from tablee.core.game import Game, Move, Seat
from tablee.core.i18n import msg
from tablee.core.match import Match, read_line

TUTORIAL_FILE = "tutorial.toml"
LEARNER = Seat(0)


class OffScript(Refusal):
    """The move is legal, and the lesson goes another way."""


@dataclass(frozen=True)
class TutorialStep:
    plays: tuple[str, ...] = ()
    says: str = ""
    todo: str = ""
    asks: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    ready: str = ""
    any_order: bool = False

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> TutorialStep:
        fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in written.items()}
        return cls(**fields)

    def matching_ask(self, asks: Sequence[str], move: str) -> str | None:
        """Which of these this move answers."""
        open_now = asks if self.any_order else asks[:1]
        return next((ask for ask in open_now if any(fnmatchcase(move, way) for way in ask.split(" | "))), None)


@dataclass(frozen=True)
class TutorialProgress:
    """Where a game stands: at which step, which lines come by themselves, and what is asked after them."""

    number: int
    step: TutorialStep
    plays: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tutorial:
    opponents: tuple[str, ...]
    options: Mapping[str, Any]
    learnt: tuple[str, ...]
    steps: tuple[TutorialStep, ...]

    @classmethod
    def read(cls, file: Path) -> Tutorial:
        written = tomllib.loads(file.read_text(encoding="utf-8"))
        steps = tuple(map(TutorialStep.read, written["steps"]))
        return cls(tuple(written["opponents"]), written.get("options", {}), tuple(written["learnt"]), steps)

    @property
    def seats(self) -> int:
        return 1 + len(self.opponents)

    def sentences(self) -> Iterator[str]:
        """Everything a reader is told."""
        yield from self.learnt
        for step in self.steps:
            yield from filter(None, (step.says, step.todo, step.ready))

    def progress(self, lines: Sequence[str]) -> TutorialProgress | None:
        """Where a game with this log stands; None where it has gone its own way."""
        left = iter(lines)
        for number, step in enumerate(self.steps):
            for done, expected in enumerate(step.plays):
                line = next(left, None)
                if line is None:
                    return TutorialProgress(number, step, step.plays[done:])
                if line != expected:
                    return None
            asks = list(step.asks)
            while asks:
                line = next(left, None)
                if line is None:
                    return TutorialProgress(number, step, (), tuple(asks))
                seat, _, move = line.partition(" ")
                met = step.matching_ask(asks, move) if seat == str(LEARNER) else None
                if met is None:
                    return None
                asks.remove(met)
        return None if next(left, None) else TutorialProgress(len(self.steps), self.steps[-1])

    def play_scripted(self, match: Match) -> None:
        """Plays what comes by itself before the learner is asked again."""
        stand = self.progress(match.lines())
        for text in stand.plays if stand else ():
            line = read_line(match.game, text)
            match.play(line.seat, line.move)

    def check_expected(self, match: Match, seat: Seat, move: Move) -> None:
        """Refuses kindly what the rules allow and this lesson does not ask for."""
        match.check(seat, move)
        stand = self.progress(match.lines())
        if stand is not None and stand.asks and stand.step.matching_ask(stand.asks, match.game.show(move)) is None:
            raise OffScript(msg("That is allowed too! In this first game, try what the ring shows."))


@cache
def load_tutorial(folder: Path) -> Tutorial | None:
    return Tutorial.read(folder / TUTORIAL_FILE) if (folder / TUTORIAL_FILE).exists() else None


def tutorial_of(game: Game) -> Tutorial | None:
    """The lesson that a room brings, if it does; it is played with the box that the room brings too."""
    return load_tutorial(game.folder)
