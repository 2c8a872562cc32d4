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
from tablee.core.i18n import Translator, mark
from tablee.core.match import Match
from tablee.core.tutorial import OffScript
from tablee.server.table.narration import NarrationEntry, NarrationSlice, bundle_turns, last_summaries, since_last_turn, turn_opened_at
from tablee.server.table.reactions import SIGNS
from tablee.server.table.table import Table
from tablee.server.view.chat_view import chat_view
from tablee.server.view.narrator import Narrator, aside_event, initial
from tablee.server.view.notices import notices
from tablee.server.view.review_view import benchmark_view, coach_view, replay_stops
from tablee.server.view.rule_book import violated_rule
from tablee.server.view.seat_colours import colour_classes
from tablee.server.view.tutorial_view import tutorial_note

BOT_NAMES = {  # the weakest first
    "random": mark("bot, plays at random"),
    "easy": mark("bot, easy"),
    "greedy": mark("bot, greedy (fairly easy)"),
    "medium": mark("bot, medium"),
    "hard": mark("bot, hard"),
}


@dataclass(frozen=True)
class GameSummary:
    """What a page says of its game."""

    key: str
    title: str
    author: str
    spelled: bool  # whether its moves can be said in words
    box: str  # what it is played with, by its checksum


@dataclass(frozen=True)
class ClientView:
    table: Table
    words: Translator
    seats: tuple[Seat, ...] = ()
    chosen: Seat | None = None  # the seat this screen was asked to look through
    uncovered_seat: Seat | None = None  # the seat whose secrets were uncovered on a shared screen
    draft: tuple[str, ...] = ()
    draft_version: int = 0  # the version the draft was begun at
    replay_position: int | None = None  # how many lines of the log it looks at, when it looks back at a game that is over
    given_away: tuple[Seat, ...] = ()  # those of its seats that somebody else plays, and that it may take back

    @property
    def cache_key(self) -> tuple[Any, ...]:
        """Screens of which this is the same show the same, while the same people are here."""
        draft = (self.draft, self.draft_version) if self.draft and self.me is not None and not self.is_covered else ()
        looks_back = len(self.match.log) if self.replay_position is not None and self.table.done else None
        return self.words.language, self.seats, self.me, self.is_covered, draft, looks_back, self.given_away

    @cached_property
    def present(self) -> tuple[bool, ...]:
        return self.table.presence.who_is_here(len(self.table.seating))

    @cached_property
    def narrator(self) -> Narrator:
        return Narrator(self.words, self.table.seating)

    @cached_property
    def match(self) -> Match:
        """What it looks at: the table as it is, or as it was."""
        now = self.table.match
        return now if self.replay_position is None or not self.table.done else now.at(min(self.replay_position, len(now.log)))

    @cached_property
    def is_looking_back(self) -> bool:
        return len(self.match.log) < len(self.table.match.log)

    @cached_property
    def to_act(self) -> tuple[Seat, ...]:
        return self.match.to_act

    @cached_property
    def me(self) -> Seat | None:
        """The seat that looks: the chosen one, else the first of ours that is awaited, else our first."""
        if self.chosen in self.seats:
            return self.chosen
        awaited = [seat for seat in self.seats if seat in self.to_act]
        return next(iter((*awaited, *self.seats)), None)

    @cached_property
    def is_covered(self) -> bool:
        """On a shared screen a secret hand is hidden until its owner says they are there."""
        return self._is_shared_with_secrets and self.me != self.uncovered_seat and bool(self.to_act) and not self.is_looking_back

    @property
    def _is_shared_with_secrets(self) -> bool:
        return self.table.game.secrets and len(self.seats) > 1

    @cached_property
    def viewer(self) -> Seat | None:
        """Through whom the screen looks: a covered one knows no more than a spectator, nor does a shared one that looks back."""
        return None if self.is_covered or (self._is_shared_with_secrets and self.is_looking_back) else self.me

    def apply_draft(self) -> tuple[Match, list[str], TableeError | None]:
        """The match with the draft played on it, as much of the draft as is legal, and why the rest is not. A covered screen tries nothing:
        whether a move is legal would tell what is in the hand."""
        wanted = self._unplayed_draft() if self.me is not None and not self.is_covered else ()
        trial, kept = self.match.branch() if wanted else self.match, list[str]()
        for text in wanted:
            try:
                self._apply_draft_move(trial, self.me or Seat(0), text)
            except TableeError as error:
                return trial, kept, error
            kept.append(text)
        return trial, kept, None

    def _apply_draft_move(self, trial: Match, seat: Seat, text: str) -> None:
        move, taught = trial.game.read(text), None if self.is_looking_back else self.table.lesson
        if taught:
            taught.check_expected(trial, seat, move)
        trial.play(seat, move)

    def _unplayed_draft(self) -> tuple[str, ...]:
        """The draft without those of its moves that have been confirmed since it was begun, by whichever seat of this screen tried them."""
        if self.is_looking_back or not self.draft:
            return self.draft  # what the coach would have played, to be looked at
        played = self.table.log.moves_since(self.seats, self.draft_version)
        both = min(len(played), len(self.draft))
        return self.draft[both:] if self.draft[:both] == played[:both] else self.draft

    def context(self) -> dict[str, Any]:
        """Everything a room's template may use. No state, no match and no seed can be reached from it before the end."""
        table, match = self.table, self.match
        trial, draft, refused = self.apply_draft()
        before = table.views.get(match.state, self.viewer, not self.is_looking_back)
        now = table.views.get(trial.state, self.viewer, not self.is_looking_back) if draft else before
        outcome = None if self.to_act else match.game.outcome(match.state)
        heard = self._narration()
        players = self.players(trial, outcome, heard)
        return {
            "_": self.words,
            "lang": self.words.language,
            "game": GameSummary(
                match.game.key, match.game.title, match.game.author, match.game.describe is not None, match.game.components.sha256
            ),
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
            **self._narration_context(heard, trial, outcome),
            "rematch": table.rematch,
            "inviter": table.inviter,
            "colour_classes": colour_classes(table.seating.colours),
            "notices": notices(self, heard),
            "claims": list(table.log.claims),
            "chat": chat_view(self),
            **self._turn_context(trial, draft),
            "draft": draft,
            "refused": refused.translate(self.words) if refused else "",
            "why": violated_rule(match.game, refused, self.words),
            "kindly": isinstance(refused, OffScript),
            "lesson": tutorial_note(self, trial),
            "hints": table.settings.hints,
            **self._finished_game_context(outcome),
        }

    def _narration_context(self, heard: NarrationSlice, trial: Match, outcome: Outcome | None) -> dict[str, Any]:
        """What has happened, what is new of it, and what the draft would add."""
        return {
            "narration": heard.entries,
            "log": heard.turns,
            "bundles": bundle_turns(heard.turns),
            "news": self._news(heard),
            "preview": self._preview(trial),
            "finale": [entry for entry in heard.entries if entry["kind"] == "final"] if outcome else [],
        }

    def _finished_game_context(self, outcome: Outcome | None) -> dict[str, Any]:
        """What makes the draws fair, and what one does with a game that is over."""
        table, match, taught = self.table, self.match, self.table.settings.lesson
        return {
            "commitment": commitment(match.seed) if match.seed and not taught else "",
            "seed": match.seed.hex() if match.seed and table.done and not taught else None,
            "origin": match.origin,
            "is_imported": table.is_imported,
            "replay": replay_stops(table.match) if table.done else [],
            "coach": coach_view(self),
            "benchmark": benchmark_view(self, outcome, BOT_NAMES),
            "levels": BOT_NAMES,
        }

    def _turn_context(self, trial: Match, draft: list[str]) -> dict[str, Any]:
        """Who looks, whose turn it is, and what may be done about it."""
        match, eye = self.match, self.viewer
        free = eye is not None and not self.is_looking_back and not self.table.paused and not self._is_played_for(eye)
        legal = trial.legal(eye) if free and eye is not None else []
        return {
            "me": eye,
            "mine": self.seats,
            "covered": self.is_covered,
            "next_viewer": self.me,  # whose hand is uncovered next, while the screen is passed on
            "to_act": [seat for seat in self.to_act if seat != NATURE],
            "my_turn": free and eye in self.to_act,
            "legal": [match.game.show(move) for move in legal],
            "move_labels": self.narrator.move_labels(match.game, legal),
            "ready": bool(draft) and eye not in trial.to_act and free,
            "over": not self.to_act,
            "looks_back": self.is_looking_back,
            "can_undo": self._undo_offer() if free and not draft else None,
        }

    def _is_played_for(self, seat: Seat) -> bool:
        """Whether a bot or somebody else plays there, until the owner at this screen takes the seat back."""
        return self.table.seating.has_stand_in(seat) or seat in self.given_away

    def _undo_offer(self) -> dict[str, Any] | None:
        """Return whose turn of this screen's seats can be taken back, and whether others are asked first; None if none can."""
        log, back = self.match.log, self.table.undo_requests
        ours = [seat for seat in (self.viewer, *(line.seat for line in log[-1:])) if seat is not None and seat in self.seats]
        if back.pending or not any(line.seat in ours for line in log):
            return None
        seat = next((seat for seat in ours if back.refusal_for(seat, self.seats) is None), None)
        return None if seat is None else {"seat": seat, "asks": bool(back.players_to_ask(seat, self.seats))}

    def _narration(self) -> NarrationSlice:
        """The game so far in words, as this seat may hear it. Where a turn is played apart, nobody is told what the others did in it before
        their own part is done."""
        now, eye = self.table.match, self.viewer
        tale = self.table.narration(self.words.language, eye)
        tale.extend_to(len(now.log), lambda position: self._entries_at(now, position))
        heard = tale.slice_until(len(self.match.log))
        if not self.is_looking_back:
            heard = heard.with_trailing(self._asides(len(now.log)))
        return heard.hide_others_since(self._visible_until(heard), eye)

    def _entries_at(self, match: Match, position: int) -> list[NarrationEntry]:
        return [*self._asides(position), *self.narrator.entries(position, match.log[position].seat, match.events[position], self.viewer)]

    def _asides(self, position: int) -> list[NarrationEntry]:
        """What happened at the table before this line of the game, and is none."""
        said = [aside_event(each.kind, each.seat) for each in self.table.log.platform_lines if each.at == position]
        return self.narrator.entries(position - 0.5, NATURE, [event for event in said if event], self.viewer)

    def _preview(self, trial: Match) -> list[NarrationEntry]:
        """What the draft would tell, in the very words that the log will use."""
        lines = range(len(self.match.log), len(trial.log))
        return [entry for at in lines for entry in self.narrator.entries(at, trial.log[at].seat, trial.events[at], self.viewer)]

    def _visible_until(self, heard: NarrationSlice) -> int:
        """How far the log goes of which this seat may hear: where turns are played apart, to the roll that it has not yet answered. Whoever
        watches waits for everybody."""
        game, lines = self.table.game, len(self.match.log)
        playing = (self.viewer in self.to_act or (self.viewer is None and bool(self.to_act))) and not self.is_looking_back
        return turn_opened_at(heard.turns, game.turn_opening_kinds, lines) if game.simultaneous_turns and playing else lines

    def _scores(self, trial: Match, heard: NarrationSlice) -> Sequence[int]:
        """Everybody's points, those of the others as far as this seat may hear of them."""
        scores, told = self.table.views.scores(trial.state), self._visible_until(heard) + 1
        if told >= len(self.match.log):
            return scores
        then = self.table.views.scores_after(self.match, told)
        return [score if seat == self.viewer else then[seat] for seat, score in enumerate(scores)]

    def _news(self, heard: NarrationSlice) -> list[NarrationEntry]:
        """What the others did since this seat moved, or in the turn that all played apart; a spectator hears of the last turn."""
        game, log = self.table.game, self.match.log
        until = min(self._visible_until(heard), len(log))
        if self.viewer is None:
            return (
                since_last_turn(heard.turns, turn_opened_at(heard.turns, game.turn_opening_kinds, until - 1), None)
                if game.simultaneous_turns
                else since_last_turn(heard.turns[-1:], -1, None)
            )
        since = next((position for position in reversed(range(until)) if log[position].seat == self.viewer), -1)
        return since_last_turn(
            heard.turns, turn_opened_at(heard.turns, game.turn_opening_kinds, since) if game.simultaneous_turns else since, self.viewer
        )

    def players(self, trial: Match, outcome: Outcome | None, heard: NarrationSlice) -> list[dict[str, Any]]:
        scores, chairs = self._scores(trial, heard), self.table.seating.seats
        last = last_summaries(heard.turns, len(chairs))
        return [
            {
                "seat": seat,
                "name": name,
                "initial": initial(name),
                "score": scores[seat],
                "bot": chair.kind == "bot",
                "has_stand_in": self.table.seating.has_stand_in(Seat(seat)),
                "here": chair.kind == "bot" or self.table.is_imported or self.present[seat],
                "awaited": seat in self.to_act,
                "won": bool(outcome and seat in outcome.winners),
                "reaction": self._reaction(Seat(seat)),
                "clock": reading and asdict(reading),
                "last": last.get(seat),  # what this seat did last, if that is not long ago
            }
            for seat, (chair, name) in enumerate(zip(chairs, self._names, strict=True))
            for reading in [self.table.clock.reading(Seat(seat))]
        ]

    def _reaction(self, seat: Seat) -> tuple[str, str] | None:
        """The sign that the seat gives, and what it means."""
        found = self.table.reactions.current(seat)
        return (found, self.words(SIGNS[found])) if found else None

    @cached_property
    def _names(self) -> Sequence[str]:
        return [self.narrator.name(seat) for seat in range(len(self.table.seating))]
