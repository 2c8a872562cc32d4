"""One screen at a table: whose seats it holds, who looks through it now, and the moves they are trying out but have not confirmed.
What it shows is built only from what that seat may know, and its templates can reach nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from tablee.bots.coach import Advice
from tablee.core.errors import TableeError
from tablee.core.fairness import commitment
from tablee.core.game import NATURE, Event, Move, Outcome, Seat
from tablee.core.match import Match
from tablee.core.words import Say, Words, note, say
from tablee.server.reviewing import Review, stops_of
from tablee.server.tables import Table
from tablee.server.tale import Entry, bundled, news, opened, told_once, turns
from tablee.server.yardstick import beaten

BOT_NAMES = {
    "easy": note("bot, easy"),
    "greedy": note("bot, takes the best points"),
    "medium": note("bot, medium"),
    "hard": note("bot, hard"),
    "random": note("bot, plays anything"),
}


@dataclass(frozen=True)
class About:
    """What a page says of its game."""

    key: str
    title: str
    author: str
    spelled: bool  # whether its moves can be said in words


@dataclass(frozen=True)
class Screen:
    table: Table
    words: Words
    seats: tuple[Seat, ...] = ()
    chosen: Seat | None = None  # the seat this screen was asked to look through
    shown: Seat | None = None  # the seat whose secrets were uncovered on a shared screen
    draft: tuple[str, ...] = ()
    at: int = 0  # the version the draft was begun at
    look: int | None = None  # how many lines of the log it looks at, when it looks back at a game that is over

    @cached_property
    def match(self) -> Match:
        """What it looks at: the table as it is, or as it was."""
        now = self.table.match
        return now if self.look is None or now.to_act else now.at(min(self.look, len(now.log)))

    @property
    def looks_back(self) -> bool:
        return len(self.match.log) < len(self.table.match.log)

    @cached_property
    def awaited(self) -> tuple[Seat, ...]:
        return self.match.to_act

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
        return self._shared and self.me != self.shown and bool(self.awaited) and not self.looks_back

    @property
    def _shared(self) -> bool:
        return self.table.game.secrets and len(self.seats) > 1

    @property
    def eye(self) -> Seat | None:
        """Through whom the screen looks: a covered one knows no more than a spectator, nor does a shared one that looks back."""
        return None if self.covered or (self._shared and self.looks_back) else self.me

    def tried(self) -> tuple[Match, list[str], str]:
        """The match with the draft played on it, as much of the draft as is legal, and why the rest is not."""
        trial, kept = self.match.branch(), list[str]()
        for text in self._still_to_play() if self.me is not None else ():
            try:
                trial.play(self.me or Seat(0), trial.game.read(text))
            except TableeError as error:
                return trial, kept, error.tell(self.words)
            kept.append(text)
        return trial, kept, ""

    def _still_to_play(self) -> tuple[str, ...]:
        """The draft without those of its moves that have been confirmed since it was begun, by whichever seat of this screen tried them."""
        if self.looks_back:
            return self.draft  # what the coach would have played, to be looked at
        lines = [line.partition(" ") for line in self.table.lines[self.at :]]
        played = tuple(move for seat, _, move in lines if seat in map(str, self.seats))
        return self.draft[len(played) :] if self.draft[: len(played)] == played else self.draft

    def context(self) -> dict[str, Any]:
        """Everything a room's template may use. No state, no match and no seed can be reached from it before the end."""
        match = self.match
        trial, draft, refused = self.tried()
        before = self._view(match)
        view = self._view(trial) if draft else before
        outcome = None if self.awaited else match.game.outcome(match.state)
        tale = self._told_by_now(self.tale(self.eye))
        log = [told_once(turn) for turn in turns(tale, match.game.opens)]
        players = self.players(trial, outcome, log)
        return {
            "_": self.words,
            "lang": self.words.language,
            "game": About(match.game.key, match.game.title, match.game.author, match.game.spell is not None),
            "table": self.table.id,
            "version": self.table.version,
            "options": dict(match.options),
            "before": before,
            "view": view,
            "scene": match.game.scene(view),
            "outcome": outcome,
            "players": players,
            "ranked": sorted(players, key=lambda each: (not each["won"], -each["score"])) if outcome else players,
            "tale": tale,
            "log": log,
            "bundles": bundled(log),
            "news": self._news(tale, log),
            "foretold": self._foretold(trial),
            "finale": [entry for entry in tale if entry["kind"] == "final"] if outcome else [],
            "rematch": self.table.rematch,
            **self._asked(trial, draft),
            "draft": draft,
            "refused": refused,
            "commitment": commitment(match.seed or b""),
            "seed": None if self.table.match.to_act else (match.seed or b"").hex(),
            "replay": self._replay(),
            "coach": self._coach(),
            "hints": self.table.hints,
            "yardstick": self._yardstick(outcome),
        }

    def _view(self, match: Match) -> dict[str, Any]:
        """What lies on the table for this eye; who looks back is offered nothing."""
        view = match.game.view(match.game.observe(match.state, self.eye))
        return view | {"forecast": {}} if self.looks_back and "forecast" in view else view

    def _asked(self, trial: Match, draft: list[str]) -> dict[str, Any]:
        """Who looks, whose turn it is, and what may be done about it."""
        match, eye = self.match, self.eye
        free = eye is not None and not self.looks_back
        legal = trial.legal(eye) if free and eye is not None else []
        return {
            "me": eye,
            "mine": self.seats,
            "covered": self.covered,
            "comes": self.me,  # whose hand is uncovered next, while the screen is passed on
            "to_act": [seat for seat in self.awaited if seat != NATURE],
            "my_turn": free and eye in self.awaited,
            "legal": [match.game.show(move) for move in legal],
            "offers": [(match.game.show(move), self._spelled(move)) for move in legal],
            "ready": bool(draft) and eye not in trial.to_act and free,
            "over": not self.awaited,
            "looks_back": self.looks_back,
            "can_undo": not draft and free and eye is not None and match.can_undo(eye),
        }

    def _spelled(self, move: Move) -> str:
        """A move in this reader's words, or in notation where the game has none."""
        game = self.table.game
        return name_seats(self, self.words(game.spell(move))) if game.spell else game.show(move)

    def _replay(self) -> list[dict[str, Any]]:
        """Once the game is over: where one may look back to, as a number of lines, and whether points were made since the stop before."""
        now = self.table.match
        if now.to_act:
            return []
        scored = [any(event.points for event in events) for events in now.told]
        stops = stops_of(now)
        return [{"at": 0, "scored": False}, *({"at": at, "scored": any(scored[before:at])} for before, at in pairwise(stops))]

    def _coach(self) -> dict[str, Any] | None:
        """What the coach has found so far: for the curves, the turns that mattered most, and the turn that this screen looks at."""
        review, now = self.table.review, self.table.match
        if review is None or now.to_act or self.look is None:
            return None
        return {
            "done": round(100 * review.done),
            "chances": review.chances,
            "now": self._chances_now(review),
            "turning": review.turning_points,
            "advice": [self._advice(each) for each in review.of_turn(len(self.match.log)) if not self.seats or each.seat in self.seats],
        }

    def _chances_now(self, review: Review) -> list[int]:
        """In a hundred, at the turn that is shown."""
        turn = sum(stop <= len(self.match.log) for stop in review.stops) - 1
        return [round(100 * share) for share in review.chances[turn]] if turn < len(review.chances) else []

    def _yardstick(self, outcome: Outcome | None) -> list[dict[str, Any]]:
        """For somebody who played alone: each level, how many of its games were beaten, and what it made of the very same draws."""
        if outcome is None or len(self.table.seats) > 1:
            return []
        than, same = beaten(self.table.game.key, outcome.scores[0]), self.table.review.same_luck if self.table.review else {}
        levels = [level for level in BOT_NAMES if level in than or level in same]
        return [{"name": self.words(BOT_NAMES[level]), "beaten": than.get(level), "same": same.get(level)} for level in levels]

    def _advice(self, advice: Advice) -> dict[str, Any]:
        game = self.table.game
        same = advice.better == advice.played or (advice.share <= 0 and advice.points <= 0)
        better = game.show(advice.played if same else advice.better)
        return {
            "seat": advice.seat,
            "name": self.name(advice.seat),
            "at": advice.position,
            "same": same,
            "move": better,
            "words": self.in_words(advice.position, advice.seat, better),
            "percent": round(100 * advice.share),
            "points": round(advice.points, 1),
        }

    def in_words(self, position: int, seat: Seat, text: str) -> str:
        """What a move would be told as, had it been played after so many lines."""
        trial = self.table.match.at(position)
        step = trial.play(seat, trial.game.read(text))
        heard = [said for event in step.events if (said := event.heard_by(seat))]
        return name_seats(self, self.words(heard[0])) if heard else text

    def _told_by_now(self, tale: list[Entry]) -> list[Entry]:
        """Where a turn is played apart, nobody is told what the others did in it before their own part is done."""
        until = self._own_part_done(tale)
        return [entry for entry in tale if entry["position"] <= until or entry["seat"] in (None, self.eye)]

    def _own_part_done(self, tale: Sequence[Entry]) -> int:
        """How far the log goes of which this seat may hear: where turns are played apart, to the roll that it has not yet answered."""
        game, lines = self.table.game, len(self.match.log)
        playing = self.eye in self.awaited and not self.looks_back
        return opened(tale, game.opens, lines) if game.apart and playing else lines

    def _news(self, tale: Sequence[Entry], log: Sequence[Sequence[Entry]]) -> list[Entry]:
        """What the others did since this seat moved, or in the turn that all played apart; a spectator hears of the last turn."""
        if self.eye is None:
            return news(log[-1:], -1, None)
        game, lines = self.table.game, self.match.log[: self._own_part_done(tale)]
        since = max((position for position, line in enumerate(lines) if line.seat == self.eye), default=-1)
        return news(log, opened(tale, game.opens, since) if game.apart else since, self.eye)

    def players(self, trial: Match, outcome: Outcome | None, log: Sequence[Sequence[Entry]]) -> list[dict[str, Any]]:
        scores = trial.game.scores(trial.state)
        last = {line["seat"]: line for line in news(log[-len(self.table.seats) - 1 :], -1, None)}
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
                "last": last.get(seat),  # what this seat did last, if that is not long ago
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
        """The game so far in words, as this seat may hear it."""
        return [entry for entry in self._told_to(eye) if entry["position"] < len(self.match.log)]

    def _told_to(self, eye: Seat | None) -> list[dict[str, Any]]:
        """All that the table has been told; what was told once is remembered."""
        match, known = self.table.match, self.table.tales.setdefault((self.words.language, eye), [])
        for position in range(len(known), len(match.log)):
            known.append(self._told(position, match.log[position].seat, (*self._hurried(position), *match.told[position]), eye))
        return [entry for line in known for entry in line]

    def _foretold(self, trial: Match) -> list[dict[str, Any]]:
        """What the draft would tell, in the very words that the log will use."""
        return [
            entry
            for position in range(len(self.match.log), len(trial.log))
            for entry in self._told(position, trial.log[position].seat, trial.told[position], self.eye)
        ]

    def _hurried(self, position: int) -> list[Event]:
        return [Event("hurried", say("is not done thinking and plays at once"), seat) for at, seat in self.table.hurried if at == position]

    def _told(self, position: int, actor: Seat, events: Sequence[Event], eye: Seat | None) -> list[dict[str, Any]]:
        return [self._entry(position, actor, event, heard) for event in events if (heard := event.heard_by(eye))]

    def _entry(self, position: int, actor: Seat, event: Event, heard: Say) -> dict[str, Any]:
        seat = actor if event.seat is None else event.seat
        return {
            "position": position,
            "seat": None if seat == NATURE else seat,
            "name": "" if seat == NATURE else self.name(seat),
            "by_nature": actor == NATURE,
            "kind": event.kind,
            "sentence": name_seats(self, self.words(heard)),
            "brief": name_seats(self, self.words(event.brief)) if event.brief and event.sentence is heard else "",
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
