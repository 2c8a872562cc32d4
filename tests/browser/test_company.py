"""People at one table, each at a screen of their own: they are called, they ask each other, and somebody who is away holds nobody up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.table import PHONE, Opened, OpenTable, Screens, live, overflow, violations
from tests.browser.village import play_round
from tests.server.process import ServerProcess

pytestmark = pytest.mark.browser


@pytest.fixture
def impatient(tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[Screens]:
    """Screens on a server where nobody waits for long."""
    monkeypatch.setenv("TABLEE_ABSENCE", "0.4")
    server = ServerProcess(tmp_path).start()
    screens = Screens(server, browser)
    yield screens
    screens.close()
    server.stop()
    assert not screens.complaints


def with_sound(page: Page) -> None:
    """Counts the notes instead of playing them, for somebody who wishes to hear them."""
    page.add_init_script("""
        localStorage.setItem("tablee-preferences", JSON.stringify({ sound: true }));
        window.notes = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (at) { window.notes += 1; return start.call(this, at); };
    """)


def test_whose_turn_it_is_stands_in_the_title_and_the_icon_and_is_heard(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "Bo"], {"first": 0})
    ada, bo = table.sit(0), table.sit(1, prepare=with_sound)
    icon = bo.locator("link[rel=icon]")
    expect(ada).to_have_title(re.compile("● Your turn · Mayflower"))
    expect(bo).to_have_title(re.compile("^Mayflower"))
    expect(icon).to_have_attribute("href", re.compile("icon.svg"))
    seen = table.see(0)
    while 0 in seen["to_act"]:
        body = {"move": seen["legal"][-1], "at": seen["version"], "id": f"m{seen['version']}"}
        table.server.ask("POST", f"/api/tables/{table.id}/moves", body, table.tokens[0])
        seen = table.see(0)
    expect(bo).to_have_title(re.compile("● Your turn · Mayflower"))
    expect(icon).to_have_attribute("href", re.compile("icon-turn.svg"))
    expect(bo.locator("#herald")).to_contain_text("Your turn")
    assert bo.evaluate("window.notes") == 2
    expect(ada).to_have_title(re.compile("^Mayflower"))


def test_a_take_back_is_asked_and_allowed_on_the_other_screen(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    ada, bo = table.sit(0), table.sit(1)
    play_round(ada)
    ada.get_by_role("button", name="Ask to take back").click()
    expect(ada.locator(".notice")).to_contain_text("Waiting for Bo")
    expect(bo.locator(".notice")).to_contain_text("Ada would like to take back")
    assert not violations(bo)
    bo.locator("#agree").click()
    expect(ada.locator("#bar")).to_have_class(re.compile("mine"))
    expect(ada.locator(".notice, #agree")).to_have_count(0)
    assert table.see()["log"][-3:] == ["0 ask-back", "0 undo", "1 agree"]


def test_somebody_who_is_away_is_reminded_and_a_bot_sits_in_until_they_are_back(impatient: Screens) -> None:
    table = Opened(impatient, "rolling-village", ["Ada", "Bo"])
    ada, bo = table.sit(0), table.sit(1, **PHONE)
    play_round(ada)
    expect(ada.locator(".notice")).to_have_count(0)
    bo.goto("about:blank")
    expect(ada.locator(".notice")).to_contain_text("Bo has been away for a while.")
    assert not violations(ada)
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.locator("#remind-1").click()
    expect(ada.locator("#toast")).to_have_text("Copied")
    copied = ada.evaluate("navigator.clipboard.readText()")
    assert copied == f"Bo, we are waiting for you at Rolling Village: {table.server.address}/t/{table.id}"
    ada.locator("#stand-in-1").click()
    expect(ada.locator(".round")).to_contain_text("Round 1 of 9", timeout=30_000)
    expect(ada.locator(".tale")).to_contain_text("is away: a bot plays on")
    bo.goto(table.server.address + table.path(1))
    live(bo)
    expect(bo.locator(".notice")).to_contain_text("A bot plays for Bo.")
    assert not violations(bo)
    assert overflow(bo) <= 0
    bo.locator("#back-1").tap()
    expect(bo.locator(".notice")).to_have_count(0)
    assert "1 back 1" in table.see()["log"]


def test_the_seat_of_somebody_who_is_away_is_given_to_somebody_else(impatient: Screens) -> None:
    table = Opened(impatient, "rolling-village", ["Ada", "Bo"])
    ada = table.sit(0)
    ada.locator("#hand-over-1").click()
    ada.get_by_label("Who takes the seat?").fill("Cy")
    ada.get_by_role("button", name="Make a link").click()
    link = ada.get_by_label("Link to the seat")
    expect(link).to_have_value(re.compile(rf"/t/{table.id}#k="))
    assert not violations(ada)
    cy = impatient.show(link.input_value().removeprefix(table.server.address))
    live(cy)
    play_round(cy)
    ada.keyboard.press("Escape")
    expect(ada.locator("#player-1 .name")).to_have_text("Cy")
    bo = impatient.show(table.path(1))
    expect(bo.locator("main")).to_contain_text("this seat has been given to somebody else")
    impatient.complaints[:] = [said for said in impatient.complaints if "403" not in said]


def test_a_hand_of_secrets_is_given_away_by_all_who_are_here(impatient: Screens) -> None:
    table = Opened(impatient, "amerique-1500", ["Ada", "Bo", "Cy"], {"first": 1})
    ada, cy = table.sit(0), table.sit(2)
    for page in (ada, cy):
        page.locator("#hand-over-1").click()
        page.get_by_role("button", name="Make a link").click()
        if page is ada:
            expect(ada.locator("#toast")).to_contain_text("everybody who is here has to want it")
            expect(cy.locator(".notice")).to_contain_text("Ada would give the seat to somebody else.")
    expect(cy.get_by_label("Link to the seat")).to_have_value(re.compile(rf"/t/{table.id}#k="))
    expect(ada.locator("#new-link")).not_to_be_visible()


def test_a_paused_game_says_so_and_goes_on_where_it_was(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    ada, bo = table.sit(0), table.sit(1)
    ada.locator("#pause").click()
    expect(bo.locator("#bar")).to_contain_text("Paused")
    expect(bo.locator(".is-paused")).to_have_text(re.compile("The game is paused."))
    assert not violations(bo)
    bo.locator("#resume").click()
    live(ada)
    play_round(ada)


def test_a_sign_stands_on_the_card_for_a_moment(open_table: OpenTable, screens: Screens) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    ada, bo, watching = table.sit(0), table.sit(1), table.sit()
    expect(watching.locator("#open-signs")).to_be_hidden()
    ada.locator("#open-signs").click()
    assert not violations(ada)
    ada.get_by_role("button", name="Well played").click()
    expect(bo.locator("#player-0").get_by_role("img", name="Well played")).to_be_visible()
    ada.locator("#open-signs").click()
    ada.get_by_role("button", name="Thank you").click()
    expect(ada.locator("#toast")).to_have_text("one sign at a time: wait until the last one is gone")
    expect(bo.locator(".reaction")).to_have_count(0, timeout=8000)
    assert table.see()["version"] == 1, "nothing of it is written down"
    assert all("429" in complaint for complaint in screens.complaints)
    screens.complaints.clear()
