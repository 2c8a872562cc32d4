"""Private names of other packages stand in the table of docs/compiling.md, with their reasons, and nowhere else in the package."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tablee

PACKAGE = Path(str(tablee.__file__)).parent
PAGE = PACKAGE.parent.parent / "docs/compiling.md"
ROW = re.compile(r"^\| `(\w+/\w+\.py)` \| ((?:`_\w+`(?:, )?)+) \| \S.*\|$", re.MULTILINE)
OF_THE_STANDARD_LIBRARY = {"_exit", "_asdict"}  # documented, whatever they begin with
COMPILERS = ("numba", "llvmlite")
HOOKS = {"_name"}  # of a compiler pass of Numba: each must have one


def is_private(name: object) -> bool:
    return isinstance(name, str) and re.fullmatch(r"_[A-Za-z]\w*", name) is not None


def parsed() -> dict[str, ast.Module]:
    files = (file for file in sorted(PACKAGE.rglob("*.py")) if "tests" not in file.relative_to(PACKAGE).parts)
    return {str(file.relative_to(PACKAGE)): ast.parse(file.read_text(encoding="utf-8")) for file in files}


def names_of_compilers(tree: ast.AST) -> set[str]:
    """Return the names that a file imports from the compiler."""
    modules = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom | ast.Import)]
    found = set[str]()
    for node in modules:
        for each in node.names:
            origin = node.module or "" if isinstance(node, ast.ImportFrom) else each.name
            if origin.partition(".")[0] in COMPILERS:
                found.add(each.asname or each.name.partition(".")[0])
    return found


def extends_another(node: ast.AST, compilers: set[str]) -> bool:
    """Return whether a class extends one of a compiler, whose private methods are no interface; pyspiel's, for one, are."""
    return isinstance(node, ast.ClassDef) and any(
        isinstance(each, ast.Name) and each.id in compilers for base in node.bases for each in ast.walk(base)
    )


def defined(tree: ast.AST) -> Iterator[str]:
    """Yield the private names that a file defines for itself: functions, classes, attributes and constants."""
    compilers = names_of_compilers(tree)
    overriding = {each for node in ast.walk(tree) if extends_another(node, compilers) for each in ast.walk(node)}
    for node in ast.walk(tree):
        if node in overriding:
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            yield node.attr


def used(tree: ast.AST) -> Iterator[str]:
    """Yield the private names that a file imports, reads from an object, or overrides in a class of another package."""
    compilers = names_of_compilers(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] not in ("tablee", *sys.stdlib_module_names):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "setattr", "hasattr"):
            yield from (each.value for each in node.args[1:2] if isinstance(each, ast.Constant) and isinstance(each.value, str))
        elif extends_another(node, compilers):
            yield from (each.name for each in ast.walk(node) if isinstance(each, ast.FunctionDef))


def private_names(sources: dict[str, ast.Module]) -> dict[str, set[str]]:
    of_each = {file: set(defined(tree)) for file, tree in sources.items()}
    of_all = set[str]().union(*of_each.values())
    found = dict[str, set[str]]()
    for file, tree in sources.items():
        own = of_each[file] if names_of_compilers(tree) else of_all
        found[file] = {name for name in used(tree) if is_private(name)} - own - OF_THE_STANDARD_LIBRARY - HOOKS
    return {file: names for file, names in found.items() if names}


def test_the_private_names_of_other_packages_are_those_of_the_table() -> None:
    listed = {file: set(re.findall(r"\w+", names)) for file, names in ROW.findall(PAGE.read_text(encoding="utf-8"))}
    assert private_names(parsed()) == listed


@pytest.mark.parametrize(
    "source",
    [
        "from numba import _secret",
        "from numba import njit\nnjit(len)._secret",
        "import numba\ngetattr(numba, '_secret')",
        "from numba import Library\nclass Mine(Library):\n    def _secret(self): pass",
    ],
)
def test_a_private_name_is_found(source: str) -> None:
    assert private_names({"a.py": ast.parse(source)}) == {"a.py": {"_secret"}}
