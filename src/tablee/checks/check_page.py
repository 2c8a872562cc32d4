"""The page of every game: the board has its share of every window, texts are legible, nothing is cut off, and axe finds no violation."""

from __future__ import annotations

import random
import re
from functools import partial
from operator import le

import pytest
from playwright.sync_api import Page, expect

from tablee import games
from tablee.checks.browser import PHONE, BrowserTable, LateGame, OpenTable, Screens, overflow, violations
from tablee.checks.rounds import MANY
from tablee.checks.waiting import text, until

pytestmark = pytest.mark.browser

LAPTOP, WIDE = {"viewport": {"width": 1280, "height": 800}}, {"viewport": {"width": 1920, "height": 1080}}
UPRIGHT = PHONE | {"viewport": {"width": 390, "height": 844}}
SMALL_PHONE = PHONE | {"viewport": {"width": 360, "height": 640}}
TABLET, LYING = {"viewport": {"width": 1024, "height": 768}}, PHONE | {"viewport": {"width": 844, "height": 390}}
SHARES = {
    "1280x800": (LAPTOP, 0.65),
    "1920x1080": (WIDE, 0.70),
    "390x844": (UPRIGHT, 0.6),
    "360x640": (SMALL_PHONE, 0.45),
    "1024x768": (TABLET, 0.5),
    "844x390": (LYING, 0.5),
}
BOARD = "(({x, y, width, height}) => [x, y, width, height])(document.querySelector('[data-board]').getBoundingClientRect())"

SMALL = """() => [...document.querySelectorAll("body *")].filter((each) => {
    const speaks = [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    return speaks && !each.closest("svg") && each.getClientRects().length && parseFloat(getComputedStyle(each).fontSize) < 12;
}).map((each) => `${each.tagName}.${each.className} ${getComputedStyle(each).fontSize}: ${each.textContent.trim().slice(0, 30)}`)"""
CUT = """() => [...document.querySelectorAll("#end table :is(td, th), .player :is(.name, .score)")].filter((each) => {
    const box = each.getBoundingClientRect();
    return each.getClientRects().length && (box.left < -1 || box.right > innerWidth + 1);
}).map((each) => each.textContent.trim())"""
SCORES = "all => all.map((each) => parseInt(each.textContent))"

SHOWN = "Number(document.body.dataset.version ?? 0)"
FOLLOW = "document.addEventListener('tablee:now', ({ detail }) => { document.body.dataset.version = detail.version; })"
# The kinds of moves the page offers: a question about another tile or another die is the same question.
OFFERED = "[...new Set(JSON.parse(document.getElementById('now').textContent).legal.map((move) => move.split(' ')[0]))].sort().join(' ')"
MOVES_CHECKED = 60  # moves; by then every question has come up


def begun(open_table: OpenTable, room: str, most: bool = False) -> BrowserTable:
    """Open a table at which the first seat is to act, with two seats or with as many as possible."""
    game = games.find(room)
    seats = ["Ada", *["greedy"] * ((game.seats[-1] if most else max(2, game.seats[0])) - 1)]
    first = {"first": 0} if any(option.key == "first" for option in game.options) else {}
    return open_table(room, seats, first)


def share(page: Page) -> float:
    _, _, width, height = page.evaluate(BOARD)
    return float(width * height / page.evaluate("innerWidth * innerHeight"))


def scrolls(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollHeight > innerHeight || document.body.scrollHeight > innerHeight"))


def test_the_board_has_its_share_of_the_window_and_nothing_scrolls(open_table: OpenTable, key: str) -> None:
    """One device of each kind is resized and rotated; with TABLEE_ROUNDS=many every size is its own device."""
    table = begun(open_table, key, most=True)
    devices = dict[bool, Page]()
    for size, (screen, least) in SHARES.items():
        kind = screen.get("is_mobile", False)
        if MANY or kind not in devices:
            devices[kind] = table.sit(0, **screen)
        page = devices[kind]
        page.set_viewport_size(screen["viewport"])
        until(page, partial(share, page), partial(le, least))
        assert not scrolls(page), size
        assert overflow(page) == 0, size
        assert page.evaluate(SMALL) == [], size
        expect(page.locator(".player .score")).to_have_count(len(table.tokens))


def test_the_end_shows_everybodys_points_beside_the_board(screens: Screens, key: str) -> None:
    table = LateGame(screens, key, games.find(key).seats[-1]).finish()
    for screen in (LAPTOP, UPRIGHT):
        page = table.sit(0, **screen)
        expect(page.locator("#end")).to_be_visible()
        assert not scrolls(page)
        assert page.evaluate(CUT) == []
        expect(page.locator("[data-board]")).to_be_in_viewport(ratio=0.99)
        for seat in page.locator(".player").all():
            expect(seat).to_be_in_viewport(ratio=0.9)
        assert sorted(page.locator(".player .score").evaluate_all(SCORES)) == sorted(table.see()["scores"])
        assert violations(page) == []
        assert page.evaluate(SMALL) == []


def test_nothing_is_wrong_with_any_question_of_a_game_nor_with_its_end(screens: Screens, key: str) -> None:
    """The player's moves go through the API, and axe checks every new question on the player's screen."""
    table, rng = BrowserTable(screens, key, ["Ada", "greedy"]), random.Random(key)
    page = table.sit(0)
    page.evaluate(FOLLOW)
    asked = set[str]()
    while (version := play(table, rng)) is not None and version < MOVES_CHECKED:
        until(page, lambda: page.evaluate(SHOWN), partial(le, version))
        check_question(page, asked)
    assert asked
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
