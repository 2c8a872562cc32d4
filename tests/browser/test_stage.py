"""The stage of every room: the board has its share of the window and does not move, texts are legible, and the end shows the scoring.

Rooms are found at run time.
"""

from __future__ import annotations

from typing import Any
from urllib.error import HTTPError

import pytest
from playwright.sync_api import Page, expect

from tablee import games
from tablee.checks.check_page import BOARD, LAPTOP, LYING, UPRIGHT, begun, share
from tests.browser.table import DESKTOP, PHONE, BrowserTable, LateGame, OpenTable, Screens, larger, overflow, violations
from tests.browser.waiting import box, live, there, until
from tests.rounds import rounds

pytestmark = pytest.mark.browser

ROOMS = list(games.known())
ONE = rounds(few=["amerique-1500"], many=ROOMS)  # the room with most to show; the rest of the stage is the same in every room


def shown_on(every: dict[str, dict[str, Any]], one: dict[str, dict[str, Any]]) -> list[Any]:
    """Return pairs of room and screen: every room on the first screen, the smallest, and one on the others; all with MANY."""
    screens = [(room, name, screen) for room in ROOMS for name, screen in every.items()]
    screens += [(room, name, screen) for room in ONE for name, screen in one.items()]
    return [pytest.param(room, screen, id=f"{room}-{name}") for room, name, screen in screens]


def try_on(page: Page) -> bool:
    """Add the last of the offered moves to the draft; return False once the turn is complete."""
    if there(page, "#confirm"):
        return False
    page.evaluate("""() => { const { legal } = JSON.parse(document.getElementById("now").textContent);
        document.dispatchEvent(new CustomEvent("tablee:try", { detail: legal.at(-1) })); }""")
    live(page)
    return True


@pytest.mark.parametrize(("room", "screen"), shown_on({"phone": UPRIGHT}, {"desktop": DESKTOP, "phone lying": LYING}))
def test_the_board_stays_where_it_is_until_confirm(open_table: OpenTable, room: str, screen: dict[str, Any]) -> None:
    page = begun(open_table, room).sit(0, **screen)
    expect(page.locator("#bar.mine")).to_be_visible()
    start, verbs = page.evaluate(BOARD), box(page.locator(".main-actions"))
    while try_on(page):
        assert page.evaluate(BOARD) == start
        assert box(page.locator(".main-actions")) == verbs
    page.locator("#confirm").click()
    expect(page.locator("#confirm")).to_have_count(0)
    assert page.evaluate(BOARD) == start


# Returns texts, pictures and buttons of the header and of the bar that overlap each other or are cut off.
MESS = """() => {
    const hidden = ({ visibility, clipPath }) => visibility === "hidden" || clipPath !== "none";
    const shown = (each) => each.getClientRects().length && !each.closest(".visually-hidden") && !hidden(getComputedStyle(each));
    const drawn = (each) => each.matches("svg") || (own(each).length && !each.closest("svg"));
    const name = (each) => `${each.tagName} ${each.id || each.getAttribute("class")}: ${each.textContent.trim().slice(0, 30)}`;
    const within = (low, high, from, to) => Math.min(high, to) - Math.max(low, from) > 3;
    const over = (a, b) => within(a.left, a.right, b.left, b.right) && within(a.top, a.bottom, b.top, b.bottom);
    const out = (a, edge) => a.top < edge.top - 3 || a.bottom > edge.bottom + 3 || a.left < edge.left - 3 || a.right > edge.right + 3;
    const own = (each) => [...each.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    const boxesOf = (each) => each.matches("svg") ? [each.getBoundingClientRect()] : own(each).flatMap((node) => {
        const range = document.createRange();
        range.selectNode(node);
        return [...range.getClientRects()];
    });
    const column = document.querySelector(".stage-column");
    column.scrollTop = 0;
    const fixed = getComputedStyle(document.querySelector(".main-actions")).position === "fixed"
        || column.scrollHeight > column.clientHeight;
    const above = (each) => fixed && each.closest(".main-actions"); // the rest is scrolled under them
    const things = [...document.querySelectorAll(".top *, .bar *, .players *")].filter((each) => drawn(each) && shown(each));
    const placed = things.flatMap((each) => boxesOf(each).map((box) => [each, box]));
    const mess = placed.filter(([, box]) => box.left < -1 || box.right > innerWidth + 1).map(([each]) => `${name(each)} is outside`);
    placed.forEach(([one, a], number) => placed.slice(number + 1).forEach(([other, b]) => {
        if (!one.contains(other) && !(above(one) || above(other)) && over(a, b)) mess.push(`${name(one)} lies over ${name(other)}`);
    }));
    for (const [each, box] of placed.filter(([each]) => !each.closest(".news, .name, .last, h1.crumb"))) {
        for (let around = each.parentElement; !around.matches(".stage-column, .top, body"); around = around.parentElement) {
            const cuts = getComputedStyle(around).overflow !== "visible" && out(box, around.getBoundingClientRect());
            if (cuts) mess.push(`${name(each)} is cut by ${name(around)}`);
        }
    }
    return mess;
}"""
SCROLLED = """(button) => { for (let around = button.parentElement; around !== document.body; around = around.parentElement) {
    if (getComputedStyle(around).overflowY !== "visible" && around.scrollHeight > around.clientHeight + 1) return around.className;
} return ""; }"""


@pytest.mark.parametrize(("room", "screen"), shown_on({"phone": UPRIGHT}, {"laptop": LAPTOP}))
def test_text_twice_as_large_hides_nothing(open_table: OpenTable, room: str, screen: dict[str, Any]) -> None:
    page = begun(open_table, room).sit(0, prepare=larger, locale="fr-FR", **screen)
    assert overflow(page) == 0
    assert share(page) > 0.2
    assert page.evaluate(MESS) == []
    for part in (".whose", "#bar-say", ".main-actions", ".player.me .score"):
        page.locator(part).scroll_into_view_if_needed()
        expect(page.locator(part)).to_be_in_viewport(ratio=0.9)
    for button in page.locator("button[data-focus]").all()[:1]:  # the one to press now
        assert button.evaluate(SCROLLED) == ""
    while try_on(page):
        assert page.evaluate(MESS) == []
    expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)


def await_the_coach(table: BrowserTable, page: Page) -> None:
    """Wait until it is the first seat's turn and the room is compiled."""

    def advised() -> bool:
        try:
            table.server.ask("POST", f"/api/tables/{table.id}/hint", {}, table.tokens[0])
        except HTTPError as refused:
            if refused.code != 409:
                raise
            return False
        return True

    until(page, advised)


@pytest.mark.parametrize("room", ONE)
def test_a_hint_lays_a_whole_turn_on_the_board(open_table: OpenTable, room: str) -> None:
    """The hint reaches up to the next move of others or of nature, so only Confirm is left to press."""
    table = open_table(room, ["Ada", "greedy"])
    page = table.sit(0)
    await_the_coach(table, page)
    expect(page.locator("#confirm")).to_have_count(0)
    page.locator("#hint").click()
    expect(page.locator("#toast.shown")).to_contain_text("The coach would ")
    expect(page.locator("#confirm")).to_be_visible()


def test_a_hint_lies_over_the_header_and_goes_with_the_next_tap(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada", "greedy"]).sit(0, **PHONE)
    move = page.evaluate("JSON.parse(document.getElementById('now').textContent).legal[0]")
    hint = {"move": move, "moves": [move], "sentence": "The coach would draw a House on 1A.", "why": "It also looks best right away."}
    page.route("**/hint", lambda route: route.fulfill(json=hint))
    page.locator("#hint").tap()
    toast = page.locator("#toast.shown")
    expect(toast).to_contain_text(hint["sentence"])
    assert box(toast).height <= box(page.locator("[data-board]")).top
    page.locator("#why").tap()
    expect(toast).to_contain_text(hint["why"])
    page.locator(".whose").tap()
    expect(toast).to_have_count(0)


PICTURED = [key for key in ROOMS if (games.folder(key) / "templates" / "picture.svg").exists()]


@pytest.mark.parametrize("room", rounds(few=PICTURED[:1], many=PICTURED))
def test_the_final_board_can_be_saved_as_a_picture(screens: Screens, room: str) -> None:
    table = LateGame(screens, room, 2).finish()
    page = table.sit(0)
    with page.expect_download() as download:
        page.locator("#picture").click()
    assert download.value.suggested_filename == f"{room}-{table.id}.png"
    assert download.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("room", rounds(few=["rolling-village"], many=["mayflower", "rolling-village"]))
def test_the_final_scoring_is_stepped_through_and_can_be_skipped(screens: Screens, room: str) -> None:
    table = LateGame(screens, room, 2).finish()
    page = table.sit(0)
    expect(page.locator("#finale")).to_be_hidden()
    page.locator("#finale-play").click()
    expect(page.locator("#finale li.now")).to_have_count(1)
    for step in page.locator("#finale li").all():
        expect(step).to_be_visible()
        expect(page.locator("#finale li.now")).to_have_count(1)
        page.locator("#finale-next").click()
    expect(page.locator("#finale")).to_be_hidden()
    page.locator("#finale-play").click()
    page.keyboard.press("Escape")
    expect(page.locator("#finale")).to_be_hidden()


def test_a_rematch_takes_everybody_along(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    for seat in (0, 1) * 40:
        while seat in (seen := table.see(seat))["to_act"]:
            body = {"move": seen["legal"][0], "at": seen["version"], "id": f"m{seen['version']}"}
            table.server.ask("POST", f"/api/tables/{table.id}/moves", body, token=table.tokens[seat])
    ada, bo = table.sit(0), table.sit(1)
    ada.get_by_role("button", name="Play again").click()
    ada.wait_for_url(lambda url: table.id not in url)
    live(ada)
    expect(ada.locator(".player.me .name")).to_contain_text("Ada")
    expect(bo.get_by_text("Ada invites you to play again")).to_be_visible()
    bo.get_by_role("link", name="Join").click()
    bo.wait_for_url(lambda url: table.id not in url)
    live(bo)
    expect(bo.locator(".player.me .name")).to_contain_text("Bo")
    expect(ada.locator(".away")).to_have_count(0)
    assert ada.url == bo.url


def test_single_letters_can_be_switched_off_and_the_device_remembers(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada"])
    page = table.sit(0)
    page.locator("#open-preferences").click()
    page.get_by_label("Single letters and digits work as shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_hidden()
    page.reload()
    live(page)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_hidden()
    page.locator("#help").click()
    expect(page.locator("#keys")).to_contain_text("Enter")


def test_on_a_touch_screen_the_question_mark_offers_help_instead_of_keys(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada"]).sit(0, **PHONE)
    page.locator("#help").tap()
    for offered in (page.get_by_role("link", name="The rules, and one turn in pictures"), page.locator("#keys .lesson-offer button")):
        expect(offered).to_be_in_viewport()
    expect(page.locator("#keys .by-keys")).to_be_hidden()
    assert not violations(page)


def test_what_the_others_do_is_announced_once(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    page = table.sit(0)
    expect(page.locator("#herald")).to_be_empty()
    for seat in (0, 1):
        while seat in (seen := table.see(seat))["to_act"] and len(seen["log"]) < 5:
            body = {"move": seen["legal"][0], "at": seen["version"], "id": f"m{seen['version']}"}
            table.server.ask("POST", f"/api/tables/{table.id}/moves", body, token=table.tokens[seat])
    expect(page.locator("#herald")).to_contain_text("The dice show")
    announced = page.locator("#herald").text_content()
    page.evaluate("document.dispatchEvent(new CustomEvent('tablee:draft', { detail: [] }))")
    live(page)
    assert page.locator("#herald").text_content() == announced
