"""`tablee check-game`: the laws that every game must obey, for one installed game."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tablee import checks, games
from tablee.cli import server_packages
from tablee.cli.arguments import add_game_argument
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator, msg

FOLDER = Path(str(checks.__file__)).parent
RULES, PAGE = ("check_rules", "check_kernel", "check_bots", "check_learners"), ("check_page",)
PROGRAM = ("bot_protocol",)
PAGE_MODULES = ("playwright", "axe_playwright_python")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game_argument(parser)
    parser.add_argument("--page", action="store_true", help="check the page too, in a browser")
    parser.add_argument("--bot", metavar="COMMAND", default="", help="check a program that plays this game as a bot, and nothing else")
    parser.add_argument(
        "-k", "--only", metavar="WORDS", default="", help="run the checks whose names contain these words, as pytest -k does"
    )


def run(args: argparse.Namespace, translator: Translator) -> int:
    key = games.find(args.game).key  # a game that cannot be opened says why
    _require(args.page)
    files = [str(FOLDER / f"{name}.py") for name in (PROGRAM if args.bot else (*RULES, *(PAGE if args.page else ())))]
    command = [*_pytest(args.page), "--game", key, "--bot", args.bot, "-k", args.only, *files]
    folder = None if args.bot else FOLDER  # the program is found from where the user is
    return subprocess.call(command, cwd=folder, env=os.environ | {games.LISTED: "1"})  # noqa: S603


def _require(page: bool) -> None:
    if not all(map(find_spec, ("pytest", *(PAGE_MODULES if page else ())))):
        raise TableeError(msg("checking a game needs pytest, and for its page Playwright and axe: pip install 'tablee[check]'"))
    if page:
        server_packages.require()


def _pytest(page: bool) -> list[str]:
    """Return the command of pytest with our plugins and nobody's settings."""
    plugins = ["tablee.checks.plugin", *(["tablee.checks.page_fixtures"] if page else []), "no:cacheprovider"]
    alone = ["-c", os.devnull, "--rootdir", str(FOLDER), "--confcutdir", str(FOLDER), "--import-mode=importlib"]
    return [sys.executable, "-m", "pytest", *alone, *(f"-p{each}" for each in plugins), "-v", "-rs", "--no-header", "--tb=short"]
