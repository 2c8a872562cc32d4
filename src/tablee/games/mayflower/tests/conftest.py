"""Servers with smaller boxes: most browser games use one tile of each of the first twelve faces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tablee import games
from tests.browser.table import Screens
from tests.server.process import ForkedServer, ServerProcess

FACES = 12


def box_of(letters: dict[str, int], folder: Path) -> Path:
    """Write the published box with other counts, without the letters left out, and return its path."""
    text = (games.folder("mayflower") / "components.toml").read_text(encoding="utf-8")
    head, *tiles = re.split(r"(?m)^(?=\[tiles\.)", text)
    chosen = [tile for tile in tiles if re.match(r"\[tiles\.(\w+)\]", tile)[1] in letters]  # type: ignore[index]
    counted = [re.sub(r"count = \d+", f"count = {letters[tile[7 : tile.index(']')]]}", tile, count=1) for tile in chosen]
    file = folder / "box.toml"
    file.write_text(head + "".join(counted), encoding="utf-8")
    return file


def all_letters() -> list[str]:
    return re.findall(r"(?m)^\[tiles\.(\w+)\]", (games.folder("mayflower") / "components.toml").read_text(encoding="utf-8"))


@contextmanager
def serving(counts: dict[str, int], folder: Path, kind: type[ServerProcess] = ForkedServer) -> Iterator[ServerProcess]:
    """Run a server with a box of only these tiles; where no bot plays, the rules may run as plain Python."""
    process = kind(folder, {"mayflower": box_of(counts, folder)}).start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run one server with a small box for most of the games here."""
    with serving(dict.fromkeys(all_letters()[:FACES], 1), tmp_path_factory.mktemp("small"), ServerProcess) as process:
        yield process


@pytest.fixture(scope="session")
def twins_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run a server whose tiles all have two towns, north and south: a tile between two others completes both."""
    with serving({"AV": 12}, tmp_path_factory.mktemp("twins")) as process:
        yield process


@pytest.fixture(scope="session")
def crossings_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run a server with a box of crossings, with eight places for a settler each."""
    with serving({"S": 9}, tmp_path_factory.mktemp("crossings")) as process:
        yield process


@pytest.fixture(scope="session")
def three_towns_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run a server whose tiles all have three towns: on the coast each lies in three ways and completes a town."""
    with serving({"AS": 9}, tmp_path_factory.mktemp("three-towns")) as process:
        yield process


@contextmanager
def silent(process: ServerProcess, browser: Browser) -> Iterator[Screens]:
    """Open browser screens at a server and assert that their consoles stay silent."""
    screens = Screens(process, browser)
    yield screens
    screens.close()
    assert not screens.complaints


@pytest.fixture
def twins(twins_server: ServerProcess, browser: Browser) -> Iterator[Screens]:
    with silent(twins_server, browser) as screens:
        yield screens


@pytest.fixture
def crossings(crossings_server: ServerProcess, browser: Browser) -> Iterator[Screens]:
    with silent(crossings_server, browser) as screens:
        yield screens


@pytest.fixture
def three_towns(three_towns_server: ServerProcess, browser: Browser) -> Iterator[Screens]:
    with silent(three_towns_server, browser) as screens:
        yield screens
