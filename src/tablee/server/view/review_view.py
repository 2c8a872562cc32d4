"""What a page says of a game that is over: where one may look back to, what the coach found, and how bots do alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tablee.bots.coach import Advice
from tablee.core.game import Outcome
from tablee.core.i18n import msg
from tablee.core.match import Match
from tablee.server.table.review import Review, turn_ends_of
from tablee.server.table.score_benchmark import percent_beaten

if TYPE_CHECKING:
    from tablee.server.view.client_view import ClientView


_stops_cache: WeakKeyDictionary[Match, list[dict[str, Any]]] = WeakKeyDictionary()  # of matches that nothing is added to any more


def replay_stops(match: Match) -> list[dict[str, Any]]:
    """Where one may look back to, as a number of lines, and whether points were made since the stop before."""
    if match not in _stops_cache:
        _stops_cache[match] = _find_stops(match)
    return _stops_cache[match]


def _find_stops(match: Match) -> list[dict[str, Any]]:
    scored = [any(event.points for event in events) for events in match.events]
    return [{"at": 0, "scored": False}, *({"at": at, "scored": any(scored[before:at])} for before, at in pairwise(turn_ends_of(match)))]


def coach_view(screen: ClientView) -> dict[str, Any] | None:
    """What the coach has found so far: for the curves, the turns that mattered most, and the turn that this screen looks at."""
    review = screen.table.coach.review
    if review is None or not screen.table.done or screen.replay_position is None:
        return None
    said = [each for each in _advice_shown(review, screen) if not screen.seats or each.seat in screen.seats]
    return {
        "done": round(100 * review.progress),
        **_curves(review, screen.table.match, len(screen.match.log)),
        "turning_points": review.turning_points,
        "agrees": bool(said) and not any(each.differs for each in said),
        "advice": [_advice_view(screen, each) for each in _best_advice(said)],
    }


def _curves(review: Review, match: Match, lines: int) -> dict[str, Any]:
    """Curves from 0 to 1, one for each seat that hopes by itself, and what they are at the turn that is shown: of each its share of the
    wins, or of the team, in a hundred; or the points of somebody who plays alone."""
    alone, together = match.seats == 1, match.outcome is not None and match.outcome.won is not None
    hopes = [each[:1] if together else each for each in review.chances]
    turn = sum(stop <= lines for stop in review.turn_ends) - 1
    most = max((hope for (hope,) in hopes), default=1.0) if alone else 1.0
    return {
        "curve_kind": "points" if alone else "together" if together else "win",
        "curves": [[hope / max(1.0, most) for hope in each] for each in hopes],
        "now": [round(hope if alone else 100 * hope) for hope in hopes[turn]] if turn < len(hopes) else [],
    }


def _best_advice(said: Sequence[Advice]) -> list[Advice]:
    """Of each seat the advice that would have brought most."""
    ordered = sorted((each for each in said if each.differs), key=lambda each: (each.seat, -each.share, -each.points))
    return [next(advice) for _, advice in groupby(ordered, key=lambda each: each.seat)]


def _advice_shown(review: Review, screen: ClientView) -> list[Advice]:
    """About the turn that is shown; while a move of the coach's stands on the board, about the turn that it belongs to."""
    lines = len(screen.match.log)
    return review.advice_for_turn(review.end_of_turn(lines) if screen.draft else lines)


def _advice_view(screen: ClientView, advice: Advice) -> dict[str, Any]:
    """What both turns have in common goes without saying, unless that is all of one."""
    game, match, seat = screen.table.game, screen.table.match.at(advice.position), advice.seat
    both, turns = set(advice.played) & set(advice.better), {"played": advice.played, "better": advice.better}
    unsaid = both if all(set(moves) - both for moves in turns.values()) else set()
    eye, after = screen.viewer if game.secrets else seat, {name: match.branch() for name in turns}
    said = {name: screen.narrator.infinitive(after[name], seat, moves, eye, unsaid) for name, moves in turns.items()}
    return {
        "seat": seat,
        "at": advice.position,
        "shown": bool(screen.draft) and advice.position == len(screen.match.log),
        "moves": "|".join(game.show(move) for move in advice.better),
        "sentence": screen.narrator.render(msg("Rather than {played}, the coach would {better}:", **said)),
        "percent": round(100 * advice.share),
        "points": round(advice.points, 1),
        "immediate_points": game.kernel.score(after["better"].state, seat) - game.kernel.score(after["played"].state, seat),
    }


def benchmark_view(screen: ClientView, outcome: Outcome | None, names: dict[str, str]) -> Sequence[dict[str, Any]]:
    """For somebody who played alone: each level, how many of its games were beaten, and what it made of the very same draws."""
    table = screen.table
    if outcome is None or len(table.seating) > 1:
        return []
    than, same = percent_beaten(table.game.key, outcome.scores[0]), table.coach.review.same_draws if table.coach.review else {}
    levels = [level for level in names if level in than or level in same]
    return [{"name": screen.words(names[level]), "beaten": than.get(level), "same": same.get(level)} for level in levels]
