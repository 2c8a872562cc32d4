"""The land on the page: the view that follows the game, turning a tile, overlaps, and the land by keyboard and screen reader."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tablee import bots, games
from tablee.core import fairness, record
from tablee.core.match import Match
from tablee.games.mayflower.tests.page import (
    SMALL,
    TALL,
    answer,
    board,
    cut_off,
    drafted,
    free_site,
    middle_of,
    my_turn,
    out_of_pane,
    settle_and_confirm,
    where,
)
from tests.browser.table import BrowserTable, OpenTable, Screens, overflow, violations
from tests.browser.waiting import becomes, box, live, there, until
from tests.rounds import rounds
from tests.server.process import ServerProcess

pytestmark = pytest.mark.browser


def test_the_tile_turns_only_as_it_fits_and_nothing_is_final(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "Ben"], {"first": 0})
    page = table.sit(0, 1)
    site = page.locator(f'[id="{free_site(page)}"]')
    cell, turns = site.get_attribute("data-cell"), [int(turn) for turn in str(site.get_attribute("data-turns")).split()]
    legal = table.see(0)["legal"]
    site.click()
    for _ in range(4):
        expect(page.locator("#last-tile")).to_have_attribute("data-cell", str(cell))
        drafted = page.evaluate("JSON.parse(Object.entries(localStorage).find(([name]) => name.endsWith('-screen'))[1]).draft[0]")
        assert drafted in legal
        assert int(drafted.split()[2]) in turns
        page.keyboard.press("r")
        live(page)
    page.locator("#drop").click()
    while there(page, "#last-tile"):
        page.keyboard.press("Backspace")  # the button may go at any moment
    assert table.see(0)["view"]["tiles"] == []


def test_the_map_stays_where_it_was_put(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1)
    start = where(page)
    page.locator(f'[id="{free_site(page)}"]').hover()
    page.mouse.wheel(0, -300)
    until(page, lambda: where(page)["a"], lambda scale: scale > start["a"])
    zoomed = where(page)
    page.locator("#map").hover(position={"x": 200, "y": 200})
    page.mouse.down()
    page.locator("#map").hover(position={"x": 230, "y": 225})
    page.mouse.up()
    until(page, lambda: where(page)["f"], lambda down: down != zoomed["f"])
    put = where(page)
    page.locator(f'[id="{free_site(page)}"]').click()
    settle_and_confirm(page, "click")
    assert where(page) == pytest.approx(put)
    page.reload()
    expect(page.locator("#table")).to_have_attribute("data-live", "true")
    assert where(page) == pytest.approx(put)


def test_a_hint_tells_of_places_out_of_view(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1)
    expect(page.locator("#elsewhere")).to_be_hidden()
    for _ in range(6):
        page.locator("#zoom-in").click()
    expect(page.locator("#elsewhere")).to_contain_text("more place")
    page.locator("#elsewhere").click()
    expect(page.locator("#elsewhere")).to_be_hidden()


def test_hover_shows_a_feature_and_the_tale_finds_its_place(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1)
    page.locator('#hits [data-at="0,5 W"]').hover()
    expect(page.locator("#about")).to_contain_text("Town")
    expect(page.locator("#extent .inside > *")).to_have_count(1)
    page.locator(f'[id="{free_site(page)}"]').click()
    settle_and_confirm(page, "click")
    for _ in range(8):
        page.locator("#zoom-in").click()
    page.locator(".game-log .kind-lay").first.click()
    until(page, lambda: box(page.locator("#last-tile")).inside(box(page.locator("#map"))))


SIZES = {(1024, 768): 0.6, (390, 844): 0.55} | rounds(few={}, many={(1280, 800): 0.65, (1920, 1080): 0.7, (844, 390): 0.5})


@pytest.mark.parametrize(("size", "share"), SIZES.items(), ids=str)
def test_the_board_is_large_and_never_moves_in_a_turn(open_table: OpenTable, size: tuple[int, int], share: float) -> None:
    screen = {"viewport": {"width": size[0], "height": size[1]}}
    page = open_table("mayflower", ["Ada", "Ben", "Cleo"], {"first": 0}).sit(0, 1, 2, **screen)
    start = board(page)
    assert start.width * start.height / size[0] / size[1] >= share
    assert cut_off(page, "#drawn, #turn") == []
    view = where(page)
    site = free_site(page)
    if where(page) == view:
        page.locator(f'[id="{site}"]').click()
        expect(page.locator("#drop")).to_be_visible()
        assert board(page) == start
        assert where(page) == view
    while not there(page, "#confirm"):
        answer(page, page.locator("#choose-1").click)
    assert board(page) == start
    assert cut_off(page, "#confirm, #drop, #drawn") == []
    assert (page.evaluate("document.documentElement.scrollHeight"), overflow(page)) == (size[1], 0)


COVERED = """choices => choices.filter((each) => { each.scrollIntoView({ block: "nearest" });
    const box = each.getBoundingClientRect(), room = each.closest(".bar-do").getBoundingClientRect();
    const inside = box.top >= room.top - 1 && box.bottom <= room.bottom + 1 && box.left >= room.left - 1 && box.right <= room.right + 1;
    const corners = [box.left + 9, box.right - 9].flatMap((x) => [[x, box.top + 6], [x, box.bottom - 6]]);
    const words = each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight;
    return !inside || !words || corners.some((at) => document.elementFromPoint(...at)?.closest("button") !== each);
}).map((each) => each.textContent.trim())"""


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (844, 390), (390, 844)], ids=str)
def test_every_choice_can_be_read_and_pressed_and_no_settler_stays_in_sight(crossings: Screens, size: tuple[int, int]) -> None:
    """Offer eight places for a settler to five seats: more than fit, so the list scrolls and shows that it does."""
    screen = {"viewport": {"width": size[0], "height": size[1]}}
    page = BrowserTable(crossings, "mayflower", ["Ada", "Ben", "Cleo", "Dan", "Eve"], {"first": 0}).sit(0, 1, 2, 3, 4, **screen)
    verbs = box(page.locator(".main-actions"))
    page.locator(f'[id="{free_site(page)}"]').click()
    expect(page.locator(".choice")).to_have_count(8)
    assert box(page.locator(".main-actions")) == verbs
    fade = "room => parseFloat(getComputedStyle(room).getPropertyValue('--fade'))"
    until(page, lambda: page.locator(".bar-do").evaluate(fade) > 0)
    assert page.locator(".choice").evaluate_all(COVERED) == []
    page.locator(".bar-do").evaluate("room => room.scrollTo(0, room.scrollHeight)")
    until(page, lambda: page.locator(".bar-do").evaluate(fade) < 1)
    assert cut_off(page, "#pass, #drop, #drawn") == []
    if size == (1280, 800):
        assert page.locator("#tale").evaluate("tale => tale.offsetHeight") >= 80
    page.locator("#pass").click()
    expect(page.locator("#confirm")).to_be_visible()
    assert box(page.locator(".main-actions")) == verbs


def with_tile(open_table: OpenTable, letter: str) -> BrowserTable:
    """Open tables until this tile is drawn first."""
    while True:
        opened = open_table("mayflower", ["Ada", "Ben"], {"first": 0})
        if opened.see(0)["view"]["drawn"] == letter:
            return opened


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR", "it-IT"])
@pytest.mark.parametrize("letter", ["A", "K"], ids=["a farm", "two plains"])
def test_three_choices_stand_on_a_phone_without_scrolling(open_table: OpenTable, letter: str, locale: str) -> None:
    page = with_tile(open_table, letter).sit(0, 1, **TALL, locale=locale)
    page.locator(f'[id="{free_site(page)}"]').tap()
    expect(page.locator(".choice")).to_have_count(3)
    live(page)
    pane = box(page.locator(".bar-do"))
    for choice in page.locator(".choice").all():
        assert box(choice).inside(pane)


@pytest.mark.parametrize("screen", [SMALL, TALL], ids=["desktop", "phone"])
def test_the_handle_that_turns_a_tile_hides_no_points(three_towns: Screens, screen: dict[str, Any]) -> None:
    """Complete a town of the coast with a tile that fits there in three ways: its points stand where the handle goes first."""
    page = BrowserTable(three_towns, "mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, **screen)
    page.locator(".site[data-cell='1,8']").click()
    page.locator("#choices .spot").first.wait_for()
    settle_in_the_east = page.locator(".choice[data-move$=' E']")
    answer(page, settle_in_the_east.click)
    expect(page.locator("#gains .gain")).to_have_count(1)
    assert not box(page.locator("#turn-here .disc")).overlaps(box(page.locator("#gains .rising")))


@pytest.mark.parametrize("screen", [SMALL, TALL], ids=["desktop", "phone"])
def test_markers_hide_neither_each_other_nor_the_middle_of_the_tile(crossings: Screens, screen: dict[str, Any]) -> None:
    page = BrowserTable(crossings, "mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, **screen)
    page.locator(f'[id="{free_site(page)}"]').click()
    expect(page.locator("#choices .spot")).to_have_count(8)
    expect(page.locator(".choice")).to_have_count(8)
    for _ in range(3):
        discs = page.locator("#choices .spot .disc circle").evaluate_all(
            "discs => discs.map((disc) => { const box = disc.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2, box.width / 2]; })"
        )
        apart = [((x - u) ** 2 + (y - v) ** 2) ** 0.5 - r - s for n, (x, y, r) in enumerate(discs) for u, v, s in discs[:n]]
        assert min(apart) > -3, apart
        assert page.evaluate("at => Boolean(document.elementFromPoint(...at)?.closest('.site.taken'))", middle_of(page, "#last-tile"))
        page.keyboard.press("-")
    expect(page.locator("#turn-here")).to_have_count(0)
    expect(page.locator("#bar-say")).not_to_contain_text("turn it")
    expect(page.locator("#turn")).to_be_disabled()


def test_a_tile_is_turned_by_a_tap_a_button_a_key_and_the_wheel(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, **SMALL)
    several = page.evaluate("[...document.querySelectorAll('.site')].find((site) => site.dataset.turns.includes(' '))?.id")
    while not several:
        page.locator(f'[id="{free_site(page)}"]').click()
        settle_and_confirm(page, "click")
        several = page.evaluate("[...document.querySelectorAll('.site')].find((site) => site.dataset.turns.includes(' '))?.id")
    site = page.locator(f'[id="{several}"]')
    many = len(str(site.get_attribute("data-turns")).split())
    site.click()
    expect(page.locator("#bar")).to_contain_text(re.compile("turn it|Confirm"))
    seen = [drafted(page)[0]]
    ways: list[Callable[[], None]] = [
        lambda: page.mouse.click(*middle_of(page, "#last-tile")),
        lambda: page.mouse.click(*middle_of(page, "#turn-here .disc")),
        lambda: page.keyboard.press("r"),
        lambda: page.locator("#turn").click(),
        lambda: turn_the_wheel(page),
    ]
    for turned in ways:
        turned()
        seen.append(until(page, lambda: drafted(page)[0], lambda move: move != seen[-1]))
    assert len({move.split()[1] for move in seen}) == 1
    assert len(set(seen)) == many


def turn_the_wheel(page: Page) -> None:
    page.mouse.move(*middle_of(page, "#last-tile"))
    before = where(page)
    page.keyboard.down("Shift")
    page.mouse.wheel(0, 100)
    page.keyboard.up("Shift")
    assert where(page) == before


def test_a_place_where_the_tile_may_not_lie_says_why(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, **SMALL)
    frame = box(page.locator("#map"))
    page.mouse.click(frame.left + 30, frame.middle[1])
    expect(page.locator("#toast.shown")).to_contain_text("touches no tile and no start space")
    assert drafted(page) == []


def test_no_second_ghost_while_a_settler_is_chosen(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, **SMALL)
    sites = page.locator(".site").evaluate_all("sites => sites.map((site) => site.id)")
    page.locator(f'[id="{sites[-1]}"]').hover()
    expect(page.locator("#ghost")).to_be_visible()
    page.locator(f'[id="{sites[0]}"]').click()
    expect(page.locator("#drop")).to_be_visible()
    shown = page.locator("#drawn-tile use").first.get_attribute("class")
    page.locator(f'[id="{sites[-1]}"]').hover()
    expect(page.locator("#ghost")).to_be_hidden()
    expect(page.locator("#drawn-tile use").first).to_have_class(shown or "")


def test_the_ghost_goes_with_the_pointer_a_step_back_and_the_turn(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, **SMALL)
    site, ghost = page.locator(f'[id="{free_site(page)}"]'), page.locator("#ghost")
    site.hover()
    expect(ghost).to_be_visible()
    page.locator("#bar-say").hover()
    expect(ghost).to_be_hidden()
    site.click()
    page.locator("#drop").click()
    expect(page.locator("#drop")).to_have_count(0)
    expect(ghost).to_be_hidden()
    site.click()
    settle_and_confirm(page, "click")
    expect(ghost).to_be_hidden()


def test_nobody_sees_a_ghost_who_looks_back(open_table: OpenTable) -> None:
    """End the game while the pointer lies on a place."""
    table = open_table("mayflower", ["Ada", "greedy"], {"first": 0})
    page = table.sit(0, **SMALL)
    page.locator(f'[id="{free_site(page)}"]').hover()
    expect(page.locator("#ghost")).to_be_visible()
    table.finish()
    page.locator("#replay-open").click()  # every turn of the game is shown before
    for turn in ("back", "back", "on"):
        page.locator(f"#replay-{turn}").click()
        live(page)
        expect(page.locator("#ghost")).to_be_hidden()


SLOWLY = "#chart.gliding { transition: transform 60s linear !important }"  # so that the map is on its way whenever it is touched


def test_a_tap_lands_where_the_finger_went_down_while_the_map_moves(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, **SMALL, reduced_motion="no-preference")
    for _ in range(2):
        page.locator("#zoom-in").click()
    page.add_style_tag(content=SLOWLY)
    page.locator("#zoom-all").click()
    site = page.locator(f'[id="{free_site(page)}"]')
    cell = str(site.get_attribute("data-cell"))
    page.mouse.move(*middle_of(page, f'[id="site-{cell}"]'))
    page.mouse.down()
    page.evaluate("document.getElementById('chart').getAnimations().forEach((glide) => glide.finish())")
    page.mouse.up()
    expect(page.locator("#last-tile")).to_have_attribute("data-cell", cell)
    expect(page.locator("#toast")).to_be_hidden()
    page.locator("#drop").click()
    expect(page.locator("#zoom-all")).to_have_attribute("aria-pressed", "true")


def test_places_come_into_sight_where_they_stay(open_table: OpenTable) -> None:
    """Check that no finger aims at a place that the map carries away."""
    table = open_table("mayflower", ["Ada", "Ben"], {"first": 1})
    page = table.sit(0, **TALL | {"viewport": {"width": 360, "height": 640}}, reduced_motion="no-preference")
    page.add_style_tag(content=SLOWLY)
    assert table.play(1, "lay")
    assert table.play(1, "pass")
    expect(page.locator("#chart.arriving .site").first).to_have_css("opacity", "0")
    page.evaluate("document.getElementById('chart').getAnimations().forEach((glide) => glide.finish())")
    expect(page.locator(".site").first).to_have_css("opacity", "1")


def test_a_click_that_slips_to_the_next_place_means_the_first(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1, **SMALL)
    site = page.locator(f'[id="{free_site(page)}"]')
    cell = str(site.get_attribute("data-cell"))
    x, _ = middle_of(page, f'[id="site-{cell}"]')
    edge = float(site.evaluate("site => site.getBoundingClientRect().bottom"))
    page.mouse.move(x, edge - 1)
    page.mouse.down()
    page.mouse.move(x, edge + 4)
    page.mouse.up()
    expect(page.locator("#last-tile")).to_have_attribute("data-cell", cell)


@pytest.mark.parametrize("screen", [SMALL, TALL], ids=["desktop", "phone"])
def test_the_view_follows_the_game_until_it_is_moved(open_table: OpenTable, screen: dict[str, Any]) -> None:
    page = open_table("mayflower", ["Ada", "random", "random"], {"first": 0}).sit(0, **screen)
    wanted = "#last [data-cell]:last-child" if screen is TALL else "#last [data-cell], .site"
    for _ in range(3):
        assert my_turn(page)
        live(page)
        expect(page.locator("#zoom-last")).not_to_have_class("calls")
        becomes(page, lambda: bool(out_of_pane(page, wanted)), False)
        page.locator(f'[id="{free_site(page)}"]').click()
        settle_and_confirm(page, "click")
    expect(page.locator("#zoom-all")).to_have_attribute("aria-pressed", "true")
    page.locator("#map").hover(position={"x": 150, "y": 150})
    page.mouse.wheel(0, -200)
    expect(page.locator("#zoom-all")).to_have_attribute("aria-pressed", "false")
    page.locator("#zoom-all").click()
    expect(page.locator("#zoom-all")).to_have_attribute("aria-pressed", "true")


def at_both_ends(open_table: OpenTable) -> BrowserTable:
    """Find a deal in which Ben lays at the south of the coast, Cy at the north, and Ada's tile fits beyond one of them."""
    for _ in range(200):  # most deals are not like this
        table = open_table("mayflower", ["Ada", "Ben", "Cy"], {"first": 1})
        laid = all(table.play(seat, f"lay 1,{row} ") and table.play(seat, "pass") for seat, row in ((1, 9), (2, 0)))
        if laid and any(move.startswith(("lay 1,-1 ", "lay 1,10 ")) for move in table.see(0)["legal"]):
            return table
    raise AssertionError("no deal of so many has tiles for both ends of the coast")


def test_where_not_everything_fits_all_that_others_laid_is_in_sight(open_table: OpenTable) -> None:
    page = at_both_ends(open_table).sit(0, **TALL)
    expect(page.locator("#last .newly")).to_have_count(2)
    becomes(page, lambda: bool(out_of_pane(page, "#last [data-cell]")), False)
    many = len(page.locator(".site").all())
    assert 0 < len(out_of_pane(page, ".site")) < many, "not all of the places, but one at least"


def test_explorers_and_settlers_are_seen_at_every_zoom(open_table: OpenTable) -> None:
    """Check that explorers stand above the land in their column of the ruler, and that a settler stays readable."""
    table = open_table("mayflower", ["Ada", "Ben"], {"first": 0})
    page = table.sit(0, 1, **SMALL)
    page.locator(f'[id="{free_site(page)}"]').click()
    settle_and_confirm(page, "click")
    while not table.see()["view"]["settlers"]:
        page.locator(f'[id="{free_site(page)}"]').click()
        settle_and_confirm(page, "click")
    pane = box(page.locator("#map"))
    for _ in range(4):
        assert all(box(pawn).bottom <= pane.top for pawn in page.locator(".pawn").all())
        settler = box(page.locator(".settler use").first)
        assert max(settler.width, settler.height) >= 24
        page.keyboard.press("-")


CUT_IN_THE_RULER = """() => { const ruler = document.getElementById("ruler-top").getBoundingClientRect();
    const drawn = [...document.querySelectorAll(".pawn *, #ruler-top .mark")].map((each) => [each, each.getBoundingClientRect()]);
    return drawn.filter(([each, box]) => box.width && box.left < ruler.left && (box.right > ruler.left || each.closest(".pawn")))
        .map(([each]) => each.outerHTML); }"""


def test_the_western_explorers_are_whole_at_the_end(own_server: ServerProcess, browser: Browser) -> None:
    """Show a finished game in which both explorers stand in the last column of the land."""
    match = bots.play_out(Match(games.find("mayflower"), 2, {}, fairness.seed_for(6, 5)), [bots.GREEDY] * 2)
    table = own_server.ask("POST", "/api/records", record.write(match))["table"]
    screens = Screens(own_server, browser)
    for screen in (SMALL, TALL):
        page = screens.show(f"/t/{table}", **screen)
        live(page)
        expect(page.locator(".pawn")).to_have_count(2)
        assert page.evaluate(CUT_IN_THE_RULER) == []
    screens.close()
    assert not screens.complaints


def test_the_land_is_walked_tile_by_tile(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1)
    page.locator(f'[id="{free_site(page)}"]').click()
    settle_and_confirm(page, "click")
    laid = page.locator("#walk .laid").last
    expect(laid).to_have_attribute("aria-label", re.compile(r"^Column 1, row \d: north a .+, west a "))
    laid.focus()
    expect(page.locator("#about")).to_contain_text(re.compile("Plain|Town|Road|Farm"))
    expect(laid).to_have_attribute("aria-describedby", "about")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#walk .laid:focus")).to_have_attribute("aria-label", re.compile(r"^Column 0, row \d: the coast, "))
    assert violations(page) == []
