"""Tutorials: a room's `tutorial.toml` scripts a first game: automatic lines, moves asked of the learner, and texts.

A game that follows a tutorial is an ordinary game; its progress in the tutorial is a function of its log.

    opponents = ["Pia"]                  # the learner is seat 0
    options = { first = 0 }
    learnt = ["You build side by side.", ...]

    [[steps]]
    plays = ["- roll 4 2"]               # played before anything is asked; may include the learner's lines, to skip ahead
    says = "Two dice were rolled."       # explanation of what happened
    todo = "Tap a lit cell."             # the request, in words
    asks = ["build house 2C | build house 2D", "build forest *"]  # patterns, move by move; or `any_order = true`
    points = ["#cell-2C, #cell-2D"]      # CSS selectors: the page highlights the first visible match
    ready = "It will score 4."           # shown when every asked move is drafted and only Confirm is left
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
    """Refusal of a legal move that the tutorial does not ask for."""


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
        """Return the ask that this move fulfils, or None."""
        open_now = asks if self.any_order else asks[:1]
        return next((ask for ask in open_now if any(fnmatchcase(move, pattern) for pattern in ask.split(" | "))), None)


@dataclass(frozen=True)
class TutorialProgress:
    """Progress of a game: the step, the scripted lines still to be played, and the moves still asked for."""

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
        """Yield every translatable text."""
        yield from self.learnt
        for step in self.steps:
            yield from filter(None, (step.says, step.todo, step.ready))

    def progress(self, lines: Sequence[str]) -> TutorialProgress | None:
        """Return the progress of a game with this log, or None if the log departs from the script."""
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
        """Play the scripted lines up to the next ask."""
        progress = self.progress(match.lines())
        for text in progress.plays if progress else ():
            line = read_line(match.game, text)
            match.play(line.seat, line.move)

    def check_expected(self, match: Match, seat: Seat, move: Move) -> None:
        """Raise OffScript for a legal move that the tutorial does not ask for, and another Refusal for an illegal one."""
        match.check(seat, move)
        progress = self.progress(match.lines())
        if progress is not None and progress.asks and progress.step.matching_ask(progress.asks, match.game.show(move)) is None:
            raise OffScript(msg("That is allowed too! In this first game, try what the ring shows."))


@cache
def load_tutorial(folder: Path) -> Tutorial | None:
    return Tutorial.read(folder / TUTORIAL_FILE) if (folder / TUTORIAL_FILE).exists() else None


def tutorial_of(game: Game) -> Tutorial | None:
    """Return the tutorial of a room, if it has one; the tutorial assumes the room's own box."""
    return load_tutorial(game.folder)
