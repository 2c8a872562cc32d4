"""A refusal: it says what is wrong and, on demand, shows the rule's own sentence with a link into the rules."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.table import OpenTable, crafting, violations
from tests.browser.village import draw_round
from tests.browser.waiting import live

pytestmark = pytest.mark.browser


def test_why_not_opens_the_rules_own_sentence_and_leads_to_it(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada"])
    page = table.sit(0, locale="fr-FR")
    wrong = page.locator(".cell:not(.open)").first
    wrong.focus()
    page.keyboard.press("Enter")
    toast = page.locator("#toast.shown")
    expect(toast).to_contain_text("colonne")
    expect(toast).not_to_contain_text("V4")
    page.keyboard.press("w")
    expect(toast).to_contain_text("Avant la première manche")
    assert not violations(page)
    with page.context.expect_page() as opened:
        toast.get_by_role("link", name="Règle V4").click()
    rule = opened.value.locator("#V4")
    expect(rule).to_be_in_viewport()
    expect(rule).to_contain_text("Avant la première manche")
    page.keyboard.press("Escape")
    expect(page.locator("#toast")).not_to_be_visible()


def test_what_cannot_be_done_yet_says_why_when_it_is_tapped(open_table: OpenTable) -> None:
    page = crafting(open_table).sit(0)
    page.locator("#throw").click()
    page.locator("#do-craft").click()
    live(page)
    page.get_by_text("Stone axe", exact=True).click()
    expect(page.locator("#toast.shown")).to_contain_text("Stone axe costs")
    expect(page.locator("#item-of-bow")).to_be_visible()


NEVER_LATER = "const soon = setTimeout; window.setTimeout = (run, ms) => (ms < 5000 ? soon(run, ms) : 0)"  # no toast goes by itself


def test_a_refusal_goes_when_the_next_tap_is_right(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada"]).sit(0, prepare=lambda page: page.add_init_script(NEVER_LATER))
    page.locator(".cell:not(.open)").first.dispatch_event("click")
    expect(page.locator("#toast.shown")).to_be_visible()
    page.locator(".cell.open").first.click()
    live(page)
    expect(page.locator("#toast.shown")).to_have_count(0)


def test_a_tap_beyond_a_complete_turn_leads_to_confirm(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada"]).sit(0)
    draw_round(page)
    page.locator(".cell:not(.tried)").first.dispatch_event("click")
    expect(page.locator("#toast.shown.good")).to_contain_text("your turn is complete")
    expect(page.locator("#confirm")).to_be_visible()
