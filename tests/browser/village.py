"""Playing Rolling Village by hand: press open cells until the round is drawn, then Confirm."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.waiting import either, live, texts, there

Press = Callable[[Locator], None]
OPEN = ".cell.open, .avenue.pick"


def click(place: Locator) -> None:
    place.click()


def tap(place: Locator) -> None:
    place.tap()


def await_turn(page: Page) -> bool:
    """Wait for the turn or for the end; tell whether there is a round to play."""
    return either(page, "#bar.mine", ".results")


def draw_round(page: Page, press: Press = click) -> None:
    while not there(page, "#confirm"):
        press(page.locator(OPEN).first)
        live(page)


def play_round(page: Page, press: Press = click) -> None:
    draw_round(page, press)
    press(page.locator("#confirm"))
    expect(page.locator("#confirm")).to_have_count(0)
    live(page)


def play_to_the_end(page: Page, press: Press = click) -> None:
    while await_turn(page):
        play_round(page, press)


def totals(page: Page) -> dict[str, int]:
    """Return the villages in the order of the final table, with their totals."""
    names, sums = (texts(page.locator(f".results tbody tr {cell}")) for cell in (".name", ".total"))
    return dict(zip(names, map(int, sums), strict=True))


def focused(page: Page) -> Locator:
    return page.locator(":focus")


def tab_to(page: Page, selector: str, most: int = 60) -> None:
    """Press Tab until the selected element has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def walk_to(page: Page, goal: Locator) -> None:
    """Press arrow keys until the goal, in the same grid, has the focus."""
    for axis, back, forth in (("y", "ArrowUp", "ArrowDown"), ("x", "ArrowLeft", "ArrowRight")):
        steps = int(goal.get_attribute(f"data-{axis}") or 0) - int(focused(page).get_attribute(f"data-{axis}") or 0)
        for _ in range(abs(steps)):
            page.keyboard.press(forth if steps > 0 else back)
    expect(goal).to_be_focused()
