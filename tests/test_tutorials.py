"""The laws of every room's tutorial: whichever of the asked moves are chosen, it obeys the rules and ends.

`tests/browser/test_tutorial.py` plays the tutorials on the page.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tablee import games
from tablee.core.errors import IllegalMove
from tablee.core.game import NATURE
from tablee.core.match import Match
from tablee.core.tutorial import LEARNER, OffScript, Tutorial, load_tutorial

TAUGHT = {key: found for key in games.known() if (found := load_tutorial(games.folder(key)))}


@pytest.fixture(params=TAUGHT)
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def begin(key: str) -> tuple[Match, Tutorial]:
    tutorial = TAUGHT[key]
    match = Match(games.find(key), tutorial.seats, dict(tutorial.options))
    tutorial.play_scripted(match)
    return match, tutorial


def asked(match: Match, tutorial: Tutorial) -> list[str]:
    """Return the legal moves that the tutorial asks for here."""
    progress = tutorial.progress(match.lines())
    assert progress is not None
    legal = [match.game.show(move) for move in match.legal(LEARNER)]
    return [move for move in legal if progress.step.matching_ask(progress.asks, move)]


def answer(match: Match, tutorial: Tutorial, move: str) -> None:
    match.play(LEARNER, match.game.read(move))
    tutorial.play_scripted(match)


def decisions(key: str) -> Iterator[tuple[Match, Tutorial, list[str]]]:
    """Yield every position in which the learner decides, if the learner always plays the first move asked for."""
    match, tutorial = begin(key)
    while match.to_act:
        moves = asked(match, tutorial)
        yield match, tutorial, moves
        answer(match, tutorial, moves[0])


def test_our_games_have_lessons_and_a_plugin_may_have_none() -> None:
    assert set(TAUGHT) == {key for key in games.known() if key not in games.example_rooms()}


def test_a_lesson_asks_only_for_what_the_rules_allow(key: str) -> None:
    for match, tutorial, moves in decisions(key):
        progress = tutorial.progress(match.lines())
        assert progress is not None
        assert not progress.plays
        open_asks = progress.asks if progress.step.any_order else progress.asks[:1]
        ways = [way for ask in open_asks for way in ask.split(" | ")]
        assert LEARNER in match.to_act, f"nobody asks the learner after {match.lines()[-1]}"
        assert moves, f"{progress.asks} is not legal"
        assert all(any(progress.step.matching_ask([way], move) for move in moves) for way in ways)


def test_whatever_of_the_lesson_is_chosen_it_ends_and_the_learner_wins(key: str) -> None:
    for match, tutorial, moves in decisions(key):
        for move in moves:
            other = match.branch()
            answer(other, tutorial, move)
            while other.to_act:
                assert other.to_act != (NATURE,)
                answer(other, tutorial, asked(other, tutorial)[0])
            assert other.outcome is not None
            assert LEARNER in other.outcome.winners


def test_what_is_taken_back_is_asked_again(key: str) -> None:
    for match, tutorial, _ in decisions(key):
        if match.can_undo(LEARNER):
            progress = tutorial.progress(match.undone(LEARNER).lines())
            assert progress is not None
            assert progress.asks


def test_another_legal_move_is_answered_kindly_and_an_illegal_one_by_its_rule(key: str) -> None:
    kindly = 0
    for match, tutorial, moves in decisions(key):
        for move in match.legal(LEARNER):
            if match.game.show(move) not in moves:
                kindly += 1
                with pytest.raises(OffScript):
                    tutorial.check_expected(match, LEARNER, move)
        last = match.log[-1]
        if last.seat == NATURE:
            with pytest.raises(IllegalMove):
                tutorial.check_expected(match, LEARNER, last.move)
    assert kindly


def test_every_step_tells_what_to_do_and_where(key: str) -> None:
    *steps, end = TAUGHT[key].steps
    assert all(step.todo and step.points and step.asks for step in steps)
    assert end.says
    assert not end.asks
    assert len(TAUGHT[key].learnt) == 3
