"""The server's tests see what a caller sees: no private attribute of the server."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import tablee

pytestmark = pytest.mark.one_engine

SERVER = Path(tablee.__file__).parent / "server"
TESTS = sorted(file for folder in ("server", "browser") for file in (Path(__file__).parent.parent / folder).glob("*.py"))


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def defined_names(tree: ast.AST) -> Iterator[str]:
    """Yield the private names of functions, classes, variables and attributes that a module defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.attr if isinstance(node, ast.Attribute) else node.id


def used_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the private names that a module imports, reads from another object or patches."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, each.name) for each in node.names if is_private(each.name))
        elif (
            isinstance(node, ast.Attribute) and is_private(node.attr) and not (isinstance(node.value, ast.Name) and node.value.id == "self")
        ):
            yield node.lineno, node.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "setattr":
            named = [each.value for each in node.args[1:2] if isinstance(each, ast.Constant)]
            yield from ((node.lineno, str(name)) for name in named if is_private(str(name)))


@cache
def names_of_server() -> set[str]:
    return {name for file in SERVER.rglob("*.py") for name in defined_names(ast.parse(file.read_text(encoding="utf-8")))}


@pytest.mark.parametrize("file", TESTS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_test_uses_no_private_attribute_of_the_server(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    of_server = names_of_server() - set(defined_names(tree))
    assert [f"{line}: {name}" for line, name in used_names(tree) if name in of_server] == []
