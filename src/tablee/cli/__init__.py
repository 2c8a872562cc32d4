"""Command line: each command is a module of this folder with `HELP`, `arguments(parser)` and `run(args, translator)`.

Bad input gives one line on stderr and status 2, and nothing is written.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import metadata
from types import ModuleType

from tablee.cli import (
    arena,
    backup,
    bench,
    components,
    dataset,
    export,
    games,
    move,
    play,
    replay,
    rules,
    serve,
    simulate,
    site,
    verify,
    warm,
)
from tablee.cli.arguments import Parser
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator, terminal_language

COMMANDS: Mapping[str, ModuleType] = {
    "serve": serve,
    "play": play,
    "simulate": simulate,
    "arena": arena,
    "dataset": dataset,
    "bench": bench,
    "replay": replay,
    "verify": verify,
    "rules": rules,
    "games": games,
    "components": components,
    "warm": warm,
    "backup": backup,
    "export": export,
    "move": move,
    "site": site,
}
BAD_INPUT, INTERRUPTED = 2, 130


def parser() -> Parser:
    top = Parser(prog="tablee", description="Board games at one table. Without a command: serve.")
    top.add_argument("--version", action="version", version=f"tablee {metadata.version('tablee')}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        command.arguments(commands.add_parser(name, help=command.HELP, description=command.HELP))
    return top


def main(argv: Sequence[str] | None = None) -> int:
    translator = Translator(terminal_language())
    try:
        args = _parse(_with_command(sys.argv[1:] if argv is None else list(argv)))
        translator = Translator(getattr(args, "lang", None) or terminal_language())
        status: int = COMMANDS[args.command].run(args, translator)
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
    args, unknown = parser().parse_known_args(argv)
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
