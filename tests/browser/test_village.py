"""Rolling Village in real Chromium: whole games by mouse, by keys alone, by touch, on one screen and on several."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.table import DESKTOP, PHONE, OpenTable, Screens
from tests.browser.village import OPEN, click, draw_round, focused, play_round, play_to_the_end, tab_to, tap, totals, walk_to
from tests.browser.waiting import live, text, texts, there, until

pytestmark = pytest.mark.browser


def test_a_solo_game_by_clicking_ends_with_every_point_explained_and_a_verdict(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada"])
    page = table.sit(0)
    play_to_the_end(page)
    seen = table.see(0)
    assert seen["status"] == "over"
    assert totals(page) == {"Ada": seen["scores"][0]}
    elected = seen["scores"][0] >= 60
    expect(page.locator("#bar-say")).to_contain_text("re-elects its mayor" if elected else "the mayor is not re-elected")
    parts = [int(text) for text in texts(page.locator(".results tbody td:not(.total)"))]
    assert len(parts) == 3 + 1, "three subtotals and the parks (V11)"
    assert sum(parts) == seen["scores"][0]
    expect(page.locator("#undo")).to_have_count(0)
    expect(page.get_by_role("link", name="Another game")).to_be_visible()


def test_every_point_is_explained_round_by_round(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"])
    page = table.sit(0)
    table.finish()
    page.locator("#end-rounds").click()
    expect(page.locator(".every-round section")).to_have_count(2)
    for village in page.locator(".every-round section").all():
        points = [int(each) for each in texts(village.locator("tbody tr b"))]
        assert len(points) == 9 + 1, "nine rounds and the parks"
        assert sum(points) == int(text(village.locator("h3 b")))
        for why, scored in zip(texts(village.locator("tbody tr .why"))[:9], points, strict=False):
            assert sum(map(int, re.findall(r"\d+", why))) == scored


def test_the_strip_of_a_finished_sheet_has_all_its_sums(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada"])
    page = table.sit(0)
    table.finish()
    expect(page.locator(".results")).to_be_visible()
    strip = [int(text) for text in texts(page.locator(".rounds b"))]
    rounds, sums, parks = [*strip[0:3], *strip[4:7], *strip[8:11]], strip[3:12:4], strip[12]
    assert sums == [sum(rounds[:3]), sum(rounds[:6]), sum(rounds)]
    assert {"Ada": sum(rounds) + parks} == totals(page)


def test_two_people_on_two_screens_and_a_bot(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "Bo", "greedy"])
    ada, bo = table.sit(0), table.sit(1)
    expect(ada.locator(".away")).to_have_count(0)
    play_round(ada)
    expect(ada.locator("#bar-say")).to_have_text("Waiting for Bo")
    for page in (bo, ada, bo):
        expect(page.locator("#bar.mine")).to_be_visible()
        play_round(page)
    while table.see()["status"] != "over":  # other tests play whole games on the page
        for seat in (0, 1):
            table.play(seat)
    expect(ada.locator(".results")).to_be_visible()
    expect(bo.locator(".results")).to_be_visible()
    names = ["Ada", "Bo", "Bot 3"]
    assert totals(ada) == totals(bo) == dict(zip(names, table.see()["scores"], strict=True))
    assert list(totals(ada).values()) == sorted(totals(ada).values(), reverse=True), "by rank"
    winners = [name for name in names if totals(ada)[name] == max(totals(ada).values())]
    for winner in winners:
        expect(ada.locator("#bar-say")).to_contain_text(winner)


def test_a_whole_game_by_keys_alone_from_the_start_page_on(screens: Screens) -> None:
    page = screens.show("/")
    tab_to(page, "form[action='/new/rolling-village'] button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    live(page)
    tab_to(page, "#start")
    page.keyboard.press("Enter")
    expect(page.locator(".stage-board")).to_be_visible()
    live(page)
    tab_to(page, ".cell[data-focus]")
    while not there(page, ".results"):
        while not there(page, "#confirm"):
            walk_to(page, page.locator(OPEN).last)
            page.keyboard.press("Enter")
            live(page)
        expect(page.locator("#confirm")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#confirm")).to_have_count(0)
        live(page)
        if not there(page, ".results"):
            expect(page.locator("#table [data-focus]")).to_be_focused()
    expect(page.locator("#bar-say")).to_contain_text("points")


def test_keys_pick_the_pencil_confirm_and_step_back_and_a_question_mark_lists_them(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada"]).sit(0)
    page.keyboard.press("3")
    expect(page.locator("#pencil-lake")).to_have_attribute("aria-pressed", "true")
    page.locator(OPEN).first.focus()
    page.keyboard.press("Enter")
    live(page)
    expect(page.locator(".cell.tried .project.lake")).to_have_count(1)
    assert focused(page).evaluate("cell => cell.classList.contains('tried')"), "the focus stays where it was"
    page.keyboard.press("Backspace")
    live(page)
    expect(page.locator(".cell.tried")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Forest")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(OPEN).first.focus()
    draw_round(page, lambda place: place.press("Enter"))
    page.keyboard.press("c")
    expect(page.locator(".round")).to_contain_text("Round 1 of 9")


def test_a_pencils_key_never_changes_its_meaning(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada"]).sit(0)
    page.keyboard.press("2")
    page.locator(OPEN).first.focus()
    page.keyboard.press("Enter")
    live(page)
    expect(page.locator(".cell.tried .project.forest")).to_have_count(1)
    expect(page.locator("#pencil-forest")).to_have_count(0)
    page.keyboard.press("2")
    expect(page.locator("#pencil-house")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("3")
    expect(page.locator("#pencil-lake")).to_have_attribute("aria-pressed", "true")


def test_what_the_others_draw_is_told_when_ones_own_round_is_done(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    ada, bo, watching = table.sit(0), table.sit(1), table.sit()
    play_round(bo)
    expect(watching.locator("#other-1")).to_contain_text("has finished the round")
    expect(watching.locator("#other-1 [data-at]")).to_have_count(0)
    expect(ada.locator("#other-1")).to_contain_text("has finished the round")
    expect(ada.locator("#other-1 [data-at]")).to_have_count(0)
    expect(ada.locator("#tale")).not_to_contain_text("Bo")
    expect(ada.locator(".news li")).to_have_count(0)
    draw_round(ada)
    expect(ada.locator("#other-1 [data-at]")).to_have_count(0)
    ada.locator("#confirm").click()
    expect(ada.locator("#other-1 [data-at]")).to_have_count(2)
    expect(ada.locator("#tale")).to_contain_text("Bo draws a")
    expect(ada.locator("#other-1 .mini-news")).to_have_count(2)
    expect(ada.locator(".news li")).to_have_count(1)
    expect(watching.locator("#other-1 [data-at]")).to_have_count(2)


def test_two_people_on_one_screen_take_turns_by_themselves(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    page = table.sit(0, 1)
    expect(page.locator("#look-0")).to_have_attribute("aria-current", "true")
    expect(page.locator("#other-1")).to_be_visible()
    play_round(page)
    expect(page.locator("#look-1")).to_have_attribute("aria-current", "true")
    expect(page.locator("#other-0")).to_be_visible()
    expect(page.locator("#other-1")).to_have_count(0)
    page.locator("#look-0").click()
    expect(page.locator(".whose")).to_contain_text("Bo is playing")
    expect(page.locator("#bar-say")).to_have_text("Waiting for Bo")
    expect(page.locator("#bar-say span")).to_have_css("width", "1px")  # for screen readers; sighted players read the heading
    page.locator("#look-1").click()
    play_to_the_end(page)
    assert totals(page) == dict(zip(["Ada", "Bo"], table.see()["scores"], strict=True))


def test_a_whole_game_by_touch_on_a_phone(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "random"])
    page = table.sit(0, **PHONE)
    play_to_the_end(page, tap)
    assert list(totals(page).values()) == sorted(table.see()["scores"], reverse=True)


def test_nothing_is_final_before_confirm(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    page = table.sit(0)
    draw_round(page)
    expect(page.locator("#bar-say")).to_have_text(re.compile(r"Ada draws a \w+ on \w\w; draws a \w+ on \w\w"))
    assert table.see()["version"] == 1
    page.reload()
    live(page)
    expect(page.locator(".cell.tried")).to_have_count(2)
    page.locator("#drop").click()
    live(page)
    expect(page.locator(".cell.tried")).to_have_count(1)
    play_round(page)
    assert table.see()["version"] == 3
    page.locator("#undo").click()
    expect(page.locator("#bar-say")).to_contain_text("Set-up:")
    expect(page.locator(".cell .project:not(.ghost)")).to_have_count(0)
    assert table.see()["log"][-2:] == ["0 undo", "0 undo"], "what was confirmed together goes together"


def test_an_impatient_hand_loses_nothing(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada"], {"setup_types": "free"})
    page = table.sit(0)
    moves = table.see(0)["legal"]
    column = moves[0].split()[-1][0]
    first, second = moves[0].split()[-1], next(cell for move in moves if (cell := move.split()[-1])[0] != column or cell[1] == "E")
    page.evaluate("cells => { for (const cell of cells) document.getElementById(`cell-${cell}`).click() }", [first, second])
    live(page)
    expect(page.locator(".cell.tried")).to_have_count(2)
    page.locator("#confirm").dblclick()
    expect(page.locator(".round")).to_contain_text("Round 1 of 9")
    assert [line.split()[-1] for line in table.see()["log"][1:3]] == [first, second]


def test_a_cell_that_cannot_be_taken_says_why(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada"]).sit(0)
    page.locator(".cell:not(.open)").first.click(force=True)
    expect(page.locator("#toast")).to_contain_text("is not in a column that was rolled")
    click(page.locator(OPEN).first)
    live(page)
    page.locator(".cell.tried").click(force=True)
    expect(page.locator("#toast")).to_contain_text("is already taken")
    expect(page.locator(".cell.tried")).to_have_count(1)


def test_what_a_round_will_score_is_told_before_it_is_confirmed(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada"])
    page = table.sit(0)
    play_round(page)
    draw_round(page)
    forecast = text(page.locator("#bar-say"))
    page.locator("#confirm").click()
    expect(page.locator(".round")).to_contain_text("Round 2 of 9")
    points = table.see()["view"]["sheets"][0]["rounds"][0]["points"]
    assert f"scores {points or 'nothing'}" in forecast


def test_spectators_see_the_sheets_and_are_offered_nothing(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"])
    page, ada = table.sit(), table.sit(0)
    expect(page.locator("#bar-say")).to_have_text("You are watching. Waiting for Ada")
    expect(page.locator(".cell, #confirm, #undo")).to_have_count(0)
    play_round(ada)
    expect(page.locator("#other-0 [data-at]")).to_have_count(2)


NAMES = ["1", "2", "3", "4", "5", "6", "[3-4]", "[5-6]", "[7]", "[8-9]", "[10-11]"]
LETTERS = """village => {
    const used = [...village.querySelectorAll("use")].filter((each) => each.getBoundingClientRect().width > 0);
    const letters = used.flatMap((each) => [...document.querySelectorAll(`${each.getAttribute("href")} text`)]);
    const scale = village.querySelector("use").getScreenCTM().a;
    return letters.map((each) => [each.textContent, scale * parseFloat(getComputedStyle(each).fontSize)]);
}"""


def check_print(village: Locator, least: float = 9) -> None:
    """Check that the village is visible, with its column numbers, avenues and stars in legible print."""
    village.scroll_into_view_if_needed()
    expect(village).to_be_in_viewport(ratio=0.95)
    seen = village.evaluate(LETTERS)
    assert {"A", "E", "★★★", *NAMES} <= {text for text, _ in seen}
    assert min(pixels for text, pixels in seen if "★" not in text) >= least


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("seats", [1, 2, 6])
def test_whoever_watches_sees_stars_columns_and_avenues(open_table: OpenTable, seats: int, screen: dict[str, Any]) -> None:
    page = open_table("rolling-village", ["Ada"] + ["greedy"] * (seats - 1)).sit(**screen)
    for seat in range(seats):
        check_print(page.locator(f"#other-{seat}"))


def test_the_picture_that_is_saved_has_stars_columns_and_avenues(screens: Screens, open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"]).finish()
    page = screens.show(f"/t/{table.id}/picture.svg")
    for village in page.locator("svg > g").all():
        check_print(village)


@pytest.mark.parametrize("width", [360, 320])
def test_on_a_small_phone_a_button_brings_the_other_villages(open_table: OpenTable, width: int) -> None:
    """From a height of 640 pixels on, the board has room for them."""
    page = open_table("rolling-village", ["Ada", "greedy"]).sit(0, **{**PHONE, "viewport": {"width": width, "height": 640}})
    expect(page.locator("#other-1")).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": width, "height": 600})
    expect(page.locator("#villages-open")).to_be_in_viewport(ratio=1)
    page.locator("#villages-open").tap()
    check_print(page.locator("#village-1"))


def test_a_tap_on_another_village_shows_it_large(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada", "greedy"]).sit(0)
    expect(page.locator("#villages-open")).not_to_be_visible()
    page.locator("#other-1").click()
    check_print(page.locator("#village-1"))


def test_at_the_end_focus_moves_to_the_scoring_and_own_points_are_announced(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"])
    page = table.sit(0, reduced_motion="no-preference")
    page.locator("#bar").focus()
    page.evaluate("window.said = []; new MutationObserver(() => said.push(herald.textContent)).observe(herald, { childList: true })")
    table.finish()
    expect(page.locator("#finale-next")).to_be_focused()
    until(page, lambda: page.evaluate("said.some((each) => /Ada (scores|has no Park)/.test(each))"))  # the bot's points may come later


def test_v10_the_final_scoring_marks_the_parks_where_they_stand(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"])
    page = table.sit(0)
    table.finish()
    expect(page.locator("#finale-play")).to_be_visible()
    steps = page.locator("#finale li")
    expect(steps).to_have_count(2)
    sheets = table.see()["view"]["sheets"]
    for seat in (0, 1):
        (place,) = [step.get_attribute("data-place") for step in steps.all() if step.get_attribute("data-of") == str(seat)]
        assert (place or "").split() == sheets[seat]["good_parks"]
        drawn = next(iter(sheets[seat]["cells"]))
        page.evaluate(
            "detail => document.dispatchEvent(new CustomEvent('tablee:finale', { detail }))", {"place": drawn, "seat": seat, "points": 10}
        )
        expect(page.locator(f"#cell-{drawn}.counted" if seat == 0 else f"#other-1 [data-at='{drawn}'].counted")).to_have_count(1)
        expect(page.locator(".counted")).to_have_count(1)
    page.evaluate("document.dispatchEvent(new CustomEvent('tablee:finale', { detail: null }))")
    expect(page.locator(".counted")).to_have_count(0)
