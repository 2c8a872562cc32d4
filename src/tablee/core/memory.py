"""Numba intrinsics that emit LLVM IR for structs: memcpy, comparison word by word, and prefetch by cache lines."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

CACHE_LINE_BYTES = 64  # bytes


def _memcpy(typing: Any, source: Any, target: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = context.get_constant(types.intp, source.size)
        cgutils.raw_memcpy(builder, args[1], args[0], size, 1)
        return context.get_dummy_value()

    return types.void(source, target), generate


memcpy: Any = intrinsic(_memcpy)


def copy_memory(source: Any, target: Any) -> None:
    memcpy(source, target)


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


def _prefetch_bytes(typing: Any, one: Any, size: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function_type = ir.FunctionType(ir.VoidType(), [address, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0")
        begin = args[0] if isinstance(one, types.Record) else context.make_array(one)(context, builder, args[0]).data
        for_write, high_locality, data_cache = number(1), number(3), number(1)
        first, line = (context.get_constant(types.intp, each) for each in (0, CACHE_LINE_BYTES))
        with cgutils.for_range_slice(builder, first, args[1], line) as (at, _):
            builder.call(prefetch, [builder.gep(builder.bitcast(begin, address), [at]), for_write, high_locality, data_cache])
        return context.get_dummy_value()

    return types.void(one, types.intp), generate


prefetch_bytes: Any = intrinsic(_prefetch_bytes)


def prefetch_memory(one: Any, size: int) -> None:
    prefetch_bytes(one, size)
