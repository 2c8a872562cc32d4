"""The pytest plugin of the checks: gives every check its games, or the tables of its games.

`--game KEY` limits the checks to one game, and may repeat; without it they cover every installed game.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

import pytest

from tablee import games
from tablee.core.game import Game, choose_options

PACKAGE = "tablee.checks"


class CheckedTable(NamedTuple):
    """A table at which a game is checked."""

    key: str
    seats: int
    options: dict[str, str | int | bool]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", action="append", default=[], metavar="KEY", help="check this game only; may be given several times")
    parser.addoption("--bot", default="", metavar="COMMAND", help="check this program as a bot (bot_protocol.py)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "only(where): a check of the games for which this function is true")
    config.addinivalue_line("markers", "browser: drives a real Chromium")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Supply `table` (each number of seats, and each value of an option), `key` and `seats` (the smallest and the largest), or `key`."""
    if not metafunc.module.__name__.startswith(f"{PACKAGE}."):
        return
    named: list[str] = metafunc.config.getoption("--game")
    keys = [key for key in named or games.known() if concerns(metafunc.definition, games.find(key))]
    if "table" in metafunc.fixturenames:
        found = [pytest.param(each, id=f"{each.key}-{each.seats}-{each.options}") for key in keys for each in tables(key)]
        metafunc.parametrize("table", found)
    elif "seats" in metafunc.fixturenames:
        ends = [(key, seats) for key in keys for seats in sorted({games.find(key).seats[0], games.find(key).seats[-1]})]
        metafunc.parametrize(("key", "seats"), ends)
    elif "key" in metafunc.fixturenames:
        metafunc.parametrize("key", keys)


def concerns(check: pytest.Item | pytest.Function, game: Game) -> bool:
    return all(mark.kwargs["where"](game) for mark in check.iter_markers("only"))


def tables(key: str) -> Iterator[CheckedTable]:
    """Yield every number of seats with the defaults, and every option value once."""
    game = games.find(key)
    for seats in game.seats:
        yield CheckedTable(key, seats, {})
    for option in game.options:
        for value in option.values[1:]:
            if option.key != "first" or value == 0:
                yield CheckedTable(key, game.seats[-1], {option.key: value})


def counts_pieces(game: Game) -> bool:
    return game.conserved is not None


def has_rivals(game: Game) -> bool:
    """Tell whether two bots can be compared at a table of this game."""
    seats = max(2, game.seats[0])
    return seats in game.seats and not game.is_cooperative(game.setup(seats, choose_options(game, seats, {})))


def has_environment(game: Game) -> bool:
    return bool(game.actions) or find_spec(f"{game.kernel.package}.tensors") is not None
