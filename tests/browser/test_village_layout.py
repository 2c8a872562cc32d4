"""Rolling Village fits every window: the whole sheet is visible, its cells are large enough to tap, and so is the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.table import DESKTOP, PHONE, OpenTable, overflow
from tests.browser.village import OPEN, play_round, totals
from tests.browser.waiting import box, live, until

pytestmark = pytest.mark.browser

SEATS = [1, 4, 12]
SIZES = {"desktop": (1280, 800), "large": (1920, 1080), "tablet": (1024, 768), "phone": (390, 844), "sideways": (844, 390)}
BOARD = {"desktop": 0.65, "large": 0.70, "phone": 0.55}  # the least share of the window
CELL = {"tablet": 44}  # the least side in pixels; 24 elsewhere (WCAG 2.5.8)

BOXES = """() => {
    const box = (each) => { const { left, top, right, bottom } = each.getBoundingClientRect(); return { left, top, right, bottom }; };
    return {
        board: box(document.querySelector("[data-board]")),
        sheet: box(document.querySelector(".sheet")),
        cells: [...document.querySelectorAll(".cell")].map(box),
        window: { left: 0, top: 0, right: innerWidth, bottom: innerHeight },
        scrolls: document.scrollingElement.scrollHeight - innerHeight,
    };
}"""

Box = dict[str, float]


def inside(inner: Box, outer: Box) -> bool:
    return (
        inner["left"] >= outer["left"] - 1
        and inner["top"] >= outer["top"] - 1
        and inner["right"] <= outer["right"] + 1
        and inner["bottom"] <= outer["bottom"] + 1
    )


def area(box: Box) -> float:
    return (box["right"] - box["left"]) * (box["bottom"] - box["top"])


def boxes(page: Page, size: str) -> dict[str, Any]:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    found: dict[str, Any] = page.evaluate(BOXES)
    return found


def check_sheet(page: Page, size: str) -> dict[str, Any]:
    """Check that the whole sheet is on the board, its cells are square and large enough, and the page does not scroll."""
    found = boxes(page, size)
    assert inside(found["sheet"], found["board"]), size
    assert inside(found["board"], found["window"]), size
    assert found["scrolls"] <= 0, size
    sides = [(cell["right"] - cell["left"], cell["bottom"] - cell["top"]) for cell in found["cells"]]
    assert all(abs(across - down) < 1 for across, down in sides), size
    assert min(side for cell in sides for side in cell) >= CELL.get(size, 24) - 0.01, size
    return found


def of_bots(seats: int) -> list[str]:
    return ["Ada"] + ["greedy"] * (seats - 1)


def all_inside(page: Page, size: str, others: Sequence[Locator]) -> bool:
    """Tell whether the other villages lie inside the board."""
    board = boxes(page, size)["board"]
    return all(inside(each.evaluate("each => each.getBoundingClientRect().toJSON()"), board) for each in others)


@pytest.mark.parametrize("seats", SEATS)
def test_the_sheet_fills_the_board_in_every_window(open_table: OpenTable, seats: int) -> None:
    page = open_table("rolling-village", of_bots(seats)).sit(0)
    for size in SIZES:
        found = check_sheet(page, size)
        assert area(found["board"]) >= BOARD.get(size, 0) * area(found["window"]), size
    for size in ("desktop", "large"):
        found = boxes(page, size)
        assert box(page.locator(".paper")).height >= 0.85 * (found["board"]["bottom"] - found["board"]["top"]), size
        others = page.locator(".others .other").all()
        until(page, partial(all_inside, page, size, others))


def twice_as_large(page: Page) -> None:
    """Set the browser's text size to 200 %."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})


@pytest.mark.parametrize("seats", SEATS)
def test_text_twice_as_large_leaves_the_sheet_whole(open_table: OpenTable, seats: int) -> None:
    page = open_table("rolling-village", of_bots(seats)).sit(0, prepare=twice_as_large)
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == 32
    for size in SIZES:
        found = boxes(page, size)
        assert inside(found["sheet"], found["board"]), size
        assert min(cell["right"] - cell["left"] for cell in found["cells"]) >= 24, size


def test_the_sheet_stays_where_it_is_whatever_is_said(open_table: OpenTable) -> None:
    page = open_table("rolling-village", of_bots(3)).sit(0)
    for size in ("desktop", "phone"):
        where = [boxes(page, size)["sheet"]]
        page.locator(OPEN).first.click()
        live(page)
        where.append(boxes(page, size)["sheet"])
        play_round(page)
        where.append(boxes(page, size)["sheet"])
        assert where[0] == where[1] == where[2], size


@pytest.mark.parametrize("seats", [2, 4, 12])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_end_is_read_at_a_glance(open_table: OpenTable, seats: int, size: str) -> None:
    table = open_table("rolling-village", of_bots(seats))
    table.finish()
    screen: dict[str, Any] = PHONE if size == "phone" else {}
    width, height = SIZES[size]
    page = table.sit(0, **{**screen, "viewport": {"width": width, "height": height}})
    expect(page.locator(".results")).to_be_visible()
    found = check_sheet(page, size)
    assert overflow(page) == 0
    for row in page.locator(".results .total, .results .name").all():
        assert inside(row.evaluate("each => each.getBoundingClientRect().toJSON()"), found["window"])
    results = page.locator(".results")
    assert inside(results.evaluate("each => each.getBoundingClientRect().toJSON()"), found["window"])
    assert list(totals(page).values()) == sorted(table.see()["scores"], reverse=True)
    for verb in ("#rematch", "#another", "#picture"):
        expect(page.locator(verb)).to_be_in_viewport()


@pytest.mark.parametrize("locale", ["en-US", "fr-FR", "it-IT"])
def test_every_button_of_the_end_is_whole_on_a_phone(open_table: OpenTable, locale: str) -> None:
    table = open_table("rolling-village", of_bots(2)).finish()
    page = table.sit(0, **PHONE, locale=locale)
    expect(page.locator(".results")).to_be_visible()
    cut = "each => each.scrollWidth > each.clientWidth || each.getBoundingClientRect().right > innerWidth"
    assert not any(button.evaluate(cut) for button in page.locator(".end-do > *").all())


WHOLE_SHEET = """least => {
    const [sheet, strip, board] = [".sheet", ".strip", "[data-board]"].map((each) => document.querySelector(each).getBoundingClientRect());
    const sums = [...document.querySelectorAll(".avenue .sums")].every((each) => each.getClientRects().length);
    return sheet.width >= least && sums && strip.height > 0 && strip.bottom <= board.bottom;
}"""


def test_alone_on_a_phone_the_end_and_its_scoring_leave_the_sheet_at_full_size(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada"])
    width, height = SIZES["phone"]
    page = table.sit(0, **{**PHONE, "viewport": {"width": width, "height": height}}, reduced_motion="no-preference")
    table.finish()
    expect(page.locator("#finale")).to_be_visible()
    page.wait_for_function(WHOLE_SHEET, arg=0.9 * width)
    expect(page.locator("#finale-skip")).not_to_be_visible()  # with one step it would do the same as "The result"
    page.locator("#finale-next").tap()
    expect(page.locator(".score-benchmark")).to_be_attached()
    page.wait_for_function(WHOLE_SHEET, arg=0.9 * width)


def test_enlarged_to_400_per_cent_the_page_scrolls_and_can_be_played(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada", "greedy"]).sit(0, viewport={"width": 320, "height": 256})
    assert overflow(page) == 0
    page.wait_for_function("document.querySelector('.cell').getBoundingClientRect().width >= 36")
    play_round(page)
    expect(page.locator(".round")).to_contain_text("Round 1 of 9")


SPACED = """* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
    p { margin-bottom: 2em !important }"""
CUT = """() => [...document.querySelectorAll(".round, .avenue .sums")].filter((each) => {
    const [{ top, bottom }, around] = [each.getBoundingClientRect(), each.parentElement.getBoundingClientRect()];
    const seen = document.elementFromPoint(each.getBoundingClientRect().right - 2, (top + bottom) / 2);
    return each.scrollWidth > each.clientWidth || top < around.top - 1 || bottom > around.bottom + 1 || !each.parentElement.contains(seen);
}).map((each) => each.textContent)"""


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_text_that_is_spaced_out_is_not_cut(open_table: OpenTable, screen: dict[str, Any]) -> None:
    page = open_table("rolling-village", ["Ada", "greedy"]).sit(0, **screen)
    page.add_style_tag(content=SPACED)
    assert page.evaluate(CUT) == []
