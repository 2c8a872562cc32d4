"""Rules inside a CUDA kernel: each is compiled as a device function; a few have an implementation of their own.

The counterpart of `core/compiler.py` and `core/intrinsics.py`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import ir
from numba import cuda
from numba.cuda import cgutils, libdevice, types
from numba.cuda.datamodel import models
from numba.cuda.extending import intrinsic, register_model, typeof_impl
from numba.cuda.types.ext_types import CUDADispatcher

from tablee.core import jit
from tablee.core.jit import Jitted

WORD = ir.IntType(64)


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
    own: dict[Any, Any] = {jit.copy: copy_struct, jit.same: equal_structs, jit.product: rounded_product}
    return cuda.jit(device=True)(own.get(rule, rule.wrapped))


def _words(builder: Any, structs: Any) -> list[Any]:
    return [builder.bitcast(each, WORD.as_pointer()) for each in structs]


@intrinsic  # type: ignore[untyped-decorator]
def copy_words(typing: Any, source: Any, target: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        begin, end = _words(builder, args)
        with cgutils.for_range(builder, context.get_constant(types.intp, source.size // 8)) as loop:
            builder.store(builder.load(builder.gep(begin, [loop.index])), builder.gep(end, [loop.index]))
        return context.get_dummy_value()

    return types.void(source, target), generate


@intrinsic  # type: ignore[untyped-decorator]
def equal_words(typing: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first, second = _words(builder, args)
        differing = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        with cgutils.for_range(builder, context.get_constant(types.intp, one.size // 8)) as loop:
            left, right = (builder.load(builder.gep(each, [loop.index])) for each in (first, second))
            builder.store(builder.or_(builder.load(differing), builder.xor(left, right)), differing)
        return builder.icmp_unsigned("==", builder.load(differing), ir.Constant(WORD, 0))

    return types.boolean(one, other), generate


def copy_struct(source: Any, target: Any) -> None:
    copy_words(source, target)


def equal_structs(one: Any, other: Any) -> bool:
    return bool(equal_words(one, other))


def rounded_product(one: float, other: float) -> Any:
    """Return the rounded product; the compiler never fuses this instruction with an addition."""
    return libdevice.dmul_rn(float(one), float(other))
