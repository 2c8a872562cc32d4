"""One screen at a table: whose seats it holds, who looks through it now, and the moves they are trying out but have not confirmed.
What it shows is built only from what that seat may know, and its templates can reach nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tablee.core.errors import TableeError
from tablee.core.fairness import commitment
from tablee.core.game import NATURE, Event, Outcome, Seat
from tablee.core.match import Match
from tablee.core.words import Say, Words, say
from tablee.server.tables import Table


@dataclass(frozen=True)
class About:
    """What a page says of its game."""

    key: str
    title: str
    author: str


@dataclass(frozen=True)
class Screen:
    table: Table
    words: Words
    seats: tuple[Seat, ...] = ()
    chosen: Seat | None = None  # the seat this screen was asked to look through
    shown: Seat | None = None  # the seat whose secrets were uncovered on a shared screen
    draft: tuple[str, ...] = ()
    at: int = 0  # the version the draft was begun at

    @cached_property
    def awaited(self) -> tuple[Seat, ...]:
        return self.table.match.to_act

    @property
    def me(self) -> Seat | None:
        """The seat that looks: the chosen one, else the first of ours that is awaited, else our first."""
        if self.chosen in self.seats:
            return self.chosen
        awaited = [seat for seat in self.seats if seat in self.awaited]
        return next(iter((*awaited, *self.seats)), None)

    @property
    def covered(self) -> bool:
        """On a shared screen a secret hand is hidden until its owner says they are there."""
        return self.table.game.secrets and len(self.seats) > 1 and self.me != self.shown and bool(self.awaited)

    @property
    def eye(self) -> Seat | None:
        """Through whom the screen looks: a covered one knows no more than a spectator."""
        return None if self.covered else self.me

    def tried(self) -> tuple[Match, list[str], str]:
        """The match with the draft played on it, as much of the draft as is legal, and why the rest is not."""
        trial, kept = self.table.match.branch(), list[str]()
        for text in self._still_to_play() if self.me is not None else ():
            try:
                trial.play(self.me or Seat(0), trial.game.read(text))
            except TableeError as error:
                return trial, kept, error.tell(self.words)
            kept.append(text)
        return trial, kept, ""

    def _still_to_play(self) -> tuple[str, ...]:
        """The draft without those of its moves that have been confirmed since it was begun, by whichever seat of this screen tried them."""
        lines = [line.partition(" ") for line in self.table.lines[self.at :]]
        played = tuple(move for seat, _, move in lines if seat in map(str, self.seats))
        return self.draft[len(played) :] if self.draft[: len(played)] == played else self.draft

    def context(self) -> dict[str, Any]:
        """Everything a room's template may use. No state, no match and no seed can be reached from it before the end."""
        match = self.table.match
        trial, draft, refused = self.tried()
        before = self._view(match)
        view = self._view(trial) if draft else before
        outcome = None if self.awaited else match.game.outcome(match.state)
        return {
            "_": self.words,
            "lang": self.words.language,
            "game": About(match.game.key, match.game.title, match.game.author),
            "table": self.table.id,
            "version": self.table.version,
            "options": dict(match.options),
            "before": before,
            "view": view,
            "scene": match.game.scene(view),
            "outcome": outcome,
            "players": self.players(trial, outcome),
            "tale": self.tale(self.eye),
            **self._asked(trial, draft),
            "draft": draft,
            "refused": refused,
            "commitment": commitment(match.seed or b""),
            "seed": None if self.awaited else (match.seed or b"").hex(),
        }

    def _view(self, match: Match) -> dict[str, Any]:
        return match.game.view(match.game.observe(match.state, self.eye))

    def _asked(self, trial: Match, draft: list[str]) -> dict[str, Any]:
        """Who looks, whose turn it is, and what may be done about it."""
        match, me, eye = self.table.match, self.me, self.eye
        return {
            "me": me,
            "mine": self.seats,
            "covered": self.covered,
            "to_act": [seat for seat in self.awaited if seat != NATURE],
            "my_turn": me in self.awaited,
            "legal": [match.game.show(move) for move in trial.legal(eye)] if eye is not None else [],
            "ready": bool(draft) and me not in trial.to_act,
            "over": not self.awaited,
            "can_undo": not draft and eye is not None and match.can_undo(eye),
        }

    def players(self, trial: Match, outcome: Outcome | None) -> list[dict[str, Any]]:
        scores = trial.game.scores(trial.state)
        return [
            {
                "seat": seat,
                "name": self.name(seat),
                "initial": initial(self.name(seat)),
                "score": scores[seat],
                "bot": kept.kind == "bot",
                "here": kept.kind == "bot" or self.table.is_here(Seat(seat)),
                "awaited": seat in self.awaited,
                "won": bool(outcome and seat in outcome.winners),
            }
            for seat, kept in enumerate(self.table.seats)
        ]

    def name(self, seat: int) -> str:
        kept = self.table.seats[seat]
        if kept.name:
            return kept.name
        number = seat + 1
        return self.words(say("Bot {number}", number=number) if kept.kind == "bot" else say("Player {number}", number=number))

    def tale(self, eye: Seat | None) -> list[dict[str, Any]]:
        """The game so far in words, as this seat may hear it; what was told once is remembered."""
        match, known = self.table.match, self.table.tales.setdefault((self.words.language, eye), [])
        for position in range(len(known), len(match.log)):
            known.append(self._told(position, match.log[position].seat, match.told[position], eye))
        return [entry for line in known for entry in line]

    def _told(self, position: int, actor: Seat, events: Sequence[Event], eye: Seat | None) -> list[dict[str, Any]]:
        return [self._entry(position, actor, event, heard) for event in events if (heard := event.heard_by(eye))]

    def _entry(self, position: int, actor: Seat, event: Event, heard: Say) -> dict[str, Any]:
        seat = actor if event.seat is None else event.seat
        return {
            "position": position,
            "seat": None if seat == NATURE else seat,
            "name": "" if seat == NATURE else self.name(seat),
            "kind": event.kind,
            "sentence": name_seats(self, self.words(heard)),
            "points": event.points,
            "parts": [(self.words(what), points) for what, points in event.parts],
            "place": event.place,
        }


def name_seats(screen: Screen, sentence: str) -> str:
    """Rules speak of `seat 2`-style marks, <2>; people have names."""
    return re.sub(r"<(\d+)>", lambda found: screen.name(int(found[1])), sentence)


def initial(name: str) -> str:
    """A letter for the player's token; `Player 3` and `Bot 3` are told apart by their number."""
    number = re.search(r" (\d+)$", name)
    return number[1] if number else name[:1].upper()
