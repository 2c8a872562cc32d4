"""Command line: each command is a module of this folder with `arguments(parser)` and `run(args, translator)`.

Only the module of the given command is imported, so a command needs only the packages that it uses. Bad input gives one line on stderr and
status 2, and nothing is written.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module, metadata
from types import ModuleType

from tablee.cli.arguments import Parser
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator, terminal_language

COMMANDS: Mapping[str, str] = {
    "serve": "open the table in the browser, for this screen and for phones on the same network",
    "play": "play in this terminal against bots",
    "simulate": "play many games between bots",
    "arena": "let bots play a tournament and rate them",
    "dataset": "write what bots decided in many games into a Parquet file",
    "bench": "measure the speed of the rules and of the server",
    "replay": "tell a recorded game, line by line",
    "verify": "check that a record was played by the rules and that its dice were fair",
    "rules": "print the rules of a game",
    "games": "list the games with their seats and options",
    "components": "draw what lies in a game's box, or check a corrected box",
    "new-game": "write the package of a new game, which plays and passes all checks",
    "check-game": "check that a game obeys the laws that hold for every game",
    "tune": "find the settings with which the bots of a game search best",
    "warm": "compile the rules of every game now, so that nobody waits later",
    "backup": "copy all games into one file, also while a server is running",
    "export": "write every finished game as a record, also while a server is running",
    "move": "copy all games from a data folder into an empty PostgreSQL, or back; every link goes on working",
    "site": "build a web site that plays without a server",
}  # name: what its help says
BAD_INPUT, INTERRUPTED = 2, 130


def module_of(command: str) -> ModuleType:
    return import_module(f"tablee.cli.{command.replace('-', '_')}")


def parser(command: str = "") -> Parser:
    """Return the parser of all commands; it knows the arguments of one."""
    top = Parser(prog="tablee", description="Board games at one table. Without a command: serve.")
    top.add_argument("--version", action="version", version=f"tablee {metadata.version('tablee')}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, sentence in COMMANDS.items():
        known = commands.add_parser(name, help=sentence, description=sentence)
        if name == command:
            module_of(command).arguments(known)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    translator = Translator(terminal_language())
    try:
        args = _parse(_with_command(sys.argv[1:] if argv is None else list(argv)))
        translator = Translator(getattr(args, "lang", None) or terminal_language())
        status: int = module_of(args.command).run(args, translator)
        sys.stdout.flush()
    except TableeError as error:
        return _print_error(error.translate(translator))
    except BrokenPipeError:
        return _discard_output()
    except OSError as error:
        return _print_error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _parse(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments; an unknown one is an error of its command, so that the error names the command's help."""
    args, unknown = parser(argv[0]).parse_known_args(argv)
    if unknown:
        Parser(prog=f"tablee {args.command}").error(f"unrecognized arguments: {' '.join(unknown)}")
    return args


def _with_command(argv: list[str]) -> list[str]:
    """Add the command `serve` where there is none: bare `tablee`, or `tablee --port 9000`."""
    if not argv or (argv[0].startswith("-") and argv[0] not in ("-h", "--help", "--version")):
        return ["serve", *argv]
    return argv


def _print_error(sentence: str) -> int:
    print(f"tablee: {' '.join(sentence.split())}", file=sys.stderr)
    return BAD_INPUT


def _discard_output() -> int:
    """Discard the output that Python would still flush, because its reader has closed the pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
