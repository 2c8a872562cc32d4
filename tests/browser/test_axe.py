"""Axe finds nothing wrong whatever a game asks, in light and in dark (`violations` looks at both)."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page

from tablee import games
from tests.browser.table import Opened, OpenTable, violations

pytestmark = pytest.mark.browser

SHOWN = "version => Number(document.body.dataset.version) >= version"
FOLLOW = "document.addEventListener('tablee:now', ({ detail }) => { document.body.dataset.version = detail.version; })"
LOOKED_AT = 60  # moves; by then everything was asked, and the rest is played without looking


@pytest.mark.parametrize("key", games.known())
def test_nothing_is_wrong_with_any_question_of_a_whole_game(open_table: OpenTable, key: str) -> None:
    """The player's moves come from elsewhere, and every question that is new is looked at on their screen."""
    table, luck = open_table(key, ["Ada", "greedy"]), random.Random(key)
    page = table.sit(0)
    page.evaluate(FOLLOW)
    asked = set[str]()
    while (version := play(table, luck)) is not None and version < LOOKED_AT:
        page.wait_for_function(SHOWN, arg=version)
        look(page, asked)
    page.context.close()
    while version is not None:
        version = play(table, luck)
    assert violations(table.sit(0)) == []
    assert len(asked) >= 2


def look(page: Page, asked: set[str]) -> None:
    question = re.sub(r"\d+", "", page.locator("#bar-say").inner_text())
    if question not in asked:
        asked.add(question)
        assert violations(page) == []


def play(table: Opened, luck: random.Random) -> int | None:
    """A move of the player, and the version that it led to; None at the end."""
    while not (seen := table.see(0))["legal"]:
        if seen["status"] == "over":
            return None
    body = {"move": luck.choice(seen["legal"]), "at": seen["version"], "id": f"{luck.getrandbits(60):x}"}
    version: int = table.server.ask("POST", f"/api/tables/{table.id}/moves", body, table.tokens[0])["version"]
    return version
