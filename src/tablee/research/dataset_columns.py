"""Columns of a dataset for learning: what the environments show, and the actions that make the move (`tablee dataset --observations`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from tablee.arena.plan import Plan
from tablee.core import slots, stepping
from tablee.research.game_stepper import reward_kind
from tablee.research.spaces import Spaces


class EnvironmentColumns:
    """Columns of an environment, beside those of every dataset.

    observation, mask     what the environments show the seat, at the first action of its move
    actions               the actions that make the move: one, or a place and a turn
    candidate             the number of the move among the candidates of `Vector(..., candidates=N)`
    return                the reward that the seat still gets: of the win at the end or, alone, the points to come
    """

    def __init__(self, plan: Plan) -> None:
        self.plan, self.spaces = plan, Spaces(plan.opened, plan.seats)
        self.reward_kind = reward_kind(plan.opened, plan.start, None)
        self.kinds = {
            "observation": pa.list_(pa.int16(), self.spaces.size),
            "mask": pa.list_(pa.int8(), self.spaces.actions),
            "actions": pa.list_(pa.int32()),
            "candidate": pa.int32(),
            "return": pa.float32(),
        }
        self.facts = {"fingerprint": self.spaces.fingerprint}

    def __reduce__(self) -> tuple[Any, ...]:
        return EnvironmentColumns, (self.plan,)

    def __call__(self, states: Any, columns: Mapping[str, Any], winners: int) -> dict[str, Any]:
        seats, moves, legal = columns["seat"].tolist(), columns["move"].tolist(), columns["legal"].to_pylist()
        shown = [self.spaces.observe_and_mask(states[row], seat) for row, seat in enumerate(seats)]
        observations, masks = (np.concatenate(each) for each in zip(*shown, strict=True))
        return {
            "observation": pa.FixedSizeListArray.from_arrays(pa.array(observations), self.spaces.size),
            "mask": pa.FixedSizeListArray.from_arrays(pa.array(masks), self.spaces.actions),
            "actions": [self.spaces.encode(states[row], seat, moves[row]) for row, seat in enumerate(seats)],
            "candidate": [among.index(move) for among, move in zip(legal, moves, strict=True)],
            "return": self._returns(columns, winners),
        }

    def _returns(self, columns: Mapping[str, Any], winners: int) -> list[float]:
        if self.reward_kind == slots.REWARD_POINTS:
            return [float(each) for each in columns["final_score"] - columns["score"]]
        count, seats = winners.bit_count(), self.plan.seats
        return [stepping.win_reward(self.reward_kind, seats, count, bool(winners >> seat & 1)) for seat in columns["seat"].tolist()]
