"""Axe finds no violation in any question of a game, in the light and in the dark theme."""

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
# The kinds of moves the page offers: a question about another tile or another die is the same question.
OFFERED = "[...new Set(JSON.parse(document.getElementById('now').textContent).legal.map((move) => move.split(' ')[0]))].sort().join(' ')"
MOVES_CHECKED = 60  # moves; by then every question has come up


@pytest.mark.parametrize("key", games.known())
def test_nothing_is_wrong_with_any_question_of_a_game_nor_with_its_end(screens: Screens, key: str) -> None:
    """The player's moves go through the API, and axe checks every new question on the player's screen."""
    table, rng = BrowserTable(screens, key, ["Ada", "greedy"]), random.Random(key)
    page = table.sit(0)
    page.evaluate(FOLLOW)
    asked = set[str]()
    while (version := play(table, rng)) is not None and version < MOVES_CHECKED:
        until(page, lambda: page.evaluate(SHOWN), partial(le, version))
        check_question(page, asked)
    assert len(asked) >= 2
    assert violations(LateGame(screens, key, 2).finish().sit(0), both=True) == []


def check_question(page: Page, asked: set[str]) -> None:
    question = re.sub(r"\d+", "", text(page.locator("#bar-say"))) if MANY else page.evaluate(OFFERED)
    if question not in asked:
        asked.add(question)
        assert violations(page, both=True) == []


def play(table: BrowserTable, rng: random.Random) -> int | None:
    """Play a random move of the player and return the new version; None at the end."""
    while not (seen := table.see(0))["legal"]:
        if seen["status"] == "over":
            return None
    body = {"move": rng.choice(seen["legal"]), "at": seen["version"], "id": f"{rng.getrandbits(60):x}"}
    version: int = table.server.ask("POST", f"/api/tables/{table.id}/moves", body, table.tokens[0])["version"]
    return version
