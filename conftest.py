"""Fixtures for every test that wants a real server or a real browser, in tests/ and in the rooms."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from tests.browser import chromium
from tests.browser.table import BrowserTable, OpenTable, Screens
from tests.plugin_game import PluginGame
from tests.rounds import rounds
from tests.server.process import ForkedServer, ServerProcess

ROOMS = Path(__file__).parent / "tests/rooms"  # a game that another package brings; every law is tested on it too
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOMS), os.environ.get("PYTHONPATH", "")]))
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it, and so would what a test interrupts
settings.register_profile("tablee", deadline=None)  # the first example may have to compile; no test has a clock
settings.load_profile("tablee")


@pytest.fixture(scope="session", autouse=True)
def frozen_gc() -> Iterator[None]:
    """What all these tests have imported is set aside: every house that opens looks for rubbish, and would look through all of it."""
    gc.collect()
    gc.freeze()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("freeze", "unfreeze"):
            patch.setattr(gc, name, lambda: None)
        yield
    gc.unfreeze()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all the tests that only play on it."""
    process = ServerProcess(tmp_path_factory.mktemp("server")).start()
    yield process
    process.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ForkedServer]:
    """A server that its test may kill and start again, in a moment, for nobody asks how fast its rules are."""
    process = ForkedServer(tmp_path).start()
    yield process
    process.stop()


@pytest.fixture
def plugin_game(tmp_path: Path) -> PluginGame:
    """A game that somebody else brings; nothing of it is compiled."""
    return PluginGame(tmp_path)


@pytest.fixture(scope="session")
def machine_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of a guest, made by whichever test process comes first."""
    own = tmp_path_factory.getbasetemp()
    first = PluginGame(tmp_path_factory.mktemp("guest"))
    first.cache = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "machine-code"
    first.run("from tablee.bots import warming; warming.warm_once('sticks')")
    return first.cache


@pytest.fixture
def warm_plugin_game(guest: PluginGame, machine_code: Path) -> PluginGame:
    """With a copy of all its machine code, to be used and damaged."""
    shutil.copytree(machine_code, guest.cache)
    return guest


@pytest.fixture
def cold_plugin_game(warm_guest: PluginGame) -> PluginGame:
    """Of its machine code one rule is missing, or all of them: it is not warm, and has to be compiled."""
    for file in warm_guest.folders()[0].glob(rounds(few="kernel.apply-*.code", many="*.code")):
        file.unlink()
    return warm_guest


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium per file: Playwright keeps an event loop running, and other tests want their own."""
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium.PATH, args=["--no-sandbox"])


@pytest.fixture
def screens(server: ServerProcess, browser: Browser) -> Iterator[Screens]:
    """Pages whose consoles must stay silent."""
    opened = Screens(server, browser)
    yield opened
    opened.close()
    assert not opened.complaints


@pytest.fixture
def open_table(screens: Screens) -> OpenTable:
    """open_table(game, seats, options): a bot's level or a person's name for each seat; see tests/browser/table.py."""

    def make(game: str, seats: list[str], options: dict[str, object] | None = None) -> BrowserTable:
        return BrowserTable(screens, game, seats, options)

    return make
