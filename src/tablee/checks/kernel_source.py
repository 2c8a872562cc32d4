"""What keeps a rule from compiling: objects, exceptions, texts and globals that can change, found in its source."""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

NUMBERS = {"int", "bool", "float", "None"}
ALLOWED = {"range", "len", "min", "max", "abs", "int", "bool", "float"}
FORBIDDEN = (
    ast.Raise, ast.Try, ast.With, ast.Assert, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
    ast.JoinedStr, ast.Lambda, ast.Yield, ast.Global, ast.Nonlocal, ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom,
)  # fmt: skip


def plain(function: Any) -> FunctionType:
    found = getattr(function, "wrapped", function)
    assert isinstance(found, FunctionType)
    return found


def reachable(function: Any, seen: dict[str, FunctionType]) -> dict[str, FunctionType]:
    """Return this function and all functions of ours that it calls, transitively."""
    here = plain(function)
    name = f"{here.__module__}.{here.__name__}"
    if name not in seen:
        seen[name] = here
        for value in used(here).values():
            if isinstance(value, FunctionType) or hasattr(value, "wrapped"):
                reachable(value, seen)
    return seen


def used(function: FunctionType) -> dict[str, Any]:
    """Return the globals that a function uses."""
    names = {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}
    return {name: function.__globals__[name] for name in names if name in function.__globals__}


def defined_in(module: ModuleType) -> Iterator[Any]:
    """Yield the functions that a module defines."""
    return (each for each in vars(module).values() if getattr(each, "__module__", None) == module.__name__)


def complaints_about(name: str, function: FunctionType) -> Iterator[str]:
    source = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(source, ast.FunctionDef)
    for node in (each for statement in source.body for each in ast.walk(statement)):
        if isinstance(node, FORBIDDEN):
            yield f"{name}:{node.lineno} {type(node).__name__}"
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and ast.get_docstring(source, clean=False) != node.value:
            yield f"{name}:{node.lineno} a text"
    if not returns_a_number(function):
        yield f"{name} returns {function.__annotations__.get('return')}"
    for global_name, value in used(function).items():
        if not (is_constant(value) or callable(value)):
            yield f"{name} uses {global_name}, which can change"
    yield from (f"{name} calls {called}" for called in foreign_calls(source, function))


def returns_a_number(function: FunctionType) -> bool:
    """Tell whether the annotation is a number, or a NewType of one."""
    annotation = str(function.__annotations__.get("return"))
    named: Any = function.__globals__.get(annotation)
    while hasattr(named, "__supertype__"):
        named = named.__supertype__
    return annotation in NUMBERS or named is int


def is_constant(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, tuple) and all(is_constant(each) for each in value))


def foreign_calls(source: ast.FunctionDef, function: FunctionType) -> Iterator[str]:
    for node in ast.walk(source):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            value: Callable[..., Any] | None = function.__globals__.get(name)
            if name not in ALLOWED and not (isinstance(value, FunctionType) or hasattr(value, "wrapped")):
                yield name
