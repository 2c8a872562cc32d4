"""Copying a record inside compiled code, and comparing two, which Numba has no words for: one memcpy, and word by word."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic


def _memcpy(typing: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = context.get_constant(types.intp, one.size)
        cgutils.raw_memcpy(builder, args[1], args[0], size, 1)
        return context.get_dummy_value()

    return types.void(one, other), generate


memcpy: Any = intrinsic(_memcpy)


def copy_memory(one: Any, other: Any) -> None:
    memcpy(one, other)


def _equal_words(typing: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        first, second = (builder.bitcast(each, word.as_pointer()) for each in args)
        differing = cgutils.alloca_once_value(builder, ir.Constant(word, 0))
        with cgutils.for_range(builder, context.get_constant(types.intp, one.size // 8)) as loop:
            left, right = (builder.load(builder.gep(each, [loop.index])) for each in (first, second))
            builder.store(builder.or_(builder.load(differing), builder.xor(left, right)), differing)
        return builder.icmp_unsigned("==", builder.load(differing), ir.Constant(word, 0))

    return types.boolean(one, other), generate


equal_words: Any = intrinsic(_equal_words)


def same_memory(one: Any, other: Any) -> bool:
    return bool(equal_words(one, other))
