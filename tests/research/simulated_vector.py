"""A program that steps the same games on the CPU and in Numba's GPU simulator (NUMBA_ENABLE_CUDASIM=1) and prints the differences."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from tablee import games
from tablee.core.errors import TableeError
from tablee.research.spaces import Spaces
from tablee.research.vector import Vector

GAMES, CUT_OFF = 3, 25  # steps, after which a game is cut off
STEPS = 60 if os.environ.get("TABLEE_ROUNDS") == "many" else CUT_OFF + 5
LISTED = 20  # candidates: less than some positions have
WRITTEN = ("observations", "masks", "rewards", "scores", "terminated", "truncated")


def differences(here: Vector, there: Any) -> Iterator[str]:
    here.reset(5)
    there.reset(5)
    ends = 0
    for step in range(STEPS):
        for name in WRITTEN:
            if getattr(here, name).tobytes() != np.ascontiguousarray(getattr(there, name).copy_to_host()).tobytes():
                yield f"{name} after {step} steps"
        if here.states.array.tobytes() != there.states.copy_to_host(np.zeros(GAMES, here.states.array.dtype)).tobytes():
            yield f"states after {step} steps"
        if here.infos["seat"].tolist() != there.infos["seat"].copy_to_host().tolist():
            yield f"who is asked after {step} steps"
        for name in differing_candidates(here, there):
            yield f"{name} of candidates after {step} steps"
        for name in differing_ends(here, there):
            yield f"{name} of what ended after {step} steps"
        drawn = there.sample().copy_to_host()
        if not (here.masks[np.arange(GAMES), drawn] == 1).all():
            yield f"an illegal sample after {step} steps"
        ends += int((here.terminated | here.truncated).sum())
        actions = here.sample().copy()
        here.step(actions)
        there.step(actions)
    if not ends:
        yield "no game ended"


def differing_candidates(here: Vector, there: Any) -> Iterator[str]:
    """Yield the names of the arrays of candidates that differ."""
    for name, one, other in zip(here.candidates._fields, here.candidates, there.candidates, strict=True):
        if one.size and one.tobytes() != np.ascontiguousarray(other.copy_to_host()).tobytes():
            yield name


def differing_ends(here: Vector, there: Any) -> Iterator[str]:
    """Yield the names of the final arrays that differ, for the games that ended in this step."""
    over = here.terminated | here.truncated
    pairs = {name: (here.infos["final_info"][name], there.infos["final_info"][name]) for name in here.infos["final_info"]}
    pairs["final_obs"] = here.infos["final_obs"], there.infos["final_obs"]
    for name, (one, other) in pairs.items():
        if one[over].tolist() != np.ascontiguousarray(other.copy_to_host())[over].tolist():
            yield name


def refusal(there: Any) -> str:
    actions = there.sample().copy_to_host()
    actions[1] = -1
    try:
        there.step(actions)
    except TableeError as error:
        return str(error)
    return "nothing was refused"


def branching(here: Vector, there: Any) -> str:
    """Save a game on the device and load it on the processor and back."""
    saved = there.save([0, 2])
    same = [one.tobytes() == other.tobytes() for one, other in zip(saved, here.save([0, 2]), strict=True)]
    there.load([1, 0], saved)
    here.load([1, 0], saved)
    after = [one.tobytes() == other.tobytes() for one, other in zip(there.save(), here.save(), strict=True)]
    return f"{same.count(False)} saved and {after.count(False)} loaded arrays differ"


def main(key: str) -> None:
    lists = [((), LISTED)] if Spaces(games.find(key), 2).feature_size else []
    for opponents, candidates in (((), 0), ((None, "greedy"), 0), *lists):
        here, there = (
            Vector(key, 2, GAMES, reward="points", longest=CUT_OFF, final_obs=True, opponents=opponents, candidates=candidates, device=each)
            for each in ("cpu", "cuda")
        )
        for difference in differences(here, there):
            print(opponents, candidates, difference)  # noqa: T201
    print(branching(here, there))  # noqa: T201
    print(refusal(there))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
