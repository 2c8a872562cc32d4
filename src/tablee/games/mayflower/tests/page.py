"""Page helpers: the actions of a player, and the positions of elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import PHONE
from tests.browser.waiting import ElementBox, box, either, live, there, until

SMALL: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
TALL: dict[str, Any] = PHONE | {"viewport": {"width": 390, "height": 844}}


def free_site(page: Page) -> str:
    """Return the id of a place that nothing covers; if there is none, press *More places* or *Follow the game* first."""
    found = """() => [...document.querySelectorAll(".site")].find((site) => { const box = site.getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(".site") === site; })?.id"""
    expect(page.locator(".site").first).to_be_attached()
    live(page)
    if not page.evaluate(found):
        page.locator("#elsewhere" if there(page, "#elsewhere:visible") else "#zoom-all").click()
    return str(until(page, lambda: page.evaluate(found)))


def my_turn(page: Page) -> bool:
    """Wait until this page asks for a tile, or the game is over; return whether it asks."""
    return either(page, ".site", ".sheet-of-points")


def settle_and_confirm(page: Page, press: str) -> None:
    """Choose the first settler or score offered, then confirm; `press` is "click" or "tap".

    Where nobody can stand, the page passes by itself.
    """
    while not either(page, "#confirm", "#choose-1"):
        answer(page, getattr(page.locator("#choose-1"), press))
    confirm(page, press)


def answer(page: Page, act: Callable[[], None]) -> None:
    """Call `act` and wait until the bar has changed and offers a choice again."""
    live(page)
    was = page.locator("#bar").inner_html()
    act()
    live(page)  # before, the bar only shows what was pressed
    until(page, page.locator("#bar").inner_html, lambda bar: bar != was)
    expect(page.locator("#confirm, #choose-1")).to_be_visible()


def confirm(page: Page, press: str) -> None:
    """Confirm, and assert that the log has the very sentences of the preview."""
    expect(page.locator("#confirm")).to_be_visible()
    live(page)
    previewed = page.locator("#bar-say .sentence").all_text_contents()
    assert previewed
    was = page.locator("#tale").text_content()
    getattr(page.locator("#confirm"), press)()
    until(page, page.locator("#tale").text_content, lambda log: log != was)
    expect(page.locator("#confirm")).to_have_count(0)
    live(page)
    logged = page.locator("#tale").evaluate("tale => tale.textContent.replace(/\\s+/g, ' ')")
    assert [sentence for sentence in previewed if sentence not in logged] == []


def whole_game(page: Page, press: str) -> int:
    turns = 0
    while my_turn(page):
        getattr(page.locator(f'[id="{free_site(page)}"]'), press)()
        settle_and_confirm(page, press)
        turns += 1
    return turns


def cut_off(page: Page, what: str) -> list[str]:
    """Return the elements that are not wholly inside the window and their scrolling ancestors."""
    found: list[str] = page.evaluate(
        """what => [...document.querySelectorAll(what)].filter((each) => {
            const box = each.getBoundingClientRect();
            const frames = [document.documentElement, ...["#end", ".stage-column"].map((name) => each.closest(name)).filter(Boolean)];
            return !box.width || frames.some((frame) => { const around = frame.getBoundingClientRect();
                return box.left < around.left - 1 || box.right > Math.min(innerWidth, around.right) + 1 || box.top < around.top - 1
                    || box.bottom > Math.min(innerHeight, around.bottom) + 1; });
        }).map((each) => each.outerHTML.slice(0, 120))""",
        what,
    )
    return found


def where(page: Page) -> dict[str, float]:
    moved: dict[str, float] = page.evaluate("(({a, e, f}) => ({a, e, f}))(new DOMMatrix(document.getElementById('chart').style.transform))")
    return moved


def board(page: Page) -> ElementBox:
    return box(page.locator("[data-board]"))


def middle_of(page: Page, what: str) -> tuple[float, float]:
    return box(page.locator(what)).middle


def drafted(page: Page) -> list[str]:
    live(page)
    draft: list[str] = page.evaluate(
        "JSON.parse(Object.entries(localStorage).find(([name]) => name.endsWith('-screen'))?.[1] ?? '{}').draft ?? []"
    )
    return draft


def out_of_pane(page: Page, what: str) -> list[str]:
    """Return the elements whose middle lies outside the map's pane."""
    found: list[str] = page.evaluate(
        """what => { const pane = document.getElementById("map").getBoundingClientRect();
            return [...document.querySelectorAll(what)].filter((each) => { const box = each.getBoundingClientRect();
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                return x < pane.left || x > pane.right || y < pane.top || y > pane.bottom; }).map((each) => each.outerHTML); }""",
        what,
    )
    return found
