"""The page: the chosen action is lit with the pawn on it, and a card is lifted, before the server has answered."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.held_answers import HeldAnswers
from tests.browser.table import OpenTable
from tests.browser.waiting import box, live

pytestmark = pytest.mark.browser


def test_the_pawn_goes_to_the_chosen_action_and_a_card_is_lifted_at_once(open_table: OpenTable) -> None:
    network = HeldAnswers()
    while True:
        table = open_table("amerique-1500", ["Ada", "Ben"], {"first": 0})
        if {"barter", "cards"} <= set(table.see(0)["legal"]):
            break
    page = table.sit(0, prepare=network.prepare)
    page.locator("#throw").click()
    network.hold()
    page.locator("#do-barter").click()
    expect(page.locator("#do-barter.asked .pawn")).to_be_visible()
    expect(page.locator("#do-explore .pawn")).to_be_hidden()
    network.release()
    expect(page.locator("#tray")).to_be_visible()
    page.locator("#drop").click()
    live(page)
    card = page.locator(".card.ready > button[data-moves]").first
    lying = box(card)
    network.hold()
    card.click()
    expect(page.locator(".card > .asked")).to_be_visible()
    assert box(card).top < lying.top
    expect(page.locator("#do-cards.asked .pawn")).to_be_visible()
    network.release()
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator(".asked")).to_have_count(0)
