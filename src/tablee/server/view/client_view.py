"""One client's view of a table: the seats that it holds, the seat that it views through, and its draft of unconfirmed moves.

The view is built only from what that seat may know, and templates can reach nothing else.
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
from tablee.server.table.reactions import SIGNS
from tablee.server.table.table import Table
from tablee.server.view.chat_view import chat_view
from tablee.server.view.narration import (
    NarrationEntry,
    NarrationSlice,
    TurnSummary,
    bundle_turns,
    last_summaries,
    since_last_turn,
    turn_opened_at,
)
from tablee.server.view.narrator import Narrator, aside_event, initial
from tablee.server.view.notices import notices
from tablee.server.view.review_view import benchmark_view, coach_view, replay_stops
from tablee.server.view.rule_book import violated_rule
from tablee.server.view.seat_colours import colour_classes
from tablee.server.view.table_views import views_of
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
    """Facts about a game for its page."""

    key: str
    title: str
    author: str
    spelled: bool  # whether moves have descriptions in words
    box: str  # checksum of its components


@dataclass(frozen=True)
class ClientView:
    table: Table
    translator: Translator
    seats: tuple[Seat, ...] = ()
    chosen: Seat | None = None  # seat that the client asked to view through
    uncovered_seat: Seat | None = None  # seat whose secrets were uncovered on a shared screen
    draft: tuple[str, ...] = ()
    draft_version: int = 0  # version at which the draft was begun
    replay_position: int | None = None  # number of log lines shown, while it replays a finished game
    given_away: tuple[Seat, ...] = ()  # own seats that another person plays, and that can be taken back

    @property
    def cache_key(self) -> tuple[Any, ...]:
        """Key of the rendered view: equal keys give equal views while the same people are present."""
        draft = (self.draft, self.draft_version) if self.draft and self.me is not None and not self.is_covered else ()
        position = len(self.match.log) if self.replay_position is not None and self.table.done else None
        return self.translator.language, self.seats, self.me, self.is_covered, draft, position, self.given_away

    @cached_property
    def present(self) -> tuple[bool, ...]:
        return self.table.presence.who_is_here(len(self.table.seating))

    @cached_property
    def narrator(self) -> Narrator:
        return Narrator(self.translator, self.table.seating)

    @cached_property
    def match(self) -> Match:
        """Match that is shown: the current one, or a past position of a finished game."""
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
        """Own seat in use: the chosen one, else the first that is to act, else the first."""
        if self.chosen in self.seats:
            return self.chosen
        to_act = [seat for seat in self.seats if seat in self.to_act]
        return next(iter((*to_act, *self.seats)), None)

    @cached_property
    def is_covered(self) -> bool:
        """Whether a shared screen hides the secrets of `me` until their owner uncovers them."""
        return self._is_shared_with_secrets and self.me != self.uncovered_seat and bool(self.to_act) and not self.is_looking_back

    @property
    def _is_shared_with_secrets(self) -> bool:
        return self.table.game.secrets and len(self.seats) > 1

    @cached_property
    def viewer(self) -> Seat | None:
        """Seat whose knowledge is shown; None, a spectator's, while covered and during a replay on a shared screen."""
        return None if self.is_covered or (self._is_shared_with_secrets and self.is_looking_back) else self.me

    def apply_draft(self) -> tuple[Match, list[str], TableeError | None]:
        """Return the match with the draft played on it, the legal part of the draft, and why the rest is illegal.

        A covered screen plays no draft: whether a move is legal would reveal the hand.
        """
        wanted = self._unplayed_draft() if self.me is not None and not self.is_covered else ()
        trial, accepted = self.match.branch() if wanted else self.match, list[str]()
        for text in wanted:
            try:
                self._apply_draft_move(trial, self.me or Seat(0), text)
            except TableeError as error:
                return trial, accepted, error
            accepted.append(text)
        return trial, accepted, None

    def _apply_draft_move(self, trial: Match, seat: Seat, text: str) -> None:
        move, lesson = trial.game.read(text), None if self.is_looking_back else self.table.tutorial
        if lesson:
            lesson.check_expected(trial, seat, move)
        trial.play(seat, move)

    def _unplayed_draft(self) -> tuple[str, ...]:
        """Return the draft without the moves that were confirmed since it was begun, by any seat of this client."""
        if self.is_looking_back or not self.draft:
            return self.draft  # in a replay it holds the coach's moves
        played = self.table.log.moves_since(self.seats, self.draft_version)
        both = min(len(played), len(self.draft))
        return self.draft[both:] if self.draft[:both] == played[:both] else self.draft

    def context(self) -> dict[str, Any]:
        """Return all that a room's template may use; it gives no access to state, match or seed before the end of the game."""
        table, match = self.table, self.match
        trial, draft, refused = self.apply_draft()
        views = views_of(table)
        before = views.get(match.state, self.viewer, not self.is_looking_back)
        now = views.get(trial.state, self.viewer, not self.is_looking_back) if draft else before
        outcome = None if self.to_act else match.game.outcome(match.state)
        narration = self._narration()
        players = self.players(trial, outcome, narration)
        return {
            "_": self.translator,
            "lang": self.translator.language,
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
            **self._narration_context(narration, trial, outcome),
            "rematch": table.rematch,
            "inviter": table.inviter,
            "colour_classes": colour_classes(table.seating.colours),
            "notices": notices(self, narration),
            "claims": list(table.log.claims),
            "chat": chat_view(self),
            **self._turn_context(trial, draft),
            "draft": draft,
            "refused": refused.translate(self.translator) if refused else "",
            "why": violated_rule(match.game, refused, self.translator),
            "kindly": isinstance(refused, OffScript),
            "lesson": tutorial_note(self, trial),
            "hints": table.settings.hints,
            **self._finished_game_context(outcome),
        }

    def _narration_context(self, narration: NarrationSlice, trial: Match, outcome: Outcome | None) -> dict[str, Any]:
        """Return the log in words, what is new in it, and what the draft would add."""
        return {
            "narration": narration.entries,
            "log": narration.turns,
            "bundles": bundle_turns(narration.turns),
            "news": self._news(narration),
            "preview": self._preview(trial),
            "finale": [entry for entry in narration.entries if entry["kind"] == "final"] if outcome else [],
        }

    def _finished_game_context(self, outcome: Outcome | None) -> dict[str, Any]:
        """Return the proof of fair draws, and the replay, review and benchmark of a finished game."""
        table, match, is_tutorial = self.table, self.match, self.table.settings.lesson
        return {
            "commitment": commitment(match.seed) if match.seed and not is_tutorial else "",
            "seed": match.seed.hex() if match.seed and table.done and not is_tutorial else None,
            "origin": match.origin,
            "is_imported": table.is_imported,
            "replay": replay_stops(table.match) if table.done else [],
            "coach": coach_view(self),
            "benchmark": benchmark_view(self, outcome, BOT_NAMES),
            "levels": BOT_NAMES,
        }

    def _turn_context(self, trial: Match, draft: list[str]) -> dict[str, Any]:
        """Return who views, whose turn it is, and which actions the client has."""
        match, viewer = self.match, self.viewer
        free = viewer is not None and not self.is_looking_back and not self.table.paused and not self._is_played_for(viewer)
        legal = trial.legal(viewer) if free and viewer is not None else []
        return {
            "me": viewer,
            "mine": self.seats,
            "covered": self.is_covered,
            "next_viewer": self.me,  # whose secrets are uncovered next, while the screen is passed on
            "to_act": [seat for seat in self.to_act if seat != NATURE],
            "my_turn": free and viewer in self.to_act,
            "legal": [match.game.show(move) for move in legal],
            "move_labels": self.narrator.move_labels(match.game, legal),
            "ready": bool(draft) and viewer not in trial.to_act and free,
            "over": not self.to_act,
            "looks_back": self.is_looking_back,
            "can_undo": self._undo_offer() if free and not draft else None,
        }

    def _is_played_for(self, seat: Seat) -> bool:
        """Return whether a bot or another person plays an own seat until it is taken back."""
        return self.table.seating.has_stand_in(seat) or seat in self.given_away

    def _undo_offer(self) -> dict[str, Any] | None:
        """Return which own seat can take back its turn, and whether others are asked first; None if none can."""
        log, undo_requests = self.match.log, self.table.undo_requests
        ours = [seat for seat in (self.viewer, *(line.seat for line in log[-1:])) if seat is not None and seat in self.seats]
        if undo_requests.pending or not any(line.seat in ours for line in log):
            return None
        seat = next((seat for seat in ours if undo_requests.refusal_for(seat, self.seats) is None), None)
        return None if seat is None else {"seat": seat, "asks": bool(undo_requests.players_to_ask(seat, self.seats))}

    def _narration(self) -> NarrationSlice:
        """Return the game so far in words, as far as the viewer may know it.

        In simultaneous turns the moves of the others are hidden until the viewer's own turn is done.
        """
        now, viewer = self.table.match, self.viewer
        players = [(each.kind, each.name) for each in self.table.seating.seats]
        narration = views_of(self.table).narration(self.translator.language, viewer, (players, self.table.log.undone))
        narration.extend_to(len(now.log), lambda position: self._entries_at(now, position))
        visible = narration.slice_until(len(self.match.log))
        if not self.is_looking_back:
            visible = visible.with_trailing(self._asides(len(now.log)))
        return visible.hide_others_since(self._visible_until(visible), viewer)

    def _entries_at(self, match: Match, position: int) -> list[NarrationEntry]:
        return [*self._asides(position), *self.narrator.entries(position, match.log[position].seat, match.events[position], self.viewer)]

    def _asides(self, position: int) -> list[NarrationEntry]:
        """Return the entries of platform events, such as pauses, before this line of the log."""
        events = [aside_event(each.kind, each.seat) for each in self.table.log.platform_lines if each.at == position]
        return self.narrator.entries(position, NATURE, [event for event in events if event], self.viewer, aside=True)

    def _preview(self, trial: Match) -> list[NarrationEntry]:
        """Return the entries that the draft would add to the log."""
        lines = range(len(self.match.log), len(trial.log))
        return [entry for at in lines for entry in self.narrator.entries(at, trial.log[at].seat, trial.events[at], self.viewer)]

    def _visible_until(self, narration: NarrationSlice) -> int:
        """Return up to which log line the viewer may know everything: in simultaneous turns, the roll that they have not answered.

        A spectator waits for every seat.
        """
        game, lines = self.table.game, len(self.match.log)
        playing = (self.viewer in self.to_act or (self.viewer is None and bool(self.to_act))) and not self.is_looking_back
        return turn_opened_at(narration.turns, game.turn_opening_kinds, lines) if game.simultaneous_turns and playing else lines

    def _scores(self, trial: Match, narration: NarrationSlice) -> Sequence[int]:
        """Return the points of all seats, those of the others as far as the viewer may know them."""
        scores, visible = views_of(self.table).scores(trial.state), self._visible_until(narration) + 1
        if visible >= len(self.match.log):
            return scores
        then = views_of(self.table).scores_after(self.match, visible)
        return [score if seat == self.viewer else then[seat] for seat, score in enumerate(scores)]

    def _news(self, narration: NarrationSlice) -> list[TurnSummary]:
        """Return what the others did since the viewer's last move, or in a simultaneous turn; for a spectator, the last turn."""
        game, log = self.table.game, self.match.log
        until = min(self._visible_until(narration), len(log))
        if self.viewer is None:
            return (
                since_last_turn(narration.turns, turn_opened_at(narration.turns, game.turn_opening_kinds, until - 1), None)
                if game.simultaneous_turns
                else since_last_turn(narration.turns[-1:], -1, None)
            )
        since = next((position for position in reversed(range(until)) if log[position].seat == self.viewer), -1)
        return since_last_turn(
            narration.turns,
            turn_opened_at(narration.turns, game.turn_opening_kinds, since) if game.simultaneous_turns else since,
            self.viewer,
        )

    def players(self, trial: Match, outcome: Outcome | None, narration: NarrationSlice) -> list[dict[str, Any]]:
        scores, seats = self._scores(trial, narration), self.table.seating.seats
        last = last_summaries(narration.turns, len(seats))
        return [
            {
                "seat": number,
                "name": name,
                "initial": initial(name),
                "score": scores[number],
                "bot": seat.kind == "bot",
                "has_stand_in": self.table.seating.has_stand_in(Seat(number)),
                "here": seat.kind == "bot" or self.table.is_imported or self.present[number],
                "awaited": number in self.to_act,
                "won": bool(outcome and number in outcome.winners),
                "reaction": self._reaction(Seat(number)),
                "clock": reading and asdict(reading),
                "last": last.get(number),  # summary of the seat's last turn, if recent
            }
            for number, (seat, name) in enumerate(zip(seats, self._names, strict=True))
            for reading in [self.table.clock.reading(Seat(number))]
        ]

    def _reaction(self, seat: Seat) -> tuple[str, str] | None:
        """Return the seat's current reaction and its meaning, None without one."""
        found = self.table.reactions.current(seat)
        return (found, self.translator(SIGNS[found])) if found else None

    @cached_property
    def _names(self) -> Sequence[str]:
        return [self.narrator.name(seat) for seat in range(len(self.table.seating))]
