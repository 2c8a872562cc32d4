"""Slots of a vectorised environment: the games that `stepping.py` steps together, and what they have in common."""

from __future__ import annotations

from typing import Any, Generic, NamedTuple

from tablee.core.rng import Rng
from tablee.core.struct import Array, Grid, Struct, StructArray, array_view, field
from tablee.core.workspace import Progress, S

LEARNER_LEVEL = -1  # among the levels of `loops.py`
REWARD_WIN, REWARD_TEAM_WIN, REWARD_POINTS = range(3)  # reward schemes


class SlotProgress(Progress):
    """Progress of a slot."""

    acting_seat: int = field()
    half: int = field()  # the partial choice of the acting seat, where a move takes several actions
    step_count: int = field()
    games: int = field()  # number of games begun
    mask_first: int = field()  # the first and the last action of the present mask
    mask_last: int = field()
    key_one: int = field()  # key of the slot, from which the keys of its games are derived
    key_two: int = field()


class Environment(NamedTuple, Generic[S]):
    """What all slots have in common."""

    start: S
    levels: Array  # by seat: LEARNER_LEVEL, or the level of a bot that plays inside the kernel
    reward_scheme: int
    max_steps: int  # after which a game is truncated; 0: never


class Slots(NamedTuple, Generic[S]):
    """Arrays with a row per slot."""

    states: StructArray[S]
    rngs: StructArray[Rng]  # for nature and the bots, keyed by game
    progress: StructArray[SlotProgress]
    actions: Array  # NO_ACTION: start a new game
    seats: Array  # the acting seats
    observations: Grid  # of the acting seat (`observe`)
    masks: Grid  # 1 for each of its legal actions
    rewards: Grid  # by seat
    ended: Array
    cut_off: Array
    scores: Grid  # by seat: points of the last game that ended or was truncated
    final_seats: Array
    final_observations: Grid  # of a game that ended or was truncated; if empty, it is not written
    final_masks: Grid
    candidate_counts: Array  # number of legal moves of the acting seat
    candidate_moves: Grid  # the first of them; if empty, actions are those of the room's `tensors.py`, otherwise numbers of candidates
    candidate_features: Grid  # of the position after each (`candidates.py`)


def views_of(arrays: Slots[S], state: type[S]) -> Slots[S]:
    """Return the views through which Python and the loops write to these NumPy arrays."""
    kinds: dict[str, type[Struct]] = {"states": state, "rngs": Rng, "progress": SlotProgress}

    def view(name: str, array: Any) -> Any:
        if name in kinds:
            return StructArray.wrapping(kinds[name], array)
        return Grid(array) if array.ndim > 1 else array_view(array)

    return Slots(**{name: view(name, array) for name, array in arrays._asdict().items()})
