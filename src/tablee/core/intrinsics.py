"""Numba intrinsics that emit LLVM IR: structs out of arrays, memcpy, comparison word by word, and prefetch by cache lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numba.core.base import BaseContext
    from numba.core.typing import BaseContext as TypingContext
    from numba.core.typing.templates import Signature

    from tablee.core.struct import Array, Struct

    Generator = Callable[[BaseContext, ir.IRBuilder, Signature, Sequence[ir.Value]], ir.Value]

CACHE_LINE_BYTES = 64  # bytes
WORD = ir.IntType(64)


def is_struct(kind: types.Type) -> TypeGuard[types.Array]:
    """Return whether the type is a 0-dimensional array of one struct, as Python passes it (`Struct.native`)."""
    return isinstance(kind, types.Array) and kind.ndim == 0 and isinstance(kind.dtype, types.Record)


def native_type(kind: types.Type) -> types.Type:
    """Return the type of an argument with each 0-dimensional array replaced by its struct, also inside named tuples."""
    if isinstance(kind, types.containers.BaseTuple):
        items = list(map(native_type, kind.types))
        return types.containers.BaseTuple.from_types(items, getattr(kind, "instance_class", None))  # type: ignore[no-any-return]
    return kind.dtype if is_struct(kind) else kind


@intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
def structs_of(typing: TypingContext, args: types.Type) -> tuple[Signature, Generator]:
    """Return a tuple of arguments with each 0-dimensional array replaced by its struct, also inside named tuples.

    Arrays are not counted references inside: the caller holds them, and counting slows the stepping of many games by half.
    """
    result = native_type(args)

    def convert(context: BaseContext, builder: ir.IRBuilder, kind: types.Type, value: ir.Value) -> ir.Value:
        if isinstance(kind, types.containers.BaseTuple):
            items = [convert(context, builder, each, builder.extract_value(value, place)) for place, each in enumerate(kind.types)]
            return context.make_tuple(builder, native_type(kind), items)
        if not isinstance(kind, types.Array):
            return value
        array = context.make_array(kind)(context, builder, value)
        if is_struct(kind):
            return builder.bitcast(array.data, context.get_value_type(kind.dtype))
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        return array._getvalue()

    def generate(context: BaseContext, builder: ir.IRBuilder, signature: Signature, values: Sequence[ir.Value]) -> ir.Value:
        return impl_ret_borrowed(context, builder, result, convert(context, builder, args, values[0]))

    return result(args), generate


@intrinsic  # type: ignore[untyped-decorator]
def memcpy(typing: TypingContext, source: types.Record, target: types.Record) -> tuple[Signature, Generator]:
    def generate(context: BaseContext, builder: ir.IRBuilder, signature: Signature, args: Sequence[ir.Value]) -> ir.Value:
        cgutils.raw_memcpy(builder, args[1], args[0], context.get_constant(types.intp, source.size), 1)
        return context.get_dummy_value()

    return types.void(source, target), generate


@intrinsic  # type: ignore[untyped-decorator]
def equal_words(typing: TypingContext, one: types.Record, other: types.Record) -> tuple[Signature, Generator]:
    def generate(context: BaseContext, builder: ir.IRBuilder, signature: Signature, args: Sequence[ir.Value]) -> ir.Value:
        first, second = (builder.bitcast(each, WORD.as_pointer()) for each in args)
        differing = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        with cgutils.for_range(builder, context.get_constant(types.intp, one.size // 8)) as loop:
            left, right = (builder.load(builder.gep(each, [loop.index])) for each in (first, second))
            builder.store(builder.or_(builder.load(differing), builder.xor(left, right)), differing)
        return builder.icmp_unsigned("==", builder.load(differing), ir.Constant(WORD, 0))

    return types.boolean(one, other), generate


@intrinsic  # type: ignore[untyped-decorator]
def prefetch_lines(typing: TypingContext, one: types.Type, size: types.Type) -> tuple[Signature, Generator]:
    def generate(context: BaseContext, builder: ir.IRBuilder, signature: Signature, args: Sequence[ir.Value]) -> ir.Value:
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


def copy_struct(source: Struct, target: Struct) -> None:
    memcpy(source, target)


def equal_structs(one: Struct, other: Struct) -> bool:
    return bool(equal_words(one, other))


def prefetch_bytes(one: Struct | Array, size: int) -> None:
    prefetch_lines(one, size)
