"""What a position is worth to a seat, for the greedy bot."""

from __future__ import annotations

from tablee.core.game import Seat
from tablee.core.rule import popcount, rule
from tablee.games.amerique_1500.box import Box
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.stock import total


def appraise(box: Box, state: State, seat: Seat) -> float:
    return float(position_worth(box, state, int(seat)))


@rule
def position_worth(box: Box, state: State, seat: int) -> int:
    return 100 * popcount(state.placed[seat]) + 10 * popcount(state.made[seat]) + total(state.goods[seat])
