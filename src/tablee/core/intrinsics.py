"""Numba intrinsics that emit LLVM IR: structs out of arrays, memcpy, comparison word by word, and prefetch by cache lines."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

CACHE_LINE_BYTES = 64  # bytes
WORD = ir.IntType(64)


def is_struct(kind: Any) -> bool:
    """Return whether the type is a 0-dimensional array of one struct, as Python passes it (`Struct.native`)."""
    return isinstance(kind, types.Array) and kind.ndim == 0 and isinstance(kind.dtype, types.Record)


@intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
def structs_of(typing: Any, args: Any) -> Any:
    """Return a tuple of arguments with each 0-dimensional array replaced by its struct."""
    result = types.containers.Tuple([kind.dtype if is_struct(kind) else kind for kind in args.types])

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        items = [builder.extract_value(values[0], place) for place in range(len(args.types))]
        for place, kind in enumerate(args.types):
            if is_struct(kind):
                data = context.make_array(kind)(context, builder, items[place]).data
                items[place] = builder.bitcast(data, context.get_value_type(kind.dtype))
        return impl_ret_borrowed(context, builder, result, context.make_tuple(builder, result, items))

    return result(args), generate


@intrinsic  # type: ignore[untyped-decorator]
def memcpy(typing: Any, source: Any, target: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[1], args[0], context.get_constant(types.intp, source.size), 1)
        return context.get_dummy_value()

    return types.void(source, target), generate


@intrinsic  # type: ignore[untyped-decorator]
def equal_words(typing: Any, one: Any, other: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first, second = (builder.bitcast(each, WORD.as_pointer()) for each in args)
        differing = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        with cgutils.for_range(builder, context.get_constant(types.intp, one.size // 8)) as loop:
            left, right = (builder.load(builder.gep(each, [loop.index])) for each in (first, second))
            builder.store(builder.or_(builder.load(differing), builder.xor(left, right)), differing)
        return builder.icmp_unsigned("==", builder.load(differing), ir.Constant(WORD, 0))

    return types.boolean(one, other), generate


@intrinsic  # type: ignore[untyped-decorator]
def prefetch_lines(typing: Any, one: Any, size: Any) -> Any:
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


def copy_struct(source: Any, target: Any) -> None:
    memcpy(source, target)


def equal_structs(one: Any, other: Any) -> bool:
    return bool(equal_words(one, other))


def prefetch_bytes(one: Any, size: int) -> None:
    prefetch_lines(one, size)
