"""Every imported package is declared in pyproject.toml with its bounds and its reason; extras are separate."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

PROJECT = Path(__file__).parent.parent
TEXT = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
DECLARED = tomllib.loads(TEXT)["project"]
SOURCES = PROJECT / "src/tablee"
# Where an extra may be imported: without it the user reads a sentence there, not a traceback.
PLACES = {
    "serve": ("server/",),
    "check": ("checks/",),
    "cluster": ("arena/ray_executor.py",),
    "postgres": ("server/storage/pg_connection.py",),
    "cuda": ("cuda/",),
    "research": ("research/", "arena/dataset.py"),
}
BY_UVICORN = {"websockets"}  # imported by uvicorn, not by our code


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=;]", requirement)[0].lower().replace("_", "-")


def names(requirements: list[str]) -> set[str]:
    return set(map(name_of, requirements))


BASE = names(DECLARED["dependencies"])
INSTALLED = packages_distributions()
EXTRAS = {extra: names(DECLARED["optional-dependencies"][extra]) for extra in PLACES}


def imported(file: Path) -> Iterator[str]:
    """Yield the third-party packages that a file imports anywhere, by their distribution names."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        modules = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        modules += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
        for module in (module.partition(".")[0] for module in modules):
            if module not in sys.stdlib_module_names and module != "tablee":
                yield INSTALLED.get(module, [module])[0].lower().replace("_", "-")


@cache
def imports() -> dict[str, set[str]]:
    """Return the imports of each file; a room's own tests are not part of the package."""
    files = [file for file in SOURCES.rglob("*.py") if "tests" not in file.relative_to(SOURCES).parts]
    return {str(file.relative_to(SOURCES)): set(imported(file)) for file in files}


def test_every_imported_package_is_declared_where_it_belongs() -> None:
    undeclared = {}
    for file, packages in imports().items():
        allowed = BASE.union(*(EXTRAS[extra] for extra, places in PLACES.items() if file.startswith(places)))
        if packages - allowed:
            undeclared[file] = sorted(packages - allowed)
    assert undeclared == {}


def test_nothing_is_declared_that_nobody_imports() -> None:
    used = set().union(*imports().values())
    assert BASE.union(*EXTRAS.values()) - used == BY_UVICORN


def test_every_dependency_has_a_lower_bound_and_a_reason() -> None:
    wanted = [*DECLARED["dependencies"], *(each for group in DECLARED["optional-dependencies"].values() for each in group)]
    assert [each for each in wanted if ">=" not in each] == []
    reasons = dict(re.findall(r'^  "([^"]+)",\s+# (.+)$', TEXT, re.MULTILINE))
    assert [each for each in wanted if each not in reasons] == []


def test_packages_whose_private_or_undocumented_parts_are_used_have_an_upper_bound() -> None:
    bounded = {
        name_of(each) for group in (DECLARED["dependencies"], *DECLARED["optional-dependencies"].values()) for each in group if "<" in each
    }
    assert bounded == {"numba", "uvicorn", "numba-cuda"}
