"""Machine code is made only where Python comes in. A rule that other rules call is brought as far as LLVM's own language and no further;
a `door`, one line that calls a rule, is optimised with everything below it, turned into machine code and kept on disk.

So a rule is not compiled once more for each of its callers and for each size of number; a later process loads the doors and compiles
nothing.
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
    """A rule as other compiled rules call it; Python cannot. One version serves them all."""
    made = numba.njit(**OPTIONS, no_cpython_wrapper=True, **_pipeline())(function)
    exact, faces = made.get_call_template, _param_types(cast(FunctionType, function))
    made.get_call_template = lambda args, kws: exact([canonical_type(kind, face) for kind, face in zip(args, faces, strict=False)], kws)
    return made


@cache
def _pipeline() -> dict[str, Any]:
    """How Numba is told to leave a rule unfinished. One that is built otherwise shows it here, and makes machine code of every rule."""
    try:
        from tablee.core.deferred_codegen import DeferredCompiler  # noqa: PLC0415  it needs Numba's inside

        unfinished = numba.njit(**OPTIONS, no_cpython_wrapper=True, pipeline_class=DeferredCompiler)(lambda number: number + 1)
        works = numba.njit(**OPTIONS)(lambda: unfinished(1))() == 2
    except Exception:
        works = False
    return {"pipeline_class": DeferredCompiler} if works else {}


def _param_types(function: FunctionType) -> list[Any]:
    """The record that each argument is said to be, as Numba sees it; None for numbers and arrays."""
    code, said = function.__code__, function.__annotations__
    named = [said.get(name) for name in code.co_varnames[: code.co_argcount]]
    found: list[Any] = [function.__globals__.get(name) if isinstance(name, str) else name for name in named]
    return [numba.from_dtype(face.layout) if hasattr(face, "layout") else None for face in found]


def canonical_type(kind: Any, face: Any) -> Any:
    """Whole numbers of any size arrive as 64 bits, known in advance or not; a longer record that begins like `face` arrives as that, and an
    array that is one record as this record."""
    if _is_struct(kind):
        kind = kind.dtype
    if isinstance(kind, types.Record) and face is not None and face.fields.items() <= kind.fields.items():
        return face
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


def _is_struct(kind: Any) -> bool:
    """As Python hands in a record, see `Record.record`."""
    return isinstance(kind, types.Array) and kind.ndim == 0 and isinstance(kind.dtype, types.Record)


def _cast_array_to_struct(context: Any, builder: Any, kind: Any, face: Any, value: Any) -> Any:
    return builder.bitcast(context.make_array(kind)(context, builder, value).data, context.get_value_type(face))


def _cast_to_prefix_struct(context: Any, builder: Any, kind: Any, face: Any, value: Any) -> Any:
    return builder.bitcast(value, context.get_value_type(face))


def _can_convert_struct(self: Any, context: Any, other: Any) -> Any:
    """Numba allows it too, but warns of it each time."""
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
    """The way from Python into a rule: `lambda a, b: rule(a, b)`."""
    code = function.__code__
    named = {
        "co_name": code.co_name,
        "co_qualname": code.co_qualname,
        "co_filename": code.co_filename,
        "co_firstlineno": code.co_firstlineno,
    }
    space = {"rule": rule, "__name__": function.__module__}
    made = FunctionType(_call_code(code.co_argcount).replace(**named), space, function.__name__, function.__defaults__)
    dispatcher = numba.njit(**OPTIONS)(made)
    if folder is not None:
        dispatcher._cache = NumbaDiskCache(made, folder)
    return dispatcher


@cache
def _call_code(arguments: int) -> Any:
    names = ", ".join(f"a{number}" for number in range(arguments))
    return eval(f"lambda {names}: rule({names})").__code__  # noqa: S307  made of numbers only


class NumbaDiskCache:
    """What Numba asks for machine code before it compiles, and gives it to afterwards: a file for each kind of arguments."""

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
        pickle.load(parts)  # noqa: S301  what this house wrote
        return CompileResult._rebuild(context, *pickle.load(parts))  # noqa: S301

    def save_overload(self, kinds: Any, made: Any) -> None:
        if not made.library.has_dynamic_globals:
            disk.write(self._file(kinds, made.codegen), serialize.dumps(kinds) + serialize.dumps(made._reduce()))

    def enable(self) -> None:
        """It always is; Numba wants to be able to say so."""

    def disable(self) -> None:
        """Never."""

    def flush(self) -> None:
        """A file is never out of date."""


def file_prefix(function: FunctionType) -> str:
    """What the names of a rule's files begin with."""
    return f"{Path(function.__code__.co_filename).stem}.{function.__name__}-{function.__code__.co_firstlineno}"


def cached_signatures(function: FunctionType, folder: Path) -> Iterator[Any]:
    """The kinds of arguments that there is machine code for."""
    for file in sorted(folder.glob(f"{file_prefix(function)}-*{disk.SUFFIX}")):
        body = disk.read(file)
        if body is not None:
            yield pickle.load(io.BytesIO(body))  # noqa: S301
