"""Bots as people meet them: a name, a face, a sentence about how they play, and the level that suits after three games."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.table import OpenTable, Screens
from tests.browser.waiting import live

pytestmark = pytest.mark.browser


def test_the_bot_that_is_chosen_says_who_it_is_and_how_it_plays(screens: Screens) -> None:
    page = screens.show("/", locale="fr-FR")
    page.locator("#level-mayflower").select_option("hard")
    expect(page.locator(".character:visible", has_text="Vera : Joue comme Nora")).to_have_count(1)
    page.locator("#play-mayflower button").click()
    live(page)
    expect(page.locator("#player-1 .name")).to_contain_text("Vera")
    expect(page.locator("#player-1 .name .face")).to_be_visible()
    assert "réfléchit une seconde" in str(page.locator("#player-1 .name [data-tip]").get_attribute("data-tip"))


def test_two_bots_of_a_level_are_told_apart_and_so_is_a_person_of_that_name(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Max", "greedy", "greedy"]).sit(0)
    for seat, name in enumerate(("Max", "bot Max 2", "bot Max 3")):
        expect(page.locator(f"#player-{seat} .name")).to_have_text(name)


def test_after_three_games_that_were_lost_an_easier_bot_suits(open_table: OpenTable) -> None:
    tables = [open_table("rolling-village", ["Ada", "greedy"]).finish() for _ in range(3)]
    assert all(each.see()["scores"][0] < each.see()["scores"][1] for each in tables), "the first legal moves lose"
    page = tables[0].sit(0)
    page.goto(tables[0].server.address)
    expect(page.locator("#suits-rolling-village")).to_be_hidden()
    for each in tables[1:]:
        page.goto(each.server.address + each.path(0))
        live(page)
    page.goto(tables[0].server.address)
    expect(page.locator("#suits-rolling-village")).to_have_text("After your last three games, Lou suits you.")
    expect(page.locator("#level-rolling-village")).to_have_value("easy")
    expect(page.locator("#rolling-village .character:visible")).to_contain_text("Lou")
