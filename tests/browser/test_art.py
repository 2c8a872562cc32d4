"""The art of a box in the browser: it is painted by day and by night, fetched once, and asked for again if it does not arrive."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.table import OpenTable, Screens
from tests.browser.waiting import live, until

pytestmark = pytest.mark.browser

PICTURES = {"mayflower": ("#named", "svg.drawn"), "amerique-1500": ("#hand .card svg",)}  # what is painted from the art
TAKE_AWAY = "document.getElementById('art').replaceChildren()"
FETCHED = "performance.getEntriesByType('resource').filter((each) => each.name.includes('/art/')).map((each) => each.transferSize)"


def pictures(page: Page, key: str) -> list[bytes]:
    """Return each picture as it is painted."""
    return [page.locator(place).first.screenshot() for place in PICTURES[key]]


@pytest.mark.parametrize("key", PICTURES)
def test_the_art_is_painted_by_day_and_by_night(open_table: OpenTable, key: str) -> None:
    page = open_table(key, ["Ada", "Ben"], {"first": 0}).sit(0)
    page.emulate_media(color_scheme="light")
    day = pictures(page, key)
    page.emulate_media(color_scheme="dark")
    night = pictures(page, key)
    page.evaluate(TAKE_AWAY)
    for painted, by_day, blank in zip(night, day, pictures(page, key), strict=True):
        assert painted != blank
        assert painted != by_day


@pytest.mark.parametrize("key", PICTURES)
def test_a_later_visit_does_not_fetch_the_art_again(open_table: OpenTable, key: str) -> None:
    first, second = (open_table(key, ["Ada", "Ben"]) for _ in range(2))
    page = first.sit(0)
    assert max(page.evaluate(FETCHED)) > 10_000
    page.goto(second.server.address + second.path(0))
    live(page)
    assert set(page.evaluate(FETCHED)) == {0}, "bytes from the network"


def test_no_patch_takes_the_art_away(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "Ben"], {"first": 0})
    page = table.sit(0)
    page.evaluate("document.getElementById('art').firstElementChild.id = 'same'")
    assert table.play(0)
    expect(page.locator("#tiles-0 use")).to_have_count(1)
    expect(page.locator("#art > svg#same")).to_be_attached()


def test_art_that_does_not_arrive_is_asked_for_again(screens: Screens, open_table: OpenTable) -> None:
    asked = list[str]()  # first by the preload, then by art.js

    def lose_two(route: Route) -> None:
        asked.append(route.request.url)
        (route.abort if len(asked) <= 2 else route.continue_)()

    def prepare(page: Page) -> None:
        page.route("**/art/**", lose_two)

    page = screens.show(open_table("mayflower", ["Ada", "Ben"]).path(0), prepare)
    expect(page.locator("#art > svg")).to_be_attached()
    until(page, lambda: len(asked), lambda count: count > 2)
    screens.complaints.clear()  # of the file that was lost
