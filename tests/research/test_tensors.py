"""What one game's `tensors.py` promises besides the laws of all (`tablee/checks/check_learners.py`)."""

from __future__ import annotations

from tablee import games
from tablee.checks.check_learners import reached
from tablee.core import fairness, tensors
from tablee.core.match import Match
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
