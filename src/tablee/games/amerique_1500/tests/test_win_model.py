"""The learned networks, win model and learned value; neither knows more than its seat may (R1)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tablee import bots, games
from tablee.core import fairness
from tablee.core.contract import SHARE, VALUES, WHOLE_SHARE
from tablee.core.game import Seat
from tablee.core.match import Match
from tablee.core.rng import make_rng
from tablee.core.struct import int_array
from tablee.core.win_probability import MILLION
from tablee.games.amerique_1500.box import INPUTS, KINDS, MAX_SEATS, SEATS, SOONEST, VALUE_UNITS, WIN_UNITS, WOOD
from tablee.games.amerique_1500.evaluation import value
from tablee.games.amerique_1500.learned_value import search_value
from tablee.games.amerique_1500.network_inputs import fill_inputs
from tablee.games.amerique_1500.plan import CACHED_TURNS, Scratch
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.tests.sample_games import GAME as PLAYED
from tablee.games.amerique_1500.tests.sample_games import act, equipped, idle, swaps
from tablee.games.amerique_1500.win_model import leaf_value, network_standing

GAME = games.find("amerique-1500")
BOX: Any = GAME.kernel.box
PLAIN = os.environ.get("TABLEE_PLAIN") == "1"
GAMES = 20
OF_A_SEAT = "goods", "draws", "picks", "held", "placed", "made", "society"
FIELDS = *OF_A_SEAT, "demands", "taken", "handing", "owes", "done", "full", "seats"  # of the state
INT32_RANGE = 2**31  # a sum is an int32


def positions(seats: int, number: int = 1, **options: str | int | bool) -> Iterator[Match[State]]:
    """Yield every seventh decision of a greedy game."""
    match = Match(GAME, seats, options, fairness.seed_for(7, number))
    yield from (match for turn, _ in enumerate(bots.decisions(match, [bots.GREEDY] * seats)) if turn % 7 == 0)


def evaluated(rule: Any, state: Any, seat: int, scratch: Scratch | None = None, box: Any = BOX) -> list[int]:
    out = int_array(VALUES)
    rule(box, state, scratch or Scratch(), seat, out)
    return list(out)


@pytest.mark.parametrize("rule", [value, search_value, leaf_value])
@pytest.mark.parametrize("seats", [2, 4])
def test_r1_what_others_hold_in_their_hands_has_no_say(rule: Any, seats: int) -> None:
    for match in positions(seats, game="full"):
        seat = Seat(match.state.turns % seats)
        determinized = GAME.determinize(GAME.observe(match.state, seat), make_rng((8, 9)))
        assert evaluated(rule, match.state, seat) == evaluated(rule, determinized, seat)


def test_what_is_remembered_of_rivals_is_what_it_would_come_to_now() -> None:
    """One scratch, reused over all sides, numbers of seats and legal moves, gives the values of a fresh one."""
    used = Scratch()
    for seats, version in ((2, "quick"), (4, "full"), (3, "quick")):
        for match in positions(seats, game=version):
            for seat in match.to_act:
                for move in match.legal(seat):
                    after = GAME.kernel.apply(match.state, seat, move)
                    for viewer in range(seats):
                        assert evaluated(value, after, viewer, used) == evaluated(value, after, viewer)


@pytest.mark.parametrize("field", FIELDS)
def test_nothing_that_a_rivals_plan_goes_by_is_forgotten(field: str) -> None:
    """A change of any one field of the state invalidates the cache."""
    used, matches = Scratch(), 0
    for match in positions(3, game="full"):
        state = match.state
        evaluated(value, state, (state.active + 1) % 3, used)
        state = state.copy()
        for other in range(3):
            changed(state, field, other)
        assert evaluated(value, state, (state.active + 1) % 3, used) == evaluated(value, state, (state.active + 1) % 3)
        matches += 1
    assert matches


def changed(state: Any, field: str, seat: int) -> None:
    if field == "goods":
        state.goods[seat, WOOD] += 3
    elif field == "seats":
        state.seats = MAX_SEATS
    elif field == "full":
        state.full = 0
    elif field in ("demands", "owes", "taken", "handing", "done"):
        setattr(state, field, getattr(state, field) ^ ((1 << KINDS) - 1 if field == "taken" else 1))
    elif field == "society":
        state.society[seat] = (state.society[seat] + 1) % MAX_SEATS
    else:
        getattr(state, field)[seat] ^= 1


def test_what_lay_there_before_is_not_taken_for_what_is_remembered() -> None:
    """On a GPU scratch memory is not cleared: an entry whose turns do not fit its check is not used."""
    used, match = Scratch(), next(positions(2))
    evaluated(value, match.state, 0, used)
    used.rival_cache[1, CACHED_TURNS] += MILLION
    assert evaluated(value, match.state, 0, used) == evaluated(value, match.state, 0)
    of_another_box: Any = Scratch()
    evaluated(value, match.state, 0, of_another_box, PLAYED.kernel.box)
    assert of_another_box.rival_cache[1, CACHED_TURNS] != used.rival_cache[1, CACHED_TURNS]
    assert evaluated(value, match.state, 0, of_another_box) == evaluated(value, match.state, 0)


@pytest.mark.parametrize("version", ["quick", "full"])
def test_the_sums_of_the_networks_are_what_plain_numbers_come_to_and_leave_room(version: str) -> None:
    scratch, soonest = Scratch(), []
    for match in positions(3, game=version):
        state = match.state
        for seat in range(3):
            search_value(BOX, state, scratch, seat, int_array(VALUES))
            assert scratch.inputs[SEATS] == 3
            soonest.append(scratch.inputs[SOONEST])
            check_sums(scratch, BOX.learned_weights, state.full, VALUE_UNITS)
            scratch.viewer = 0
            fill_inputs(BOX, state, scratch, seat)
            network_standing(BOX, state, scratch, int(seat == 0))
            check_sums(scratch, BOX.win_weights, 2 * state.full + int(seat == 0), WIN_UNITS)
    assert any(soonest), "an input of the learned value too"


def check_sums(scratch: Scratch, network: Any, which: int, width: int) -> None:
    inputs = np.array(list(scratch.inputs), np.int64)
    weights = np.array([list(network[which * INPUTS + number]) for number in range(INPUTS)], np.int64)
    sums = np.cumsum(weights * inputs[:, None], axis=0)
    assert list(scratch.hidden)[:width] == sums[-1].tolist()
    assert abs(sums).max() < INT32_RANGE // 4, "in other games more may be counted"


def test_who_serves_the_last_request_first_is_likely_to_win() -> None:
    match = equipped()
    act(match, 4, *swaps("W" * 8, "GGMMGGFF"), "serve pemmican", "serve chowder")
    idle(match, "4")
    box: Any = type(BOX).from_bytes(PLAYED.kernel.box.tobytes())
    box.win_units, box.win_weights.array[:] = WIN_UNITS, BOX.win_weights.array
    shares = [evaluated(leaf_value, match.state, seat, box=box)[SHARE] for seat in range(2)]
    assert shares[0] > 0.9 * WHOLE_SHARE
    assert shares[1] < 0.1 * WHOLE_SHARE


def test_without_weights_the_insight_is_the_hand_made_value_and_with_them_it_is_not() -> None:
    bare, differ = type(BOX).from_bytes(BOX.tobytes()), []
    bare.learned_weights.array[:] = 0
    for match in positions(2):
        assert evaluated(search_value, match.state, 0, box=bare) == evaluated(value, match.state, 0)
        differ.append(evaluated(search_value, match.state, 0) != evaluated(value, match.state, 0))
    assert sum(differ) > len(differ) / 2


def test_what_was_learned_is_for_the_box_that_it_was_learned_with() -> None:
    """The printed box has weights; with a corrected one a search uses the hand-made value."""
    other: Any = PLAYED.kernel.box
    assert (BOX.win_units, other.win_units) == (WIN_UNITS, 0)
    for match in positions(3, game="full"):
        assert (
            evaluated(leaf_value, match.state, 0, box=other)
            == evaluated(search_value, match.state, 0, box=other)
            == evaluated(value, match.state, 0, box=other)
        )


@pytest.mark.skipif(PLAIN, reason="one game says nothing")
def test_how_games_end_is_told_better_by_the_outlook_than_by_the_hand_made_value() -> None:
    off: list[Any] = []
    for number in range(GAMES):
        shares = []
        for match in positions(2, number):
            shares.append([evaluated(rule, match.state, 0)[SHARE] / WHOLE_SHARE for rule in (value, leaf_value)])
        assert match.outcome is not None
        off.append((np.array(shares) - (Seat(0) in match.outcome.winners) / len(match.outcome.winners)) ** 2)
    by_hand, learned = np.concatenate(off).mean(axis=0)
    assert learned < by_hand - 0.02


def test_a17_together_nobody_is_a_rival() -> None:
    """The networks model rivals, so a team uses the hand-made value."""
    for match in positions(2, cooperative=True):
        for seat in range(2):
            assert (
                evaluated(leaf_value, match.state, seat)
                == evaluated(search_value, match.state, seat)
                == evaluated(value, match.state, seat)
            )
