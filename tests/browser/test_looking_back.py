"""Looking back at a finished game with the coach: its move is shown on the board, and what it said stays where it was."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import Opened, OpenTable, live

pytestmark = pytest.mark.browser

ROUNDS = 10  # with the set-up
PATIENCE = 60  # seconds: the coach looks at the whole game, on a machine that may be busy


def played(open_table: OpenTable) -> Opened:
    """A village of two people who always take the last move that they may make: the coach will have much to say."""
    table = open_table("rolling-village", ["Ada", "Bo"])
    while (seen := table.see())["status"] != "over":
        seat = seen["to_act"][0]
        seen = table.see(seat)
        body: dict[str, Any] = {"move": seen["legal"][-1], "at": seen["version"], "id": f"m{seen['version']}"}
        table.server.ask("POST", f"/api/tables/{table.id}/moves", body, table.tokens[seat])
    return table


def advised(page: Page, seat: int) -> str:
    """Goes to the first turn in which the coach would have played something else for this seat; returns what shows it, as a selector."""
    page.locator("#replay-open").click()
    coach = page.locator(".coach p")
    for _ in range(PATIENCE):  # a room that is not compiled yet has no coach: whoever looks again asks again
        page.locator("#replay-at").press("End")
        page.wait_for_timeout(1000)
        page.locator("#replay-at").press("Home")
        if coach.count():
            break
    expect(page.locator(".coach .turnings")).to_be_visible(timeout=1000 * PATIENCE)
    better = page.locator(f'.coach button[data-show-coach*=" {seat} "]')
    for _ in range(ROUNDS):
        if better.count():
            break
        page.locator("#replay-on").click()
        page.wait_for_timeout(100)
        live(page)
    return f"#{better.first.get_attribute('id')}"


@pytest.mark.parametrize("seats", [(1,), (0, 1)], ids=["alone", "shared"])
def test_the_coachs_move_is_shown_and_its_words_stay(open_table: OpenTable, seats: tuple[int, ...]) -> None:
    page = played(open_table).sit(*seats)
    button = advised(page, 1)
    said, sheet = page.locator(".coach").inner_text(), page.locator("[data-board]").inner_html()
    page.locator(button).click()
    expect(page.locator(button)).to_have_attribute("aria-current", "true")
    live(page)
    assert page.locator(".coach").inner_text() == said
    assert page.locator("[data-board]").inner_html() != sheet
    page.locator("#replay-on").click()
    expect(page.locator(button)).not_to_have_attribute("aria-current", "true")
    assert page.locator(".coach").inner_text() == said
