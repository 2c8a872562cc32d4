"""The table in a tab: after one visit everything is played without a network, and without the server, by the same taps."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tablee import games
from tablee.core import record
from tests.browser.table import DESKTOP
from tests.browser.test_tutorial import follow
from tests.browser.village import OPEN, draw_round, play_round, play_to_the_end
from tests.browser.waiting import live, text
from tests.rounds import rounds
from tests.site.static_host import StaticHost

PROJECT = Path(__file__).parent.parent.parent
PYODIDE = PROJECT / "node_modules" / "pyodide"
IN_A_FOLDER = "clubs/games"  # of the host: the site works in any
SLOW_MS = 120_000  # for Python to start on a busy machine

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("host")
    command = [sys.executable, "-m", "tablee.cli", "site", str(root / IN_A_FOLDER), "--pyodide", str(PYODIDE)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return root


class Device:
    """A browser that has visited the site once, and then lost the network and the server."""

    def __init__(self, browser: Browser, host: StaticHost, **screen: Any) -> None:
        self.context: BrowserContext = browser.new_context(**(DESKTOP | {"locale": "en-GB", "reduced_motion": "reduce"} | screen))
        self.complaints: list[str] = []
        self.start = f"{host.address}/{IN_A_FOLDER}/en/index.html"
        visit = self.open(f"{host.address}/{IN_A_FOLDER}/")
        expect(visit.locator("#offline")).to_have_text("On this device: you can play without a network.", timeout=SLOW_MS)
        visit.close()
        host.stop()
        self.context.set_offline(True)

    def open(self, address: str) -> Page:
        page = self.context.new_page()
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(address)
        return page

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)


@pytest.fixture(scope="module")
def device(browser: Browser, built: Path) -> Iterator[Device]:
    """Yield a device that comes back without a network, with what it has kept."""
    found = Device(browser, StaticHost(built))
    yield found
    found.context.close()


@pytest.fixture
def page(device: Device) -> Iterator[Page]:
    """Yield the start page on that device."""
    yield device.open(device.start)
    for each in device.context.pages:
        each.close()
    assert not device.complaints


def at_the_game(page: Page) -> None:
    page.locator(".stage-board").wait_for(timeout=SLOW_MS)
    live(page)


def play_now(page: Page, key: str) -> None:
    page.locator(f"#play-{key} button").click()
    at_the_game(page)


def test_a_game_is_played_to_its_end_and_kept(page: Page, tmp_path: Path) -> None:
    play_now(page, "rolling-village")
    play_round(page)
    page.locator(OPEN).first.click()
    live(page)
    tried = text(page.locator(".cell.tried"))
    page.reload()
    at_the_game(page)
    expect(page.locator(".cell.tried")).to_have_text(tried, use_inner_text=True)
    play_to_the_end(page)
    with page.expect_download() as saved:
        page.locator("#record").click()
    saved.value.save_as(tmp_path / "game.json")
    verified = record.verify(games.find, (tmp_path / "game.json").read_text(encoding="utf-8"))
    assert verified.draws > 0
    page.locator("#another").click()
    expect(page.locator("#mine-list .my-table", has_text="won by")).to_be_visible(timeout=SLOW_MS)


@pytest.mark.parametrize("key", rounds(few=["rolling-village"], many=list(games.known())))
def test_a_lesson_is_followed(key: str, page: Page) -> None:
    page.locator(f"#learn-{key}").click()
    at_the_game(page)
    follow(page)
    expect(page.locator("#lesson-note li")).to_have_count(3)


def test_two_people_hand_the_device_round(page: Page) -> None:
    page.get_by_role("button", name="New table: Rolling Village").click()
    page.locator("#kind-1").wait_for(timeout=SLOW_MS)
    page.locator("#kind-1").select_option("here")
    expect(page.locator("#name-1")).to_be_visible(timeout=SLOW_MS)
    page.locator("#start").click()
    at_the_game(page)
    expect(page.locator(".player")).to_have_count(2)
    draw_round(page)
    page.locator("#confirm").click()
    live(page)
    expect(page.locator("#bar.mine")).to_be_visible()


def test_two_tabs_show_the_same_table(device: Device, page: Page) -> None:
    play_now(page, "rolling-village")
    other = device.open(page.url)
    at_the_game(other)
    before = text(other.locator("#tale"))
    play_round(page)
    expect(other.locator("#tale")).not_to_have_text(before, use_inner_text=True)
