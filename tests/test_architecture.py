"""ARCHITECTURE.md, the guides and the code agree: packages, paths, length, and names that mean one thing."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
PACKAGE = PROJECT / "src/tablee"
SERVER = PACKAGE / "server"
GAMES = PACKAGE / "games"
ARCHITECTURE = PROJECT / "ARCHITECTURE.md"
PAGES = [ARCHITECTURE, PROJECT / "CONTRIBUTING.md", PROJECT / "training/README.md", *sorted((PROJECT / "docs").rglob("*.md"))]

MAX_PARAMETERS = 8
MANY_PARAMETERS = {"research/vector.py __init__"}  # keyword-only settings that researchers write, promised in docs/research
MAX_WORDS = 1300
LAYERS_HEADING = "## Layers"
SERVER_LABEL = "server/"
NODE = re.compile(r'\b(\w+)\["([^"]+)"\]')  # games["games<br/>one room per game"]
ARROW = re.compile(r"^ *(\w+(?: & \w+)*)(?:\[[^\]]*\])? *--> *(\w+(?: & \w+)*) *$", re.MULTILINE)  # cli --> server & research

HOP = re.compile(r'\["([\w/]+\.py)<br/>([^"]+)"\]')  # bytes["http/connection_limit.py<br/>buffer_updated<br/>data_received"]

SPAN = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]+(?:/[\w.*-]+)+/?")
TOP_FOLDERS = ("src", "tests", "bench", "training", "release", "docs", "deploy")
MODULE = re.compile(r"(?<![\w/.])(?:bench|training)(?:\.(?!py\b|md\b)\w+)+")  # python -m bench.load

RETIRED = {
    "bell", "clerk", "course", "crew", "crowd", "desk", "door", "easel", "eye", "farewell", "gathering", "glimpses", "hall", "handful",
    "herald", "hindsight", "house", "insight", "kept", "knowing", "leanness", "likeness", "looks", "neighbours", "outlook", "patient",
    "sayings", "sight", "staff", "tale", "thorough", "tidings", "watch", "whisper", "wise", "worth",
}  # fmt: skip
GAME_WORDS = {"crowd", "eye", "house", "neighbours"}  # in rooms: drawn things, and the good neighbours of Amérique 1500
ALLOWED_TWICE: dict[str, str] = {}  # class name -> why two classes outside the rooms share it


def layers_diagram() -> str:
    chapter = ARCHITECTURE.read_text(encoding="utf-8").partition(LAYERS_HEADING)[2]
    found = re.search(r"```mermaid\n(.*?)```", chapter, re.DOTALL)
    assert found, f"ARCHITECTURE.md has no Mermaid diagram under {LAYERS_HEADING!r}"
    return found[1]


def drawn_packages() -> dict[str, str]:
    """Return the package of each node by its id: the first line of its label."""
    return {node: label.partition("<br/>")[0].strip() for node, label in NODE.findall(layers_diagram())}


def packages(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir() if each.is_dir() and any(each.glob("*.py"))}


def test_the_diagram_of_layers_shows_every_package() -> None:
    drawn = list(drawn_packages().values())
    assert len(drawn) == len(set(drawn)), "a package is drawn once"
    inside = {name.removeprefix(SERVER_LABEL) for name in drawn if name.startswith(SERVER_LABEL)}
    assert {name for name in drawn if not name.startswith(SERVER_LABEL)} == packages(PACKAGE)
    assert inside in (set(), packages(SERVER)), "all packages of the server are drawn, or none"


def layer_numbers() -> dict[str, tuple[int, int]]:
    """Return the place of each package's layer, from the top, as import-linter checks it: its layer, and its layer inside the server."""
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    outer, inner = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    server = next(number for number, layer in enumerate(outer) if "tablee.server" in layer.split(" | "))
    found = {name.removeprefix("tablee."): (number, 0) for number, layer in enumerate(outer) for name in layer.split(" | ")}
    return found | {f"{SERVER_LABEL}{name}": (server, number) for number, layer in enumerate(inner, 1) for name in layer.split(" | ")}


def test_every_arrow_between_layers_points_downwards() -> None:
    names, layer = drawn_packages(), layer_numbers()
    arrows = [
        (names[above], names[below])
        for left, right in ARROW.findall(layers_diagram())
        for above in left.split(" & ")
        for below in right.split(" & ")
    ]
    assert arrows
    assert [f"{above} --> {below}" for above, below in arrows if layer[above] >= layer[below]] == []


def test_every_hop_that_is_drawn_is_a_function() -> None:
    chapter = ARCHITECTURE.read_text(encoding="utf-8").partition("Functions that hand on a tap")[2]
    drawn = [(SERVER / file, set(names.split("<br/>"))) for file, names in HOP.findall(chapter.partition("State flows")[0])]
    assert drawn
    found = {file: {node.name for node in definitions(file)} for file, _ in drawn}
    assert [(file.name, missing) for file, names in drawn if (missing := names - found[file])] == []


def test_the_overview_is_short() -> None:
    assert len(ARCHITECTURE.read_text(encoding="utf-8").split()) <= MAX_WORDS


def named_paths(page: Path) -> Iterator[str]:
    """Yield what a page names in backticks and what looks like a file or folder of the repository."""
    for span in SPAN.findall(page.read_text(encoding="utf-8")):
        for module in MODULE.findall(span):
            yield module.replace(".", "/")
        if PATH.fullmatch(span) and span.partition("/")[0] in (*TOP_FOLDERS, *packages(PACKAGE)):
            yield span


def is_there(path: str) -> bool:
    bases = [PROJECT, *GAMES.iterdir()] if path.partition("/")[0] in TOP_FOLDERS else [PACKAGE]  # a room has a folder `tests` too
    names = (path.rstrip("/"), f"{path}.py")  # a module may be named without its ending
    return any(True for base in bases for name in names for _ in base.glob(name))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_path_in_the_guides_exists(page: Path) -> None:
    assert sorted({path for path in named_paths(page) if not is_there(path)}) == []


def sources() -> Iterator[Path]:
    """Yield the Python files of the package, without the tests of the rooms."""
    yield from (file for file in sorted(PACKAGE.rglob("*.py")) if "tests" not in file.relative_to(PACKAGE).parts)


def definitions(file: Path) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_a_class_name_means_one_class_outside_the_rooms() -> None:
    found = defaultdict[str, list[str]](list)
    for file in sources():
        for node in definitions(file) if not file.is_relative_to(GAMES) else ():
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{file.relative_to(PACKAGE)}:{node.lineno}")
    assert {name: places for name, places in found.items() if len(places) > 1 and name not in ALLOWED_TWICE} == {}
    assert sorted(name for name in ALLOWED_TWICE if len(found[name]) < 2) == [], "an exception that is not needed"


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of parameters, without `self` and `cls`."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def test_no_function_has_more_than_eight_parameters() -> None:
    found = {
        f"{file.relative_to(PACKAGE)} {node.name}"
        for file in sources()
        for node in definitions(file)
        if not isinstance(node, ast.ClassDef) and parameters(node) > MAX_PARAMETERS
    }
    assert found == MANY_PARAMETERS


def words_of(name: str) -> set[str]:
    """Return the words of a name: `turn_to` and `TurnTo` are turn and to."""
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_"))


def metaphors(file: Path) -> Iterator[str]:
    retired = RETIRED - GAME_WORDS if file.is_relative_to(GAMES) else RETIRED
    place = file.relative_to(PACKAGE)
    for part in (*place.parent.parts, place.stem):
        if words_of(part) & retired:
            yield f"{place}: module {part}"
    for node in definitions(file):
        if words_of(node.name) & retired:
            yield f"{place}:{node.lineno} {node.name}"


def test_no_name_is_a_retired_metaphor() -> None:
    assert list(chain.from_iterable(map(metaphors, sources()))) == []
