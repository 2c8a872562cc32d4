"""The table in a tab: after one visit everything is played without a network, and without the server, by the same taps."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, expect

from tablee import games
from tablee.core import record
from tablee.games.amerique_1500.tests.page_player import Player
from tablee.games.mayflower.tests.page import whole_game
from tablee.server.http.middleware.headers import CONTENT_SECURITY_POLICY
from tablee.site.archive import site_games
from tests.browser.table import DESKTOP
from tests.browser.test_tutorial import follow
from tests.browser.village import OPEN, draw_round, play_round, play_to_the_end
from tests.browser.waiting import either, live, text, there, until
from tests.rounds import rounds
from tests.server.process import ServerProcess
from tests.site.static_host import StaticHost

PROJECT = Path(__file__).parent.parent.parent
PYODIDE = PROJECT / "node_modules" / "pyodide"
IN_A_FOLDER = "clubs/games"  # of the host: the site works in any
ONLY_IN_HEADERS = ("frame-ancestors",)  # a page cannot say it of itself
SLOW_MS = 120_000  # for Python to start on a busy machine
REVIEW_MS = 900_000  # for the coach to look back at a whole Mayflower, likewise

TRY_TO_WRITE = """() => new Promise((done) => {
    const request = indexedDB.open("trial", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("trial");
    request.onerror = () => done(request.error.name);
    request.onsuccess = () => {
        const transaction = request.result.transaction(["trial"], "readwrite", { durability: "strict" });
        transaction.objectStore("trial").put("x".repeat(100_000), 1);
        transaction.oncomplete = () => done("written");
        transaction.onabort = () => done(transaction.error.name);
        request.result.close();
    };
})"""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]  # the site may have to be compiled


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
        self.origin, self.start = host.address, f"{host.address}/{IN_A_FOLDER}/en/index.html"
        visit = self.open(f"{host.address}/{IN_A_FOLDER}/")
        expect(visit.locator("#offline")).to_contain_text("On this device: you can play without a network.", timeout=SLOW_MS)
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


def play_by_hints(page: Page) -> None:
    """Play what the coach says, tap by tap, to the end of the game."""
    while either(page, "#bar.mine", "#replay-open"):
        if not there(page, "#confirm"):
            page.locator("#hint").click()
            page.locator("#confirm").wait_for(timeout=SLOW_MS)
            live(page)
        page.locator("#confirm").click()
        expect(page.locator("#confirm")).to_have_count(0)
        live(page)


def reopen_killed(device: Device, page: Page) -> Page:
    """Kill the tab, as a device does that needs its memory; open its page in another."""
    address = page.url
    with page.expect_event("crash"), suppress(Error):
        page.goto("chrome://crash")
    page.close()
    found = device.open(address)
    at_the_game(found)
    return found


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("key", rounds(few=["rolling-village"], many=site_games()))
def test_a_whole_game_is_played_as_the_coach_says_and_looked_back_at(key: str, page: Page) -> None:
    page.locator(f"#level-{key}").select_option("medium")
    play_now(page, key)
    play_by_hints(page)
    page.locator("#replay-open").click()
    expect(page.locator(".turnings")).to_be_visible(timeout=REVIEW_MS)


def test_a_full_device_is_one_sentence_and_the_turn_counts_when_there_is_room(device: Device, page: Page) -> None:
    play_now(page, "rolling-village")
    draw_round(page)
    devtools = device.context.new_cdp_session(page)
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": device.origin, "quotaSize": 1})
    page.reload()
    at_the_game(page)
    until(page, lambda: page.evaluate(TRY_TO_WRITE), "QuotaExceededError".__eq__, SLOW_MS)  # until then it relies on what it knew
    page.locator("#confirm").click()
    expect(page.locator("#connection")).to_have_text("there is no room left on this device: the turn is saved as soon as there is some")
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": device.origin})
    expect(page.locator("#confirm")).to_have_count(0)
    page.reload()
    at_the_game(page)
    expect(page.locator(".cell.tried")).to_have_count(0)


def test_a_game_is_played_to_its_end_and_kept(device: Device, page: Page, tmp_path: Path) -> None:
    play_now(page, "rolling-village")
    play_round(page)
    page.locator(OPEN).first.click()
    live(page)
    tried = text(page.locator(".cell.tried"))
    page = reopen_killed(device, page)
    expect(page.locator(".cell.tried")).to_have_text(tried, use_inner_text=True)
    play_to_the_end(page)
    with page.expect_download() as saved:
        page.locator("#record").click()
    saved.value.save_as(tmp_path / "game.json")
    verified = record.verify(games.find, (tmp_path / "game.json").read_text(encoding="utf-8"))
    page.locator("#open-fair").click()
    expect(page.locator("#fair")).to_contain_text("Before the game this device chose a secret number")
    page.locator("#check-draws").click()
    expect(page.locator("#checked p")).to_have_text(f"All {verified.draws} draws follow from the secret number.")
    page.keyboard.press("Escape")
    page.locator("#another").click()
    won = page.locator("#mine-list .my-table", has_text="Rolling Village").filter(has_text="won by")
    expect(won.first).to_be_visible(timeout=SLOW_MS)


NO_TABLE: Any = None  # of a server: the player reads the page alone
WHOLE_GAMES: dict[str, Callable[[Page], object]] = {
    "mayflower": lambda page: whole_game(page, "click"),
    "rolling-village": play_to_the_end,
    "amerique-1500": lambda page: Player(NO_TABLE, 0, page).play(),
}


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("key", rounds(few=["amerique-1500"], many=list(WHOLE_GAMES)))  # Mayflower's takes two minutes
def test_a_whole_game_is_played_by_taps_against_greedy(key: str, page: Page) -> None:
    play_now(page, key)
    WHOLE_GAMES[key](page)
    expect(page.locator("#replay-open")).to_be_visible()


@pytest.mark.parametrize("key", rounds(few=["rolling-village"], many=site_games()))
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
    play_to_the_end(page)
    expect(page.locator(".results tbody tr")).to_have_count(2)


def test_two_tabs_show_the_same_table(device: Device, page: Page) -> None:
    play_now(page, "rolling-village")
    other = device.open(page.url)
    at_the_game(other)
    before = text(other.locator("#tale"))
    play_round(page)
    expect(other.locator("#tale")).not_to_have_text(before, use_inner_text=True)


def test_a_game_goes_offline_and_back_to_its_server(built: Path, browser: Browser, tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, extra_arguments=["--site", str(built / IN_A_FOLDER)]).start()
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    page.goto(server.address)
    page.locator("#play-rolling-village button").click()
    live(page)
    play_round(page)
    told = text(page.locator("#tale"))
    page.locator("#carry").get_by_text("Take this game offline").click()
    page.wait_for_url("**/offline/en/table-rolling-village.html*")
    at_the_game(page)
    server.stop()
    expect(page.locator("#tale")).to_have_text(told, use_inner_text=True)
    play_round(page)
    page.locator("#carry").get_by_text("Continue this game online").click()
    expect(page.locator("#toast")).to_contain_text("Not connected")
    server.start()
    page.locator("#carry").click()
    page.wait_for_url("**/t/*")
    live(page)
    play_round(page)
    page.goto(server.address)
    expect(page.locator("#mine-list .my-table")).to_have_count(1)
    context.close()
    server.stop()


def test_a_game_goes_to_another_place_as_a_file(page: Page, browser: Browser, server: ServerProcess, tmp_path: Path) -> None:
    play_now(page, "mayflower")
    with page.expect_download() as saved:
        page.locator("#carry").get_by_text("Save it, to go on elsewhere").click()
    saved.value.save_as(tmp_path / "game.json")
    context = browser.new_context()
    elsewhere = context.new_page()
    elsewhere.goto(server.address)
    elsewhere.locator("#record").set_input_files(tmp_path / "game.json")
    live(elsewhere)
    expect(elsewhere.locator(".player.me")).to_be_visible()
    context.close()


def test_a_newer_build_takes_over_on_the_start_page_which_says_so(built: Path, browser: Browser, tmp_path: Path) -> None:
    folder = shutil.copytree(built / IN_A_FOLDER, tmp_path / "site")
    host, context = StaticHost(tmp_path), browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{host.address}/site/en/index.html")
    expect(page.locator("#offline")).to_contain_text("On this device", timeout=SLOW_MS)
    build = (folder / "files.js").read_text("utf-8")
    (folder / "files.js").write_text(re.sub('"stamp": "[0-9a-f]*"', '"stamp": "0123456789ab"', build), "utf-8")
    page.reload()
    expect(page.locator("#offline")).to_contain_text("Tablée was updated.", timeout=SLOW_MS)
    assert page.evaluate("caches.keys()") == ["tablee-0123456789ab"]
    context.close()
    host.stop()


def test_a_page_may_do_no_more_than_a_page_of_the_server(built: Path) -> None:
    for file in (built / IN_A_FOLDER / "en").glob("*.html"):
        (policy,) = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', file.read_text("utf-8"))
        *others, scripts = policy.split("; ")
        assert set(others) == {each for each in CONTENT_SECURITY_POLICY if not each.startswith(ONLY_IN_HEADERS)}
        assert re.fullmatch(r"script-src 'self' 'sha256-[\w+/=]+'", scripts)
