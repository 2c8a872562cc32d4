"""Laws of every lesson that a room brings: it plays by the room's rules with the room's box, whatever of what it asks for is chosen, and it
ends. `tests/browser/test_lessons.py` plays them on the page.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tablee import games
from tablee.core import tutorial
from tablee.core.errors import IllegalMove
from tablee.core.game import NATURE
from tablee.core.match import Match
from tablee.core.tutorial import LEARNER, OffScript, Tutorial

TAUGHT = {key: found for key in games.known() if (found := tutorial.load_tutorial(games.folder(key)))}


@pytest.fixture(params=TAUGHT)
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def begin(key: str) -> tuple[Match, Tutorial]:
    taught = TAUGHT[key]
    match = Match(games.find(key), taught.seats, dict(taught.options))
    taught.play_scripted(match)
    return match, taught


def asked(match: Match, taught: Tutorial) -> list[str]:
    """The legal moves that the lesson asks for here."""
    stand = taught.progress(match.lines())
    assert stand is not None
    legal = [match.game.show(move) for move in match.legal(LEARNER)]
    return [move for move in legal if stand.step.matching_ask(stand.asks, move)]


def answer(match: Match, taught: Tutorial, move: str) -> None:
    match.play(LEARNER, match.game.read(move))
    taught.play_scripted(match)


def decisions(key: str) -> Iterator[tuple[Match, Tutorial, list[str]]]:
    """Every position at which the learner is asked, on the way that takes the first of what is asked for."""
    match, taught = begin(key)
    while match.to_act:
        moves = asked(match, taught)
        yield match, taught, moves
        answer(match, taught, moves[0])


def test_our_games_have_lessons_and_a_plugin_may_have_none() -> None:
    assert set(TAUGHT) == {key for key in games.known() if key != "dice-race"}


def test_a_lesson_asks_only_for_what_the_rules_allow(key: str) -> None:
    for match, taught, moves in decisions(key):
        stand = taught.progress(match.lines())
        assert stand is not None
        assert not stand.plays
        open_asks = stand.asks if stand.step.any_order else stand.asks[:1]
        ways = [way for ask in open_asks for way in ask.split(" | ")]
        assert LEARNER in match.to_act, f"nobody asks the learner after {match.lines()[-1]}"
        assert moves, f"{stand.asks} is not legal"
        assert all(any(stand.step.matching_ask([way], move) for move in moves) for way in ways)


def test_whatever_of_the_lesson_is_chosen_it_ends_and_the_learner_wins(key: str) -> None:
    for match, taught, moves in decisions(key):
        for move in moves:
            other = match.branch()
            answer(other, taught, move)
            while other.to_act:
                assert other.to_act != (NATURE,)
                answer(other, taught, asked(other, taught)[0])
            assert other.outcome is not None
            assert LEARNER in other.outcome.winners


def test_what_is_taken_back_is_asked_again(key: str) -> None:
    for match, taught, _ in decisions(key):
        if match.can_undo(LEARNER):
            stand = taught.progress(match.undone(LEARNER).lines())
            assert stand is not None
            assert stand.asks


def test_another_legal_move_is_answered_kindly_and_an_illegal_one_by_its_rule(key: str) -> None:
    kindly = 0
    for match, taught, moves in decisions(key):
        for move in match.legal(LEARNER):
            if match.game.show(move) not in moves:
                kindly += 1
                with pytest.raises(OffScript):
                    taught.check_expected(match, LEARNER, move)
        last = match.log[-1]
        if last.seat == NATURE:
            with pytest.raises(IllegalMove):
                taught.check_expected(match, LEARNER, last.move)
    assert kindly


def test_every_step_tells_what_to_do_and_where(key: str) -> None:
    *steps, end = TAUGHT[key].steps
    assert all(step.todo and step.points and step.asks for step in steps)
    assert end.says
    assert not end.asks
    assert len(TAUGHT[key].learnt) == 3
