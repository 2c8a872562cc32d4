"""Compilation with Numba: only entry points, the functions that Python calls, become machine code.

A rule that other rules call stays LLVM IR. An entry point, one line that calls a rule, is optimised with everything below it, compiled and
cached on disk. So no rule is compiled again for each caller and each integer width, and a later process loads the entry points and
compiles nothing.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numba
from numba import types
from numba.core import serialize
from numba.core.compiler import CompileResult
from numba.core.imputils import lower_cast
from numba.core.typeconv.castgraph import Conversion

from tablee.core import cache as disk

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def inlined(function: Callable[..., Any]) -> Any:
    """Return the dispatcher of a rule for calls from other compiled rules; one specialisation serves them all."""
    made = numba.njit(**OPTIONS, no_cpython_wrapper=True, **_pipeline())(function)
    exact, param_types = made.get_call_template, _param_types(cast(FunctionType, function))
    made.get_call_template = lambda args, kws: exact(
        [canonical_type(kind, param_type) for kind, param_type in zip(args, param_types, strict=False)], kws
    )
    return made


@cache
def _pipeline() -> dict[str, Any]:
    """Return Numba's options for deferred code generation, or none if a trial shows that this version of Numba does not support it."""
    try:
        from tablee.core.deferred_codegen import DeferredCompiler  # noqa: PLC0415  it imports Numba's internals

        deferred = numba.njit(**OPTIONS, no_cpython_wrapper=True, pipeline_class=DeferredCompiler)(lambda number: number + 1)
        works = numba.njit(**OPTIONS)(lambda: deferred(1))() == 2
    except Exception:
        works = False
    return {"pipeline_class": DeferredCompiler} if works else {}


def _param_types(function: FunctionType) -> list[Any]:
    """Return the Numba type of the struct that each parameter is annotated with; None for numbers and arrays."""
    code, annotations = function.__code__, function.__annotations__
    annotated = [annotations.get(name) for name in code.co_varnames[: code.co_argcount]]
    classes: list[Any] = [function.__globals__.get(name) if isinstance(name, str) else name for name in annotated]
    return [numba.from_dtype(each.layout) if hasattr(each, "layout") else None for each in classes]


def canonical_type(kind: Any, param_type: Any) -> Any:
    """Return the canonical type of an argument: int64 for any signed integer or literal, the struct for a 0-dimensional array of it.

    A struct that has `param_type` as its prefix becomes `param_type`.
    """
    if _is_struct(kind):
        kind = kind.dtype
    if isinstance(kind, types.Record) and param_type is not None and param_type.fields.items() <= kind.fields.items():
        return param_type
    general = types.unliteral(kind)
    return types.int64 if isinstance(general, types.Integer) and general.signed else general


def _is_struct(kind: Any) -> bool:
    """Return whether the type is a 0-dimensional array of one struct, as Python passes it (`Struct.native`)."""
    return isinstance(kind, types.Array) and kind.ndim == 0 and isinstance(kind.dtype, types.Record)


def _cast_array_to_struct(context: Any, builder: Any, kind: Any, param_type: Any, value: Any) -> Any:
    return builder.bitcast(context.make_array(kind)(context, builder, value).data, context.get_value_type(param_type))


def _cast_to_prefix_struct(context: Any, builder: Any, kind: Any, param_type: Any, value: Any) -> Any:
    return builder.bitcast(value, context.get_value_type(param_type))


def _can_convert_struct(self: Any, context: Any, other: Any) -> Any:
    """Allow the conversion of a struct to its prefix; Numba's own version warns each time."""
    return Conversion.safe if isinstance(other, types.Record) and other.fields.items() <= self.fields.items() else None


def _can_convert_array(self: Any, context: Any, other: Any) -> Any:
    if _is_struct(self) and isinstance(other, types.Record):
        return Conversion.safe if other.fields.items() <= self.dtype.fields.items() else None
    return _numba_can_convert_array(self, context, other)


_numba_can_convert_array = types.Array.can_convert_to
lower_cast(types.Record, types.Record)(_cast_to_prefix_struct)
lower_cast(types.Array, types.Record)(_cast_array_to_struct)
types.Record.can_convert_to = _can_convert_struct
types.Array.can_convert_to = _can_convert_array


def entry_point(rule: Any, function: FunctionType, folder: Path | None) -> Any:
    """Return the dispatcher that Python calls: `lambda a, b: rule(a, b)`, compiled and cached in `folder`."""
    code = function.__code__
    names = {
        "co_name": code.co_name,
        "co_qualname": code.co_qualname,
        "co_filename": code.co_filename,
        "co_firstlineno": code.co_firstlineno,
    }
    namespace = {"rule": rule, "__name__": function.__module__}
    made = FunctionType(_call_code(code.co_argcount).replace(**names), namespace, function.__name__, function.__defaults__)
    dispatcher = numba.njit(**OPTIONS)(made)
    if folder is not None:
        dispatcher._cache = NumbaDiskCache(made, folder)
    return dispatcher


@cache
def _call_code(arguments: int) -> Any:
    names = ", ".join(f"a{number}" for number in range(arguments))
    return eval(f"lambda {names}: rule({names})").__code__  # noqa: S307  the text contains only numbered names


class NumbaDiskCache:
    """Cache that Numba reads before it compiles and writes afterwards: one file per signature."""

    def __init__(self, function: FunctionType, folder: Path) -> None:
        self.folder, self.name = folder, file_prefix(function)
        self.cache_path = str(folder)

    def _file(self, kinds: Any, target: Any) -> Path:
        digest = hashlib.sha256(repr((str(kinds), target.magic_tuple())).encode()).hexdigest()
        return self.folder / f"{self.name}-{digest[:16]}{disk.SUFFIX}"

    def load_overload(self, kinds: Any, context: Any) -> Any:
        context.refresh()
        body = disk.read(self._file(kinds, context.codegen()))
        if body is None:
            return None
        parts = io.BytesIO(body)
        pickle.load(parts)  # noqa: S301  only this program writes there
        return CompileResult._rebuild(context, *pickle.load(parts))  # noqa: S301

    def save_overload(self, kinds: Any, made: Any) -> None:
        if not made.library.has_dynamic_globals:
            disk.write(self._file(kinds, made.codegen), serialize.dumps(kinds) + serialize.dumps(made._reduce()))

    def enable(self) -> None:
        """Do nothing: the cache is always enabled."""

    def disable(self) -> None:
        """Do nothing: the cache is always enabled."""

    def flush(self) -> None:
        """Do nothing: cache files are never stale."""


def file_prefix(function: FunctionType) -> str:
    """Return the prefix of the names of a rule's cache files."""
    return f"{Path(function.__code__.co_filename).stem}.{function.__name__}-{function.__code__.co_firstlineno}"


def cached_signatures(function: FunctionType, folder: Path) -> Iterator[Any]:
    """Yield the signatures that the cache has machine code for."""
    for file in sorted(folder.glob(f"{file_prefix(function)}-*{disk.SUFFIX}")):
        body = disk.read(file)
        if body is not None:
            yield pickle.load(io.BytesIO(body))  # noqa: S301
