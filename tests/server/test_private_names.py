"""The server uses no private part of another package, and extends no protocol of uvicorn."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tablee

pytestmark = pytest.mark.one_engine

SERVER = Path(tablee.__file__).parent / "server"
OWN = {"tablee", "__future__", *sys.stdlib_module_names}


def is_private(name: str) -> bool:
    return any(part.startswith("_") and not part.startswith("__") for part in name.split("."))


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` for such an expression, else an empty string."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return before and f"{before}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def imported_names(tree: ast.AST) -> dict[str, str]:
    """Return what each imported name stands for, if it comes from another package."""
    found = dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {
                each.asname or each.name.partition(".")[0]: each.name if each.asname else each.name.partition(".")[0] for each in node.names
            }
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    return {name: path for name, path in found.items() if path.partition(".")[0] not in OWN}


def violations(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    names = imported_names(tree)
    yield from (path for path in names.values() if is_private(path))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            first, _, rest = dotted(node).partition(".")
            if first in names:
                yield f"{names[first]}.{rest}"
        elif isinstance(node, ast.ClassDef):
            for base in map(dotted, node.bases):
                first, _, rest = base.partition(".")
                if f"{names.get(first, '')}.{rest}".startswith("uvicorn.protocols."):
                    yield f"{node.name}({base})"


def test_no_private_part_of_another_package_is_used() -> None:
    files = {str(file.relative_to(SERVER)): file for file in SERVER.rglob("*.py")}
    found = {name: [*violations(file.read_text(encoding="utf-8"))] for name, file in files.items()}
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.parametrize(
    "source",
    [
        "from uvicorn import _types",
        "from uvicorn._types import ASGIApp",
        "import uvicorn\nuvicorn.Server._serve",
        "import jinja2 as j\nj.compiler._x.y",
        "from uvicorn.protocols.http.h11_impl import H11Protocol\nclass Mine(H11Protocol): pass",
        "import uvicorn.protocols.http.h11_impl\nclass Mine(uvicorn.protocols.http.h11_impl.H11Protocol): pass",
    ],
)
def test_what_is_private_is_found(source: str) -> None:
    assert [*violations(source)]
