"""The coach: its advice is deterministic and depends only on what the seat may know; chances are shares of the win."""

from __future__ import annotations

import inspect

import pytest

from tablee import bots, games
from tablee.bots import coach
from tablee.bots.coach import Advice
from tablee.bots.search import Search
from tablee.core import fairness
from tablee.core.game import Outcome, Seat
from tablee.core.match import Match
from tablee.core.rng import make_rng
from tablee.core.workspace import LONGEST_TURN

FEW = Search(nodes=200)


def played(key: str, lines: int, number: int = 1) -> Match:
    """Return a match of two greedy bots after `lines` lines."""
    match = Match(games.find(key), 2, {}, fairness.seed_for(3, number))
    match.play_nature()
    while match.to_act and len(match.log) < lines:
        match.play(match.to_act[0], bots.choose(match, match.to_act[0], bots.GREEDY))
        match.play_nature()
    return match


@pytest.fixture(params=games.known())
def begun(request: pytest.FixtureRequest) -> Match:
    return played(request.param, 12)


def test_chances_are_shares_of_the_win(begun: Match) -> None:
    found = coach.chances(begun, 8)
    assert len(found) == begun.seats
    assert sum(found) == pytest.approx(1)
    assert coach.chances(begun, 8) == found


def test_when_it_is_over_the_winner_has_all_of_it() -> None:
    match = played("rolling-village", 10_000)
    winners = match.game.outcome(match.state).winners
    assert coach.chances(match, 4) == [(seat in winners) / len(winners) for seat in range(2)]


def test_alone_it_is_the_points_and_a_team_wins_as_one() -> None:
    alone = bots.play_out(Match(games.find("rolling-village"), 1, {}, fairness.seed_for(3, 1)), [bots.GREEDY])
    assert coach.chances(alone, 2) == list(alone.game.scores(alone.state))
    team = Match(games.find("amerique-1500"), 3, {"cooperative": True}, fairness.seed_for(3, 1))
    first, *others = coach.chances(team, 8, 0)
    assert 0 < first <= 1
    assert others == [first, first]


def test_more_games_are_played_where_they_are_short(begun: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def forty_lines(_: Match, numbers: range) -> tuple[list[Outcome], int]:
        played.append(len(numbers))
        return [Outcome((1, 0), (Seat(0),))] * len(numbers), 40

    monkeypatch.setattr(coach, "_play_games", forty_lines)
    assert coach.chances(begun, 4, 400) == [1, 0]
    assert played == [4, 36]


def test_advice_is_a_legal_turn_and_says_the_same_whenever_it_is_asked(begun: Match) -> None:
    (seat, *_) = begun.to_act
    for move in begun.legal(seat)[:3]:
        advice, branch = coach.advise(begun, seat, [move], FEW), begun.branch()
        for better in advice.better:
            branch.play(seat, better)
        assert advice == coach.advise(begun, seat, [move], FEW)


def test_a_hint_begins_with_what_hard_would_play(begun: Match) -> None:
    """A budget in nodes makes the same search choose the same move."""
    (seat, *_) = begun.to_act
    rng = fairness.bot_rng(fairness.seed_for(begun.seats, 0), len(begun.log), seat)
    assert inspect.signature(coach.hint).parameters["search"].default is bots.HARD
    assert coach.hint(begun, seat, FEW, FEW).better[0] == FEW(begun.game, begun.game.observe(begun.state, seat), rng)


def test_a_hint_goes_on_until_somebody_else_or_nature_comes_in(begun: Match) -> None:
    (seat, *_) = begun.to_act
    turn, branch = coach.hint(begun, seat, FEW, FEW).better, begun.branch()
    for move in turn:
        assert seat in branch.to_act
        branch.play(seat, move)
    assert seat not in branch.to_act or len(turn) == LONGEST_TURN


def test_a_seats_moves_belong_to_turns_that_end_where_others_or_nature_act() -> None:
    match = played("mayflower", 10_000)
    found = coach.turns_of(match, {Seat(0)})
    ours = [at for at, line in enumerate(match.log) if line.seat == 0]
    chosen = [at for at in ours if len(match.at(at).legal(Seat(0))) > 1]
    covered = {place for at, _, moves in found for place in range(at, at + len(moves))}
    assert set(chosen) <= covered <= set(ours)
    for at, seat, moves in found:
        assert [line.move for line in match.log[at : at + len(moves)]] == list(moves)
        assert seat not in match.at(at + len(moves)).to_act


def test_where_single_moves_are_searched_each_is_looked_at() -> None:
    match = played("amerique-1500", 60)
    assert {len(moves) for _, _, moves in coach.turns_of(match, {Seat(0), Seat(1)})} == {1}


def test_advice_differs_only_where_it_promises_more() -> None:
    def differs(better: int, share: float, points: float) -> bool:
        return Advice(0, Seat(0), (1, 2), (1, better), share, points).differs

    assert differs(3, 0.02, 0.1)
    assert differs(3, 0.0, 0.6)
    assert not differs(2, 0.02, 1.0)
    assert not differs(3, -0.01, 1.0)
    assert not differs(3, 0.001, 0.1)


@pytest.mark.parametrize("key", [key for key in games.known() if games.find(key).secrets])
def test_advice_does_not_change_with_what_the_seat_cannot_know(key: str) -> None:
    match = played(key, 40)
    (seat, *_) = match.to_act
    seen = match.game.observe(match.state, seat)
    other = match.branch()
    other.state = match.game.determinize(seen, make_rng((5, 6)))
    assert other.state.tobytes() != match.state.tobytes()
    move = match.legal(seat)[0]
    assert coach.advise(other, seat, [move], FEW) == coach.advise(match, seat, [move], FEW)
    other.seed = match.seed
    assert coach.hint(other, seat, FEW, FEW) == coach.hint(match, seat, FEW, FEW)
