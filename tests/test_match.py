"""`Match.play` and undo: a move out of turn or against a rule is refused and changes nothing; a move before the next draw can be undone."""

from __future__ import annotations

import random

import pytest

from tablee import bots, games
from tablee.core import fairness
from tablee.core.errors import IllegalMove, NotationError, NotYourTurn, OptionError, Refusal, TableeError
from tablee.core.game import NATURE, Game, Move, Seat, choose_options
from tablee.core.match import Match, read_line

VILLAGE = games.find("rolling-village")
OPENING = ["- roll 4 2", "0 build house 2A", "1 build lake 4B", "0 build forest 4A"]


def begun(game: Game, number: int = 1) -> Match:
    match = Match(game, max(2, game.seats[0]), {}, fairness.seed_for(3, number))
    match.play_nature()
    return match


def village(*lines: str) -> Match:
    return Match.replay(VILLAGE, 2, {}, lines)


def state_and_log(match: Match) -> tuple[bytes, list[str]]:
    return match.state.tobytes(), match.lines()


@pytest.mark.parametrize("key", games.known())
def test_out_of_turn_is_refused_and_changes_nothing(key: str) -> None:
    match = begun(games.find(key))
    before, move = state_and_log(match), match.legal(match.to_act[0])[0]
    for seat in range(-1, match.seats + 1):
        if seat not in match.to_act:
            with pytest.raises(NotYourTurn):
                match.play(Seat(seat), move)
    assert state_and_log(match) == before


@pytest.mark.parametrize("key", games.known())
def test_against_a_rule_is_refused_by_its_number_and_changes_nothing(key: str) -> None:
    """Every move of a whole game is tried at every position where it is not legal."""
    game = games.find(key)
    moves = sorted({line.move for line in bots.play_out(begun(game), [bots.RANDOM] * 12).log})
    match = begun(game, 2)
    for _ in range(8):
        seat = match.to_act[0]
        check_refusals(match, seat, moves)
        match.play(seat, match.legal(seat)[-1])
        match.play_nature()


def check_refusals(match: Match, seat: Seat, moves: list[Move]) -> None:
    before, legal = state_and_log(match), match.legal(seat)
    for move in moves:
        if move not in legal:
            with pytest.raises(IllegalMove) as refused:
                match.play(seat, move)
            assert refused.value.rule
            assert str(refused.value).endswith(f"({refused.value.rule})")
    assert state_and_log(match) == before


@pytest.mark.parametrize("key", games.known())
def test_when_it_is_over_nobody_moves(key: str) -> None:
    match = bots.play_out(begun(games.find(key)), [bots.RANDOM] * 12)
    for seat in (NATURE, Seat(0)):
        assert match.legal(seat) == []
        with pytest.raises(NotYourTurn, match="the game is over"):
            match.play(seat, match.log[-1].move)


def test_the_dice_come_first() -> None:
    with pytest.raises(NotYourTurn, match="something is rolled or drawn first"):
        Match(VILLAGE, 2).play(Seat(0), VILLAGE.read("build house 1A"))


def test_the_refusal_names_the_seats_to_act() -> None:
    match = village(*OPENING)
    with pytest.raises(NotYourTurn, match="waiting for seat 1"):
        match.play(Seat(0), VILLAGE.read("build house 2B"))


def test_a_branch_is_a_match_of_its_own() -> None:
    match = village(*OPENING)
    before, branch = state_and_log(match), match.branch()
    branch.play(Seat(1), VILLAGE.read("build house 2E"))
    assert state_and_log(match) == before
    assert len(branch.log) == len(match.log) + 1


@pytest.mark.parametrize(
    "text", ["", "roll 4 2", "x roll 4 2", "-1 roll 4 2", "1234 build house 1A", "² build house 1A", "+1 build house 1A"]
)
def test_a_line_begins_with_its_seat(text: str) -> None:
    with pytest.raises(NotationError, match="does not begin with a seat number"):
        read_line(VILLAGE, text)


def test_undo_takes_back_the_last_line_of_that_seat() -> None:
    match = village(*OPENING[:2])
    assert match.undone(Seat(0)).lines() == OPENING[:1]
    assert match.lines() == OPENING[:2], "the match itself stays as it was"


def test_undo_reaches_over_the_moves_of_others_who_act_at_the_same_time() -> None:
    match = village(*OPENING)
    assert match.undone(Seat(1)).lines() == [OPENING[0], OPENING[1], OPENING[3]]
    twice = match.undone(Seat(0)).undone(Seat(0))
    assert twice.lines() == [OPENING[0], OPENING[2]]


def test_undo_is_refused_after_a_draw() -> None:
    match = village(*OPENING, "1 build house 2E", "- roll 6 6")
    for seat in (Seat(0), Seat(1)):
        with pytest.raises(NotYourTurn, match="something has been rolled or drawn since"):
            match.undone(seat)


def test_undo_is_refused_where_nothing_was_done() -> None:
    with pytest.raises(NotYourTurn, match="nothing to undo"):
        village(OPENING[0]).undone(Seat(1))


@pytest.mark.parametrize("key", games.known())
def test_undo_gives_back_an_earlier_choice_and_nothing_else(key: str) -> None:
    """Undo never takes the turn from another seat and never removes a draw."""
    match, rng = begun(games.find(key)), random.Random(3)
    for _ in range(40):
        if match.over:
            break
        seat = rng.choice(match.to_act)
        match.play(seat, rng.choice(match.legal(seat)))
        check_undo(match, seat)
        match.play_nature()


def check_undo(match: Match, seat: Seat) -> None:
    try:
        earlier = match.undone(seat)
    except Refusal:
        return
    assert len(earlier.log) == len(match.log) - 1
    assert seat in earlier.to_act
    assert set(match.to_act) - {NATURE} <= set(earlier.to_act)
    assert [line for line in earlier.lines() if line[0] == "-"] == [line for line in match.lines() if line[0] == "-"]


@pytest.mark.parametrize("key", games.known())
def test_what_can_be_taken_back_does_not_depend_on_what_was_asked_before(key: str) -> None:
    """A match queried after every line, branched and undone answers like one that was never queried."""
    match, rng = begun(games.find(key)), random.Random(4)
    for _ in range(40):
        if match.over:
            break
        match = match.branch()
        seat = rng.choice(match.to_act)
        match.play(seat, rng.choice(match.legal(seat)))
        if rng.random() < 0.2 and match.can_undo(seat):
            match = match.undone(seat)
        match.play_nature()
        never_asked = Match.replay(match.game, match.seats, dict(match.options), match.lines())
        for each in range(match.seats):
            assert match.can_undo(Seat(each)) == never_asked.can_undo(Seat(each))


@pytest.mark.parametrize("key", games.known())
def test_options_are_filled_in_and_wrong_ones_named(key: str) -> None:
    game = games.find(key)
    seats = game.seats[-1]
    defaults = choose_options(game, seats, {})
    assert set(defaults) == {option.key for option in game.options}
    assert choose_options(game, seats, defaults) == defaults
    with pytest.raises(OptionError, match="has no option 'colour'"):
        choose_options(game, seats, {"colour": "red"})
    for option in game.options:
        with pytest.raises(OptionError, match=f"option {option.key} cannot be 'purple'; it is one of"):
            choose_options(game, seats, {option.key: "purple"})
    for wrong in (game.seats[0] - 1, game.seats[-1] + 1, -1):
        with pytest.raises(OptionError, match="players, not"):
            choose_options(game, wrong, {})


def test_an_option_is_not_guessed_from_another_type() -> None:
    with pytest.raises(OptionError):
        choose_options(VILLAGE, 1, {"setup_types": True})
    with pytest.raises(OptionError):
        choose_options(VILLAGE, 1, {"setup_types": ["free"]})


def test_a_game_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(TableeError, match=r"there is no game 'chess'; there are: .*rolling-village"):
        games.find("chess")


def test_a_bot_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(TableeError, match="there is no bot 'clever'; there are: random, easy, greedy"):
        bots.find("clever")
