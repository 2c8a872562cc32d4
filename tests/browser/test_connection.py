"""A page preserves the player's work through a killed server, blocked WebSockets and a lost answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from tests.browser.table import BrowserTable, OpenTable, Screens
from tests.browser.test_club import MEMBERSHIPS, join
from tests.browser.test_club import gather as gather_class
from tests.browser.village import OPEN, draw_round, play_round, play_to_the_end
from tests.browser.waiting import live
from tests.server.process import ServerProcess

pytestmark = pytest.mark.browser

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


def test_a_server_that_ends_in_order_is_missed_and_no_tap_is_swallowed(shaky: Screens) -> None:
    page = BrowserTable(shaky, "rolling-village", ["Ada"]).sit(0)
    shaky.server.stop()
    expect(page.locator("#connection")).to_have_text("Reconnecting…")
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
    expect(page.locator("#connection")).to_have_text("Reconnecting…")
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
        expect(page.locator("#connection")).to_have_text("Reconnecting…")
    organiser.get_by_role("button", name="Close to newcomers").click()
    expect(organiser.locator("#toast")).to_have_text(UNSENT)
    shaky.server.start()
    for page in (organiser, pupil):
        expect(page.locator("#connection")).to_be_empty()
    expect(organiser.get_by_role("button", name="Close to newcomers")).to_be_visible()


def turn_in(message: str | bytes) -> Any:
    """Return the turn that a page sends in a message, or the id of the one that the server answers; None for another message."""
    return json.loads(message).get("turn") if isinstance(message, str) else None


class CutAtTurn:
    """A page's sockets to its server, the first of which is cut at the first turn."""

    def __init__(self, cut: Callable[[], None], *, arrives: bool) -> None:
        """Call `cut` before the turn arrives at the server or, if it `arrives`, once the server has answered it."""
        self._cut, self._arrives = cut, arrives
        self.ids: list[str] = []  # of the turns that the page has sent

    def prepare(self, page: Page) -> None:
        page.route_web_socket("**/ws", self._open)

    def _open(self, page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def cut() -> None:
            self._cut()
            page_side.close()

        def from_page(message: str | bytes) -> None:
            turn = turn_in(message)
            if turn:
                self.ids.append(turn["id"])
            if turn and len(self.ids) == 1 and not self._arrives:
                cut()
            else:
                server_side.send(message)

        def from_server(message: str | bytes) -> None:
            if turn_in(message) and len(self.ids) == 1:
                cut()
            else:
                page_side.send(message)

        page_side.on_message(from_page)
        server_side.on_message(from_server)


def notes_moves(page: Page, moves: list[Any]) -> None:
    """Collect the turns that the page sends by requests, not by its socket."""
    page.on("request", lambda request: moves.append(request.post_data_json) if request.url.endswith("/moves") else None)


def test_a_turn_goes_by_the_socket_that_its_draft_went_by(open_table: OpenTable) -> None:
    table, posted, sent = open_table("rolling-village", ["Ada", "Bo"]), list[Any](), list[Any]()

    def note(page: Page) -> None:
        notes_moves(page, posted)
        page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(turn_in(frame))))

    ada = table.sit(0, prepare=note)
    play_round(ada)
    assert [len(turn["moves"]) for turn in sent if turn] == [2]
    assert posted == []
    assert table.see()["version"] == 3


@pytest.mark.parametrize("arrives", [True, False])
def test_a_turn_under_way_when_the_server_is_killed_is_neither_lost_nor_doubled(shaky: Screens, arrives: bool) -> None:
    table, sockets = BrowserTable(shaky, "rolling-village", ["Ada"]), CutAtTurn(shaky.server.kill, arrives=arrives)
    page = table.sit(0, prepare=sockets.prepare)
    draw_round(page)
    page.locator("#confirm").click()
    expect(page.locator("#connection")).to_have_text("Reconnecting…")
    shaky.server.start()
    expect(page.locator(".round")).to_contain_text("Round 1 of 9")
    live(page)
    expect(page.locator("#connection")).to_be_empty()
    assert len(set(sockets.ids)) == 1
    assert len(table.see()["log"]) == 4


def test_a_turn_whose_answer_was_lost_with_its_socket_counts_once(open_table: OpenTable) -> None:
    table, sockets, posted = open_table("rolling-village", ["Ada"]), CutAtTurn(lambda: None, arrives=True), list[Any]()

    def prepare(page: Page) -> None:
        sockets.prepare(page)
        notes_moves(page, posted)

    page = table.sit(0, prepare=prepare)
    draw_round(page)
    page.locator("#confirm").click()
    expect(page.locator(".round")).to_contain_text("Round 1 of 9")
    live(page)
    assert {*sockets.ids, *(body["id"] for body in posted)} == {sockets.ids[0]}
    assert len(sockets.ids) + len(posted) > 1
    assert len(table.see()["log"]) == 4


def test_a_turn_that_could_not_be_saved_is_told_and_sent_until_it_is(open_table: OpenTable) -> None:
    table, full, ids = open_table("rolling-village", ["Ada"]), ["the disk is full"], list[str]()

    def through(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def from_page(message: str | bytes) -> None:
            if turn := turn_in(message):
                ids.append(turn["id"])
            if turn and full:
                page_side.send(json.dumps({"turn": turn["id"], "status": 503, "body": {"error": full[0], "rule": None}}))
            else:
                server_side.send(message)

        page_side.on_message(from_page)

    page = table.sit(0, prepare=lambda page: page.route_web_socket("**/ws", through))
    draw_round(page)
    page.locator("#confirm").click()
    expect(page.locator("#connection")).to_have_text("the disk is full")
    full.clear()
    expect(page.locator(".round")).to_contain_text("Round 1 of 9")
    live(page)
    expect(page.locator("#connection")).to_be_empty()
    assert len(set(ids)) == 1
    assert len(table.see()["log"]) == 4


def test_a_turn_whose_answer_to_a_request_was_lost_counts_once(screens: Screens, open_table: OpenTable) -> None:
    lost: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        if lost:
            return route.continue_()
        lost.append(route.request.post_data or "")
        route.fetch()
        return route.abort()

    def prepare(page: Page) -> None:
        without_sockets(page)
        page.route("**/moves", lose_the_first_answer)

    table = open_table("rolling-village", ["Ada"])
    page = table.sit(0, prepare=prepare)
    draw_round(page)
    page.locator("#confirm").click()
    expect(page.locator(".round")).to_contain_text("Round 1 of 9")
    live(page)
    expect(page.locator("#connection")).to_be_empty()
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
