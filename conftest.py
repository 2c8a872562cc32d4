"""Fixtures for tests in tests/ and in the rooms: a real server, a game of another package, and those of the checks of pages."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkstemp

import pytest
from hypothesis import settings

from tablee import games
from tests.plugin_game import PluginGame
from tests.rounds import MANY, rounds
from tests.server import seeds
from tests.server.process import ForkedServer, ServerProcess

pytest_plugins = ["tablee.checks.plugin", "tablee.checks.page_fixtures"]
os.environ[games.LISTED] = "1"  # the examples keep every law too
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores SIGINT, and child processes inherit that
# No deadline: the first example may have to compile. What a test meets follows from the test alone, unless much of it runs.
settings.register_profile("tablee", deadline=None, derandomize=not MANY)
settings.load_profile("tablee")


def pytest_configure(config: pytest.Config) -> None:
    handle, os.environ[seeds.FILE] = mkstemp(prefix="tablee-running-test-")
    os.close(handle)


def pytest_unconfigure(config: pytest.Config) -> None:
    Path(os.environ.pop(seeds.FILE)).unlink()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    seeds.begin_test(item.nodeid)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Yield one server shared by all tests that only play on it."""
    process = ServerProcess(tmp_path_factory.mktemp("server")).start()
    yield process
    process.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ForkedServer]:
    """Yield a server that the test may kill and restart; it is forked, because no such test needs fast rules."""
    process = ForkedServer(tmp_path).start()
    yield process
    process.stop()


@pytest.fixture
def plugin_game(tmp_path: Path) -> PluginGame:
    """Return a game of another package, not compiled."""
    return PluginGame(tmp_path)


@pytest.fixture(scope="session")
def machine_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the cache with the compiled plugin game; the first test process fills it for all."""
    own = tmp_path_factory.getbasetemp()
    first = PluginGame(tmp_path_factory.mktemp("plugin"))
    first.cache = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "machine-code"
    first.run("from tablee.bots import warmup; warmup.warm_once('sticks')")
    return first.cache


@pytest.fixture
def warm_plugin_game(plugin_game: PluginGame, machine_code: Path) -> PluginGame:
    """Return the plugin game with its own copy of the machine code, which the test may damage."""
    shutil.copytree(machine_code, plugin_game.cache)
    return plugin_game


@pytest.fixture
def cold_plugin_game(warm_plugin_game: PluginGame) -> PluginGame:
    """Return the plugin game as if its compiler had been stopped before one rule (before all of them with TABLEE_ROUNDS=many)."""
    folder = warm_plugin_game.folders()[0]
    (folder / "warm").unlink()
    for file in folder.glob(rounds(few="kernel.apply-*.code", many="*.code")):
        file.unlink()
    return warm_plugin_game
