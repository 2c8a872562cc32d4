"""The map of a late game under a thumb: places and figures large enough to tap, explorers and rulers whole, wherever the map is moved."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.table import PHONE, LateGame, Screens
from tests.browser.waiting import becomes, box, until

pytestmark = pytest.mark.browser

LOW: dict[str, Any] = PHONE | {"viewport": {"width": 360, "height": 640}}
# Returns for each place that is whole in the map's pane how large it is, and whether a tap on its middle reaches it.
REACHED = """() => { const pane = document.getElementById("map").getBoundingClientRect();
    const whole = ({ left, right, top, bottom }) =>
        left >= pane.left && right <= pane.right && top >= pane.top && bottom <= pane.bottom;
    return [...document.querySelectorAll(".site")].filter((site) => whole(site.getBoundingClientRect())).map((site) => {
        const { x, y, width, height } = site.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return [Math.min(width, height), hit.closest(".site") === site]; }); }"""
# Returns what the rulers show of marks and explorers that their edges cut.
CUT_BY_RULERS = """() => [...document.querySelectorAll(".ruler > *")].filter((each) => {
    const [box, ruler] = [each.getBoundingClientRect(), each.parentElement.getBoundingClientRect()];
    const out = box.left < ruler.left - 1 || box.right > ruler.right + 1 || box.top < ruler.top - 1 || box.bottom > ruler.bottom + 1;
    return out && box.width && getComputedStyle(each).opacity > 0;
}).map((each) => each.outerHTML.slice(0, 80))"""


def drag(page: Page, across: int, down: int) -> None:
    """Move the map by so many pixels, from its middle."""
    x, y = box(page.locator("#map")).middle
    start = page.locator("#chart").get_attribute("style")
    page.mouse.move(x - across / 2, y - down / 2)
    page.mouse.down()
    page.mouse.move(x + across / 2, y + down / 2, steps=4)
    page.mouse.up()
    until(page, lambda: page.locator("#chart").get_attribute("style"), lambda style: style != start)


@pytest.mark.parametrize("screen", [PHONE | {"viewport": {"width": 390, "height": 844}}, LOW], ids=["phone", "small phone"])
def test_a_late_map_keeps_places_for_a_finger_and_explorers_whole(screens: Screens, screen: dict[str, Any]) -> None:
    page = LateGame(screens, "mayflower", 3, 14, {"first": 0}).sit(0, **screen)
    places = until(page, lambda: page.evaluate(REACHED))
    assert [place for place in places if place[0] < 44 or not place[1]] == []
    assert page.evaluate(CUT_BY_RULERS) == []
    more = box(page.locator("#elsewhere"))
    assert not more.overlaps(box(page.locator("#map")))
    assert more.height >= 44
    figure = box(page.locator(".settler").first)
    assert max(figure.width, figure.height) >= 24
    for across, down in ((150, 120), (-150, -120)):
        for _ in range(5):  # at last far beyond the land
            drag(page, across, down)
            becomes(page, lambda: page.evaluate(CUT_BY_RULERS), [])
        for number in (1, 2):
            assert box(page.locator(f"#explorer-pawn-{number}")).inside(box(page.locator("#ruler-top")))
