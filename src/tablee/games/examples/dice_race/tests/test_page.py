"""A third-party game in the browser, in the terminal and in simulations, by installation alone."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import PHONE, OpenTable, Screens, overflow, violations
from tests.browser.waiting import either, live

RUNNERS = ".bar button[data-move]"


def play_turn(page: Page) -> None:
    page.locator(RUNNERS).last.click()
    page.locator("#confirm").click()
    expect(page.locator("#confirm")).to_have_count(0)
    live(page)


@pytest.mark.browser
def test_a_whole_race_is_played_by_clicking(open_table: OpenTable) -> None:
    table = open_table("dice-race", ["Ada", "greedy"])
    page = table.sit(0)
    expect(page.locator("#bar-say")).to_contain_text("The die shows")
    assert violations(page) == []
    while table.see()["status"] != "over":
        if either(page, RUNNERS, ".player.won"):
            play_turn(page)
    expect(page.locator("#bar-say")).to_contain_text("wins!")
    expect(page.locator(".game-log li").nth(20)).to_be_attached()


@pytest.mark.browser
def test_the_start_page_offers_it_in_the_readers_language(screens: Screens) -> None:
    page = screens.show("/", **PHONE, locale="fr-FR")
    expect(page.get_by_role("heading", name="Course de dés")).to_be_visible()
    page.locator('form[action="/play/dice-race"] button').click()
    page.wait_for_url("**/t/*")
    live(page)
    expect(page.locator("#bar-say")).to_contain_text("Le dé montre")
    assert overflow(page) <= 0


def test_it_is_played_in_the_terminal() -> None:
    command = [sys.executable, "-m", "tablee", "play", "dice-race", "--seed", "1"]
    printed = subprocess.run(command, input="run 1\nrun 2\nq\ny\n", capture_output=True, text=True, check=True).stdout
    assert "The die shows" in printed
    assert "runs with runner 2" in printed


def test_it_is_simulated() -> None:
    command = [
        sys.executable,
        "-m",
        "tablee",
        "simulate",
        "dice-race",
        "--seats",
        "3",
        "--bots",
        "greedy,random",
        "--games",
        "200",
        "--json",
    ]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert found["games"] == 200
    assert found["mean_scores"][0] > found["mean_scores"][1]
