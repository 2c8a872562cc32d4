"""Compilation with Numba: only entry points, the functions that Python calls, become machine code.

A rule that other rules call stays LLVM IR. An entry point, one line that calls a rule, is optimised with everything below it, compiled and
cached on disk. So no rule is compiled again for each caller and each integer width, and a later process loads the entry points and
compiles nothing.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numba
from numba import types
from numba.core import caching, serialize
from numba.core.compiler import CompileResult
from numba.extending import lower_cast, models, register_model, typeof_impl

from tablee.core import cache as disk
from tablee.core.deferred_codegen import DeferredCompiler
from tablee.core.intrinsics import structs_of
from tablee.core.jit import Jitted, Room
from tablee.core.struct import WORDS_FIELD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from llvmlite import ir
    from numba.core.base import BaseContext
    from numba.core.codegen import Codegen
    from numba.core.typing import BaseContext as TypingContext
    from numba.core.typing.templates import Signature

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


class StructType(types.Record):  # type: ignore[misc]  # Numba has no types
    """Numba type of a struct as rules take it, and of a longer struct that begins with the same fields."""

    def can_convert_to(self, context: TypingContext, other: types.Type) -> None:
        """Refuse conversions inside Numba: `RuleType` decides which struct a rule takes."""


class RuleType(types.Dispatcher):  # type: ignore[misc]
    """Numba type of a rule; one specialisation serves callers with integers of every width and with longer structs."""

    def __init__(self, rule: Jitted) -> None:
        super().__init__(rule.inlined)
        self.param_types = param_types(rule.wrapped)

    def get_call_type(self, context: TypingContext, args: Sequence[types.Type], kws: dict[str, types.Type]) -> Signature:
        return super().get_call_type(context, tuple(map(canonical_type, args, self.param_types)), kws)


register_model(StructType)(models.RecordModel)
register_model(RuleType)(models.OpaqueModel)


@lower_cast(types.Record, StructType)  # type: ignore[untyped-decorator]
def cast_to_struct(context: BaseContext, builder: ir.IRBuilder, kind: types.Type, struct_type: types.Type, value: ir.Value) -> ir.Value:
    return builder.bitcast(value, context.get_value_type(struct_type))


@typeof_impl.register(Jitted)  # type: ignore[untyped-decorator]
def type_of_rule(rule: Jitted, context: object) -> RuleType:
    return RuleType(rule)


@cache
def param_types(function: FunctionType) -> list[types.Record | None]:
    """Return the Numba type of the struct that each parameter is annotated with; None for numbers and arrays."""
    code, annotations = function.__code__, function.__annotations__
    annotated = [annotations.get(name) for name in code.co_varnames[: code.co_argcount]]
    classes: list[Any] = [function.__globals__.get(name) if isinstance(name, str) else name for name in annotated]
    return [numba.from_dtype(each.layout) if hasattr(each, "layout") else None for each in classes]


def canonical_type(kind: types.Type, param_type: types.Record | None) -> types.Type:
    """Return the canonical type of an argument: int64 for any signed integer or literal, `param_type` for a struct that begins with it."""
    general = types.unliteral(kind)
    if isinstance(general, types.Integer) and general.signed:
        return types.int64
    if not isinstance(general, types.Record):
        return general
    wanted = {} if param_type is None else {name: field for name, field in param_type.fields.items() if name != WORDS_FIELD}
    is_longer = bool(wanted) and wanted.items() <= general.fields.items()
    return struct_type(param_type if is_longer else general)


@cache
def struct_type(record: types.Record) -> StructType:
    return StructType([(name, field._asdict()) for name, field in record.fields.items()], record.size, record.aligned)


def inlined(rule: Jitted) -> Any:
    """Return the dispatcher of a rule for calls from other compiled rules."""
    return numba.njit(**OPTIONS, no_cpython_wrapper=True, pipeline_class=DeferredCompiler)(rule.native)


def entry_point(rule: Jitted) -> Any:
    """Return the dispatcher that Python calls, with the room's cache."""

    def call(*args: object) -> object:
        return rule(*structs_of(args))

    call.__name__ = call.__qualname__ = rule.__name__  # the symbol's name, which must differ from those of other rules
    call.__module__ = rule.__module__
    dispatcher = numba.njit(**OPTIONS)(call)
    if rule.room.folder is not None:
        dispatcher._cache = DiskCache(rule, rule.room.folder)  # Numba's own serves only one folder per process: docs/compiling.md
    return dispatcher


class DiskCache(caching.NullCache):  # type: ignore[misc]
    """Cache that Numba reads before it compiles and writes afterwards: one file per rule and signature."""

    def __init__(self, rule: Jitted, folder: Path) -> None:
        self.key, self.folder = key_of(rule), folder

    def file_of(self, kinds: Sequence[types.Type], target: Codegen) -> Path:
        digest = hashlib.sha256(repr((str(kinds), target.magic_tuple())).encode()).hexdigest()
        return self.folder / f"{self.key}-{digest[:16]}{disk.SUFFIX}"

    def load_overload(self, kinds: Sequence[types.Type], context: BaseContext) -> CompileResult | None:
        context.refresh()
        body = disk.read(self.file_of(kinds, context.codegen()))
        if body is None:
            return None
        parts = io.BytesIO(body)
        pickle.load(parts)  # noqa: S301  only this program writes there
        return CompileResult._rebuild(context, *pickle.load(parts))  # noqa: S301

    def save_overload(self, kinds: Sequence[types.Type], made: CompileResult) -> None:
        if not made.library.has_dynamic_globals:
            disk.write(self.file_of(kinds, made.codegen), serialize.dumps((self.key, kinds)) + serialize.dumps(made._reduce()))


def key_of(rule: Jitted) -> str:
    """Return the name of a rule inside its room."""
    return f"{rule.__module__.rpartition('.')[2]}.{rule.__name__}"


def load(room: Room) -> None:
    """Load all machine code of a room that is on disk."""
    rules = {key_of(rule): rule for rule in room.rules}
    for file in sorted(room.folder.glob(f"*{disk.SUFFIX}")) if room.folder else ():
        body = disk.read(file)
        if body is not None:
            key, kinds = pickle.loads(body)  # noqa: S301  it ends where the key and the signature end
            if key in rules:
                rules[key].entry_point.compile(kinds)
                rules[key].is_loaded = True
