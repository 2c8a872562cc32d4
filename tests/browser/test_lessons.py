"""A first game of each by its tutorial: what wears the ring is tapped until the lesson is over."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tablee import games
from tablee.core import lesson
from tests.browser.table import PHONE, Screens, live, overflow, violations

TAUGHT = [key for key in games.known() if lesson.of_folder(games.folder(key))]
SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

pytestmark = pytest.mark.browser


def learn(screens: Screens, game: str, **screen: Any) -> Page:
    page = screens.show("/", **screen)
    page.locator(f"#learn-{game}").click()
    live(page)
    return page


def tap(page: Page) -> None:
    """Taps the middle of the ring."""
    page.evaluate(DRAWN)
    box = page.locator(".lesson-ring").first.bounding_box()
    assert box is not None
    (page.touchscreen.tap if page.evaluate("navigator.maxTouchPoints") else page.mouse.click)(
        box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    )
    live(page)


def follow(page: Page, taps: int = 200) -> None:
    for _ in range(taps):
        if page.locator("#real-game").count():
            return
        tap(page)


@pytest.mark.parametrize(
    ("game", "screen"),
    [*((game, {}) for game in TAUGHT), (TAUGHT[0], SMALL | {"locale": "fr-FR"}), (TAUGHT[-1], PHONE | {"locale": "it-IT"})],
)
def test_a_first_game_is_played_by_tapping_what_wears_the_ring(screens: Screens, game: str, screen: dict[str, Any]) -> None:
    page = learn(screens, game, **screen)
    follow(page, 5)
    said = page.locator("#lesson-note").inner_text()
    page.reload()
    live(page)
    expect(page.locator("#lesson-note")).to_have_text(said, use_inner_text=True)
    follow(page)
    expect(page.locator("#lesson-note li")).to_have_count(3)
    expect(page.locator(".player.me.won")).to_have_count(1)
    assert overflow(page) <= 0
    page.locator("#real-game").click()
    live(page)
    expect(page.locator("#lesson")).to_have_count(0)


def test_another_legal_move_is_answered_kindly_and_an_illegal_one_with_its_rule(screens: Screens) -> None:
    page = learn(screens, "rolling-village")
    assert not violations(page)
    page.locator("#cell-3B").click()
    expect(page.locator("#toast.good")).to_contain_text("That is allowed too!")
    page.locator("#cell-1A").click(force=True)
    expect(page.locator("#toast.shown:not(.good)")).to_contain_text("1A is not in a column that was rolled")
    tap(page)
    expect(page.locator("#lesson-note")).to_contain_text("Tap cell 4A")
    page.locator("#drop").click()
    expect(page.locator("#lesson-note")).to_contain_text("Tap cell 3A")
