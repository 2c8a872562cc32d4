"""Mayflower in real Chromium: whole games by mouse, by keys alone, by touch and against bots, to the end page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tablee.games.mayflower.tests.conftest import FACES
from tablee.games.mayflower.tests.page import SMALL, TALL, answer, confirm, cut_off, free_site, my_turn, settle_and_confirm, whole_game
from tests.browser.table import BrowserTable, LateGame, OpenTable, Screens, overflow, violations
from tests.browser.waiting import either
from tests.rounds import MANY
from tests.server.process import ServerProcess

pytestmark = pytest.mark.browser


def check_end(table: BrowserTable, page: Page) -> None:
    """Assert that the end sheet's sums are the scores, and that it, the board and every number are inside the window."""
    scores = table.see()["scores"]
    rows = page.locator(".sheet-of-points tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent)))"
    )
    assert [sum(row[:-1]) for row in rows] == [row[-1] for row in rows]
    assert [row[-1] for row in rows] == sorted(scores, reverse=True)
    expect(page.locator("#bar-say")).to_contain_text(str(max(scores)))
    assert cut_off(page, "[data-board], #map, .sheet-of-points, .sheet-of-points td, .sheet-of-points th, #rematch, #finale-play") == []
    if MANY or len(scores) == 5:  # whose sheet is the largest
        assert violations(page) == []


LAST_TILES = 9  # of a whole box, which are laid by hand
PLACE = re.compile(
    r"^Column \d+, row -?\d+: (north|east|south|west) a (plain|town|road)( \([^)]+\))?(, .+)?;"
    r" fits turned [\d, ]+( or \d+)? degrees(; completes: .+)?$"
)


def test_two_friends_play_a_whole_game_by_mouse(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "Ben"], {"first": 0})
    page = table.sit(0, 1, **SMALL)
    assert whole_game(page, "click") >= FACES - 4
    check_end(table, page)


def test_five_fit_on_the_end_page_and_the_final_scoring_is_walked_through(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "random", "random", "random", "greedy"], {"first": 0})
    while table.play(0, "settle") or table.play(0) or table.see()["status"] != "over":
        pass
    page = table.sit(0, **SMALL)
    check_end(table, page)
    page.locator("#finale-play").click()
    expect(page.locator("#finale li.now")).to_have_count(1)
    for step in page.locator("#finale li").all():
        expect(step).to_have_class(re.compile("now"))
        place = step.get_attribute("data-place") or ""
        expect(page.locator("#extent")).to_have_attribute("data-at", re.compile(rf"(^|;){re.escape(place)}(;|$)"))
        page.locator("#finale-next").click()
    expect(page.locator("#finale")).to_be_hidden()
    phone = table.sit(0, **TALL)
    check_end(table, phone)
    phone.goto(f"{table.server.address}/t/{table.id}/picture.svg")
    assert phone.evaluate("document.documentElement.tagName") == "svg"
    expect(phone.locator("text.line")).to_have_count(5)


def test_a_whole_game_by_keys_alone(open_table: OpenTable) -> None:
    """Play with a screen reader too: the focused element names its place, its neighbours and its content."""
    table = open_table("mayflower", ["Ada", "random"], {"first": 0})
    page = table.sit(0)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.site')"):
            break
    while my_turn(page):
        expect(page.locator(".site:focus")).to_have_count(1)
        expect(page.locator("#drawn")).to_have_attribute("aria-label", re.compile(r"^Tile [A-Z]+: north a (plain|town|road), east a "))
        expect(page.locator("#bar-say")).to_contain_text(re.compile(r"north a (plain|town|road), east a "))
        page.keyboard.press("ArrowDown")
        expect(page.locator(".site:focus")).to_have_attribute("aria-label", PLACE)
        page.keyboard.press("Enter")
        while not either(page, "#confirm", "#choose-1"):
            answer(page, lambda: page.keyboard.press("1"))
        expect(page.locator("#confirm")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#confirm")).to_have_count(0)
    check_end(table, page)


def test_a_whole_game_on_a_phone(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "greedy"], {"first": 0})
    page = table.sit(0, **TALL)
    assert whole_game(page, "tap") >= FACES // 2 - 2
    assert overflow(page) <= 0
    check_end(table, page)


def test_the_end_of_a_whole_box_against_bots(own_server: ServerProcess, browser: Browser) -> None:
    """Play the end of a game whose other tiles are laid already."""
    screens = Screens(own_server, browser)
    table = LateGame(screens, "mayflower", 3, left=3 * LAST_TILES)
    page = table.sit(0)
    assert whole_game(page, "click") >= LAST_TILES // 3 - 1
    check_end(table, page)
    screens.close()
    assert not screens.complaints


def test_axe_has_no_complaint_at_any_step(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1)
    assert violations(page) == []
    page.locator(f'[id="{free_site(page)}"]').click()
    expect(page.locator("#drop")).to_be_visible()
    assert violations(page) == []
    settle_and_confirm(page, "click")
    for panel in ("holdings", "bag", "score-track"):
        page.locator(f"#open-{panel}").click()
        expect(page.locator(f"#{panel}")).to_be_visible()
        assert violations(page) == []
        page.keyboard.press("Escape")


def test_m8_the_player_chooses_what_is_scored_first(twins: Screens) -> None:
    table = BrowserTable(twins, "mayflower", ["Ada", "Ben"], {"first": 0})
    for move in ("lay 1,0 0", "pass", "lay 1,2 0", "pass", "lay 2,0 0", "settle town S", "lay 2,2 0", "settle town N"):
        play(table, move)
    page = table.sit(0, 1)
    page.locator('[id="site-2,1"]').click()
    page.locator("#pass").click()
    expect(page.locator(".choice")).to_have_count(2)
    expect(page.locator("#choose-2")).to_contain_text("for Ben")
    expect(page.locator(".waiting")).to_have_count(2)
    page.locator("#choose-2").hover()
    expect(page.locator("#extent .inside > *")).to_have_count(2)
    assert violations(page) == []
    page.locator("#choose-2").click()
    confirm(page, "click")
    expect(page.locator(".gain")).to_have_count(2)
    assert [player["score"] for player in table.see()["view"]["seats"]] == table.see()["scores"]


def play(table: BrowserTable, move: str) -> None:
    seen = table.see()
    seat = seen["to_act"][0]
    body: dict[str, Any] = {"move": move, "at": seen["version"], "id": f"{seen['version']}"}
    table.server.ask("POST", f"/api/tables/{table.id}/moves", body, token=table.tokens[seat])
