"""What a player does at the page, and where things are on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.table import PHONE, live

SMALL: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
TALL: dict[str, Any] = PHONE | {"viewport": {"width": 390, "height": 844}}


def free_site(page: Page) -> str:
    """The id of a place that lies open under the pointer; the whole map is shown if none does."""
    found = """() => [...document.querySelectorAll(".site")].find((site) => { const box = site.getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(".site") === site; })?.id"""
    expect(page.locator(".site").first).to_be_attached()
    if not page.evaluate(found):
        page.locator("#zoom-all").click()
        page.wait_for_timeout(300)
    return str(page.evaluate(found))


def my_turn(page: Page) -> bool:
    """Waits until this screen is asked for a tile, or the game is over."""
    expect(page.locator(".site, .sheet-of-points").first).to_be_attached()
    return page.locator(".sheet-of-points").count() == 0


def settle_and_confirm(page: Page, press: str) -> None:
    """The first settler or score that is offered, then Confirm; `press` is "click" or "tap". Where nobody can stand the page passes."""
    asked = page.locator("#confirm, #choose-1")
    expect(asked).to_be_visible()
    while asked.get_attribute("id") != "confirm":
        answer(page, getattr(page.locator("#choose-1"), press))
    confirm(page, press)


def answer(page: Page, act: Callable[[], None]) -> None:
    """Does something and waits until the bar asks something else."""
    was = page.locator("#bar").inner_html()
    act()
    page.wait_for_function("was => document.getElementById('bar').innerHTML !== was", arg=was)
    expect(page.locator("#confirm, #choose-1")).to_be_visible()


def confirm(page: Page, press: str) -> None:
    """Confirm; the log then tells in the same words what the page said would happen."""
    expect(page.locator("#confirm")).to_be_visible()
    foretold = page.locator("#bar-say .sentence").all_text_contents()
    assert foretold
    version = page.evaluate("document.getElementById('tale').textContent")
    getattr(page.locator("#confirm"), press)()
    page.wait_for_function("was => document.getElementById('tale').textContent !== was", arg=version)
    expect(page.locator("#confirm")).to_have_count(0)
    live(page)
    told = page.locator("#tale").evaluate("tale => tale.textContent.replace(/\\s+/g, ' ')")
    assert [sentence for sentence in foretold if sentence not in told] == []


def whole_game(page: Page, press: str) -> int:
    turns = 0
    while my_turn(page):
        getattr(page.locator(f'[id="{free_site(page)}"]'), press)()
        settle_and_confirm(page, press)
        turns += 1
    return turns


def cut_off(page: Page, what: str) -> list[str]:
    """Which of these elements are not wholly inside the window and inside whatever scrolls around them."""
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


def board(page: Page) -> dict[str, float]:
    found = page.locator("[data-board]").bounding_box()
    assert found
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


def middle_of(page: Page, what: str) -> tuple[float, float]:
    box = page.locator(what).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drafted(page: Page) -> list[str]:
    live(page)
    draft: list[str] = page.evaluate(
        "JSON.parse(Object.entries(sessionStorage).find(([name]) => name.includes('screen'))?.[1] ?? '{}').draft ?? []"
    )
    return draft


def out_of_pane(page: Page, what: str) -> list[str]:
    """Which of these have their middle outside the map's pane."""
    found: list[str] = page.evaluate(
        """what => { const pane = document.getElementById("map").getBoundingClientRect();
            return [...document.querySelectorAll(what)].filter((each) => { const box = each.getBoundingClientRect();
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                return x < pane.left || x > pane.right || y < pane.top || y > pane.bottom; }).map((each) => each.outerHTML); }""",
        what,
    )
    return found
