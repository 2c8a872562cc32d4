"""`Vector(..., device="cuda")`: the same games as on the CPU from the same seeds and actions, in GPU memory.

The arrays are device arrays, and every step overwrites them. They implement `__cuda_array_interface__`, so `cupy.asarray(observations)`
and `torch.as_tensor(observations, device="cuda")` copy nothing, nor does `jax.dlpack.from_dlpack` on the result of either; actions may be
device or NumPy arrays. Only `sample` draws different actions from those on the CPU, because here each game has its own RNG.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import cuda

from tablee import bots
from tablee.core.errors import TableeError
from tablee.core.i18n import msg
from tablee.core.kernel import check_codes
from tablee.core.rng import Rng
from tablee.core.slots import LEARNER_LEVEL, SlotProgress, Slots
from tablee.core.tensors import NO_ACTION
from tablee.cuda import check_device
from tablee.cuda.functions import SIMULATED
from tablee.cuda.stepping import describe_kernel, sample_kernel, step_kernel, store_actions_kernel
from tablee.research.vector import Vector, game_keys

THREADS_PER_BLOCK = 1 if SIMULATED else 64  # the threads of a block would race in the CUDA simulator


class CudaVector(Vector):
    """`Vector` in the memory of a GPU."""

    states: Any  # a device array, like the others

    def _allocate(self, threads: int | None) -> None:  # noqa: ARG002  a GPU has its own threads
        check_device()
        if self.policies:
            raise TableeError(msg("on a GPU only these bots play in a step: {known}", known=", ".join(bots.KERNEL_LEVELS)))
        kernel = self.game.kernel
        self._blocks = -(-self.games // THREADS_PER_BLOCK)
        self._constants = [cuda.to_device(each) for each in (kernel.box.block, self.start.block, np.array(self._levels))]
        self._status = cuda.device_array(2, np.int64)
        self._arrays = self._slots = self._allocate_arrays(zeros_on_device)
        self.states, self._progress = self._slots.states, self._slots.progress
        self._step_args = *self._constants, self._slots, self._reward_kind, self._max_steps, self._status
        has_bots = any(level != LEARNER_LEVEL for level in self._levels)
        self._step_kernel = step_kernel(kernel, self.spaces.loops, has_bots).specialize(*self._step_args)  # saves typing the arguments
        self._describe_args = *self._constants[:1], self._slots, self.spaces.feature_size
        self._describe_kernel = describe_kernel(kernel, self.candidate_loops) if self.candidate_loops else None
        self._sample_kernel, self._check_kernel = sample_kernel(self.spaces.loops), store_actions_kernel()

    def reset(self, seed: int | np.integer[Any] | Sequence[int] | None = None) -> tuple[Any, dict[str, Any]]:
        progress = np.zeros(self.games, SlotProgress.layout)
        progress["key_one"], progress["key_two"] = zip(*game_keys(seed, self.games), strict=True)
        self._was_reset, self._sample_count = True, 0
        for array, values in ((self._progress, progress), (self._actions, np.full(self.games, NO_ACTION))):
            array.copy_to_device(values)
        for array in (self.masks, self.rewards, self.scores):
            array.copy_to_device(np.zeros(array.shape, array.dtype))
        self._status.copy_to_device(np.array([self.games, 0]))
        self._launch()
        return self.observations, self.infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        self._check_was_reset()
        given = self._to_device(actions)
        self._check_kernel[self._blocks, THREADS_PER_BLOCK](given, self.masks, self._actions, self._status)
        illegal, list_code = map(int, self._status.copy_to_host())
        check_codes(self.game.kernel, list_code)  # of the step before, which saves a synchronisation
        if illegal < self.games:
            self._status.copy_to_device(np.array([self.games, 0]))
            action = int(self._actions.copy_to_host()[illegal])
            raise TableeError(msg("action {action} is not legal in game {number}", action=action, number=illegal))
        self._launch()
        return self.observations, self.rewards, self.terminated, self.truncated, self.infos

    def _to_device(self, actions: Any) -> Any:
        """Return the actions as an integer array on the device, copied there if necessary."""
        if not hasattr(actions, "__cuda_array_interface__"):
            return cuda.to_device(self._as_actions(actions).astype(np.int64))
        interface = actions.__cuda_array_interface__
        self._check_actions(np.dtype(interface["typestr"]), interface["shape"])
        return actions

    def sample(self) -> Any:
        self._check_was_reset()
        self._sample_kernel[self._blocks, THREADS_PER_BLOCK](self.masks, self._progress, self._sample_count, self._actions)
        self._sample_count += 1
        return self._actions

    def _to_host(self) -> Any:
        kinds = {"states": self.game.kernel.state, "rngs": Rng, "progress": SlotProgress}
        return Slots(
            *(
                array.copy_to_host(np.zeros(array.shape, kinds[name].layout) if name in kinds else None)
                for name, array in self._arrays._asdict().items()
            )
        )

    def _from_host(self, arrays: Any) -> None:
        for array, values in zip(self._arrays, arrays, strict=True):
            array.copy_to_device(values)

    def _launch(self) -> None:
        self._step_kernel[self._blocks, THREADS_PER_BLOCK](*self._step_args)
        if self._describe_kernel:
            self._describe_kernel[self._blocks, THREADS_PER_BLOCK](*self._describe_args)


def zeros_on_device(shape: tuple[int, ...], kind: Any) -> Any:
    return cuda.to_device(np.zeros(shape, kind))
