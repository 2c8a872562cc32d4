"""One client's view of a table: the seats that it holds, the seat that it views through, and its draft of unconfirmed moves.

The view is built only from what that seat may know, and templates can reach nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tablee.core.errors import Refusal, TableeError
from tablee.core.fairness import commitment
from tablee.core.game import NATURE, Outcome, Seat
from tablee.core.i18n import Translator, msg
from tablee.core.match import Match
from tablee.core.narration import NarrationEntry
from tablee.core.tutorial import OffScript
from tablee.server.table.chat import SIGNS
from tablee.server.table.models import BOT, PROGRAM
from tablee.server.table.table import Table
from tablee.server.view.company import chat_view, notices, tutorial_note
from tablee.server.view.narration import (
    NarrationSlice,
    TurnSummary,
    bundle_turns,
    last_summaries,
    since_last_turn,
    standings,
    turn_opened_at,
)
from tablee.server.view.narrator import BOT_NAMES, Narrator, aside_event, initial, seat_colours
from tablee.server.view.review_view import benchmark_view, coach_view, replay_stops
from tablee.server.view.rule_book import violated_rule
from tablee.server.view.table_view import (
    CompanyPart,
    DraftPart,
    FinishedPart,
    GameSummary,
    LogPart,
    PlayersPart,
    PlayerView,
    PositionPart,
    TablePart,
    TableView,
    UndoOffer,
    ViewerPart,
)
from tablee.server.view.view_cache import view_cache_of


class TurnComplete(Refusal):
    """Refusal of a move after a draft that is a complete turn."""


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
        trial, accepted, seat = self.match.branch() if wanted else self.match, list[str](), self.me or Seat(0)
        lesson = self.table.tutorial if wanted and not self.is_looking_back else None
        for text in wanted:
            if accepted and seat not in trial.to_act and not self.is_looking_back:
                return trial, accepted, TurnComplete(msg("your turn is complete: confirm it, or undo a step"))
            try:
                move = trial.game.read(text)
                if lesson:
                    lesson.check_expected(trial, seat, move)
                trial.play(seat, move)
            except TableeError as error:
                return trial, accepted, error
            accepted.append(text)
        return trial, accepted, None

    def _unplayed_draft(self) -> tuple[str, ...]:
        """Return the draft without the moves that were confirmed since it was begun, by any seat of this client."""
        if self.is_looking_back or not self.draft:
            return self.draft  # in a replay it holds the coach's moves
        played = self.table.log.moves_since(self.seats, self.draft_version)
        both = min(len(played), len(self.draft))
        return self.draft[both:] if self.draft[:both] == played[:both] else self.draft

    def message(self) -> TableView:
        """Return all that this client sees; it gives no access to state, match or seed before the end of the game."""
        trial, draft, refused = self.apply_draft()
        outcome = None if self.to_act else self.match.game.outcome(self.match.state)
        narration, is_drafting = self._narration(), bool(draft)
        return TableView(
            self._table_part(),
            self._position_part(trial if draft else self.match, outcome),
            self._viewer_part(trial, is_drafting),
            self._draft_part(trial, draft, refused),
            self._players_part(trial, outcome, narration),
            self._log_part(narration, outcome),
            CompanyPart(notices(self, narration), list(self.table.log.claims), chat_view(self), tutorial_note(self, trial)),
            FinishedPart(
                replay_stops(self.table.match) if self.table.done else (), coach_view(self), benchmark_view(self, outcome, BOT_NAMES)
            ),
        )

    def _table_part(self) -> TablePart:
        table, match, game, proves_draws = self.table, self.match, self.match.game, not self.table.settings.lesson
        return TablePart(
            table.id,
            table.version,
            GameSummary(game.key, game.title, game.author, game.describe is not None, game.components.sha256),
            options=dict(match.options),
            secrets=game.secrets,
            hints=table.settings.hints,
            seat_colours=seat_colours(table.seating.colours),
            is_imported=table.is_imported,
            origin=match.origin,
            commitment=commitment(match.seed) if match.seed and proves_draws else "",
            seed=match.seed.hex() if match.seed and table.done and proves_draws else None,
            rematch=table.rematch,
            inviter=table.inviter,
        )

    def _position_part(self, trial: Match, outcome: Outcome | None) -> PositionPart:
        views, may_choose = view_cache_of(self.table), not self.is_looking_back
        before = views.position(self.match.state, self.viewer, may_choose)
        now = before if trial is self.match else views.position(trial.state, self.viewer, may_choose)
        return PositionPart(
            now.view,
            before.view,
            now.scene,
            to_act=[seat for seat in self.to_act if seat != NATURE],
            scores=views.scores(self.match.state),
            over=not self.to_act,
            looks_back=self.is_looking_back,
            outcome=outcome,
        )

    @cached_property
    def _may_act(self) -> bool:
        return self.viewer is not None and not self.is_looking_back and not self.table.paused and not self._is_played_for(self.viewer)

    def _viewer_part(self, trial: Match, is_drafting: bool) -> ViewerPart:
        game, viewer = self.match.game, self.viewer
        legal = trial.legal(viewer) if self._may_act and viewer is not None else []
        return ViewerPart(
            viewer,
            mine=self.seats,
            covered=self.is_covered,
            plays_alone=bool(self.seats) and {*self.seats} == self.table.seating.people - self.table.seating.programs,
            next_viewer=self.me,
            my_turn=self._may_act and viewer in self.to_act,
            legal=[game.show(move) for move in legal],
            move_labels=self.narrator.move_labels(game, legal),
            can_undo=self._undo_offer() if self._may_act and not is_drafting else None,
        )

    def _draft_part(self, trial: Match, draft: list[str], refused: TableeError | None) -> DraftPart:
        return DraftPart(
            draft,
            ready=bool(draft) and self.viewer not in trial.to_act and self._may_act,
            preview=self._preview(trial),
            refused=refused.translate(self.translator) if refused else "",
            why=violated_rule(self.match.game, refused, self.translator),
            kindly=isinstance(refused, (OffScript, TurnComplete)),
        )

    def _players_part(self, trial: Match, outcome: Outcome | None, narration: NarrationSlice) -> PlayersPart:
        players = self.players(trial, outcome, narration)
        ranked = sorted(players, key=lambda each: (not each.won, -each.score)) if outcome else players
        return PlayersPart(players, ranked, self._names, initials=tuple(each.initial for each in players))

    def _log_part(self, narration: NarrationSlice, outcome: Outcome | None) -> LogPart:
        finale = [entry for entry in narration.entries if entry.kind == "final"] if outcome else []
        return LogPart(
            tuple(narration.entries),
            tuple(narration.turns),
            bundle_turns(narration.turns),
            self._news(narration),
            finale,
            standings(finale, outcome.scores) if outcome else (),
        )

    def _is_played_for(self, seat: Seat) -> bool:
        """Return whether a bot or another person plays an own seat until it is taken back."""
        return self.table.seating.has_stand_in(seat) or seat in self.given_away

    def _undo_offer(self) -> UndoOffer | None:
        log, undo_requests = self.match.log, self.table.undo_requests
        ours = [seat for seat in (self.viewer, *(line.seat for line in log[-1:])) if seat is not None and seat in self.seats]
        if undo_requests.pending or not any(line.seat in ours for line in log):
            return None
        seat = next((seat for seat in ours if undo_requests.refusal_for(seat, self.seats) is None), None)
        return None if seat is None else UndoOffer(seat, asks=bool(undo_requests.players_to_ask(seat, self.seats)))

    def _narration(self) -> NarrationSlice:
        """Return the game so far in words, as far as the viewer may know it.

        In simultaneous turns the moves of the others are hidden until the viewer's own turn is done.
        """
        now, viewer = self.table.match, self.viewer
        players = [(each.kind, each.name) for each in self.table.seating.seats]
        narration = view_cache_of(self.table).narration(self.translator.language, viewer, (players, self.table.log.undone))
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
        scores, visible = view_cache_of(self.table).scores(trial.state), self._visible_until(narration) + 1
        if visible >= len(self.match.log):
            return scores
        then = view_cache_of(self.table).scores_after(self.match, visible)
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

    def players(self, trial: Match, outcome: Outcome | None, narration: NarrationSlice) -> list[PlayerView]:
        table, scores, last = self.table, self._scores(trial, narration), last_summaries(narration.turns, len(self.table.seating))
        return [
            PlayerView(
                seat,
                name,
                initial(name),
                scores[seat],
                bot=stored.kind in (BOT, PROGRAM),
                has_stand_in=table.seating.has_stand_in(seat),
                here=stored.kind == BOT or table.is_imported or self.present[seat],
                awaited=seat in self.to_act,
                won=bool(outcome and seat in outcome.winners),
                reaction=self._reaction(seat),
                clock=table.clock.reading(seat),
                last=last.get(seat),
            )
            for seat, stored, name in zip(map(Seat, range(len(table.seating))), table.seating.seats, self._names, strict=True)
        ]

    def _reaction(self, seat: Seat) -> tuple[str, str] | None:
        """Return the seat's current reaction and its meaning, None without one."""
        found = self.table.reactions.current(seat)
        return (found, self.translator(SIGNS[found])) if found else None

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(self.narrator.name(seat) for seat in range(len(self.table.seating)))
