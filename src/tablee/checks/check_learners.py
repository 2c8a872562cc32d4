"""The observations and actions of every game that has an environment, on random games at its smallest and its largest table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tablee import games
from tablee.checks.kernel_source import complaints_about, defined_in, reachable
from tablee.checks.plugin import has_environment
from tablee.core import fairness, stepping, tensors
from tablee.core.game import Seat
from tablee.core.match import Match
from tablee.core.rng import make_rng
from tablee.research.spaces import Spaces, specialized_for

pytestmark = pytest.mark.only(where=has_environment)


def decisions(key: str, seats: int, number: int) -> Iterator[tuple[Match, Seat]]:
    """Yield every position of a random game in which a seat is to act."""
    match, rng = Match(games.find(key), seats, {}, fairness.seed_for(21, number)), random.Random(number)
    match.play_nature()
    while match.to_act:
        seat = rng.choice(match.to_act)
        yield match, seat
        match.play(seat, rng.choice(match.legal(seat)))
        match.play_nature()


def reached(spaces: Spaces, state: Any, seat: int, half: int = tensors.NOTHING_CHOSEN, so_far: tuple[int, ...] = ()) -> Iterator[Any]:
    """Yield every path of actions through the masks, with the move at its end."""
    for action in np.flatnonzero(spaces.mask(state, seat, half)):
        path = (*so_far, int(action))
        made = int(spaces.loops.move_of(spaces.game.kernel.box, state, half, seat, int(action)))
        if made >= 0:
            yield path, made
        else:
            yield from reached(spaces, state, seat, made, path)


def test_the_actions_that_a_mask_allows_lead_to_each_legal_move_by_one_way(key: str, seats: int) -> None:
    spaces = Spaces(games.find(key), seats)
    for match, seat in decisions(key, seats, 0):
        ways = dict(reached(spaces, match.state, seat))
        assert sorted(ways.values()) == match.legal(seat)
        for way, move in ways.items():
            assert spaces.encode(match.state, seat, move) == list(way)
            assert spaces.decode(match.state, seat, way) == move
            assert spaces.decode(match.state, seat, way[:-1]) is None


def test_an_observation_keeps_to_its_fields_and_their_bounds(key: str, seats: int) -> None:
    spaces = Spaces(games.find(key), seats)
    least, most = spaces.bounds()
    for match, seat in decisions(key, seats, 1):
        seen = spaces.observe(match.state, seat)
        assert ((least <= seen) & (seen <= most)).all()
    fields = spaces.fields(seen)
    assert len(fields) == len(spaces.table_fields) + len(spaces.seat_fields)
    assert sum(field.size for field in fields.values()) == spaces.size
    assert all(np.shares_memory(field, seen) for field in fields.values())


def test_what_a_seat_may_not_know_changes_no_byte_of_what_it_is_given(key: str, seats: int) -> None:
    game, spaces, changed = games.find(key), Spaces(games.find(key), seats), 0
    for number, (match, seat_to_act) in enumerate(decisions(key, seats, 2)):
        for seat in {seat_to_act, Seat(number % seats)}:
            seen = game.observe(match.state, seat)
            determinized = game.determinize(seen, make_rng((number, 5)))
            changed += determinized != match.state
            for other in (determinized, seen.state):
                assert spaces.observe(other, seat).tobytes() == spaces.observe(match.state, seat).tobytes()
        determinized = game.determinize(game.observe(match.state, seat_to_act), make_rng((7, number)))
        assert spaces.mask(determinized, seat_to_act).tobytes() == spaces.mask(match.state, seat_to_act).tobytes()
    assert (changed > 0) == game.secrets


def test_what_is_written_over_an_earlier_observation_is_the_same_as_afresh(key: str, seats: int) -> None:
    spaces, box = Spaces(games.find(key), seats), games.find(key).kernel.box
    buffer = np.zeros(spaces.size, np.int16)
    for match, seat in decisions(key, seats, 3):
        spaces.observe_into(buffer, match.state, seat)
        assert buffer.tobytes() == spaces.observe(match.state, seat).tobytes()
        firsts = {way[0] for way, _ in reached(spaces, match.state, seat)}
        for half in {int(spaces.loops.move_of(box, match.state, tensors.NOTHING_CHOSEN, seat, first)) for first in firsts}:
            if half < 0:
                assert spaces.show_half(half) != str(half), "the room says in words what is half chosen"
                spaces.observe_into(buffer, match.state, seat, half)
                assert buffer.tobytes() == spaces.observe(match.state, seat, half).tobytes()


def test_the_first_position_can_be_looked_at_before_anything_is_drawn(key: str) -> None:
    game = games.find(key)
    spaces = Spaces(game, game.seats[0])
    seen = spaces.observe(Match(game, game.seats[0]).state, 0)
    least, most = spaces.bounds()
    assert ((least <= seen) & (seen <= most)).all()


def test_positions_that_a_seat_can_tell_apart_have_different_observations(key: str) -> None:
    """Checked within one game: different positions have different observations."""
    seats = games.find(key).seats[0]
    spaces, game, found = Spaces(games.find(key), seats), games.find(key), dict[bytes, bytes]()
    for match, seat in decisions(key, seats, 4):
        seen = spaces.observe(match.state, seat).tobytes() + spaces.mask(match.state, seat).tobytes()
        known = game.observe(match.state, seat).state.tobytes()
        assert found.setdefault(seen, known) == known, "one observation for two positions: write `tensors.py`"


def test_tensors_and_stepping_keep_to_what_compiles_for_a_gpu(key: str) -> None:
    room, bound = specialized_for(key)
    found: dict[str, Any] = {}
    for function in defined_in(bound):
        reachable(function, found)
    assert len(found) > len(tensors.EXPORTS) + len(stepping.LOOPS)
    assert [complaint for name, function in found.items() for complaint in complaints_about(name, function)] == []
    assert len({part.name for part in (*room.TABLE, *room.SEAT)}) == len(room.TABLE) + len(room.SEAT)
