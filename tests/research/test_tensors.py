"""What one game's `tensors.py`, and those that are derived, promise besides the laws of all (`tablee/checks/check_learners.py`)."""

from __future__ import annotations

from tablee import games
from tablee.checks.check_learners import reached
from tablee.core import fairness, tensors
from tablee.core.contract import BaseState
from tablee.core.derived_tensors import number_at
from tablee.core.match import Match
from tablee.core.struct import Array, array_field
from tablee.research.spaces import Spaces


def test_m6_a_place_beyond_the_window_can_be_chosen_too() -> None:
    """Two players build southwards for as long as they can, beyond the window."""
    game = games.find("mayflower")
    spaces, match, beyond = Spaces(game, 2), Match(game, 2, {}, fairness.seed_for(1, 1)), 0
    first = tensors.offset_of(spaces.action_kinds, "place beyond")
    match.play_nature()
    while match.to_act:
        (seat,) = match.to_act
        ways = dict(reached(spaces, match.state, seat))
        assert sorted(ways.values()) == match.legal(seat)
        seen = spaces.fields(spaces.observe(match.state, seat))
        actions = {way[0] for way in ways if way[0] >= first}
        assert len(actions) <= seen["beyond"][0]
        beyond += len(actions)
        match.play(seat, max(match.legal(seat), key=lambda move: move % 1024 if move >= 1000 else -move))
        match.play_nature()
    assert beyond > 0


def test_where_a_room_says_nothing_a_seat_sees_the_state_from_its_own_row_on() -> None:
    match = Match.replay(games.find("dice-race"), 3, {}, ["- roll 6", "0 run 2", "- roll 4", "1 run 1", "- roll 6"])
    spaces = Spaces(match.game, 3)
    for seat, rows in ((0, [[0, 6], [4, 0], [0, 0]]), (1, [[4, 0], [0, 0], [0, 6]]), (2, [[0, 0], [0, 6], [4, 0]])):
        seen = spaces.fields(spaces.observe(match.state, seat))
        assert (seen["seat"], seen["die"], seen["at"][:3].tolist()) == (seat, 6, rows)
    assert [(kind.name, kind.size) for kind in spaces.action_kinds] == [("run", 2)]


class NarrowState(BaseState):
    bytes_: Array = array_field(11, bits=8)
    halves: Array = array_field(5, bits=16)
    whole: Array = array_field(2)


def test_a_narrow_number_is_read_with_its_sign() -> None:
    state = NarrowState()
    state.bytes_[7], state.bytes_[8], state.halves[3], state.halves[4], state.whole[1] = -128, 127, -32768, 5, -(1 << 40)
    for name, numbers in (("bytes_", state.bytes_), ("halves", state.halves), ("whole", state.whole)):
        field = NarrowState.fields[name]
        assert [number_at(state, field.word, field.bits, place) for place in range(len(numbers))] == list(numbers)
