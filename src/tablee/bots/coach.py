"""The coach: the best turn, its gain over another turn by rollouts on common random numbers, and the seats' chances by playouts.

A hint is the turn that `hard` would play, by the same search with the same budget. Advice uses only what the seat may know; chances use
the full state, so they are for finished games.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from tablee import bots
from tablee.bots.search import Search, compare_with_best
from tablee.core import fairness, loops
from tablee.core.batch import Batch
from tablee.core.game import NATURE, Move, Outcome, S, Seat
from tablee.core.match import Match
from tablee.core.optional_numpy import np
from tablee.core.rng import Rng
from tablee.core.struct import fill, int_array
from tablee.core.workspace import LONGEST_TURN, Progress

REVIEW_SEARCH = Search(nodes=8000)  # for one turn of a finished game
FOLLOW_UP_SEARCH = Search(ms=bots.HARD.ms / 4)  # for the later moves of a hint where the search chooses single moves, up to a dozen
MIN_SHARE_GAIN, MIN_POINT_GAIN = 0.01, 0.5  # share of the win, or points: smaller gains are within the noise of COMPARISON_PLAYOUTS
MIN_PLAYOUTS, MAX_PLAYOUTS = 24, 120  # for the chances in one position
DRAWS_AT_ONCE = 64  # of one game without NumPy
LINE_BUDGET = 4000  # lines of all playouts together, unless MIN_PLAYOUTS take more


@dataclass(frozen=True)
class Advice:
    """Advice about a turn, or its rest from one line of the log on: the moves played, the better ones, and their gain."""

    position: int
    seat: Seat
    played: tuple[Move, ...]
    better: tuple[Move, ...]
    share: float = 0.0
    points: float = 0.0

    @property
    def differs(self) -> bool:
        """Return whether the coach would play otherwise, with a gain above the noise."""
        other = any(one != another for one, another in zip(self.played, self.better, strict=False))
        return other and (self.share >= MIN_SHARE_GAIN or (self.share >= 0 and self.points >= MIN_POINT_GAIN))


def advise(match: Match[S], seat: Seat, played: Sequence[Move], search: Search = REVIEW_SEARCH) -> Advice:
    """Compare the moves played, or considered, in this position with the search's best turn.

    The search uses a fixed seed instead of the match's, because an imported record may have none.
    """
    position, seen, moves = len(match.log), match.game.observe(match.state, seat), tuple(played)
    if len(match.legal(seat)) == 1 and len(moves) == 1:
        return Advice(position, seat, moves, moves)
    rng = fairness.bot_rng(fairness.seed_for(match.seats, 0), position, seat)
    better, gain = compare_with_best(match.game, seen, moves, rng, search)
    return Advice(position, seat, moves, tuple(better), gain.share, gain.points)


def hint(match: Match[S], seat: Seat, search: Search = bots.HARD, onward: Search = FOLLOW_UP_SEARCH) -> Advice:
    """Return the turn that `hard` would play, as advice on the greedy move.

    The turn ends when another seat or nature is to act. Where the room's search chooses single moves, `onward` finds all after the first.
    """
    advice = advise(match, seat, [bots.choose(match, seat, bots.GREEDY)], search)
    branch, turn, later = match.branch(), [advice.better[0]], search if match.game.kernel.rollout_beam else onward
    branch.play(seat, turn[0])
    while seat in branch.to_act and len(turn) < LONGEST_TURN:
        legal = branch.legal(seat)
        turn.append(legal[0] if len(legal) == 1 else advise(branch, seat, (), later).better[0])
        branch.play(seat, turn[-1])
    return replace(advice, better=tuple(turn))


def turns_of(match: Match[S], seats: Collection[Seat]) -> list[tuple[int, Seat, tuple[Move, ...]]]:
    """Return the turns of these seats in which there was a choice: the position of its first line, the seat and its moves.

    A turn ends where another seat or nature is to act; where the room's search chooses single moves, each move is a turn.
    """
    longest, found, known = LONGEST_TURN if match.game.kernel.rollout_beam else 1, [], set[int]()
    for at, line in enumerate(match.log):
        if line.seat in seats and at not in known:
            places, chose = _turn_at(match, at, longest)
            known.update(places)
            if chose:
                found.append((at, line.seat, tuple(match.log[place].move for place in places)))
    return found


def _turn_at(match: Match[S], at: int, longest: int) -> tuple[list[int], bool]:
    """Return the log positions of the turn that begins at line `at`, at most `longest`, and whether any had more than one legal move."""
    branch, seat, places, chose = match.at(at), match.log[at].seat, list[int](), False
    for place, line in enumerate(match.log[at:], at):
        legal = branch.legal(seat) if line.seat == seat else []
        if line.seat == NATURE or len(places) == longest or (line.seat == seat and line.move not in legal):
            break
        if line.seat == seat:
            branch.play(seat, line.move)
            places, chose = [*places, place], chose or len(legal) > 1
    return places, chose


def chances(match: Match[S], games: int = MIN_PLAYOUTS, lines: int = LINE_BUDGET) -> list[float]:
    """Return each seat's average result over playouts by greedy bots, with the same seeds in every call.

    The result is the share of the win; in a cooperative game the win of the team; alone, the points.
    """
    outcomes, played_lines = _play_games(match, range(games))
    outcomes = outcomes + _play_games(match, range(games, min(MAX_PLAYOUTS, lines * games // max(1, played_lines))))[0]
    return [sum(_result_of(outcome, Seat(seat)) for outcome in outcomes) / len(outcomes) for seat in range(match.seats)]


def _play_games(match: Match[S], numbers: range) -> tuple[list[Outcome], int]:
    """Play the playouts with these numbers, which determine their seeds; return their outcomes and total number of lines."""
    if not numbers:
        return [], 0
    if not np:
        outcomes, lines = zip(*(_play_game(match, fairness.seed_for(match.seats, number)) for number in numbers), strict=True)
        return list(outcomes), sum(lines)
    batch = Batch(match.game, match.state, [fairness.seed_for(match.seats, number) for number in numbers])
    batch.play([loops.GREEDY] * match.seats)
    return batch.outcomes(), int(batch.lines.sum())


def _play_game(match: Match[S], seed: bytes) -> tuple[Outcome, int]:
    """Play the game that a `Batch` would play with this seed, without NumPy."""
    kernel, state, progress, rng = match.game.kernel, match.state.copy(), Progress(), Rng()
    rng.key_one, rng.key_two = fairness.bot_key(seed)
    workspace, levels, no_log = kernel.workspace(), kernel.level_array([loops.GREEDY] * match.seats), int_array(0)
    while not progress.finished:
        stream = int_array(progress.draws + DRAWS_AT_ONCE)
        fill(stream, fairness.stream_numbers(seed, 0, len(stream)))
        kernel.loops.play_to_end(kernel.box, state, levels, workspace, rng, progress, stream, no_log)
        kernel.check(workspace)
    return match.game.outcome(state), progress.lines


def _result_of(outcome: Outcome, seat: Seat) -> float:
    if len(outcome.scores) == 1:
        return outcome.scores[seat]
    return (seat in outcome.winners) / (1 if outcome.won else max(1, len(outcome.winners)))
