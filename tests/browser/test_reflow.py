"""WCAG 1.4.10, 1.4.12 and 2.5.8, and forced colours: every page at 400 %, with spaced text, and in the colours of the system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tablee import games
from tablee.core import tutorial
from tests.browser.by_ear import Listener
from tests.browser.table import DESKTOP, PHONE, BrowserTable, Screens, overflow
from tests.browser.waiting import becomes, live
from tests.rounds import rounds

pytestmark = pytest.mark.browser

ROOMS = [key for key in games.known() if tutorial.load_tutorial(games.folder(key))]  # the room of the tests is an example of code
ENLARGED: ViewportSize = {"width": 320, "height": 256}  # 1280 x 1024 at 400 %
SPACED = """* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
    p { margin-bottom: 2em !important }"""
# Returns texts that an element around them cuts off. What scrolls and what pans can be brought into sight; names may be shortened.
CUT = """() => {
    const shown = (each) => each.checkVisibility({ visibilityProperty: true }) && getComputedStyle(each).clipPath === "none";
    const own = (each) => [...each.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    const box = (node) => { const range = document.createRange(); range.selectNode(node); return range.getBoundingClientRect(); };
    const cut = (node) => {
        const { left, top, right, bottom } = box(node);
        let across = true, down = true;
        for (let around = node.parentElement; around !== document.body; around = around.parentElement) {
            const { overflowX, overflowY } = getComputedStyle(around), edge = around.getBoundingClientRect();
            across &&= !["auto", "scroll"].includes(overflowX);
            down &&= !["auto", "scroll"].includes(overflowY);
            if (across && overflowX !== "visible" && (left < edge.left - 3 || right > edge.right + 3)) return true;
            if (down && overflowY !== "visible" && (top < edge.top - 3 || bottom > edge.bottom + 3)) return true;
        }
        return across && (left < -1 || right > innerWidth + 1);
    };
    const texts = [...document.querySelectorAll("body *:not(script, style, option)")].filter((each) => own(each).length && shown(each)
        && !each.closest("svg, .ruler, .visually-hidden, .skip, .name, .last, .news, h1.crumb"));
    return texts.filter((each) => own(each).some(cut)).map((each) => `${each.tagName}.${each.className}: ${each.textContent.trim()}`);
}"""
# Returns targets under 24 x 24 px. Links within a sentence are exempt, and so is a target with 24 px around its middle to itself.
SMALL = """() => {
    const shown = (each) => each.checkVisibility({ visibilityProperty: true }) && getComputedStyle(each).clipPath === "none";
    const pressed = (each) => each.closest("label") ?? each;
    const found = [...document.querySelectorAll("a[href], button:enabled, input:enabled, select:enabled, summary, [role=button]")];
    const targets = found.filter((each) => shown(each) && !each.closest(".skip, .visually-hidden")).map((each) => pressed(each));
    const boxes = targets.map((each) => [each, each.getBoundingClientRect()]);
    const middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const alone = ([each, box]) => boxes.every(([other, its]) => {
        const [[x, y], [left, top, right, bottom]] = [middle(box), [its.left, its.top, its.right, its.bottom]];
        return other === each || Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) >= 12;
    });
    const small = boxes.filter(([each, box]) => Math.min(box.width, box.height) < 23.99 && getComputedStyle(each).display !== "inline");
    return small.filter((each) => !alone(each)).map(([each, box]) => `${each.outerHTML.slice(0, 120)} ${box.width} x ${box.height}`);
}"""
# Returns how well the outlines of these elements stand out from the ground, a colour.
OUTLINES = """([selector, outline, ground]) => {
    const probe = (document.getElementById("map") ?? document.body).appendChild(document.createElement("p"));
    probe.style.color = ground;
    const lights = (color) => color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const light = (color) => lights(color).reduce((sum, part, number) => sum + part * [0.2126, 0.7152, 0.0722][number], 0.05);
    const ratio = (one, other) => Math.max(one, other) / Math.min(one, other);
    return [...document.querySelectorAll(selector)]
        .map((each) => ratio(light(getComputedStyle(each)[outline]), light(getComputedStyle(probe).color)));
}"""

SITES = [".site:not(.taken) rect", "stroke"]


def table(screens: Screens, room: str, **screen: Any) -> Page:
    first = {"first": 0} if any(option.key == "first" for option in games.find(room).options) else {}
    return BrowserTable(screens, room, ["Ada", "greedy", "greedy"], first).sit(0, **screen)


def look_back(screens: Screens, **screen: Any) -> Page:
    page = BrowserTable(screens, "rolling-village", ["Ada", "greedy"]).finish().sit(0, **screen)
    page.locator("#replay-open").click()
    page.locator("#replay-back").click()
    live(page)
    return page


def lesson(screens: Screens, **screen: Any) -> Page:
    page = screens.show("/", **screen)
    page.locator("#learn-mayflower").click()
    live(page)
    return page


def lobby(screens: Screens, **screen: Any) -> Page:
    page = screens.show("/", **screen)
    page.locator("form[action='/new/rolling-village'] button").click()
    expect(page.locator("#start")).to_be_visible()
    return page


def organiser(screens: Screens, **screen: Any) -> Page:
    page = screens.show("/class", **screen)
    page.get_by_role("textbox").fill("5B")
    page.keyboard.press("Enter")
    expect(page.locator(".club-code")).to_be_visible()
    return page


def start(screens: Screens, **screen: Any) -> Page:
    return screens.show("/", **screen)


Opened = Callable[..., Page]
PAGES: dict[str, Opened] = {"start": start, "lobby": lobby, "class": organiser, "lesson": lesson, "look back": look_back}


def of_room(room: str) -> Opened:
    return lambda screens, **screen: table(screens, room, **screen)


EVERYWHERE = {room: of_room(room) for room in ROOMS} | PAGES


@pytest.mark.parametrize("place", EVERYWHERE)
def test_nothing_is_cut_and_every_target_is_large_enough(screens: Screens, place: str) -> None:
    """The page is opened once, then enlarged and spaced out; with TABLEE_ROUNDS=many also on a phone."""
    for screen in rounds(few=(DESKTOP,), many=(DESKTOP, PHONE)):
        page = EVERYWHERE[place](screens, **screen, locale="fr-FR")
        becomes(page, lambda page=page: page.evaluate(SMALL), [])  # type: ignore[misc]
        page.add_style_tag(content=SPACED)
        becomes(page, lambda page=page: page.evaluate(CUT), [])  # type: ignore[misc]
        page.set_viewport_size(ENLARGED)
        becomes(page, lambda page=page: page.evaluate(CUT), [])  # type: ignore[misc]
        assert overflow(page) == 0
        assert page.evaluate(SMALL) == []


@pytest.mark.parametrize("room", ROOMS)
def test_at_400_per_cent_a_turn_is_played(screens: Screens, room: str) -> None:
    page = table(screens, room, viewport=ENLARGED)
    assert overflow(page) == 0
    assert page.evaluate(SMALL) == []
    player = Listener(page)
    assert player.take_turn()
    assert player.take_turn(), "the first turn has been confirmed, and others have moved"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_forced_colours_the_places_for_a_tile_stand_out(screens: Screens, scheme: Literal["light", "dark"]) -> None:
    page = table(screens, "mayflower", forced_colors="active", color_scheme=scheme)
    outlines = page.evaluate(OUTLINES, [*SITES, "Canvas"])
    assert outlines
    assert min(outlines) >= 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_places_for_a_tile_stand_out_from_the_map(screens: Screens, scheme: Literal["light", "dark"]) -> None:
    page = table(screens, "mayflower", color_scheme=scheme)
    outlines = page.evaluate(OUTLINES, [*SITES, "var(--blank)"])
    assert outlines
    assert min(outlines) >= 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["paper", "card"])
def test_fields_stand_out_from_the_page(screens: Screens, scheme: Literal["light", "dark"], ground: str) -> None:
    page = lobby(screens, color_scheme=scheme)
    outlines = page.evaluate(OUTLINES, ["input:not([type=radio]), select", "borderTopColor", f"var(--{ground})"])
    assert outlines
    assert min(outlines) >= 3
