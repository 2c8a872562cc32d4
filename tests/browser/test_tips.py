"""Tooltips: on hover, on keyboard focus and on a long press, which is no tap."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import PHONE, OpenTable, crafting
from tests.browser.waiting import box

pytestmark = pytest.mark.browser


def press(page: Page, selector: str) -> None:
    """Press the middle of an element with a finger until the tooltip shows."""
    page.locator(selector).first.tap(trial=True)  # waits until the element stops moving
    x, y = box(page.locator(selector).first).middle
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect(page.locator("#tip")).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_words_come_by_pointer_and_by_keyboard_and_go_with_escape(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Bo"], {"first": 0}).sit(0)
    tip = page.locator("#tip")
    page.locator("#zoom-last").hover()
    expect(tip).to_have_text("The last tile")
    page.locator(".pawn").first.hover()
    expect(tip).to_have_text("Explorer in column 0")
    page.keyboard.press("Escape")
    expect(tip).not_to_be_visible()
    page.locator("#help").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#open-preferences")).to_be_focused()
    expect(tip).to_have_text("Settings of this device: name, language, appearance, speed, shortcuts")
    expect(page.locator("#open-preferences")).to_have_attribute(
        "aria-label", "Settings of this device: name, language, appearance, speed, shortcuts"
    )


def test_a_long_press_shows_the_words_and_is_no_tap(open_table: OpenTable) -> None:
    page = crafting(open_table).sit(0, **PHONE)
    page.locator("#throw").tap()
    page.locator("#tab-craft").tap()
    press(page, "#item-of-bow")
    expect(page.locator("#tip")).to_have_text("Bow and arrows: 1 wood")
    expect(page.locator("#confirm")).to_have_count(0)
    page.locator("#item-of-bow").tap()
    expect(page.locator("#tip")).not_to_be_visible()
    expect(page.locator("#confirm")).to_be_visible()


def test_on_a_phone_a_touch_leaves_no_words_behind(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Bo"], {"first": 0}).sit(0, **PHONE)
    page.locator("#open-preferences").tap()
    page.keyboard.press("Escape")
    expect(page.locator("#preferences")).not_to_be_visible()
    page.clock.install()
    page.locator("#open-preferences").hover()  # the touch leaves a pointer there
    page.clock.run_for(5000)
    expect(page.locator("#tip")).not_to_be_visible()
