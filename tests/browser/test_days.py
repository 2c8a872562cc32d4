"""Games for one: with one tap, and that of the day, which everybody has with the same dice, by the date of their device."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import DESKTOP, Screens
from tests.browser.village import play_round, play_to_the_end, totals
from tests.browser.waiting import live, text, texts

pytestmark = pytest.mark.browser

ALONE, OF_THE_DAY = "#alone-rolling-village", "#day-rolling-village"
BEFORE_MIDNIGHT = {  # half an hour before the first of November ends, which has 25 hours in New York
    "Pacific/Kiritimati": "2026-11-01T09:30:00Z",
    "Europe/Rome": "2026-11-01T22:30:00Z",
    "America/New_York": "2026-11-02T04:30:00Z",
}


def begin(page: Page, button: str) -> str:
    """Begin a game; return the path of its table."""
    page.locator(button).click()
    page.wait_for_url("**/t/*")
    live(page)
    return page.url.split("?")[0]


def to_the_start(page: Page) -> None:
    page.locator(".brand").click()
    page.wait_for_url("**/")


def test_a_game_for_one_is_one_tap_with_hints_and_shows_the_points_that_win(screens: Screens) -> None:
    page = screens.show("/")
    begin(page, ALONE)
    expect(page.locator("#hint")).to_be_visible()
    expect(page.locator(".goal")).to_contain_text("0/60")
    for _ in range(4):
        play_round(page)
    strip = [int(each) for each in texts(page.locator(".rounds li:not(.subtotal) b")) if each.isdigit()]
    expect(page.locator(".goal b")).to_have_text(str(sum(strip)))


@pytest.mark.parametrize("zone", BEFORE_MIDNIGHT)
def test_a_day_has_one_try_and_ends_at_midnight_of_the_device(screens: Screens, zone: str) -> None:
    page = screens.show("/", lambda page: page.clock.install(time=BEFORE_MIDNIGHT[zone]), timezone_id=zone)
    first = begin(page, OF_THE_DAY)
    expect(page.locator(".crumb")).to_have_text("The dice of the day, 1 November 2026")
    to_the_start(page)
    expect(page.locator(OF_THE_DAY).get_by_text("go on")).to_be_visible()
    assert begin(page, OF_THE_DAY) == first, "a second try leads to the first"
    to_the_start(page)
    page.clock.fast_forward("30:00")
    expect(page.locator(OF_THE_DAY).get_by_text("go on")).to_be_hidden()
    assert begin(page, OF_THE_DAY) != first
    expect(page.locator(".crumb")).to_have_text("The dice of the day, 2 November 2026")


def test_the_result_of_a_day_is_shared_checked_and_in_the_calendar(screens: Screens) -> None:
    page = screens.show("/", permissions=["clipboard-read", "clipboard-write"], **DESKTOP)
    begin(page, OF_THE_DAY)
    expect(page.locator("#hint")).to_have_count(0)
    play_to_the_end(page)
    (points,) = totals(page).values()
    page.locator("#share-day").click()
    expect(page.locator("#toast")).to_contain_text("Copied")
    shared = page.evaluate("navigator.clipboard.readText()")
    assert f": {points} point" in shared
    assert sum(map(int, shared.splitlines()[1].replace("+", "·").split("·"))) == points
    page.locator("#open-fair").click()
    page.locator("#check-draws").click()
    expect(page.locator("#checked p")).to_have_class("right")
    expect(page.locator("#checked")).to_contain_text("follows from the date, as for everybody")
    page.keyboard.press("Escape")
    to_the_start(page)
    expect(page.locator(OF_THE_DAY)).to_contain_text(f"{points} point")
    page.get_by_role("button", name="My days").click()
    assert text(page.locator(".month [aria-current] b")) == str(points)
