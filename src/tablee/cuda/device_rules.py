"""Rules inside a CUDA kernel: each is compiled as a device function. The counterpart of `core/compiler.py`."""

from __future__ import annotations

from functools import cache
from typing import Any

from numba import cuda
from numba.cuda import libdevice, types
from numba.cuda.datamodel import models
from numba.cuda.extending import register_model, typeof_impl
from numba.cuda.types.ext_types import CUDADispatcher

from tablee.core.jit import Jitted, product


class DeviceRuleType(CUDADispatcher):  # type: ignore[misc]  # numba-cuda has no types
    """Type of a rule on the device; one specialisation serves callers with integers of every width."""

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return super().get_call_type(context, tuple(map(canonical_type, args)), kws)


register_model(DeviceRuleType)(models.OpaqueModel)


@typeof_impl.register(Jitted)  # type: ignore[untyped-decorator]
def type_of_rule(rule: Jitted, context: Any) -> DeviceRuleType:
    return DeviceRuleType(device_function(rule))


def canonical_type(kind: Any) -> Any:
    """Return the canonical type of an argument: int64 for any signed integer or literal."""
    general = types.unliteral(kind)
    return types.int64 if isinstance(general, types.Integer) and general.signed else general


@cache
def device_function(rule: Jitted) -> Any:
    return cuda.jit(device=True)(rounded_product if rule is product else rule.native)


def rounded_product(one: float, other: float) -> Any:
    """Return the rounded product; the compiler never fuses this instruction with an addition."""
    return libdevice.dmul_rn(float(one), float(other))
