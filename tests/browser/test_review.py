"""Review of a finished game with the coach: the board shows the coach's move, and the coach's text stays in place."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import BrowserTable, OpenTable
from tests.browser.waiting import live, text, there, until

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]  # the first test may have to wait until the room is compiled

ROUNDS = 10  # including the set-up
TIMEOUT_MS = 400_000  # a machine may be busy, and the room not compiled yet


def played(open_table: OpenTable) -> BrowserTable:
    """Return a finished village of two people who always play their last legal move: the coach finds many better ones."""
    table = open_table("rolling-village", ["Ada", "Bo"])
    while (seen := table.see())["status"] != "over":
        seat = seen["to_act"][0]
        seen = table.see(seat)
        body: dict[str, Any] = {"move": seen["legal"][-1], "at": seen["version"], "id": f"m{seen['version']}"}
        table.server.ask("POST", f"/api/tables/{table.id}/moves", body, table.tokens[seat])
    return table


def advised(page: Page, seat: int) -> str:
    """Go to the seat's first turn in which the coach prefers another; return the selector of what shows it."""
    page.locator("#replay-open").click()

    def answered() -> bool:  # until the room is compiled there is no coach; each step asks again
        for place in ("End", "Home"):
            page.locator("#replay-at").press(place)
        return there(page, ".curve .legend")

    until(page, answered, timeout_ms=TIMEOUT_MS)
    expect(page.locator(".turnings")).to_be_visible(timeout=TIMEOUT_MS)
    better = f'.coach button[data-show-coach*="|{seat}|"]'
    for _ in range(ROUNDS):
        if there(page, better):
            break
        page.locator("#replay-on").click()
    return f"#{page.locator(better).first.get_attribute('id')}"


def test_the_turns_that_mattered_most_are_in_view_whatever_the_coach_says(open_table: OpenTable) -> None:
    page = played(open_table).sit(0, 1, viewport={"width": 1280, "height": 800})
    advised(page, 1)
    for _ in range(3):
        expect(page.locator(".turnings")).to_be_in_viewport(ratio=1)
        expect(page.locator(".turnings button").last).to_be_in_viewport(ratio=1)
        page.locator("#replay-on").click()
        live(page)


@pytest.mark.parametrize("seats", [(1,), (0, 1)], ids=["alone", "shared"])
def test_the_coachs_move_is_shown_and_its_words_stay(open_table: OpenTable, seats: tuple[int, ...]) -> None:
    page = played(open_table).sit(*seats)
    button = advised(page, 1)
    comment, sheet = text(page.locator(".coach")), page.locator("[data-board]").inner_html()
    page.locator(button).click()
    expect(page.locator(button)).to_have_attribute("aria-current", "true")
    live(page)
    assert text(page.locator(".coach")) == comment
    assert page.locator("[data-board]").inner_html() != sheet
    page.locator("#replay-on").click()
    expect(page.locator(button)).not_to_have_attribute("aria-current", "true")
    assert text(page.locator(".coach")) == comment
