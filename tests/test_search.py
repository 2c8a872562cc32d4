"""The search bot: the same RNG and nodes give the same move on any threads, and it knows no more than its seat."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from tablee import bots, games
from tablee.bots.search import ROLLOUTS_PER_CHECK, TOO_SLOW, Search, never_stop, split_range
from tablee.core import fairness
from tablee.core.game import Game, Move, Seat
from tablee.core.match import Match
from tablee.core.rng import make_rng
from tests.rounds import rounds

PLAIN = os.environ.get("TABLEE_PLAIN") == "1"
NODES = 1 if PLAIN else 400
RNG_KEY = (5, 6)


def positions(key: str, stride: int) -> Iterator[tuple[Match, Seat]]:
    """Yield positions of a greedy game in which a seat has a choice."""
    game = games.find(key)
    seats = game.seats[min(1, len(game.seats) - 1)]
    match = Match(game, seats, {}, fairness.seed_for(3, 1))
    for number, (seat, _) in enumerate(bots.decisions(match, [bots.GREEDY] * seats)):
        if number % stride == 0 and len(match.legal(seat)) > 1:
            yield match, seat


def think(search: Search, match: Match, seat: Seat, stop: Callable[[], bool] = never_stop) -> Move:
    return search(match.game, match.game.observe(match.state, seat), make_rng(RNG_KEY), stop)


@pytest.mark.parametrize("key", games.known())
def test_threads_do_not_change_the_choice(key: str) -> None:
    for match, seat in positions(key, 9):
        choices = {think(Search(nodes=NODES, threads=threads), match, seat) for threads in (1, 2, 3)}
        assert len(choices) == 1
        assert choices <= set(match.legal(seat))


def test_two_processes_choose_alike() -> None:
    program = (
        "from tablee import bots, games; from tablee.bots.search import Search; from tablee.core import fairness\n"
        "from tablee.core.match import Match\n"
        f"search = Search(nodes={rounds(few=20, many=60)}, candidates=3, rollout_lines=4)\n"
        "for game in map(games.find, games.known()):\n"
        "    seats = game.seats[1]\n"
        "    print(bots.play_out(Match(game, seats, {}, fairness.seed_for(1, 2)), [search] + [bots.RANDOM] * (seats - 1)).lines())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize("key", games.known())
def test_what_is_hidden_has_no_say(key: str) -> None:
    search = Search(nodes=NODES, candidates=4, rollout_lines=6)
    for match, seat in positions(key, 12):
        determinized = match.game.determinize(match.game.observe(match.state, seat), make_rng((8, 9)))
        seen, again = (match.game.observe(state, seat) for state in (match.state, determinized))
        assert search(match.game, seen, make_rng(RNG_KEY)) == search(match.game, again, make_rng(RNG_KEY))


@pytest.mark.parametrize("key", games.known())
def test_one_node_is_enough_to_move(key: str) -> None:
    match, seat = next(positions(key, 1))
    assert think(Search(nodes=1), match, seat) in match.legal(seat)


def last_decision(game: Game, number: int) -> tuple[Match, Seat]:
    """Return the position of a solo game's last decision."""
    match = Match(game, 1, {}, fairness.seed_for(6, number))
    log = bots.play_out(match, [bots.RANDOM]).log
    last = max(place for place, line in enumerate(log) if line.seat == 0)
    return Match.replay(game, 1, {}, match.lines()[:last]), Seat(0)


@pytest.mark.parametrize("beam", [0, 1])
@pytest.mark.parametrize("number", range(5))
def test_the_last_decision_is_exact_by_whole_turns_and_by_single_moves(number: int, beam: int) -> None:
    match, seat = last_decision(games.find("rolling-village"), number)

    def final_score(move: Move) -> int:
        branch = match.branch()
        branch.play(seat, move)
        assert branch.outcome is not None
        return branch.outcome.scores[seat]

    assert final_score(think(Search(nodes=1, candidates=1000, rollout_beam=beam), match, seat)) == max(map(final_score, match.legal(seat)))


def ticking(step: float) -> tuple[Callable[[], float], Callable[[], int]]:
    """Return a clock that advances `step` ms per read, and a count of its reads: at the start, before playouts, after each chunk."""
    reads = count()
    clock = (step * number / 1000 for number in reads)
    return lambda: next(clock), lambda: next(reads)


def test_thinking_ends_when_the_time_is_up() -> None:
    match, seat = next(positions("rolling-village", 1))
    clock, reads = ticking(1)
    think(Search(ms=12, candidates=8, clock=clock), match, seat)
    assert 2 < reads() <= 1 + 12


def test_a_budget_that_is_spent_is_spent() -> None:
    """One chunk of playouts runs, however long it takes; then the best move so far is chosen."""
    match, seat = next(positions("rolling-village", 1))
    hours = iter([0, 0, 3600])
    think(Search(ms=1, candidates=8, clock=lambda: next(hours)), match, seat)
    assert next(hours, None) is None


def test_where_nothing_can_be_played_out_in_time_the_value_decides() -> None:
    """As on a computer that has not compiled the rules yet."""
    match, seat = next(positions("rolling-village", 1))
    clock, reads = ticking(100)
    move = think(Search(ms=100 / TOO_SLOW - 1, clock=clock), match, seat)
    assert reads() == 2
    assert move in match.legal(seat)


@pytest.mark.parametrize("key", games.known())
def test_a_search_that_must_stop_answers_after_one_chunk(key: str) -> None:
    match, seat = next(positions(key, 1))
    asked = count(1)
    assert think(Search(nodes=10**9, rollout_lines=4), match, seat, lambda: next(asked) > 0) in match.legal(seat)
    assert next(asked) <= 2, "where all moves come to the same, nobody asks"


@pytest.mark.parametrize("name", bots.SEARCH_BOTS)
def test_levels_that_think_have_a_bounded_budget(name: str) -> None:
    level = bots.find(name)
    assert level is bots.SEARCH_BOTS[name]
    assert isinstance(level, Search)
    assert level.nodes or level.ms


@pytest.mark.parametrize("key", games.known())
def test_single_moves_may_be_played_out_in_every_room(key: str) -> None:
    """Then every playout decides the rest of the turn for itself."""
    for match, seat in positions(key, 15):
        choices = {think(Search(nodes=NODES, rollout_beam=0, threads=threads), match, seat) for threads in (1, 2)}
        assert len(choices) == 1
        assert choices <= set(match.legal(seat))


@pytest.mark.parametrize("number", range(3))
def test_a_turn_is_looked_at_as_a_whole(number: int) -> None:
    """In the last round of a solo game every turn can be tried: the search finds the one that is best after all its moves."""
    game = games.find("rolling-village")
    match = Match(game, 1, {}, fairness.seed_for(6, number))
    log = bots.play_out(match, [bots.RANDOM]).log
    roll = max(place for place, line in enumerate(log) if line.seat != 0)
    match = Match.replay(game, 1, {}, match.lines()[: roll + 1])
    best = max(final_scores(match))
    while match.to_act:
        match.play(Seat(0), think(Search(nodes=1, candidates=2000), match, Seat(0)))
    assert match.outcome is not None
    assert match.outcome.scores[0] == best


def final_scores(match: Match) -> Iterator[int]:
    """Yield every score that the last round can reach."""
    if match.outcome is not None:
        yield match.outcome.scores[0]
        return
    for move in match.legal(Seat(0)):
        branch = match.branch()
        branch.play(Seat(0), move)
        yield from final_scores(branch)


@pytest.mark.parametrize("count", [1, 2, 3, 8, 20])
def test_split_range_covers_the_range_without_empty_parts(count: int) -> None:
    shared = split_range(ROLLOUTS_PER_CHECK, count)
    assert [number for part in shared for number in part] == list(range(ROLLOUTS_PER_CHECK))
    assert all(shared)
