"""`Vector(..., device="cuda")`: the same games as on the processor, from the same seeds and the same actions, in the memory of a GPU.

The arrays are the device's own and are written anew by every step. They speak `__cuda_array_interface__`, so nothing is copied where
`torch.as_tensor(observations, device="cuda")` or `cupy.asarray(observations)` reads them, or `jax.dlpack.from_dlpack` what these made of
them; actions may come the same way, or from NumPy. Only `sample` draws other actions than on the processor: here each game has luck of
its own for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import cuda

from tablee.core import stepping
from tablee.core.errors import TableeError
from tablee.core.i18n import say
from tablee.core.kernel import check_codes
from tablee.core.tensors import NO_ACTION
from tablee.cuda import check_device
from tablee.cuda.functions import SIMULATED
from tablee.cuda.stepping import hold_kernel, sample_kernel, step_kernel
from tablee.research.vector import Vector, keys

THREADS = 1 if SIMULATED else 64  # in a block; in the simulator they would disturb each other


class VectorOnAGPU(Vector):
    """As `Vector` says."""

    states: Any  # an array of the device, like the others

    def _make_room(self, threads: int | None) -> None:  # noqa: ARG002  it has its own
        check_device()
        kernel = self.game.kernel
        self._blocks = -(-self.games // THREADS)
        self._given = [cuda.to_device(each) for each in (kernel.box.block, self.start.block, np.array(self._levels))]
        self.states, self._wrong = cuda.device_array(self.games, kernel.state.layout), cuda.device_array(2, np.int64)
        self._make_arrays(cuda.device_array)
        self._program = step_kernel(kernel, self.learners.loops, any(level != stepping.LEARNS for level in self._levels))
        self._sampling, self._hold = sample_kernel(self.learners.loops), hold_kernel()

    def reset(self, seed: int | np.integer[Any] | Sequence[int] | None = None) -> tuple[Any, dict[str, Any]]:
        courses = np.zeros(self.courses.shape, np.int64)
        courses[:, stepping.KEY :] = keys(seed, self.games)
        self._begun, self._sampled = True, 0
        for array, values in ((self.courses, courses), (self._actions, np.full(self.games, NO_ACTION))):
            array.copy_to_device(values)
        for array in (self.masks, self.rewards, self.scores):
            array.copy_to_device(np.zeros(array.shape, array.dtype))
        self._wrong.copy_to_device(np.array([self.games, 0]))
        self._launch()
        return self.observations, self.infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        self._refuse_before_reset()
        given = self._there(actions)
        self._hold[self._blocks, THREADS](given, self.masks, self._actions, self._wrong)
        wrong, list_code = map(int, self._wrong.copy_to_host())
        check_codes(self.game.kernel, list_code)  # of the step before: nobody waits for the device an extra time
        if wrong < self.games:
            self._wrong.copy_to_device(np.array([self.games, 0]))
            action = int(self._actions.copy_to_host()[wrong])
            raise TableeError(say("action {action} is not legal in game {number}", action=action, number=wrong))
        self._launch()
        return self.observations, self.rewards, self.terminated, self.truncated, self.infos

    def _there(self, actions: Any) -> Any:
        """A row of whole numbers, on the device already or brought there."""
        if not hasattr(actions, "__cuda_array_interface__"):
            return cuda.to_device(self._row_of(actions).astype(np.int64))
        told = actions.__cuda_array_interface__
        self._refuse_what_is_no_row(np.dtype(told["typestr"]), told["shape"])
        return actions

    def sample(self) -> Any:
        self._refuse_before_reset()
        self._sampling[self._blocks, THREADS](self.masks, self.courses, self._sampled, self._actions)
        self._sampled += 1
        return self._actions

    def _launch(self) -> None:
        self._program[self._blocks, THREADS](*self._given, self.states, *self._arrays, self._rewarded, self._longest, self._wrong)
