"""Axe finds nothing wrong whatever a game asks, in light and in dark: here `violations` always looks at both."""

from __future__ import annotations

import random
import re
from functools import partial
from operator import le

import pytest
from playwright.sync_api import Page

from tablee import games
from tests.browser.table import BrowserTable, LateGame, Screens, violations
from tests.browser.waiting import text, until
from tests.rounds import MANY

pytestmark = pytest.mark.browser

SHOWN = "Number(document.body.dataset.version ?? 0)"
FOLLOW = "document.addEventListener('tablee:now', ({ detail }) => { document.body.dataset.version = detail.version; })"
# What kinds of moves the page offers: a question in other words, of another tile or another die, is the same one.
OFFERED = "[...new Set(JSON.parse(document.getElementById('now').textContent).legal.map((move) => move.split(' ')[0]))].sort().join(' ')"
LOOKED_AT = 60  # moves; by then everything was asked


@pytest.mark.parametrize("key", games.known())
def test_nothing_is_wrong_with_any_question_of_a_game_nor_with_its_end(screens: Screens, key: str) -> None:
    """The player's moves come from elsewhere, and every question that is new is looked at on their screen."""
    table, luck = BrowserTable(screens, key, ["Ada", "greedy"]), random.Random(key)
    page = table.sit(0)
    page.evaluate(FOLLOW)
    asked = set[str]()
    while (version := play(table, luck)) is not None and version < LOOKED_AT:
        until(page, lambda: page.evaluate(SHOWN), partial(le, version))
        look(page, asked)
    assert len(asked) >= 2
    assert violations(LateGame(screens, key, 2).finish().sit(0), both=True) == []


def look(page: Page, asked: set[str]) -> None:
    question = re.sub(r"\d+", "", text(page.locator("#bar-say"))) if MANY else page.evaluate(OFFERED)
    if question not in asked:
        asked.add(question)
        assert violations(page, both=True) == []


def play(table: BrowserTable, luck: random.Random) -> int | None:
    """A move of the player, and the version that it led to; None at the end."""
    while not (seen := table.see(0))["legal"]:
        if seen["status"] == "over":
            return None
    body = {"move": luck.choice(seen["legal"]), "at": seen["version"], "id": f"{luck.getrandbits(60):x}"}
    version: int = table.server.ask("POST", f"/api/tables/{table.id}/moves", body, table.tokens[0])["version"]
    return version
