"""What a tap will bring is seen before the server has answered, and its answer always wins."""

from __future__ import annotations

from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.browser.held_answers import HeldAnswers
from tests.browser.table import OpenTable, Screens
from tests.browser.waiting import becomes, live, there, until

pytestmark = pytest.mark.browser

MARKS = ":is(.asked, .pressed, .stale, .asked-tile, .tried, .rubbed-out)"
SENT = "!Object.entries(localStorage).some(([key, value]) => key.endsWith('-turn') && value !== 'null')"
HEARD = "[...document.querySelectorAll('[role=status], [role=alert], [aria-live]')].map((each) => each.textContent).join()"


@pytest.fixture
def network() -> HeldAnswers:
    return HeldAnswers()


def answered(page: Page, network: HeldAnswers) -> None:
    network.release()
    live(page)
    expect(page.locator(":is(.asked, .pressed, .stale, .asked-tile, .rubbed-out)")).to_have_count(0)


def test_a_stroke_is_there_at_once_and_nobody_is_told_of_it(open_table: OpenTable, network: HeldAnswers) -> None:
    page = open_table("rolling-village", ["Ada", "Ben"]).sit(0, prepare=network.prepare)
    cell = page.locator(f"#{page.locator('.cell.open').first.get_attribute('id')}")
    heard, label = page.evaluate(HEARD), str(cell.get_attribute("aria-label"))
    network.hold()
    cell.click()
    expect(cell.locator(".ghost.asked")).to_be_visible()
    expect(cell).to_have_attribute("aria-label", label)
    assert page.evaluate(HEARD) == heard
    answered(page, network)
    expect(cell.locator(".project")).to_be_visible()
    expect(cell).not_to_have_attribute("aria-label", label)
    assert page.evaluate(HEARD) != heard


def test_a_button_shows_that_it_was_pressed(open_table: OpenTable, network: HeldAnswers) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, prepare=network.prepare)
    page.locator(".site").first.dispatch_event("click")
    page.locator("#drop").wait_for()
    live(page)
    network.hold()
    page.locator("#drop").click()
    expect(page.locator("#drop.pressed")).to_be_visible()
    answered(page, network)
    expect(page.locator("#drop")).to_have_count(0)


def test_nothing_is_confirmed_that_has_not_been_shown(open_table: OpenTable, network: HeldAnswers) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, prepare=network.prepare)
    page.locator(".site").first.dispatch_event("click")
    page.locator("#pass, #confirm").first.click()
    expect(page.locator("#confirm")).to_be_visible()
    live(page)
    network.hold()
    page.locator("#drop").click()
    page.locator("#confirm").dispatch_event("click")
    expect(page.locator("#toast")).to_contain_text("Not confirmed yet")
    answered(page, network)
    expect(page.locator("#tale")).not_to_contain_text("lays tile")


def test_a_turn_confirmed_again_before_its_view_arrives_counts_once(open_table: OpenTable, network: HeldAnswers) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, prepare=network.prepare)
    page.locator(".site").first.dispatch_event("click")
    page.locator("#pass, #confirm").first.click()
    expect(page.locator("#confirm")).to_be_visible()
    live(page)
    network.hold()
    page.locator("#confirm").dispatch_event("click")
    until(page, network.kept)
    network.release_first()  # the server has accepted the turn; the view of it is still under way
    becomes(page, partial(page.evaluate, SENT), True)
    page.locator("#confirm").dispatch_event("click")
    answered(page, network)
    assert not there(page, "#toast.shown")
    expect(page.locator("#tale")).to_contain_text("lays tile")


def test_what_a_lesson_does_not_ask_for_goes_away_with_the_reason(screens: Screens, network: HeldAnswers) -> None:
    page = screens.show("/", network.prepare)
    page.locator("form[action='/first/rolling-village'] button").click()
    page.locator("#lesson-note").wait_for()
    live(page)
    network.hold()
    points = page.locator("#lesson-note").get_attribute("data-points") or ""
    other = page.locator(f".cell.open:not({points.replace(' | ', ', ')})").last
    other.click()
    expect(other.locator(".asked")).to_be_visible()
    expect(page.locator("#toast.shown")).to_have_count(0)
    answered(page, network)
    expect(page.locator("#toast.shown")).to_be_visible()
    expect(page.locator(".cell.tried")).to_have_count(0)


def test_nothing_of_it_survives_another_version(open_table: OpenTable, network: HeldAnswers) -> None:
    table = open_table("rolling-village", ["Ada", "Ben"])
    page = table.sit(0, prepare=network.prepare)
    network.hold("taps")
    page.locator(".cell.open").first.click()
    expect(page.locator(".cell .asked")).to_be_visible()
    while table.play(1):
        pass
    expect(page.locator("#player-1 .tick")).to_be_visible()
    expect(page.locator(MARKS)).to_have_count(0)
    answered(page, network)
    expect(page.locator(".cell.tried .project")).to_be_visible()


def test_nothing_of_it_is_left_when_a_screen_is_uncovered(open_table: OpenTable, network: HeldAnswers) -> None:
    page = open_table("amerique-1500", ["Ada", "Ben"], {"first": 0}).sit(0, 1, prepare=network.prepare)
    network.hold()
    page.locator("#uncover").click()
    expect(page.locator("#uncover.pressed")).to_be_visible()
    answered(page, network)
    expect(page.locator("#uncover")).to_have_count(0)
