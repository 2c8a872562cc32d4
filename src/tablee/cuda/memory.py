"""CUDA intrinsics that copy and compare structs word by word, the counterpart of `core/memory.py`."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.extending import intrinsic

WORD = ir.IntType(64)


def _words(builder: Any, structs: Any) -> list[Any]:
    return [builder.bitcast(each, WORD.as_pointer()) for each in structs]


def _copy(typing: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, target = _words(builder, args)
        with cgutils.for_range(builder, context.get_constant(types.intp, one.size // 8)) as loop:
            builder.store(builder.load(builder.gep(source, [loop.index])), builder.gep(target, [loop.index]))
        return context.get_dummy_value()

    return types.void(one, other), generate


def _equal(typing: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first, second = _words(builder, args)
        differing = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        with cgutils.for_range(builder, context.get_constant(types.intp, one.size // 8)) as loop:
            left, right = (builder.load(builder.gep(each, [loop.index])) for each in (first, second))
            builder.store(builder.or_(builder.load(differing), builder.xor(left, right)), differing)
        return builder.icmp_unsigned("==", builder.load(differing), ir.Constant(WORD, 0))

    return types.boolean(one, other), generate


copy_struct_words: Any = intrinsic(_copy)
equal_struct_words: Any = intrinsic(_equal)


def copy_memory(one: Any, other: Any) -> None:
    copy_struct_words(one, other)


def same_memory(one: Any, other: Any) -> bool:
    return bool(equal_struct_words(one, other))
