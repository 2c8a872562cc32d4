"""The page: a tile lies where it was put, turns, and offers its places for a settler before the server has answered."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.held_answers import HeldAnswers
from tests.browser.table import DESKTOP, PHONE, BrowserTable, OpenTable
from tests.browser.waiting import box, live, text, until

pytestmark = pytest.mark.browser

ASKED, LAID = ".asked-tile .frame", "#last-tile"
SPOTS = "#choices .spot:not(.stale)"


def turnable(open_table: OpenTable) -> BrowserTable:
    """Open tables until the first tile fits somewhere in several turns, but not in all."""
    while True:
        opened = open_table("mayflower", ["Ada", "Ben"], {"first": 0})
        if any(1 < len(turns) < 4 for turns in opened.see(0)["view"]["places"].values()):
            return opened


def spots(page: Page) -> dict[str, list[float]]:
    """Return where each numbered place for a settler is, by its number and move."""
    expect(page.locator(SPOTS).first).to_be_visible()
    found: dict[str, list[float]] = page.evaluate(
        """what => Object.fromEntries([...document.querySelectorAll(what)].map((spot) => {
            const { x, y } = spot.querySelector(".disc").getBoundingClientRect();
            return [`${spot.textContent.trim()} ${spot.dataset.move}`, [Math.round(x), Math.round(y)]]; }))""",
        SPOTS,
    )
    return found


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_laying_and_turning_wait_for_nothing_and_the_answer_agrees(open_table: OpenTable, screen: dict[str, object]) -> None:
    network = HeldAnswers()
    page = turnable(open_table).sit(0, 1, prepare=network.prepare, **screen)
    site = page.locator(".site[data-turns*=' ']").first
    cell, turns = str(site.get_attribute("data-cell")), str(site.get_attribute("data-turns")).split()
    place = page.locator(f"[id='site-{cell}']")
    network.hold()
    place.dispatch_event("click")
    assert box(place.locator("rect")).inside(box(page.locator(ASKED)))
    first = page.locator(".asked-tile use").first.get_attribute("transform")
    page.locator("#turn").click()
    expect(page.locator(f".asked-tile use.turn-{turns[1]}")).to_have_count(2)
    assert page.locator(".asked-tile use").first.get_attribute("transform") != first
    expected = spots(page)
    network.release()
    live(page)
    expect(page.locator(ASKED)).to_have_count(0)
    expect(page.locator(f"{LAID}[data-cell='{cell}']")).to_be_visible()
    assert spots(page) == expected


def test_a_settler_may_be_chosen_before_the_tile_is_answered(open_table: OpenTable) -> None:
    network = HeldAnswers()
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, prepare=network.prepare)
    network.hold()
    page.locator(".site").first.dispatch_event("click")
    page.locator(SPOTS).first.dispatch_event("click")
    expect(page.locator(f"{SPOTS}.asked")).to_be_visible()
    expect(page.locator("#confirm")).to_have_count(0)
    network.release()
    expect(page.locator("#confirm")).to_be_visible()
    assert "puts" in text(page.locator("#bar-say"))


def test_a_tile_that_is_put_elsewhere_leaves_its_place_at_once(open_table: OpenTable) -> None:
    network = HeldAnswers()
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, prepare=network.prepare)
    page.locator(".site").first.dispatch_event("click")
    expect(page.locator(LAID)).to_be_visible()
    live(page)
    network.hold()
    page.locator(".site:not(.taken)").last.dispatch_event("click")
    expect(page.locator(ASKED)).to_be_visible()
    expect(page.locator(LAID)).to_be_hidden()
    expect(page.locator("#last .bare")).to_be_visible()
    expect(page.locator(".choice").first).to_be_hidden()
    network.release()
    expect(page.locator(LAID)).to_be_visible()
    expect(page.locator("#last .bare")).to_have_count(0)


def test_a_tile_that_the_server_refuses_goes_away_with_the_reason(open_table: OpenTable) -> None:
    network = HeldAnswers()
    table = turnable(open_table)
    cell, turns = next((cell, turns) for cell, turns in table.see(0)["view"]["places"].items() if len(turns) < 4)
    wrong = next(turn for turn in range(4) if turn not in turns)
    page = table.sit(0, 1, prepare=network.prepare)
    site = page.locator(f"[id='site-{cell}']")
    site.evaluate("(site, turn) => { site.dataset.turns = turn; site.dataset.settles = '[[], [], [], []]'; }", str(wrong))
    network.hold()
    site.dispatch_event("click")
    expect(page.locator(ASKED)).to_be_visible()
    expect(page.locator("#toast.shown")).to_have_count(0)
    network.release()
    expect(page.locator("#toast.shown")).to_be_visible()
    expect(page.locator(ASKED)).to_have_count(0)
    expect(page.locator(LAID)).to_have_count(0)


def test_the_answer_to_an_earlier_tap_does_not_hide_a_later_one(open_table: OpenTable) -> None:
    network = HeldAnswers()
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, prepare=network.prepare)
    first, last = (str(site.get_attribute("data-cell")) for site in (page.locator(".site").first, page.locator(".site").last))
    network.hold()
    for cell in (first, last):
        page.locator(f"[id='site-{cell}']").dispatch_event("click")
    expect(page.locator(ASKED)).to_be_visible()
    until(page, network.kept, lambda count: count == 2)
    network.release_first()
    expect(page.locator(f"{LAID}[data-cell='{first}'].stale")).to_be_attached()
    expect(page.locator(LAID)).to_be_hidden()
    assert box(page.locator(f"[id='site-{last}'] rect")).inside(box(page.locator(ASKED)))
    network.release()
    expect(page.locator(f"{LAID}[data-cell='{last}']")).to_be_visible()
    expect(page.locator(ASKED)).to_have_count(0)
