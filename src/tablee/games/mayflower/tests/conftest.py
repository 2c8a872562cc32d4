"""Servers whose boxes hold other tiles: most games on the page are played with one of each of the first twelve faces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tablee import games
from tests.browser.table import Screens
from tests.server.process import ServerProcess

FACES = 12


def box_of(letters: dict[str, int], folder: Path) -> Path:
    """The published box with other counts; a letter left out is not in it."""
    text = (games.folder("mayflower") / "components.toml").read_text(encoding="utf-8")
    head, *tiles = re.split(r"(?m)^(?=\[tiles\.)", text)
    kept = [tile for tile in tiles if re.match(r"\[tiles\.(\w+)\]", tile)[1] in letters]  # type: ignore[index]
    counted = [re.sub(r"count = \d+", f"count = {letters[tile[7 : tile.index(']')]]}", tile, count=1) for tile in kept]
    file = folder / "box.toml"
    file.write_text(head + "".join(counted), encoding="utf-8")
    return file


def all_letters() -> list[str]:
    return re.findall(r"(?m)^\[tiles\.(\w+)\]", (games.folder("mayflower") / "components.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server with a small box for most of the games here."""
    folder = tmp_path_factory.mktemp("small")
    process = ServerProcess(folder, {"mayflower": box_of(dict.fromkeys(all_letters()[:FACES], 1), folder)}).start()
    yield process
    process.stop()


@contextmanager
def playing_with(counts: dict[str, int], folder: Path, browser: Browser) -> Iterator[Screens]:
    """Screens at a server whose box holds these tiles alone; their consoles must stay silent."""
    process = ServerProcess(folder, {"mayflower": box_of(counts, folder)}).start()
    screens = Screens(process, browser)
    yield screens
    screens.close()
    process.stop()
    assert not screens.complaints


@pytest.fixture
def twins(tmp_path: Path, browser: Browser) -> Iterator[Screens]:
    """A box in which every tile has two towns, north and south: a tile between two others completes both."""
    with playing_with({"AV": 12}, tmp_path, browser) as screens:
        yield screens


@pytest.fixture
def crossings(tmp_path: Path, browser: Browser) -> Iterator[Screens]:
    """A box of crossings, with eight places for a settler each."""
    with playing_with({"S": 9}, tmp_path, browser) as screens:
        yield screens
