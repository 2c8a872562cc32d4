"""From a lead in points to the share of the win that it promises: one curve for every room, in whole numbers, so that it is the same
wherever it is computed.
"""

from __future__ import annotations

from tablee.core.contract import WHOLE_SHARE
from tablee.core.rule import rule

HALF = WHOLE_SHARE // 2


@rule
def share_of_lead(lead: int, spread: int, seats: int) -> int:
    """`lead` over the others; with a lead of `spread` three of four duels are won. Level, everybody has an equal share."""
    duel = HALF + HALF * lead // (abs(lead) + spread)
    return WHOLE_SHARE * duel // (duel + (seats - 1) * (WHOLE_SHARE - duel))
