"""One screen at a table: whose seats it holds, who looks through it now, and the moves they are trying out but have not confirmed.
What it shows is built only from what that seat may know, and its templates can reach nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from tablee.core.errors import TableeError
from tablee.core.fairness import commitment
from tablee.core.game import NATURE, Outcome, Seat
from tablee.core.i18n import Words, note
from tablee.core.match import Match
from tablee.core.tutorial import AskedOtherwise
from tablee.server.table.narration import Entry, Heard, bundled, last_deeds, news, opened
from tablee.server.table.reactions import SIGNS
from tablee.server.table.table import Table
from tablee.server.view.chat_view import spoken
from tablee.server.view.narrator import Narrator, aside, initial
from tablee.server.view.notices import notices
from tablee.server.view.review_view import coached, measured, stops
from tablee.server.view.rule_book import why_not
from tablee.server.view.seat_colours import paints
from tablee.server.view.tutorial_view import lesson_note

BOT_NAMES = {  # the weakest first
    "random": note("bot, plays at random"),
    "easy": note("bot, easy"),
    "greedy": note("bot, greedy (fairly easy)"),
    "medium": note("bot, medium"),
    "hard": note("bot, hard"),
}


@dataclass(frozen=True)
class About:
    """What a page says of its game."""

    key: str
    title: str
    author: str
    spelled: bool  # whether its moves can be said in words
    box: str  # what it is played with, by its checksum


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
    given_away: tuple[Seat, ...] = ()  # those of its seats that somebody else plays, and that it may take back

    @property
    def likeness(self) -> tuple[Any, ...]:
        """Screens of which this is the same show the same, while the same people are here."""
        draft = (self.draft, self.at) if self.draft and self.me is not None and not self.covered else ()
        looks_back = len(self.match.log) if self.look is not None and self.table.done else None
        return self.words.language, self.seats, self.me, self.covered, draft, looks_back, self.given_away

    @cached_property
    def here(self) -> tuple[bool, ...]:
        return self.table.attendance.here(len(self.table.seating))

    @cached_property
    def narrator(self) -> Narrator:
        return Narrator(self.words, self.table.seating)

    @cached_property
    def match(self) -> Match:
        """What it looks at: the table as it is, or as it was."""
        now = self.table.match
        return now if self.look is None or not self.table.done else now.at(min(self.look, len(now.log)))

    @cached_property
    def looks_back(self) -> bool:
        return len(self.match.log) < len(self.table.match.log)

    @cached_property
    def awaited(self) -> tuple[Seat, ...]:
        return self.match.to_act

    @cached_property
    def me(self) -> Seat | None:
        """The seat that looks: the chosen one, else the first of ours that is awaited, else our first."""
        if self.chosen in self.seats:
            return self.chosen
        awaited = [seat for seat in self.seats if seat in self.awaited]
        return next(iter((*awaited, *self.seats)), None)

    @cached_property
    def covered(self) -> bool:
        """On a shared screen a secret hand is hidden until its owner says they are there."""
        return self._shared and self.me != self.shown and bool(self.awaited) and not self.looks_back

    @property
    def _shared(self) -> bool:
        return self.table.game.secrets and len(self.seats) > 1

    @cached_property
    def eye(self) -> Seat | None:
        """Through whom the screen looks: a covered one knows no more than a spectator, nor does a shared one that looks back."""
        return None if self.covered or (self._shared and self.looks_back) else self.me

    def tried(self) -> tuple[Match, list[str], TableeError | None]:
        """The match with the draft played on it, as much of the draft as is legal, and why the rest is not. A covered screen tries nothing:
        whether a move is legal would tell what is in the hand."""
        wanted = self._still_to_play() if self.me is not None and not self.covered else ()
        trial, kept = self.match.branch() if wanted else self.match, list[str]()
        for text in wanted:
            try:
                self._try(trial, self.me or Seat(0), text)
            except TableeError as error:
                return trial, kept, error
            kept.append(text)
        return trial, kept, None

    def _try(self, trial: Match, seat: Seat, text: str) -> None:
        move, taught = trial.game.read(text), None if self.looks_back else self.table.lesson
        if taught:
            taught.heed(trial, seat, move)
        trial.play(seat, move)

    def _still_to_play(self) -> tuple[str, ...]:
        """The draft without those of its moves that have been confirmed since it was begun, by whichever seat of this screen tried them."""
        if self.looks_back or not self.draft:
            return self.draft  # what the coach would have played, to be looked at
        played = self.table.ledger.played(self.seats, self.at)
        both = min(len(played), len(self.draft))
        return self.draft[both:] if self.draft[:both] == played[:both] else self.draft

    def context(self) -> dict[str, Any]:
        """Everything a room's template may use. No state, no match and no seed can be reached from it before the end."""
        table, match = self.table, self.match
        trial, draft, refused = self.tried()
        before = table.looks.of(match.state, self.eye, not self.looks_back)
        now = table.looks.of(trial.state, self.eye, not self.looks_back) if draft else before
        outcome = None if self.awaited else match.game.outcome(match.state)
        heard = self._heard()
        players = self.players(trial, outcome, heard)
        return {
            "_": self.words,
            "lang": self.words.language,
            "game": About(match.game.key, match.game.title, match.game.author, match.game.spell is not None, match.game.components.sha256),
            "table": table.id,
            "version": table.version,
            "options": dict(match.options),
            "secrets": match.game.secrets,
            "before": before.view,
            "view": now.view,
            "scene": now.scene,
            "outcome": outcome,
            "players": players,
            "names": self._names,
            "ranked": sorted(players, key=lambda each: (not each["won"], -each["score"])) if outcome else players,
            **self._in_words(heard, trial, outcome),
            "rematch": table.rematch,
            "inviter": table.inviter,
            "paints": paints(table.seating.colours),
            "notices": notices(self, heard),
            "claims": list(table.ledger.claims),
            "chat": spoken(self),
            **self._asked(trial, draft),
            "draft": draft,
            "refused": refused.tell(self.words) if refused else "",
            "why": why_not(match.game, refused, self.words),
            "kindly": isinstance(refused, AskedOtherwise),
            "lesson": lesson_note(self, trial),
            "hints": table.settings.hints,
            **self._to_check_and_look_back(outcome),
        }

    def _in_words(self, heard: Heard, trial: Match, outcome: Outcome | None) -> dict[str, Any]:
        """What has happened, what is new of it, and what the draft would add."""
        return {
            "tale": heard.entries,
            "log": heard.turns,
            "bundles": bundled(heard.turns),
            "news": self._news(heard),
            "foretold": self._foretold(trial),
            "finale": [entry for entry in heard.entries if entry["kind"] == "final"] if outcome else [],
        }

    def _to_check_and_look_back(self, outcome: Outcome | None) -> dict[str, Any]:
        """What makes the draws fair, and what one does with a game that is over."""
        table, match, taught = self.table, self.match, self.table.settings.lesson
        return {
            "commitment": commitment(match.seed) if match.seed and not taught else "",
            "seed": match.seed.hex() if match.seed and table.done and not taught else None,
            "origin": match.origin,
            "brought": table.brought,
            "replay": stops(table.match) if table.done else [],
            "coach": coached(self),
            "yardstick": measured(self, outcome, BOT_NAMES),
            "levels": BOT_NAMES,
        }

    def _asked(self, trial: Match, draft: list[str]) -> dict[str, Any]:
        """Who looks, whose turn it is, and what may be done about it."""
        match, eye = self.match, self.eye
        free = eye is not None and not self.looks_back and not self.table.paused and not self._is_played_for(eye)
        legal = trial.legal(eye) if free and eye is not None else []
        return {
            "me": eye,
            "mine": self.seats,
            "covered": self.covered,
            "comes": self.me,  # whose hand is uncovered next, while the screen is passed on
            "to_act": [seat for seat in self.awaited if seat != NATURE],
            "my_turn": free and eye in self.awaited,
            "legal": [match.game.show(move) for move in legal],
            "offers": self.narrator.offered(match.game, legal),
            "ready": bool(draft) and eye not in trial.to_act and free,
            "over": not self.awaited,
            "looks_back": self.looks_back,
            "can_undo": self._to_take_back() if free and not draft else None,
        }

    def _is_played_for(self, seat: Seat) -> bool:
        """Whether a bot or somebody else plays there, until the owner at this screen takes the seat back."""
        return self.table.seating.has_stand_in(seat) or seat in self.given_away

    def _to_take_back(self) -> dict[str, Any] | None:
        """Return whose turn of this screen's seats can be taken back, and whether others are asked first; None if none can."""
        log, back = self.match.log, self.table.taking_back
        ours = [seat for seat in (self.eye, *(line.seat for line in log[-1:])) if seat is not None and seat in self.seats]
        if back.waiting or not any(line.seat in ours for line in log):
            return None
        seat = next((seat for seat in ours if back.why_not(seat, self.seats) is None), None)
        return None if seat is None else {"seat": seat, "asks": bool(back.to_ask(seat, self.seats))}

    def _heard(self) -> Heard:
        """The game so far in words, as this seat may hear it. Where a turn is played apart, nobody is told what the others did in it before
        their own part is done."""
        now, eye = self.table.match, self.eye
        tale = self.table.tale(self.words.language, eye)
        tale.follow(len(now.log), lambda position: self._told(now, position))
        heard = tale.until(len(self.match.log))
        if not self.looks_back:
            heard = heard.followed_by(self._asides(len(now.log)))
        return heard.apart(self._own_part_done(heard), eye)

    def _told(self, match: Match, position: int) -> list[Entry]:
        return [*self._asides(position), *self.narrator.told(position, match.log[position].seat, match.told[position], self.eye)]

    def _asides(self, position: int) -> list[Entry]:
        """What happened at the table before this line of the game, and is none."""
        said = [aside(each.kind, each.seat) for each in self.table.ledger.asides if each.at == position]
        return self.narrator.told(position - 0.5, NATURE, [event for event in said if event], self.eye)

    def _foretold(self, trial: Match) -> list[Entry]:
        """What the draft would tell, in the very words that the log will use."""
        lines = range(len(self.match.log), len(trial.log))
        return [entry for at in lines for entry in self.narrator.told(at, trial.log[at].seat, trial.told[at], self.eye)]

    def _own_part_done(self, heard: Heard) -> int:
        """How far the log goes of which this seat may hear: where turns are played apart, to the roll that it has not yet answered. Whoever
        watches waits for everybody."""
        game, lines = self.table.game, len(self.match.log)
        playing = (self.eye in self.awaited or (self.eye is None and bool(self.awaited))) and not self.looks_back
        return opened(heard.turns, game.opens, lines) if game.apart and playing else lines

    def _scores(self, trial: Match, heard: Heard) -> Sequence[int]:
        """Everybody's points, those of the others as far as this seat may hear of them."""
        scores, told = self.table.looks.scores(trial.state), self._own_part_done(heard) + 1
        if told >= len(self.match.log):
            return scores
        then = self.table.looks.scores_after(self.match, told)
        return [score if seat == self.eye else then[seat] for seat, score in enumerate(scores)]

    def _news(self, heard: Heard) -> list[Entry]:
        """What the others did since this seat moved, or in the turn that all played apart; a spectator hears of the last turn."""
        game, log = self.table.game, self.match.log
        until = min(self._own_part_done(heard), len(log))
        if self.eye is None:
            return news(heard.turns, opened(heard.turns, game.opens, until - 1), None) if game.apart else news(heard.turns[-1:], -1, None)
        since = next((position for position in reversed(range(until)) if log[position].seat == self.eye), -1)
        return news(heard.turns, opened(heard.turns, game.opens, since) if game.apart else since, self.eye)

    def players(self, trial: Match, outcome: Outcome | None, heard: Heard) -> list[dict[str, Any]]:
        scores, chairs = self._scores(trial, heard), self.table.seating.chairs
        last = last_deeds(heard.turns, len(chairs))
        return [
            {
                "seat": seat,
                "name": name,
                "initial": initial(name),
                "score": scores[seat],
                "bot": chair.kind == "bot",
                "stands_in": self.table.seating.has_stand_in(Seat(seat)),
                "here": chair.kind == "bot" or self.table.brought or self.here[seat],
                "awaited": seat in self.awaited,
                "won": bool(outcome and seat in outcome.winners),
                "reaction": self._reaction(Seat(seat)),
                "clock": reading and asdict(reading),
                "last": last.get(seat),  # what this seat did last, if that is not long ago
            }
            for seat, (chair, name) in enumerate(zip(chairs, self._names, strict=True))
            for reading in [self.table.clock.read(Seat(seat))]
        ]

    def _reaction(self, seat: Seat) -> tuple[str, str] | None:
        """The sign that the seat gives, and what it means."""
        found = self.table.reactions.of(seat)
        return (found, self.words(SIGNS[found])) if found else None

    @cached_property
    def _names(self) -> Sequence[str]:
        return [self.narrator.name(seat) for seat in range(len(self.table.seating))]
