"""Arguments that several commands share. A wrong one gives one sentence, like any other error, not a page of usage."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tablee import bots, games
from tablee.core.errors import TableeError
from tablee.core.game import Game, Options, choose_options
from tablee.core.i18n import LANGUAGES, msg

DEFAULT_SEATS = 2


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise TableeError(msg("{message} ({command} --help says more)", message=message, command=self.prog))


def bounded_int(low: int, high: int) -> Callable[[str], int]:
    """Return a reader of whole numbers between two bounds."""

    def read(text: str) -> int:
        if text.isascii() and text.lstrip("-").isdigit() and len(text) < 20 and low <= int(text) <= high:
            return int(text)
        raise argparse.ArgumentTypeError(f"must be a whole number from {low} to {high}, not {text!r}")

    return read


def key_value(form: str) -> Callable[[str], tuple[str, str]]:
    """Return a reader of pairs of the form `KEY=VALUE`."""

    def read(text: str) -> tuple[str, str]:
        key, equals, value = text.partition("=")
        if not (key and equals and value):
            raise argparse.ArgumentTypeError(f"must look like {form}, not {text!r}")
        return key, value

    return read


def add_game_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help=", ".join(games.known()))


def add_language_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", choices=LANGUAGES, help="language (default: this terminal's)")


def add_components_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--components",
        metavar="GAME=FILE",
        type=key_value("GAME=FILE"),
        action="append",
        default=[],
        help="play GAME with the box described in FILE",
    )


def add_table_arguments(
    parser: argparse.ArgumentParser, default_bots: str = "greedy", seating_help: str = "repeats over the seats"
) -> None:
    add_game_argument(parser)
    parser.add_argument("--seats", metavar="N", type=bounded_int(1, 99), help=f"players (default: {DEFAULT_SEATS})")
    parser.add_argument(
        "--bots", metavar="LIST", default=default_bots, help=f"of {', '.join(bots.known())}; {seating_help} (default: {default_bots})"
    )
    parser.add_argument(
        "--option", metavar="KEY=VALUE", type=key_value("KEY=VALUE"), action="append", default=[], help="an option of the game"
    )
    add_components_argument(parser)


@dataclass(frozen=True)
class TableArguments:
    """Checked values of the arguments of `add_table_arguments`."""

    game: Game
    seats: int
    bots: tuple[str, ...]
    options: Options


def table_arguments(args: argparse.Namespace) -> TableArguments:
    boxes = read_boxes(args)
    game = open_game(args.game, boxes)
    seats = args.seats or (DEFAULT_SEATS if DEFAULT_SEATS in game.seats else game.seats[0])
    options = choose_options(game, seats, _named_options(game, args.option))
    return TableArguments(game, seats, _bots_by_seat(args.bots, seats), options)


def read_boxes(args: argparse.Namespace) -> dict[str, Path]:
    """Return the corrected boxes; each is opened once, to report its faults before anything happens."""
    boxes = {key: Path(file).absolute() for key, file in args.components}
    for key, file in boxes.items():
        games.find(key, file)
    return boxes


def open_game(key: str, boxes: Mapping[str, Path]) -> Game:
    return games.find(key, boxes.get(key))


def _named_options(game: Game, pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Return the options with their values as the game spells them; `choose_options` refuses those that are not its own."""
    spelled = {(option.key, str(value).lower()): value for option in game.options for value in option.values}
    return {key: spelled.get((key, text.lower()), text) for key, text in pairs}


def _bots_by_seat(text: str, seats: int) -> tuple[str, ...]:
    named = read_bots(text)
    return tuple(named[seat % len(named)] for seat in range(seats))


def read_bots(text: str) -> tuple[str, ...]:
    """Return the bots of a comma-separated list, each of which must exist."""
    named = tuple(name.strip() for name in text.split(","))
    for name in named:
        bots.find(name)
    return named


def check_writable(file: Path) -> None:
    """Raise unless the file can be written; checked before a run that may take hours."""
    if file.is_dir() or not os.access(file.parent, os.W_OK):
        raise TableeError(msg("{file} cannot be written there", file=str(file)))


def make_folder(folder: Path, option: str, is_own: Callable[[str], bool] | None = None) -> None:
    """Make a folder, which must not hold other files; `is_own` recognises those of an interrupted run."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(is_own is None or not is_own(file.name) for file in folder.iterdir()):
        raise TableeError(msg("{folder} is not empty; {option} wants a new or an empty folder", folder=str(folder), option=option))
