"""Axe finds nothing wrong whatever a game asks, in light and in dark (`violations` looks at both)."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page

from tablee import games
from tests.browser.table import Opened, OpenTable, violations

pytestmark = pytest.mark.browser

FOLLOW = "document.addEventListener('tablee:now', ({ detail }) => { document.body.dataset.version = detail.version; })"
MOVES = 400


@pytest.mark.parametrize("key", games.known())
def test_nothing_is_wrong_with_any_question_of_a_whole_game(open_table: OpenTable, key: str) -> None:
    """The player's moves come from elsewhere, and every question that is new is looked at on their screen."""
    table, luck = open_table(key, ["Ada", "greedy"]), random.Random(key)
    page = table.sit(0)
    page.evaluate(FOLLOW)
    asked = set[str]()
    for _ in range(MOVES):
        look(page, asked)
        if not play(table, page, luck):
            break
    assert table.see()["status"] == "over"
    assert violations(page) == []
    assert len(asked) > 2


def look(page: Page, asked: set[str]) -> None:
    question = re.sub(r"\d+", "", page.locator("#bar-say").inner_text())
    if question not in asked:
        asked.add(question)
        assert violations(page) == []


def play(table: Opened, page: Page, luck: random.Random) -> bool:
    """A move of the player, shown on the screen; False at the end."""
    while not (seen := table.see(0))["legal"]:
        if seen["status"] == "over":
            return False
    body = {"move": luck.choice(seen["legal"]), "at": seen["version"], "id": f"{luck.getrandbits(60):x}"}
    after = table.server.ask("POST", f"/api/tables/{table.id}/moves", body, table.tokens[0])["version"]
    page.wait_for_function("version => document.body.dataset.version >= version", arg=after)
    return True
