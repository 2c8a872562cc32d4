"""Fitting the rooms' networks: whole batches at once, with nothing but NumPy. A column of weights is a sum of what is known; the first
counts as it is, of the others those above nothing, added and taken away by turns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

BATCH = 1024
EPOCHS = 20
LEARNING_RATE, WARMUP_STEPS = 2e-3, 100  # how far a step goes at most, and how many are shorter
WIN_LEARNING_RATE = 5e-3
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8  # as Adam has them
RIDGE = 1e-5
RARE = 8  # what is seldom there does not count for more than if its spread were this part of the most there is
INITIAL_SCALE = 0.03  # how far the weights of the other sums are from nothing at first

OWN_AND_OTHERS = slice(0, 1), slice(1, None)  # seats, where chances are told
WIN_PASSES = 10
RANKING_PASSES, RANKING_LEARNING_RATE = 12, 4e-3
VALIDATION_EVERY = 20  # one position of so many

Numbers = Any  # arrays of floating point numbers


class Standardizer:
    """Inputs that all reach equally far from their mean, but for the first, which is always one; those that never change are
    left out."""

    def __init__(self, inputs: Numbers) -> None:
        spread = inputs.std(axis=0)
        self.used = spread > 0
        self.spread = np.where(self.used, np.maximum(spread, np.abs(inputs).max(axis=0) / RARE), 1)
        self.mean = np.where(self.used, inputs.mean(axis=0), 0)
        self.used[0] = True

    def transform(self, inputs: Numbers) -> Numbers:
        return ((inputs - self.mean) / self.spread * self.used).astype(np.float32)

    def unscale_weights(self, weights: Numbers) -> Numbers:
        found = np.where(self.used[:, None], weights.astype(float) / self.spread[:, None], 0)
        found[0] -= self.mean @ found
        return found


def signs(totals: int) -> Numbers:
    return np.array([1.0, *(1.0 if place % 2 else -1.0 for place in range(1, totals))], np.float32)


def initial_weights(inputs: Numbers, worth: Numbers, totals: int, rng: np.random.Generator) -> Numbers:
    """The first sum by least squares; the others know nothing yet."""
    known = inputs.shape[1]
    weights = INITIAL_SCALE * rng.standard_normal((known, totals)) * (np.abs(inputs).max(axis=0) > 0)[:, None]
    weights[:, 0] = np.linalg.solve(inputs.T @ inputs + RIDGE * len(inputs) * np.eye(known), inputs.T @ worth)
    return weights.astype(np.float32)


def predict(weights: Numbers, inputs: Numbers) -> Numbers:
    """What the network says."""
    sums = inputs @ weights
    sums[:, 1:] = np.maximum(sums[:, 1:], 0)
    return sums @ signs(weights.shape[1])


def fit(inputs: Numbers, worth: Numbers, totals: int, seed: int) -> tuple[Numbers, float]:
    """The weights, in points, and how far they are off."""
    rng, scale, goal = np.random.default_rng(seed), Standardizer(inputs), worth.astype(np.float32)
    known = scale.transform(inputs)
    weights = initial_weights(known, goal, totals, rng)
    descent = Adam([weights], EPOCHS * max(1, len(goal) // BATCH))
    for _, rows in batches([len(goal)], EPOCHS, rng):
        some = known[rows]
        descent.step([gradient(weights, some, (predict(weights, some) - goal[rows]) / np.float32(len(rows)))])
    return scale.unscale_weights(weights), float(np.std(predict(weights, known) - goal))


def gradient(weights: Numbers, inputs: Numbers, off: Numbers) -> Numbers:
    """How what is told of these inputs changes with each weight, added up by how far each is off."""
    open_ = inputs @ weights > 0
    open_[:, 0] = True
    return inputs.T @ (off[:, None] * signs(weights.shape[1]) * open_)


def batches(counts: Sequence[int], passes: int, rng: np.random.Generator) -> Iterator[tuple[int, Numbers]]:
    """Which of several groups, and which of its rows: all of them in each pass, in some order."""
    for _ in range(passes):
        rows = [np.array_split(rng.permutation(count), max(1, count // BATCH)) for count in counts]
        every = [(group, some) for group, split in enumerate(rows) for some in split]
        yield from (every[place] for place in rng.permutation(len(every))) if len(counts) > 1 else every


class Adam:
    """Adam, with steps that grow shorter and shorter."""

    def __init__(self, weights: Sequence[Numbers], steps: int, pace: float = LEARNING_RATE) -> None:
        self.weights, self.steps, self.learning_rate, self.taken = weights, steps, pace, 0
        self.means, self.squares = ([np.zeros_like(each) for each in weights] for _ in range(2))

    def step(self, slopes: Sequence[Numbers]) -> None:
        self.taken += 1
        pace = self.learning_rate * min(1, self.taken / WARMUP_STEPS) * (1 + np.cos(np.pi * min(1, self.taken / self.steps))) / 2
        pace *= np.sqrt(1 - BETA2**self.taken) / (1 - BETA1**self.taken)
        for place, each in enumerate(slopes):
            mean, square = self.means[place], self.squares[place]
            mean += (1 - BETA1) * (each - mean)
            square += (1 - BETA2) * (each * each - square)
            self.weights[place][:] -= np.float32(pace) * mean / (np.sqrt(square) + np.float32(EPSILON))


class WinModelFit:
    """Who wins: each seat's chance is two to the power of what is told of it, among all. One's own seat is told by other weights than the
    others'. Positions are groups by how many seats there are: what is known of each seat, one's own first, and its share of the win."""

    def __init__(self, groups: Sequence[tuple[Numbers, Numbers]], totals: int, seed: int) -> None:
        self.rng, by_seats = np.random.default_rng(seed), sorted({known.shape[1] for known, _ in groups})
        self.known = [np.concatenate([known for known, _ in groups if known.shape[1] == seats]) for seats in by_seats]
        self.shares = [np.concatenate([share for known, share in groups if known.shape[1] == seats]) for seats in by_seats]
        self.scales = [Standardizer(np.concatenate([flat(known[:, part]) for known in self.known])) for part in OWN_AND_OTHERS]
        inputs = self.known[0].shape[2]
        self.weights = [(INITIAL_SCALE * self.rng.standard_normal((inputs, totals))).astype(np.float32) for _ in self.scales]
        self.validation = [len(known) // VALIDATION_EVERY for known in self.known]  # the last so many are not learned from

    def fit(self) -> list[Numbers]:
        """The weights of one's own seat and of others, in doublings."""
        counts = [len(known) - kept for known, kept in zip(self.known, self.validation, strict=True)]
        descent = Adam(self.weights, WIN_PASSES * sum(max(1, count // BATCH) for count in counts), WIN_LEARNING_RATE)
        for group, rows in batches(counts, WIN_PASSES, self.rng):
            known = self._scaled(group, rows)
            off = (self._chances(known) - self.shares[group][rows]) / np.float32(len(rows))
            descent.step([gradient(*each) for each in zip(self.weights, known, (off[:, 0], off[:, 1:].reshape(-1)), strict=True)])
        return [scale.unscale_weights(weights) / np.log(2) for scale, weights in zip(self.scales, self.weights, strict=True)]

    def validation_error(self) -> float:
        """The mean square by which one's own chance is off, where nothing was learned from."""
        found: list[Numbers] = []
        for group, kept in enumerate(self.validation):
            rows = np.arange(len(self.known[group]) - kept, len(self.known[group]))
            found.append(self._chances(self._scaled(group, rows))[:, 0] - self.shares[group][rows, 0])
        return float(np.mean(np.concatenate(found) ** 2))

    def _scaled(self, group: int, rows: Numbers) -> list[Numbers]:
        known = self.known[group][rows]
        return [scale.transform(flat(known[:, part])) for scale, part in zip(self.scales, OWN_AND_OTHERS, strict=True)]

    def _chances(self, known: Sequence[Numbers]) -> Numbers:
        own, others = (predict(*each) for each in zip(self.weights, known, strict=True))
        standing = np.hstack([own[:, None], others.reshape(len(own), -1)])
        odds = np.exp(standing - standing.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)


class RankingFit:
    """What sets the moves of one position apart. Of each position and move: what is counted of it; what was promised, how much more that
    would be for one more of what the network tells, and what it came to; and whether there is such a move. The mean of a position does not
    count: who is ahead anyway is not to be explained."""

    def __init__(self, groups: Sequence[tuple[Numbers, Numbers, Numbers]], totals: int, seed: int) -> None:
        self.counted, self.known, self.there = (np.concatenate(column) for column in zip(*groups, strict=True))
        self.rng, self.validation = np.random.default_rng(seed), len(self.there) // VALIDATION_EVERY
        self.scale = Standardizer(self.counted[self.there])
        self.weights = (INITIAL_SCALE * self.rng.standard_normal((self.counted.shape[2], totals))).astype(np.float32)

    def fit(self) -> Numbers:
        count = len(self.there) - self.validation
        descent = Adam([self.weights], RANKING_PASSES * max(1, count // BATCH), RANKING_LEARNING_RATE)
        for _, rows in batches([count], RANKING_PASSES, self.rng):
            inputs, there, promised, slopes = self._some(rows)
            off = centred(promised + slopes * predict(self.weights, inputs).reshape(there.shape) - self.known[rows, :, 2], there)
            descent.step([gradient(self.weights, inputs, (slopes * off / np.float32(there.sum())).reshape(-1))])
        return self.scale.unscale_weights(self.weights)

    def validation_gain(self) -> str:
        """How much better than the mean of its position the chosen move is, by the playouts: where nothing was learned from."""
        rows = np.arange(len(self.there) - self.validation, len(self.there))
        inputs, there, promised, slopes = self._some(rows)
        said, came_to = promised + slopes * predict(self.weights, inputs).reshape(there.shape), centred(self.known[rows, :, 2], there)
        before, now = (came_to[np.arange(len(rows)), np.where(there, each, -1).argmax(axis=1)].mean() for each in (promised, said))
        return f"{len(self.there)} positions; the move chosen is {now:.4f} better than their mean, {before:.4f} by the hand-made value"

    def _some(self, rows: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        inputs = self.scale.transform(self.counted[rows].reshape(-1, self.counted.shape[2]))
        return inputs, self.there[rows], self.known[rows, :, 0], self.known[rows, :, 1]


def flat(known: Numbers) -> Numbers:
    """A row for each seat."""
    return known.reshape(-1, known.shape[-1])


def centred(found: Numbers, there: Numbers) -> Numbers:
    """Less the mean of each position."""
    return np.where(there, found - (found * there).sum(axis=1, keepdims=True) / there.sum(axis=1, keepdims=True), 0)


def provenance(command: str) -> dict[str, Any]:
    """Where weights come from."""
    return {"made_by": command, "made_on": date.today().isoformat()}


def write_weights(out: Path, head: Mapping[str, Any], networks: Numbers) -> None:
    """Where the weights come from, and a line for each network."""
    lines = ",\n  ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    rows = ",\n    ".join(json.dumps(rows.tolist(), separators=(",", ":")) for rows in networks)
    out.write_text(f'{{\n  {lines},\n  "weights": [\n    {rows}\n  ]\n}}\n', encoding="utf-8")
