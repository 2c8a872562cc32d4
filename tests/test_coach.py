"""The coach knows what the seat may know and nothing else, and says the same whenever it is asked; chances are shares of the win."""

from __future__ import annotations

import pytest

from tablee import bots, games
from tablee.bots import coach
from tablee.bots.search import LONGEST_TURN
from tablee.core import fairness
from tablee.core.game import Outcome, Seat
from tablee.core.luck import lucky
from tablee.core.match import Match

NODES = 200


def played(key: str, lines: int, number: int = 1) -> Match:
    """Two greedy bots, so far."""
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

    monkeypatch.setattr(coach, "_played", forty_lines)
    assert coach.chances(begun, 4, 400) == [1, 0]
    assert played == [4, 36]


def test_advice_is_a_legal_move_and_never_worse_than_what_was_played(begun: Match) -> None:
    (seat, *_) = begun.to_act
    for move in begun.legal(seat)[:3]:
        advice = coach.advise(begun, seat, move, NODES)
        assert advice.better in begun.legal(seat)
        assert advice.share >= 0
        assert advice == coach.advise(begun, seat, move, NODES)


def test_a_whole_turn_goes_on_until_somebody_else_or_nature_comes_in(begun: Match) -> None:
    (seat, *_) = begun.to_act
    turn, branch = coach.whole_turn(begun, seat, begun.legal(seat)[0], NODES), begun.branch()
    for move in turn:
        assert seat in branch.to_act
        branch.play(seat, move)
    assert seat not in branch.to_act or len(turn) == LONGEST_TURN
    assert turn[0] == begun.legal(seat)[0]


@pytest.mark.parametrize("key", [key for key in games.known() if games.find(key).secrets])
def test_advice_does_not_change_with_what_the_seat_cannot_know(key: str) -> None:
    match = played(key, 40)
    (seat, *_) = match.to_act
    seen = match.game.observe(match.state, seat)
    other = match.branch()
    other.state = match.game.imagine(seen, lucky((5, 6)))
    assert other.state.tobytes() != match.state.tobytes()
    move = match.legal(seat)[0]
    assert coach.advise(other, seat, move, NODES) == coach.advise(match, seat, move, NODES)
    assert coach.whole_turn(other, seat, move, NODES) == coach.whole_turn(match, seat, move, NODES)
