"""Fixed-point win probability: the share of the win as a function of the lead, one curve for every room, and powers of two.

Integer arithmetic gives the same results compiled, interpreted and on a GPU.
"""

from __future__ import annotations

from tablee.core.contract import WHOLE_SHARE
from tablee.core.jit import jit

HALF_SHARE = WHOLE_SHARE // 2
MILLION = 1_000_000
MAX_EXPONENT = 20 * MILLION  # larger exponents saturate, in millionths


@jit
def exp2_fixed(times: int) -> int:
    """Return 2**(times / 1e6) in fixed point (1e-6), with a relative error below 1e-4 while the result has enough digits."""
    times = max(-MAX_EXPONENT, min(MAX_EXPONENT, times))
    part, whole = times % MILLION, times // MILLION
    power = MILLION + part * (695_105 + part * (227_560 + 77_335 * part // MILLION) // MILLION) // MILLION
    return power << whole if whole >= 0 else power >> -whole


@jit
def win_share(lead: int, spread: int, seats: int) -> int:
    """Return the share of the win for a lead over the others, in parts of WHOLE_SHARE; without a lead all shares are equal.

    A duel is won with probability 1/2 + lead / (2·(|lead| + spread)): 3/4 for lead = spread.
    """
    duel = HALF_SHARE + HALF_SHARE * lead // (abs(lead) + spread)
    return WHOLE_SHARE * duel // (duel + (seats - 1) * (WHOLE_SHARE - duel))
