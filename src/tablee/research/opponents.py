"""Opponents in a `Vector` that play between its steps: policies for many games at once, and bots that the kernel does not know.

A policy is a function `(vector, rows) -> actions`: it reads `vector.observations[rows]`, `vector.masks[rows]` or `vector.candidates` and
returns a legal action for each of these games, in which its seat is to act. A frozen copy of a learner is such a function. `mixture` lets
another one play in each game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tablee import bots
from tablee.core.errors import TableeError
from tablee.core.game import Move, Seat
from tablee.core.i18n import msg
from tablee.core.rng import make_rng, reseed

if TYPE_CHECKING:
    from tablee.research.vector import Vector

Policy = Callable[["Vector", Any], Any]


def policies_by_seat(opponents: Sequence[str | Policy | None]) -> dict[int, Policy]:
    """Return the policy of each seat that neither learns nor is played by the kernel."""
    found = {}
    for seat, each in enumerate(opponents):
        if isinstance(each, str) and each not in bots.KERNEL_LEVELS:
            found[seat] = bot_policy(each)
        elif callable(each):
            found[seat] = each
    return found


def bot_policy(name: str) -> Policy:
    """Return the policy of a bot of any name: `medium`, `search:nodes=500`, `my_package:bot`. It decides game by game."""
    bot, decided = bots.find(name), dict[int, Move]()  # by slot: a move of several actions is decided once

    def play(vector: Vector, rows: Any) -> list[int]:
        found = []
        for row in rows.tolist():
            seat, progress = int(vector.infos["seat"][row]), vector.progress_of(row)
            if not progress.half:
                rng = make_rng((progress.key_one ^ progress.games, progress.key_two))
                reseed(rng, progress.lines, seat)
                decided[row] = bot(vector.game, vector.game.observe(vector.states[row], Seat(seat)), rng)
            found.append(vector.action_for(row, decided[row]))
        return found

    return play


def mixture(*policies: str | Policy) -> Policy:
    """Return a policy that plays each of these in an equal part of the games, by the number of the slot."""
    made = [bot_policy(each) if isinstance(each, str) else each for each in policies]

    def play(vector: Vector, rows: Any) -> Any:
        actions = np.zeros(len(rows), np.int64)
        for number, policy in enumerate(made):
            own = np.flatnonzero(rows % len(made) == number)
            if len(own):
                actions[own] = policy(vector, rows[own])
        return actions

    return play


def play_policies(vector: Vector) -> None:
    """Let the policies play until a learner is to act in every game; rewards add up, and ends are kept."""
    rewards, ends = vector.rewards.copy(), (vector.terminated.copy(), vector.truncated.copy())
    while True:
        seats, played = vector.infos["seat"].copy(), False
        for seat, policy in vector.policies.items():
            rows = np.flatnonzero(seats == seat)
            if not len(rows):
                continue
            actions = np.asarray(policy(vector, rows))
            if actions.shape != rows.shape or actions.dtype.kind not in "iu":
                raise TableeError(
                    msg(
                        "a policy is to give an action for each of its games: {games}, not {actions}", games=len(rows), actions=actions.size
                    )
                )
            vector.step_some(rows, actions)
            played = True
            rewards[rows] += vector.rewards[rows]
            for kept, now in zip(ends, (vector.terminated, vector.truncated), strict=True):
                kept[rows] |= now[rows]
        if not played:
            break
    vector.rewards[:], vector.terminated[:], vector.truncated[:] = rewards, *ends
