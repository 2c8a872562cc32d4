"""`tablee new-game`: writes the package of a small game that plays, to be changed step by step into one's own."""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tablee import bots
from tablee.core import components, fairness, jit, record
from tablee.core.errors import TableeError
from tablee.core.files import write_text
from tablee.core.i18n import Translator, msg
from tablee.core.match import Match

FOLDER = Path(__file__).parent / "scaffold"
SUFFIX = ".tmpl"
KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
KINDS = {
    "cards": "cards with hands",
    "dice": "a die",
    "board": "a board of squares",
    "hidden": "hands that nobody else sees (with --cards)",
    "simultaneous": "all play at the same time",
}
OUTSIDE = ("pyproject.toml", "README.md")  # beside the package
ONLY_FOR = {"hidden_information.py": "hidden", "templates/parts.html": "cards"}
PLURALS = {"fr": "nplurals=2; plural=(n > 1);", "it": "nplurals=2; plural=(n != 1);"}
MESSAGE = re.compile(r'(?:\bmark|\bmsg|(?<!\w)_)\(\s*(["\'])(.+?)\1(?:,\s*(["\'])(.+?)\3(?=,))?')


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", help="the game's key, such as my-game; a folder of this name is made")
    for kind, words in KINDS.items():
        parser.add_argument(f"--{kind}", action="store_true", help=f"a game with {words}" if kind != "simultaneous" else words)


def run(args: argparse.Namespace, translator: Translator) -> int:
    folder = Path(args.key)
    if not KEY.fullmatch(args.key):
        raise TableeError(msg("a game's key is of small letters, digits and hyphens, such as my-game, not {key!r}", key=args.key))
    if find_spec(args.key.replace("-", "_")):
        raise TableeError(msg("there is a Python package of this name already: {key}", key=args.key.replace("-", "_")))
    if folder.exists():
        raise TableeError(msg("{folder} is there already", folder=str(folder)))
    write(folder, args.key, {kind for kind in KINDS if getattr(args, kind)})
    print(translator("{folder} is a game that plays; README.md in it says how to go on: pip install -e {folder}", folder=str(folder)))
    return 0


def write(folder: Path, key: str, kinds: set[str]) -> None:
    """Write the package; hidden hands need cards, and who plays at the same time needs something of one's own to play with."""
    if "hidden" in kinds:
        kinds = kinds | {"cards"}
    if not kinds & {"cards", "board", "dice"} and "simultaneous" in kinds:
        kinds = kinds | {"dice"}
    package = key.replace("-", "_")
    names = {"key": key, "package": package, "title": key.replace("-", " ").capitalize(), "L": key[0].upper(), "l": key[0]}
    settings: dict[str, object] = {**names, **{kind: kind in kinds for kind in KINDS}}
    for file, text in _files(settings):
        _write(folder / ("" if file in OUTSIDE else package) / file, text)
    for language, plurals in PLURALS.items():
        messages = _messages(folder / package)
        text = _environment().get_template(f"locale/po{SUFFIX}").render(language=language, plurals=plurals, messages=messages)
        _write(folder / package / f"locale/{language}.po", text)
    _write(folder / package / "tests/golden.json", golden_game(folder, package))


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text(file, text)


def _files(settings: dict[str, object]) -> Iterator[tuple[str, str]]:
    """Yield each file of the package with its text."""
    environment = _environment()
    for template in environment.list_templates():
        file = template.removesuffix(SUFFIX)
        if file != "locale/po" and settings.get(ONLY_FOR.get(file, ""), True):
            yield file, environment.get_template(template).render(settings)


def _environment() -> Environment:
    """Return an environment whose marks are other ones than those of the templates that it writes."""
    marks: dict[str, Any] = {"block_start_string": "<%", "block_end_string": "%>", "variable_start_string": "«", "variable_end_string": "»"}
    comments: dict[str, Any] = {"comment_start_string": "<#", "comment_end_string": "#>", "trim_blocks": True}
    return Environment(loader=FileSystemLoader(FOLDER), undefined=StrictUndefined, keep_trailing_newline=True, **marks, **comments)  # noqa: S701


def _messages(package: Path) -> list[tuple[str, str]]:
    """Return the texts of a package that people see, with their plurals, for the translators."""
    files = sorted([*package.glob("*.py"), *package.glob("templates/*.html")])
    found = (match for file in files for match in MESSAGE.finditer(file.read_text(encoding="utf-8")))
    return list(dict.fromkeys((match[2], match[4] or "") for match in found))


def golden_game(folder: Path, package: str) -> str:
    """Return the record of a game between bots, which every later version of the rules must replay."""
    sys.path.insert(0, str(folder.absolute()))
    try:
        jit.use_python(package)
        game = importlib.import_module(package).open_box(components.load(folder / package / "components.toml"))
    finally:
        sys.path.pop(0)
    return record.dump(record.write(bots.play_out(Match(game, 2, {}, fairness.seed_for(1, 1)), [bots.GREEDY, bots.RANDOM])))
