"""The commands. Each is one file of this folder with `HELP`, `arguments(parser)` and `run(args, words)`.

Bad input is one line on stderr, status 2, and nothing is written.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import metadata
from types import ModuleType

from tablee.cli import arena, backup, bench, components, dataset, export, games, move, play, replay, rules, serve, simulate, verify, warm
from tablee.cli.arguments import Parser, terminal_language
from tablee.core.errors import TableeError
from tablee.core.i18n import Translator

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
    words = Translator(terminal_language())
    try:
        args = _parsed(_with_command(sys.argv[1:] if argv is None else list(argv)))
        words = Translator(getattr(args, "lang", None) or terminal_language())
        status: int = COMMANDS[args.command].run(args, words)
        sys.stdout.flush()
    except TableeError as error:
        return _print_error(error.translate(words))
    except BrokenPipeError:
        return _discard_output()
    except OSError as error:
        return _print_error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _parsed(argv: list[str]) -> argparse.Namespace:
    """Parse the arguments; one that a command does not know is an error of that command, so its help is named."""
    args, unknown = parser().parse_known_args(argv)
    if unknown:
        Parser(prog=f"tablee {args.command}").error(f"unrecognized arguments: {' '.join(unknown)}")
    return args


def _with_command(argv: list[str]) -> list[str]:
    """Bare `tablee`, or `tablee --port 9000`, means serve."""
    if not argv or (argv[0].startswith("-") and argv[0] not in ("-h", "--help", "--version")):
        return ["serve", *argv]
    return argv


def _print_error(sentence: str) -> int:
    print(f"tablee: {' '.join(sentence.split())}", file=sys.stderr)
    return BAD_INPUT


def _discard_output() -> int:
    """Whoever read our output has seen enough; what Python would still flush at the end goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
