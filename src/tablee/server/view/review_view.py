"""The coach in words: a hint, and the view of a finished game with its replay positions, the review, and the benchmark of a solo game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from typing_extensions import TypedDict

from tablee.bots.coach import Advice
from tablee.core.game import Outcome, Seat
from tablee.core.i18n import Message, Translator, msg
from tablee.core.match import Match
from tablee.core.narration import turn_ends_of
from tablee.server.table.coaching import Review, percent_beaten
from tablee.server.table.table import Table
from tablee.server.view.narrator import Narrator

if TYPE_CHECKING:
    from tablee.server.view.client_view import ClientView

CurveKind = Literal["win", "together", "points"]


@dataclass(frozen=True, slots=True)
class ReplayStop:
    """One position of the replay."""

    at: int  # a number of lines
    scored: bool  # whether points were scored since the previous one


@dataclass(frozen=True, slots=True)
class AdviceView:
    """Advice on one turn of a seat."""

    seat: Seat
    at: int
    shown: bool  # whether its moves are on the board
    moves: str
    sentence: str
    percent: int
    points: float
    immediate_points: int


@dataclass(frozen=True, slots=True)
class LuckView:
    """What the draws brought a seat, and what its moves gave away, in a sentence."""

    seat: Seat
    sentence: str


@dataclass(frozen=True, slots=True)
class CoachView:
    """The coach's review of a finished game, as far as it is computed."""

    done: int  # percent
    curve_kind: CurveKind
    curves: Sequence[Sequence[float]]  # by turn: a value in [0, 1] for each seat, or one for a team
    now: Sequence[int]  # at the turn that is shown
    turning_points: Sequence[int]
    agrees: bool
    advice: Sequence[AdviceView]
    luck: Sequence[LuckView]  # of all seats, once everything is computed

    def across(self, turn: int, stops: int) -> float:
        """Return where a turn stands on a drawing 100 wide that shows so many stops."""
        return round(100 * turn / max(stops - 1, 1), 2)

    def line(self, seat: int, stops: int) -> str:
        """Return the points of a seat's curve on that drawing, which is 40 high."""
        return " ".join(f"{self.across(turn, stops)},{39 - 38 * values[seat]:.2f}" for turn, values in enumerate(self.curves))


@dataclass(frozen=True, slots=True)
class BenchmarkScore:
    """A bot level beside the score of a solo game."""

    name: str
    beaten: int | None  # percent of its games
    same: int | None  # its score with the same draws


_stops_cache: WeakKeyDictionary[Match, Sequence[ReplayStop]] = WeakKeyDictionary()  # of finished matches


def replay_stops(match: Match) -> Sequence[ReplayStop]:
    if match not in _stops_cache:
        _stops_cache[match] = _find_stops(match)
    return _stops_cache[match]


def _find_stops(match: Match) -> Sequence[ReplayStop]:
    scored = [any(event.points for event in events) for events in match.events]
    return (ReplayStop(0, scored=False), *(ReplayStop(at, any(scored[before:at])) for before, at in pairwise(turn_ends_of(match))))


def coach_view(client_view: ClientView) -> CoachView | None:
    """Return the coach's review so far: the curves, the turning points, and advice on the turn that is shown.

    A value of a curve is the probability to win, or a share of the highest expected points of a solo game.
    """
    review, match = client_view.table.coach.review, client_view.table.match
    if review is None or not client_view.table.done or client_view.replay_position is None:
        return None
    alone, together = match.seats == 1, match.outcome is not None and match.outcome.won is not None
    values = [each[:1] if together else each for each in review.chances]
    turn = sum(stop <= len(client_view.match.log) for stop in review.turn_ends) - 1
    highest = max([1.0, *(value for (value,) in values)]) if alone else 1.0
    advice = [each for each in _advice_shown(review, client_view) if not client_view.seats or each.seat in client_view.seats]
    return CoachView(
        done=round(100 * review.progress),
        curve_kind="points" if alone else "together" if together else "win",
        curves=[[value / highest for value in each] for each in values],
        now=[round(value if alone else 100 * value) for value in values[turn]] if turn < len(values) else [],
        turning_points=review.turning_points,
        agrees=bool(advice) and not any(each.differs for each in advice),
        advice=[_advice_view(client_view, each) for each in _best_advice(advice)],
        luck=[_luck_view(client_view, review, Seat(seat)) for seat in range(match.seats)] if review.progress == 1 else [],
    )


def _luck_view(client_view: ClientView, review: Review, seat: Seat) -> LuckView:
    """Return a seat's luck and what it gave away: in points alone, otherwise in percent of the win; of a bot luck only."""
    table, alone = client_view.table, client_view.table.match.seats == 1
    luck, lost = _amount(review.luck_of(seat), alone, "{:+d}"), _amount(review.given_away(seat, alone), alone, "{:d}")
    if seat not in table.seating.people:
        sentence = msg("Luck {luck}", luck=luck)
    elif seat in client_view.seats:
        sentence = msg("Luck {luck}, you gave away {lost}", luck=luck, lost=lost)
    else:
        sentence = msg("Luck {luck}, {player} gave away {lost}", luck=luck, player=f"<{seat}>", lost=lost)
    return LuckView(seat, client_view.narrator.render(sentence))


def _amount(found: float, alone: bool, form: str) -> Message | str:
    """Return points, or percent of the win, as whole numbers."""
    number = form.format(round(found if alone else 100 * found)).replace("-", "−")
    return number if alone else msg("{percent} %", percent=number)


def _best_advice(advice: Sequence[Advice]) -> list[Advice]:
    """Return each seat's advice with the greatest gain."""
    ordered = sorted((each for each in advice if each.differs), key=lambda each: (each.seat, -each.share, -each.points))
    return [next(group) for _, group in groupby(ordered, key=lambda each: each.seat)]


def _advice_shown(review: Review, client_view: ClientView) -> list[Advice]:
    """Return the advice on the turn that is shown, or to which the coach's move on the board belongs."""
    lines = len(client_view.match.log)
    return review.advice_for_turn(review.end_of_turn(lines) if client_view.draft else lines)


def _advice_view(client_view: ClientView, advice: Advice) -> AdviceView:
    """Return one piece of advice; leave out the moves that both turns share, unless a turn has no others."""
    game, match, seat = client_view.table.game, client_view.table.match.at(advice.position), advice.seat
    shared, turns = set(advice.played) & set(advice.better), {"played": advice.played, "better": advice.better}
    omitted = shared if all(set(moves) - shared for moves in turns.values()) else set()
    viewer, after = client_view.viewer if game.secrets else seat, {name: match.branch() for name in turns}
    phrases = {name: client_view.narrator.infinitive(after[name], seat, moves, viewer, omitted) for name, moves in turns.items()}
    return AdviceView(
        seat,
        advice.position,
        shown=bool(client_view.draft) and advice.position == len(client_view.match.log),
        moves="|".join(game.show(move) for move in advice.better),
        sentence=client_view.narrator.render(msg("Rather than {played}, the coach would {better}:", **phrases)),
        percent=round(100 * advice.share),
        points=round(advice.points, 1),
        immediate_points=game.kernel.score(after["better"].state, seat) - game.kernel.score(after["played"].state, seat),
    )


def benchmark_view(client_view: ClientView, outcome: Outcome | None, names: Mapping[str, str]) -> Sequence[BenchmarkScore]:
    """Return, for a solo game, each bot level with the percentage of its games beaten and its score with the same draws."""
    table = client_view.table
    if outcome is None or len(table.seating) > 1:
        return []
    beaten, same_draws = percent_beaten(table.game.key, outcome.scores[0]), table.coach.review.same_draws if table.coach.review else {}
    levels = [level for level in names if level in beaten or level in same_draws]
    return [BenchmarkScore(client_view.translator(names[level]), beaten.get(level), same_draws.get(level)) for level in levels]


class HintView(TypedDict):
    move: str
    moves: list[str]
    sentence: str
    why: str


def hint_view(table: Table, advice: Advice, seat: Seat, translator: Translator) -> HintView:
    narrator, before = Narrator(translator, table.seating), table.match.at(advice.position)
    turn, best_now = (narrator.infinitive(before.branch(), seat, moves, seat) for moves in (advice.better, advice.played))
    moves = [table.game.show(move) for move in advice.better]
    sentence, why = narrator.render(msg("The coach would {deeds}.", deeds=turn)), narrator.render(hint_reason(advice, best_now))
    return {"move": moves[0], "moves": moves, "sentence": sentence, "why": why}


def hint_reason(advice: Advice, best_now: Message) -> Message:
    """Return the reason for a hint; `best_now` is the move that looks best right away, in the infinitive."""
    if advice.better[0] == advice.played[0]:
        return msg("It also looks best right away.")
    if (points := round(advice.points)) > 1:
        gain = msg(
            "in the long run the coach's way should bring about {count} point more",
            "in the long run the coach's way should bring about {count} points more",
            count=points,
        )
    elif (percent := round(100 * advice.share)) > 0:
        gain = msg("in the long run the coach's way should win {percent} % more often", percent=percent)
    else:
        gain = msg("in the long run both come to about the same")
    return msg("Right away it looks better to {deed}; {gain}.", deed=best_now, gain=gain)
