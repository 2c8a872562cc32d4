"""Fitting the network of Rolling Village's insight: whole batches at once, with nothing but NumPy. A column of weights is a sum of what is
known of a sheet; the first counts as it is, of the others those above nothing, added and taken away by turns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BATCH = 1024
PASSES = 20
PACE, FIRST_STEPS = 2e-3, 100  # how far a step goes at most, and how many are shorter
MEMORY, LONG_MEMORY, TINY = 0.9, 0.999, 1e-8  # as Adam has them
RIDGE = 1e-5
RARE = 8  # what is seldom there does not count for more than if its spread were this part of the most there is
SMALL = 0.03  # how far the weights of the other sums are from nothing at first

Numbers = Any  # arrays of floating point numbers


class Scale:
    """Inputs that all reach equally far from their mean, but for the first, which is one for every sheet; those that never change are
    left out."""

    def __init__(self, inputs: Numbers) -> None:
        spread = inputs.std(axis=0)
        self.used = spread > 0
        self.wide = np.where(self.used, np.maximum(spread, np.abs(inputs).max(axis=0) / RARE), 1)
        self.mean = np.where(self.used, inputs.mean(axis=0), 0)
        self.used[0] = True

    def scaled(self, inputs: Numbers) -> Numbers:
        return ((inputs - self.mean) / self.wide * self.used).astype(np.float32)

    def for_inputs(self, weights: Numbers) -> Numbers:
        found = weights.astype(float) / self.wide[:, None]
        found[0] -= self.mean @ found
        return found


def signs(totals: int) -> Numbers:
    return np.array([1.0, *(1.0 if place % 2 else -1.0 for place in range(1, totals))], np.float32)


def begun(inputs: Numbers, worth: Numbers, totals: int, rng: np.random.Generator) -> Numbers:
    """The first sum by least squares; the others know nothing yet."""
    known = inputs.shape[1]
    weights = SMALL * rng.standard_normal((known, totals)) * (np.abs(inputs).max(axis=0) > 0)[:, None]
    weights[:, 0] = np.linalg.solve(inputs.T @ inputs + RIDGE * len(inputs) * np.eye(known), inputs.T @ worth)
    return weights.astype(np.float32)


def told(weights: Numbers, inputs: Numbers) -> Numbers:
    """What the network says."""
    sums = inputs @ weights
    sums[:, 1:] = np.maximum(sums[:, 1:], 0)
    return sums @ signs(weights.shape[1])


def fit(inputs: Numbers, worth: Numbers, totals: int, seed: int) -> tuple[Numbers, float]:
    """The weights, in points, and how far they are off."""
    rng, scale, goal = np.random.default_rng(seed), Scale(inputs), worth.astype(np.float32)
    known = scale.scaled(inputs)
    weights = begun(known, goal, totals, rng)
    descend(weights, known, goal, rng)
    return scale.for_inputs(weights), float(np.std(told(weights, known) - goal))


def descend(weights: Numbers, inputs: Numbers, goal: Numbers, rng: np.random.Generator) -> None:
    """Adam, with steps that grow shorter and shorter."""
    sign, mean, square, step = signs(weights.shape[1]), np.zeros_like(weights), np.zeros_like(weights), 0
    batches = max(1, len(goal) // BATCH)
    for _ in range(PASSES):
        for rows in np.array_split(rng.permutation(len(goal)), batches):
            some = inputs[rows]
            sums = some @ weights
            open_ = sums > 0
            open_[:, 0] = True
            off = (sums * open_) @ sign - goal[rows]
            slope = some.T @ (off[:, None] * sign * open_) / np.float32(len(rows))
            step += 1
            mean += (1 - MEMORY) * (slope - mean)
            square += (1 - LONG_MEMORY) * (slope * slope - square)
            pace = PACE * min(1, step / FIRST_STEPS) * (1 + np.cos(np.pi * step / (PASSES * batches))) / 2
            pace *= np.sqrt(1 - LONG_MEMORY**step) / (1 - MEMORY**step)
            weights -= np.float32(pace) * mean / (np.sqrt(square) + np.float32(TINY))
