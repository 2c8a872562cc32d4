"""Earlier positions without a replay equal those of a replay, byte for byte; every undo is as the log alone defines it."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablee import bots, games
from tablee.core import fairness, positions
from tablee.core.errors import NotYourTurn, Refusal, TableeError
from tablee.core.game import NATURE, Event, Seat
from tablee.core.match import Match
from tablee.core.positions import Positions

EXAMPLES = 6 if os.environ.get("TABLEE_PLAIN") != "1" else 2
VILLAGE = games.find("rolling-village")
NUMBERS = st.integers(0, 10**6)

ROOMS = pytest.mark.parametrize("key", games.known())
FEW = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def begun(key: str, number: int) -> Match:
    game = games.find(key)
    seats = game.seats[number % len(game.seats)]
    return Match(game, seats, {}, fairness.seed_for(21, number), derivation=1 + number % 2)


def random_play(match: Match, rng: random.Random) -> Iterator[Match]:
    """Play at random and yield the match after every line."""
    while match.to_act:
        if match.to_act == (NATURE,):
            match.play_nature()
        else:
            seat = rng.choice(match.to_act)
            match.play(seat, rng.choice(match.legal(seat)))
        yield match


def whole(key: str, number: int) -> Match:
    match = begun(key, number)
    for _ in random_play(match, random.Random(number)):
        pass
    return match


def replayed(match: Match, lines: list[str]) -> Match:
    return Match.replay(match.game, match.seats, dict(match.options), lines, match.seed, derivation=match.derivation)


def everything(match: Match) -> tuple[bytes, list[str], list[tuple[Event, ...]], int, int]:
    return match.state.tobytes(), match.lines(), match.events, match.draw_count, match.derivation


def undone_by_replay(match: Match, seat: Seat) -> Match | None:
    """Return the match after an undo, computed by replay alone; None where undo is refused."""
    position = max((n for n, line in enumerate(match.log) if line.seat in (seat, NATURE)), default=-1)
    if match.over or position < 0 or match.log[position].seat == NATURE:
        return None
    lines = match.lines()
    if not set(match.to_act) <= set(replayed(match, lines[:position]).to_act):
        return None
    try:
        return replayed(match, lines[:position] + lines[position + 1 :])
    except Refusal:
        return None


@ROOMS
@FEW
@given(number=NUMBERS)
def test_every_earlier_position_is_what_a_replay_gives(key: str, number: int) -> None:
    match = whole(key, number)
    lines, rng = match.lines(), random.Random(number)
    after, again = everything(match), replayed(match, [])
    looked_at = {0, 1, len(lines) - 1, len(lines), *rng.sample(range(len(lines)), min(len(lines), 40))}
    for count in range(len(lines) + 1):
        if count in looked_at:
            assert everything(match.at(count)) == everything(again)
        if count < len(lines):
            again.play(match.log[count].seat, match.log[count].move)
    assert everything(match) == after, "looking back changes nothing"


@ROOMS
@FEW
@given(number=NUMBERS)
def test_a_match_goes_on_from_an_earlier_position_as_if_nothing_had_come_after(key: str, number: int) -> None:
    """Back and forth several times: its checkpoints are those of the remaining lines, and the draws are the same again."""
    match, rng = whole(key, number), random.Random(number)
    first = everything(match)
    for _ in range(3):
        count = rng.randrange(len(match.log))
        earlier, again = match.at(count), match.at(count)
        for line in match.log[count:]:
            again.play_nature()
            if line.seat != NATURE:
                again.play(line.seat, line.move)
        again.play_nature()
        assert everything(again) == everything(match)
        for _ in random_play(earlier, rng):
            pass
        assert everything(earlier) == everything(replayed(earlier, earlier.lines()))
        middle = rng.randrange(len(earlier.log))
        assert everything(earlier.at(middle)) == everything(replayed(earlier, earlier.lines()[:middle]))
        match = again.at(len(again.log))
    assert everything(match) == first


@ROOMS
@FEW
@given(number=NUMBERS)
def test_undo_is_what_the_log_alone_says(key: str, number: int) -> None:
    match = whole(key, number)
    for count in random.Random(number).sample(range(len(match.log) + 1), 6):
        for seat in range(match.seats):
            check_undo(match.at(count), Seat(seat))


def check_undo(match: Match, seat: Seat) -> None:
    before, expected = everything(match), undone_by_replay(match, seat)
    assert match.can_undo(seat) == (expected is not None)
    if expected is None:
        with pytest.raises(NotYourTurn):
            match.undone(seat)
    else:
        assert everything(match.undone(seat)) == everything(expected)
    assert everything(match) == before


@ROOMS
def test_nobody_takes_back_a_draw_or_a_finished_game_and_asking_never_raises(key: str) -> None:
    match = begun(key, 5)
    assert not any(match.can_undo(Seat(seat)) for seat in range(-1, match.seats + 1))
    match.play_nature()
    assert not any(match.can_undo(Seat(seat)) for seat in range(-1, match.seats + 1))
    with pytest.raises(NotYourTurn, match="nothing to undo"):
        match.undone(NATURE)
    match = whole(key, 5)
    assert not any(match.can_undo(Seat(seat)) for seat in range(-1, match.seats + 1))


@pytest.mark.parametrize("count", [-1, 2, 1000])
def test_a_position_that_is_not_there_is_named(count: int) -> None:
    match = Match.replay(VILLAGE, 2, {}, ["- roll 4 2"])
    with pytest.raises(TableeError, match=f"there is no position after line {count}: the log has 1"):
        match.at(count)


@given(st.integers(1, 200_000), st.integers(1, 3000), st.data())
@settings(max_examples=60, deadline=None)
def test_memory_is_bounded_and_the_way_from_it_short(size: int, length: int, data: st.DataObject) -> None:
    checkpoints: Positions[int] = Positions(size)
    for lines in range(length):
        checkpoints.add(lines, lines)
        assert len(checkpoints) <= max(positions.MIN_STATES, positions.MAX_BYTES // size)
    lines = data.draw(st.integers(0, length - 1))
    nearest = checkpoints.nearest(lines)
    assert checkpoints[nearest] == nearest <= lines
    assert lines - nearest <= 4 * length * max(size, 1000) / positions.MAX_BYTES + 4 * length / positions.MAX_STATES
    cut = checkpoints.before(lines + 1)
    assert cut.nearest(lines) == nearest
    for number in range(nearest, length):
        cut.add(number, number)
    assert all(cut[cut.nearest(number)] == cut.nearest(number) for number in range(length))
    assert len(cut) <= max(positions.MIN_STATES, positions.MAX_BYTES // size)


@ROOMS
def test_a_match_remembers_at_most_a_mebibyte(key: str) -> None:
    match = whole(key, 3)
    assert len(match._positions) * len(match.state.tobytes()) <= positions.MAX_BYTES
    for _ in range(5):
        match = match.at(len(match.log) * 2 // 3)
        bots.play_out(match, [bots.RANDOM] * match.seats)
        assert len(match._positions) * len(match.state.tobytes()) <= positions.MAX_BYTES
