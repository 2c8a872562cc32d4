"""Fixtures of the checks of pages, as a pytest plugin: a server, a browser, and tables on its screens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tablee.checks.browser import CHROMIUM, BrowserTable, OpenTable, Screens
from tablee.checks.local_server import LocalServer


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """Yield one server shared by all checks."""
    process = LocalServer(tmp_path_factory.mktemp("server")).start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield the Chromium of this test process; Playwright keeps an event loop running until it ends."""
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.fixture
def screens(server: LocalServer, browser: Browser) -> Iterator[Screens]:
    """Yield a factory of pages; the test fails if a console shows an error or a warning."""
    opened = Screens(server, browser)
    yield opened
    opened.close()
    assert not opened.complaints


@pytest.fixture
def open_table(screens: Screens) -> OpenTable:
    """Return a function of game, seats and options that opens a table; a seat is a bot's level or a person's name."""

    def make(game: str, seats: Sequence[str], options: dict[str, Any] | None = None) -> BrowserTable:
        return BrowserTable(screens, game, seats, options)

    return make
