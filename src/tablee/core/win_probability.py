"""What chances are told by, in whole numbers, so that they are the same wherever they are computed: the share of the win that a lead
promises, one curve for every room, and powers of two.
"""

from __future__ import annotations

from tablee.core.contract import WHOLE_SHARE
from tablee.core.jit import jit

HALF_SHARE = WHOLE_SHARE // 2
MILLION = 1_000_000
MAX_EXPONENT = 20 * MILLION  # doublings that are told from more


@jit
def exp2_fixed(times: int) -> int:
    """Two to the power of so many millionths, in millionths: right to the fourth digit, as far as there are as many."""
    times = max(-MAX_EXPONENT, min(MAX_EXPONENT, times))
    part, whole = times % MILLION, times // MILLION
    power = MILLION + part * (695_105 + part * (227_560 + 77_335 * part // MILLION) // MILLION) // MILLION
    return power << whole if whole >= 0 else power >> -whole


@jit
def win_share(lead: int, spread: int, seats: int) -> int:
    """`lead` over the others; with a lead of `spread` three of four duels are won. Level, everybody has an equal share."""
    duel = HALF_SHARE + HALF_SHARE * lead // (abs(lead) + spread)
    return WHOLE_SHARE * duel // (duel + (seats - 1) * (WHOLE_SHARE - duel))
