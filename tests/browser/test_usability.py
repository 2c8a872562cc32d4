"""Usability: the controls are within reach on a phone, with a long name, with large text and by keyboard alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import PHONE, OpenTable
from tests.browser.village import draw_round
from tests.browser.waiting import box, live, there

pytestmark = pytest.mark.browser

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
UPRIGHT: dict[str, Any] = PHONE | {"viewport": {"width": 390, "height": 844}}
CUT = "each => { const name = each.closest('.name').getBoundingClientRect(); return each.getBoundingClientRect().right > name.right; }"


def edges(page: Page, selector: str) -> tuple[float, float]:
    """Return the top and the bottom of an element."""
    place = box(page.locator(selector))
    return place.top, place.bottom


def test_every_point_is_one_tap_from_the_end_on_a_phone(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"])
    table.finish()
    page = table.sit(0, **UPRIGHT)
    page.locator("#end-rounds").tap()
    expect(page.locator(".every-round table").first).to_be_in_viewport()


def test_a_long_name_leaves_the_mark_of_somebody_who_is_away(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Leo the greatest explorer of them all", "greedy"]).sit(0)
    away = page.locator("#player-1 .away")
    expect(away).to_be_visible()
    assert not away.evaluate(CUT)


def test_the_final_scoring_covers_nothing_tells_no_winner_first_and_waits_to_be_read(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"])
    table.finish()
    page = table.sit(0, **UPRIGHT, reduced_motion="no-preference")
    page.clock.install()
    page.locator("#finale-play").tap()
    page.clock.run_for(60_000)
    expect(page.locator("#finale li").last).to_be_visible()
    assert edges(page, "#finale")[0] >= edges(page, "[data-board]")[1] - 1
    expect(page.locator("#bar-say")).to_be_hidden()
    page.get_by_role("button", name="The result").tap()
    expect(page.locator("#bar-say")).to_contain_text(re.compile("wins with|share the win"))


def test_looking_back_on_a_phone_shows_the_other_village_too(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"])
    table.finish()
    page = table.sit(0, **UPRIGHT)
    page.locator("#replay-open").tap()
    page.locator("#replay-back").tap()
    live(page)
    expect(page.locator("#other-1")).to_be_in_viewport(ratio=0.95)


def test_words_to_the_player_cover_neither_the_board_nor_the_buttons_on_a_phone(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada", "greedy"]).sit(0, **UPRIGHT)
    page.locator(".cell:not(.open)").first.dispatch_event("click")
    expect(page.locator("#toast")).to_be_visible()
    (top, bottom), board, verbs = edges(page, "#toast"), edges(page, "[data-board]"), edges(page, ".main-actions")
    assert board[1] <= top
    assert bottom <= verbs[0]


@pytest.mark.parametrize("room", ["mayflower", "rolling-village"])
def test_with_letters_twice_as_large_confirm_is_visible(open_table: OpenTable, room: str) -> None:
    page = open_table(room, ["Ada", "greedy"], {"first": 0} if room == "mayflower" else {}).sit(0, **LAPTOP)
    page.add_style_tag(content="html { font-size: 200% }")
    while not there(page, "#confirm"):
        expect(page.locator(".main-actions")).to_be_in_viewport(ratio=1)
        page.locator("#pass" if there(page, "#pass") else ".cell.open, .avenue.pick, .site").first.dispatch_event("click")
    expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)


def test_from_a_tile_that_is_tried_out_tab_leads_to_what_is_asked(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "greedy"], {"first": 0}).sit(0)
    for key in ("ArrowDown", "Enter"):
        page.keyboard.press(key)
        live(page)
    expect(page.locator("#pass")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_attribute("data-move", page.locator(".choice, #pass").first.get_attribute("data-move") or "")


def test_where_nothing_can_be_taken_back_no_button_offers_it(open_table: OpenTable) -> None:
    """In Mayflower the next tile is drawn at once; in Rolling Village the others draw on their sheets before the dice are rolled."""
    page = open_table("mayflower", ["Ada", "greedy"], {"first": 0}).sit(0)
    page.locator(".site").first.dispatch_event("click")
    page.locator("#pass").click()
    page.locator("#confirm").click()
    expect(page.locator("#tale .kind-lay")).to_have_count(2)
    expect(page.locator(".site").first).to_be_attached()
    live(page)
    expect(page.get_by_role("button", name="Undo move")).to_have_count(0)
    village = open_table("rolling-village", ["Ada", "Ben"]).sit(0)
    draw_round(village)
    village.locator("#confirm").click()
    expect(village.get_by_role("button", name="undo")).to_be_enabled()
