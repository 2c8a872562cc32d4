"""Taps: each one acts or the page says why not, and it acts on the element that lay under the finger on touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import OpenTable, Screens
from tests.browser.test_lobby import open_lobby

pytestmark = pytest.mark.browser

SECOND_TAP = """() => new MutationObserver((_, watch) => {
    const button = document.getElementById("confirm");
    if (button) { watch.disconnect(); button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 2 })); }
}).observe(document.getElementById("table"), { childList: true, subtree: true })"""  # taps as soon as the button appears


def ready_to_pass(open_table: OpenTable) -> Page:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1)
    page.locator(".site").first.dispatch_event("click")
    expect(page.locator("#pass, #confirm")).to_be_visible()
    return page


def test_an_accidental_double_tap_confirms_nothing_and_the_page_says_so(open_table: OpenTable) -> None:
    page = ready_to_pass(open_table)
    page.evaluate(SECOND_TAP)
    page.locator("#pass").dispatch_event("click")
    expect(page.locator("#toast")).to_be_visible()
    expect(page.locator("#toast")).to_contain_text("Not confirmed yet")
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator("#tale")).not_to_contain_text("lays tile")


def test_a_quick_player_confirms_where_no_settler_was(open_table: OpenTable) -> None:
    """The browser counts the tap as a double tap, but the button has been visible for long enough."""
    page = ready_to_pass(open_table)
    page.locator("#pass").click()
    expect(page.locator("#confirm")).to_be_visible()
    page.wait_for_function("since => performance.now() > since + 260", arg=page.evaluate("performance.now()"))
    page.locator("#confirm").hover()
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    expect(page.locator("#tale")).to_contain_text("lays tile")


def test_a_button_is_not_exchanged_under_the_mouse(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "Ben", "Cleo"], {"first": 0})
    page, other, watching = table.sit(0, 1), table.sit(2), table.sit()
    expect(page.locator("#player-2 .away")).to_have_count(0)
    page.locator("#look-1").hover()
    page.mouse.down()
    other.close()
    expect(watching.locator("#player-2 .away")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#look-1")).to_have_attribute("aria-current", "true")
    expect(page.locator("#player-2 .away")).to_be_visible()


def test_what_could_not_be_copied_is_told(screens: Screens) -> None:
    page = open_lobby(screens, prepare=lambda page: page.add_init_script("navigator.clipboard.writeText = async () => { throw 0 }"))
    page.locator("#copy-link").click()
    expect(page.locator("#toast")).to_contain_text("did not copy")
