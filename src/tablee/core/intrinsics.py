"""Numba intrinsic that emits LLVM IR: structs out of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from llvmlite import ir
    from numba.core.base import BaseContext
    from numba.core.typing import BaseContext as TypingContext
    from numba.core.typing.templates import Signature

    Generator = Callable[[BaseContext, ir.IRBuilder, Signature, Sequence[ir.Value]], ir.Value]


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
