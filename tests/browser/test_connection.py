"""A page preserves the player's work through a killed server, blocked WebSockets and a lost answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.table import BrowserTable, OpenTable, Screens
from tests.browser.test_club import MEMBERSHIPS, join
from tests.browser.test_club import gather as gather_class
from tests.browser.village import OPEN, draw_round, play_round, play_to_the_end
from tests.browser.waiting import live
from tests.server.process import ServerProcess

pytestmark = pytest.mark.browser

SOON = 8000  # milliseconds: it takes one second, more on a busy machine, but never ten
UNSENT = "Not connected: this was not sent. Try again in a moment."
UNREACHABLE = re.compile(r"net::ERR_|Failed to load resource|WebSocket connection")


@pytest.fixture
def shaky(own_server: ServerProcess, browser: Browser) -> Iterator[Screens]:
    """Yield screens on a server that will be killed: their consoles may report only that it cannot be reached."""
    screens = Screens(own_server, browser)
    yield screens
    screens.close()
    assert not [complaint for complaint in screens.complaints if not UNREACHABLE.search(complaint)]


def test_a_killed_server_comes_back_and_the_page_goes_on_by_itself_with_its_draft(shaky: Screens) -> None:
    table = BrowserTable(shaky, "rolling-village", ["Ada", "Bo"])
    ada, bo = table.sit(0), table.sit(1)
    play_round(bo)
    ada.locator(OPEN).first.click()
    live(ada)
    tried = ada.locator(".cell.tried").get_attribute("id")
    shaky.server.kill()
    expect(ada.locator("#connection")).to_have_text("Reconnecting…")
    ada.locator(OPEN).first.click()
    shaky.server.start()
    expect(ada.locator("#toast")).to_have_text("Connected again")
    expect(ada.locator("#connection")).to_be_empty()
    expect(ada.locator(".cell.tried")).to_have_count(2)
    expect(ada.locator(f"#{tried}")).to_have_class(re.compile("tried"))
    ada.locator("#confirm").click()
    expect(ada.locator(".round")).to_contain_text("Round 1 of 9")
    expect(bo.locator(".round")).to_contain_text("Round 1 of 9")
    assert table.see()["version"] == 6


def test_what_was_confirmed_while_the_server_was_away_is_sent_once_when_it_is_back(shaky: Screens) -> None:
    table = BrowserTable(shaky, "rolling-village", ["Ada"])
    page = table.sit(0)
    draw_round(page)
    shaky.server.kill()
    page.locator("#confirm").click()
    expect(page.locator("#connection")).to_have_text("Reconnecting…")
    page.locator("#confirm").click()
    shaky.server.start()
    expect(page.locator(".round")).to_contain_text("Round 1 of 9")
    assert len(table.see()["log"]) == 4


def test_a_server_that_ends_in_order_is_missed_at_once_and_no_tap_is_swallowed(shaky: Screens) -> None:
    page = BrowserTable(shaky, "rolling-village", ["Ada"]).sit(0)
    shaky.server.stop()
    expect(page.locator("#connection")).to_have_text("Reconnecting…", timeout=SOON)
    page.locator("#pause").click()
    expect(page.locator("#toast")).to_have_text(UNSENT)
    expect(page.locator("#toast")).to_be_in_viewport()
    page.locator(OPEN).first.click()
    shaky.server.start()
    expect(page.locator(".cell.tried")).to_have_count(1)
    expect(page.locator("#connection")).to_be_empty()


def test_a_lobby_says_what_was_not_sent_and_shows_what_is_true(shaky: Screens) -> None:
    page = shaky.show("/")
    page.locator("form[action='/new/rolling-village'] button").click()
    live(page)
    shaky.server.stop()
    expect(page.locator("#connection")).to_have_text("Reconnecting…", timeout=SOON)
    seat = page.locator("#chair-1 select").first
    before = seat.input_value()
    seat.select_option("bot:greedy")
    expect(page.locator("#toast")).to_have_text(UNSENT)
    shaky.server.start()
    expect(page.locator("#connection")).to_be_empty()
    expect(seat).to_have_value(before)


def test_a_class_says_what_was_not_sent_and_stays_where_it_is(shaky: Screens) -> None:
    organiser, code = gather_class(shaky)
    pupil = join(shaky, code, "Ada")
    pupil.wait_for_function(f"() => {MEMBERSHIPS} === 1")  # both pages poll now
    expect(organiser.get_by_text("1 member")).to_be_visible()
    shaky.server.stop()
    for page in (organiser, pupil):
        expect(page.locator("#connection")).to_have_text("Reconnecting…", timeout=SOON)
    organiser.get_by_role("button", name="Close to newcomers").click()
    expect(organiser.locator("#toast")).to_have_text(UNSENT)
    shaky.server.start()
    for page in (organiser, pupil):
        expect(page.locator("#connection")).to_be_empty()
    expect(organiser.get_by_role("button", name="Close to newcomers")).to_be_visible()


def test_a_move_whose_answer_was_lost_counts_once(screens: Screens, open_table: OpenTable) -> None:
    lost: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        if lost:
            return route.continue_()
        lost.append(route.request.post_data or "")
        route.fetch()
        return route.abort()

    table = open_table("rolling-village", ["Ada"])
    page = table.sit(0, prepare=lambda page: page.route("**/moves", lose_the_first_answer))
    draw_round(page)
    page.locator("#confirm").click()
    expect(page.locator(".round")).to_contain_text("Round 1 of 9")
    expect(page.locator("#toast")).to_have_text("Connected again")
    live(page)
    assert lost
    assert len(table.see()["log"]) == 4
    assert all("net::ERR_FAILED" in complaint for complaint in screens.complaints)
    screens.complaints.clear()


def without_sockets(page: Page) -> None:
    page.route_web_socket("**/ws", lambda socket: socket.close())


def test_where_sockets_are_blocked_the_page_polls_and_says_nothing_of_it(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    ada, bo = table.sit(0, prepare=without_sockets), table.sit(1)
    expect(bo.locator(".away")).to_have_count(0)
    play_round(ada)
    play_round(bo)
    expect(ada.locator(".round")).to_contain_text("Round 1 of 9")
    die = ada.locator(".die").first.element_handle()
    for _ in range(3):  # polls
        with ada.expect_response("**/page"):
            pass
    assert die.evaluate("die => die.isConnected"), "what did not change is not touched"
    expect(ada.locator("#toast")).not_to_be_visible()


def test_a_whole_game_without_sockets(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"])
    play_to_the_end(table.sit(0, prepare=without_sockets))
    assert table.see()["status"] == "over"
