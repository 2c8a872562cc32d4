"""Training of the rooms' networks with NumPy and Adam.

A network is y = h0 + Σ(-1)^(i+1)·ReLU(hᵢ), h = x·W, as in `core/network.py`: each column of W is a hidden unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

BATCH = 1024
EPOCHS = 20
LEARNING_RATE, WARMUP_STEPS = 2e-3, 100  # the peak, and the steps of linear warm-up
WIN_LEARNING_RATE = 5e-3
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8  # Adam's defaults
RIDGE = 1e-5
RARE = 8  # the scale of an input is at least its largest value divided by this, which limits rare inputs
INITIAL_SCALE = 0.03  # standard deviation of the initial weights

OWN_AND_OTHERS = slice(0, 1), slice(1, None)  # seats of a position, one network each
WIN_PASSES = 10
RANKING_PASSES, RANKING_LEARNING_RATE = 12, 4e-3
VALIDATION_EVERY = 20  # one position in 20 is held out

Numbers = Any  # arrays of floating point numbers


class Standardizer:
    """Standardisation of inputs. The first input is the bias; constant inputs are left out."""

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


def signs(units: int) -> Numbers:
    """Return the output weights of the hidden units: 1 for the linear one, then 1 and -1 alternately."""
    return np.array([1.0, *(1.0 if place % 2 else -1.0 for place in range(1, units))], np.float32)


def initial_weights(inputs: Numbers, targets: Numbers, units: int, rng: np.random.Generator) -> Numbers:
    """Return initial weights: least squares for the linear unit, small random numbers for the others."""
    width = inputs.shape[1]
    weights = INITIAL_SCALE * rng.standard_normal((width, units)) * (np.abs(inputs).max(axis=0) > 0)[:, None]
    weights[:, 0] = np.linalg.solve(inputs.T @ inputs + RIDGE * len(inputs) * np.eye(width), inputs.T @ targets)
    return weights.astype(np.float32)


def predict(weights: Numbers, inputs: Numbers) -> Numbers:
    """Return the network's outputs."""
    hidden = inputs @ weights
    hidden[:, 1:] = np.maximum(hidden[:, 1:], 0)
    return hidden @ signs(weights.shape[1])


def fit(inputs: Numbers, targets: Numbers, units: int, seed: int) -> tuple[Numbers, float]:
    """Fit a network by least squares; return its weights and the standard deviation of the residuals."""
    rng, scale, goal = np.random.default_rng(seed), Standardizer(inputs), targets.astype(np.float32)
    scaled = scale.transform(inputs)
    weights = initial_weights(scaled, goal, units, rng)
    descent = Adam([weights], EPOCHS * max(1, len(goal) // BATCH))
    for _, rows in batches([len(goal)], EPOCHS, rng):
        batch = scaled[rows]
        descent.step([gradient(weights, batch, (predict(weights, batch) - goal[rows]) / np.float32(len(rows)))])
    return scale.unscale_weights(weights), float(np.std(predict(weights, scaled) - goal))


def gradient(weights: Numbers, inputs: Numbers, output_gradient: Numbers) -> Numbers:
    """Return the gradient by the weights, given the gradient by the outputs."""
    active = inputs @ weights > 0
    active[:, 0] = True
    return inputs.T @ (output_gradient[:, None] * signs(weights.shape[1]) * active)


def batches(counts: Sequence[int], passes: int, rng: np.random.Generator) -> Iterator[tuple[int, Numbers]]:
    """Yield mini-batches as (group, rows): in each pass all rows of all groups, shuffled."""
    for _ in range(passes):
        rows = [np.array_split(rng.permutation(count), max(1, count // BATCH)) for count in counts]
        every = [(group, batch) for group, split in enumerate(rows) for batch in split]
        yield from (every[number] for number in rng.permutation(len(every))) if len(counts) > 1 else every


class Adam:
    """Adam with linear warm-up and cosine decay."""

    def __init__(self, weights: Sequence[Numbers], steps: int, learning_rate: float = LEARNING_RATE) -> None:
        self.weights, self.steps, self.learning_rate, self.taken = weights, steps, learning_rate, 0
        self.means, self.squares = ([np.zeros_like(each) for each in weights] for _ in range(2))

    def step(self, gradients: Sequence[Numbers]) -> None:
        self.taken += 1
        rate = self.learning_rate * min(1, self.taken / WARMUP_STEPS) * (1 + np.cos(np.pi * min(1, self.taken / self.steps))) / 2
        rate *= np.sqrt(1 - BETA2**self.taken) / (1 - BETA1**self.taken)
        for number, each in enumerate(gradients):
            mean, square = self.means[number], self.squares[number]
            mean += (1 - BETA1) * (each - mean)
            square += (1 - BETA2) * (each * each - square)
            self.weights[number][:] -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(EPSILON))


class WinModelFit:
    """Softmax model of the winner (base 2) with one network for the viewer's seat and one for the others.

    A group holds positions with one number of seats: the inputs of each seat, the viewer's first, and each seat's share of the win.
    """

    def __init__(self, groups: Sequence[tuple[Numbers, Numbers]], units: int, seed: int) -> None:
        self.rng, by_seats = np.random.default_rng(seed), sorted({known.shape[1] for known, _ in groups})
        self.known = [np.concatenate([known for known, _ in groups if known.shape[1] == seats]) for seats in by_seats]
        self.shares = [np.concatenate([share for known, share in groups if known.shape[1] == seats]) for seats in by_seats]
        self.scales = [Standardizer(np.concatenate([flat(known[:, part]) for known in self.known])) for part in OWN_AND_OTHERS]
        inputs = self.known[0].shape[2]
        self.weights = [(INITIAL_SCALE * self.rng.standard_normal((inputs, units))).astype(np.float32) for _ in self.scales]
        self.validation = [len(known) // VALIDATION_EVERY for known in self.known]  # the last ones of each group are held out

    def fit(self) -> list[Numbers]:
        """Return the weights for the viewer's seat and for the others; outputs are base-2 logits."""
        counts = [len(known) - held_out for known, held_out in zip(self.known, self.validation, strict=True)]
        descent = Adam(self.weights, WIN_PASSES * sum(max(1, count // BATCH) for count in counts), WIN_LEARNING_RATE)
        for group, rows in batches(counts, WIN_PASSES, self.rng):
            known = self._scaled(group, rows)
            error = (self._chances(known) - self.shares[group][rows]) / np.float32(len(rows))
            descent.step([gradient(*each) for each in zip(self.weights, known, (error[:, 0], error[:, 1:].reshape(-1)), strict=True)])
        return [scale.unscale_weights(weights) / np.log(2) for scale, weights in zip(self.scales, self.weights, strict=True)]

    def validation_error(self) -> float:
        """Return the mean squared error of the viewer's win probability on the held-out positions."""
        found: list[Numbers] = []
        for group, held_out in enumerate(self.validation):
            rows = np.arange(len(self.known[group]) - held_out, len(self.known[group]))
            found.append(self._chances(self._scaled(group, rows))[:, 0] - self.shares[group][rows, 0])
        return float(np.mean(np.concatenate(found) ** 2))

    def _scaled(self, group: int, rows: Numbers) -> list[Numbers]:
        known = self.known[group][rows]
        return [scale.transform(flat(known[:, part])) for scale, part in zip(self.scales, OWN_AND_OTHERS, strict=True)]

    def _chances(self, known: Sequence[Numbers]) -> Numbers:
        own, others = (predict(*each) for each in zip(self.weights, known, strict=True))
        logits = np.hstack([own[:, None], others.reshape(len(own), -1)])
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)


class RankingFit:
    """Correction of the hand-made value that ranks the moves of a position, fitted to playouts.

    Of each position and move: `counted`, the inputs; `known`, the hand-made value, its slope by the network's output and the playouts'
    result; `there`, whether the move exists. Residuals are centred by position: the network must not explain who is ahead anyway.
    """

    def __init__(self, groups: Sequence[tuple[Numbers, Numbers, Numbers]], units: int, seed: int) -> None:
        self.counted, self.known, self.there = (np.concatenate(column) for column in zip(*groups, strict=True))
        self.rng, self.validation = np.random.default_rng(seed), len(self.there) // VALIDATION_EVERY
        self.scale = Standardizer(self.counted[self.there])
        self.weights = (INITIAL_SCALE * self.rng.standard_normal((self.counted.shape[2], units))).astype(np.float32)

    def fit(self) -> Numbers:
        count = len(self.there) - self.validation
        descent = Adam([self.weights], RANKING_PASSES * max(1, count // BATCH), RANKING_LEARNING_RATE)
        for _, rows in batches([count], RANKING_PASSES, self.rng):
            inputs, there, promised, slopes = self._batch(rows)
            error = centred(promised + slopes * predict(self.weights, inputs).reshape(there.shape) - self.known[rows, :, 2], there)
            descent.step([gradient(self.weights, inputs, (slopes * error / np.float32(there.sum())).reshape(-1))])
        return self.scale.unscale_weights(self.weights)

    def validation_gain(self) -> str:
        """Report the playout gain of the chosen move over its position's mean, on the held-out positions."""
        rows = np.arange(len(self.there) - self.validation, len(self.there))
        inputs, there, promised, slopes = self._batch(rows)
        corrected, came_to = promised + slopes * predict(self.weights, inputs).reshape(there.shape), centred(self.known[rows, :, 2], there)
        before, now = (came_to[np.arange(len(rows)), np.where(there, each, -1).argmax(axis=1)].mean() for each in (promised, corrected))
        return f"{len(self.there)} positions; the move chosen is {now:.4f} better than their mean, {before:.4f} by the hand-made value"

    def _batch(self, rows: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        inputs = self.scale.transform(self.counted[rows].reshape(-1, self.counted.shape[2]))
        return inputs, self.there[rows], self.known[rows, :, 0], self.known[rows, :, 1]


def flat(known: Numbers) -> Numbers:
    """Reshape to a row for each seat."""
    return known.reshape(-1, known.shape[-1])


def centred(found: Numbers, there: Numbers) -> Numbers:
    """Subtract the mean of each position."""
    return np.where(there, found - (found * there).sum(axis=1, keepdims=True) / there.sum(axis=1, keepdims=True), 0)
