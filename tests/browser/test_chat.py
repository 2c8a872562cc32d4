"""The chat of a table, if the host allows one: beside the board and never over it, by mouse, by keyboard and on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import PHONE, BrowserTable, OpenTable, Screens, overflow, violations
from tests.browser.test_connection import without_sockets
from tests.browser.test_lobby import at_the_game, join_lobby, open_lobby
from tests.browser.village import draw_round
from tests.browser.waiting import live

pytestmark = pytest.mark.browser

BOXES = "[...document.querySelectorAll('.stage-board, #chat')].map((each) => each.getBoundingClientRect().toJSON())"


@pytest.fixture
def table(screens: Screens) -> BrowserTable:
    return BrowserTable(screens, "rolling-village", ["Ada", "Bo"], chat=True)


def say(page: Page, text: str) -> None:
    page.get_by_label("Your message").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your message")).to_have_value("")


def apart(page: Page) -> bool:
    """Tell whether the board and the chat do not overlap."""
    board, chat = page.evaluate(BOXES)
    return bool(chat["left"] >= board["right"] or chat["top"] >= board["bottom"])


def test_the_host_allows_a_chat_and_what_is_said_is_counted_until_it_is_read(screens: Screens) -> None:
    host = open_lobby(screens)
    visitor = join_lobby(screens, host, "Bo")
    host.locator("#setting-chat").select_option("allowed")
    expect(visitor.locator("#setting-chat")).to_have_text("allowed")
    host.get_by_role("button", name="Start with 2 players").click()
    for page in (host, visitor):
        at_the_game(page)
    host.get_by_role("button", name="Chat").click()
    say(host, "<i>Hello</i> there")
    expect(visitor.get_by_role("button", name="Chat, 1 new message", exact=True)).to_be_visible()
    expect(visitor.locator("#herald")).to_have_text("Ada: <i>Hello</i> there")
    visitor.get_by_role("button", name="Chat, 1 new message", exact=True).click()
    expect(visitor.locator("#said li")).to_have_text(["A Ada <i>Hello</i> there"])
    expect(visitor.get_by_role("button", name="Chat", exact=True)).to_be_visible()
    visitor.reload()
    at_the_game(visitor)
    expect(visitor.locator("#said li")).to_have_count(1)
    expect(visitor.locator(".unread")).to_be_hidden()


def test_half_a_line_and_a_draft_survive_what_the_others_say(table: BrowserTable) -> None:
    ada, bo = table.sit(0), table.sit(1)
    draw_round(ada)
    ada.locator("#open-chat").focus()
    ada.keyboard.press("Enter")
    expect(ada.get_by_label("Your message")).to_be_focused()
    ada.keyboard.type("Where did ")
    bo.locator("#open-chat").click()
    say(bo, "Hurry")
    expect(ada.locator("#said li")).to_have_count(1)
    ada.keyboard.type("you build?")
    ada.keyboard.press("Enter")
    expect(bo.locator("#said li").last).to_have_text("A Ada Where did you build?")
    ada.keyboard.press("Escape")
    expect(ada.locator("#open-chat")).to_be_focused()
    expect(ada.locator("#chat")).to_be_hidden()
    expect(ada.locator("#confirm")).to_be_visible()


def test_people_whose_network_blocks_sockets_talk_too(table: BrowserTable) -> None:
    ada, bo = (table.sit(seat, prepare=without_sockets) for seat in (0, 1))
    ada.locator("#open-chat").click()
    say(ada, "Hello")
    for page in (ada, bo):
        expect(page.locator("#said li")).to_have_text(["A Ada Hello"])


@pytest.mark.parametrize(("screen", "scheme"), [({}, "light"), (PHONE, "dark")], ids=["desktop", "phone"])
def test_it_lies_beside_the_board_and_whoever_watches_only_reads(table: BrowserTable, screen: dict[str, Any], scheme: str) -> None:
    ada, watching = table.sit(0, **screen, color_scheme=scheme), table.sit(**screen, color_scheme=scheme)
    for page in (ada, watching):
        page.locator("#open-chat").click()
    say(ada, "x" * 280)
    expect(watching.locator("#said li")).to_have_count(1)
    expect(watching.locator("#chat-form")).to_have_count(0)
    for page in (ada, watching):
        assert apart(page)
        assert overflow(page) <= 0
        assert not violations(page)


def test_whoever_wants_none_has_none_and_a_table_without_has_no_trace_of_it(table: BrowserTable, open_table: OpenTable) -> None:
    ada = table.sit(0)
    ada.locator("#open-chat").click()
    ada.locator("[popovertarget=preferences]").first.click()
    ada.get_by_label("Show chat where the host allows it").uncheck()
    ada.keyboard.press("Escape")
    expect(ada.locator("#open-chat, #chat")).to_have_count(2)
    expect(ada.locator("#open-chat:visible, #chat:visible")).to_have_count(0)
    silent = open_table("rolling-village", ["Ada", "Bo"]).sit(0)
    live(silent)
    expect(silent.locator("#open-chat, #chat")).to_have_count(0)
