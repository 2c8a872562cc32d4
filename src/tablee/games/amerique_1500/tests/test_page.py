"""Amérique 1500 in real Chromium: whole games of every version, by mouse, by keys, by finger, and on a shared screen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tablee import games
from tablee.games.amerique_1500.names import CARDS
from tablee.games.amerique_1500.tests.page_player import Player, by_finger, by_keys
from tests.browser.table import PHONE, BrowserTable, LateGame, OpenTable, Screens, overflow, violations
from tests.browser.waiting import live, texts, there
from tests.rounds import MANY

pytestmark = pytest.mark.browser

KEY = "amerique-1500"
DECKS = games.find(KEY).components.data["societies"]
THREE = ["Ada", "greedy", "greedy"]
SMALL = """[...document.querySelectorAll("#board button:not(.people), #bar button")]
  .filter((each) => each.checkVisibility() && Math.min(each.offsetWidth, each.offsetHeight) < 44)
  .map((each) => each.outerHTML.slice(0, 90))"""


def tell_end(page: Page) -> list[str]:
    """Return the rows of the end sheet."""
    return [" ".join(row.split()) for row in texts(page.locator("#end tbody tr"))]


def table_where(open_table: OpenTable, seats: list[str], options: dict[str, Any], card: str) -> BrowserTable:
    """Open a table at which seat 0 chooses an action and may play this card."""
    for _ in range(400):  # one deal of nine has the card: 80 were too few once in 2,000 runs
        table = open_table(KEY, seats, {"first": 0} | options)
        view = table.see(0)["view"]
        if view["awaits"][0]["what"] == "action" and any(each["card"] == card and each["playable"] for each in view["hand"]):
            return table
    raise AssertionError(f"{card} was never dealt")


def test_a_quick_game_by_mouse(open_table: OpenTable) -> None:
    table = open_table(KEY, THREE, {"first": 0})
    player = Player(table, 0, table.sit(0))
    player.play()
    expect(player.page.locator("#bar-say")).to_contain_text(re.compile("wins|share the win"))
    view, rows = table.see()["view"], tell_end(player.page)
    names = ["Ada", "Bot 2", "Bot 3"]
    order = sorted(range(3), key=lambda seat: next(n for n, row in enumerate(rows) if names[seat] in row))
    done = [(seat in view["winners"], view["players"][seat]["discs"]["placed"], view["players"][seat]["total"]) for seat in order]
    assert done == sorted(done, reverse=True), "the best stand first"
    for row, (won, discs, total) in zip(rows, done, strict=True):
        assert f" {discs} {total}" in row
        assert won == ("the winner" in row)
    assert violations(player.page) == []


SECOND_HALF = 60  # lines left to play by hand after the bots' part; with MANY the whole game is played by hand


def test_a_full_game_by_keys_alone(screens: Screens, open_table: OpenTable) -> None:
    options = {"first": 0, "game": "full"}
    table = open_table(KEY, ["Ada", "greedy"], options) if MANY else LateGame(screens, KEY, 2, SECOND_HALF, options)
    player = Player(table, 0, table.sit(0), by_keys)
    player.play()
    assert table.see()["status"] == "over"
    expect(player.page.locator("#end tbody tr")).to_have_count(2)


def test_a_cooperative_game_by_finger_on_a_phone(screens: Screens, open_table: OpenTable) -> None:
    options = {"first": 0, "cooperative": True}
    table = open_table(KEY, [*THREE, "greedy"], options) if MANY else LateGame(screens, KEY, 4, 2 * SECOND_HALF, options)
    player = Player(table, 0, table.sit(0, **PHONE), by_finger)
    wide, small = list[int](), set[str]()

    def measure() -> None:
        wide.append(overflow(player.page))
        small.update(player.page.evaluate(SMALL))

    player.play(measure)
    measure()
    assert max(wide) <= 0
    assert small == set()
    won = table.see()["view"]["won"]
    expect(player.page.locator("#bar-say")).to_contain_text("won together" if won else "everybody has lost")
    expect(player.page.locator("#end")).to_contain_text("before the special reserve was empty" if won else "The special reserve is empty")


def bartering(table: BrowserTable) -> Player:
    """Bring seat 0 to its barter tray, past any question of the die."""
    player = Player(table, 0, table.sit(0))
    while player.see()["view"]["awaits"][0]["what"] != "action":
        player.tap(".picker:not([hidden]) .choice")
        if not there(player.page, ".picker:not([hidden])"):
            break
    player.tap("#do-barter")
    return player


def test_a8_the_tray_becomes_swaps_and_one_confirm_closes_the_barter(open_table: OpenTable) -> None:
    table = open_table(KEY, ["Ada", "Ben"], {"first": 0})
    player = bartering(table)
    stock = player.see()["view"]["players"][0]["goods"]
    expect(player.page.locator(".tray-say")).to_have_text("Tap what you give and what you take.")
    player.press(player.page.locator("#own-C"))
    expect(player.page.locator(".tray-say")).to_have_text("Now take 1 more.")
    expect(player.page.locator("#confirm")).to_have_count(0)
    expect(player.page.locator("#reserve-C")).to_be_disabled()
    player.page.locator("#reserve-C").click(force=True)
    expect(player.page.locator(".tray-say")).to_have_text("What you give you cannot take as well.")
    player.page.locator("#reserve-W").drag_to(player.page.locator("[data-zone=take]"))
    expect(player.page.locator(".tray-say")).to_have_text("That is a fair swap!")
    expect(player.page.locator("#stock li", has_text="Wood")).to_contain_text(str(stock.count("W") + 1))
    player.page.reload()
    expect(player.page.locator("#take-W")).to_be_visible()
    player = Player(table, 0, player.page)
    player.page.wait_for_selector("#confirm")
    player.confirm()
    log = player.see()["log"]
    assert [line for line in log if line.startswith("0 ")][-3:] == ["0 barter", "0 swap C>W", "0 done"]


def test_a8_a_confirm_before_the_answer_to_another_tap_confirms_nothing_and_the_page_says_so(open_table: OpenTable) -> None:
    player = bartering(open_table(KEY, ["Ada", "Ben"], {"first": 0}))
    player.swap("C", "W")
    live(player.page)
    player.page.evaluate("for (const name of ['give-C', 'confirm']) document.getElementById(name).click()")
    expect(player.page.locator("#toast")).to_contain_text("Not confirmed yet")
    expect(player.page.locator(".tray-say")).to_have_text("Now give 1 more.")


def test_a8_r10_in_the_full_game_two_goods_buy_one_and_what_is_taken_is_not_given(open_table: OpenTable) -> None:
    table = open_table(KEY, ["Ada", "Ben"], {"first": 0, "game": "full"})
    player = bartering(table)
    player.press(player.page.locator("#reserve-S"))
    expect(player.page.locator(".tray-say")).to_have_text("Now give 2 more.")
    expect(player.page.locator("#own-S")).to_be_disabled()
    player.press(player.page.locator("#take-S"))
    player.press(player.page.locator("#own-C"))
    expect(player.page.locator(".tray-say")).to_have_text("Give 1 more, or take 1 back.")
    player.press(player.page.locator("#own-S"))
    expect(player.page.locator("#reserve-S")).to_be_disabled()
    player.press(player.page.locator("#reserve-W"))
    expect(player.page.locator(".tray-say")).to_have_text("That is a fair swap!")
    player.confirm()
    assert "0 swap CS>W" in player.see()["log"]


def test_a12_a_feast_is_chosen_in_one_go(open_table: OpenTable) -> None:
    table = table_where(open_table, ["Ada", "Ben"], {}, "feast")
    player = Player(table, 0, table.sit(0))
    player.tap("#card-of-feast")
    expect(player.page.locator("#bar-say")).to_have_text("Which 3 goods do you take?")
    for good in "MMW":
        player.tap(f"#choose-{good}")
    player.confirm()
    lines = [line for line in player.see()["log"] if line.startswith("0 ")]
    feast = lines.index("0 play feast")  # followed by "done" where another card could be played
    assert lines[feast - 1 : feast + 4] == ["0 cards", "0 play feast", *["0 take M"] * 2, "0 take W"]


def test_a13_good_neighbours_give_what_they_choose(open_table: OpenTable) -> None:
    table = table_where(open_table, ["Ada", "Ben", "Cleo"], {}, "neighbours")
    ada, ben = Player(table, 0, table.sit(0)), Player(table, 1, table.sit(1, **PHONE), by_finger)
    ada.tap("#card-of-neighbours")
    ada.confirm()
    expect(ben.page.locator("#bar-say")).to_have_text("Good neighbours: which good do you give to Ada?")
    ben.tap("#choose-F")
    ben.confirm()
    assert table.see()["log"][-1] == "1 give F"
    expect(ada.page.locator("#bar-say")).to_have_text("Waiting for Cleo")


def test_a13_good_neighbours_around_one_screen_pass_it_on(open_table: OpenTable) -> None:
    table = table_where(open_table, ["Ada", "Ben", "Cleo"], {}, "neighbours")
    player = Player(table, 0, table.sit(0, 1, 2))
    player.tap("#uncover")
    player.tap("#card-of-neighbours")
    player.confirm()
    for name in ("Ben", "Cleo"):
        expect(player.page.locator(".whose")).to_contain_text(f"Pass the screen to {name}")
        player.tap("#uncover")
        expect(player.page.locator("#bar-say")).to_have_text("Good neighbours: which good do you give to Ada?")
        player.tap(".picker:not([hidden]) .choice")
        player.confirm()
    assert [line[:6] for line in table.see()["log"] if line[2:6] == "give"] == ["1 give", "2 give"]


def test_a14_an_exchange_names_its_partner(open_table: OpenTable) -> None:
    table = table_where(open_table, ["Ada", "Ben", "Cleo"], {}, "exchange")
    ada = Player(table, 0, table.sit(0))
    ada.throw()
    ada.press(ada.page.locator("#card-of-exchange"))
    ada.tap("#exchange-2")
    expect(ada.page.locator("#bar-say")).to_contain_text("goods do you give to Cleo?")
    for _ in range(2):
        ada.tap(".picker:not([hidden]) .choice")
    for good in "GMFC":
        ada.tap(f"#choose-{good}")
    ada.confirm()
    played = [line[2:] for line in table.see()["log"] if line.startswith("0 ")]
    assert played[1] == "play exchange 2"
    assert played[4:8] == ["take G", "take M", "take F", "take C"]


def test_the_story_of_a_society_is_a_page_to_open_and_close(open_table: OpenTable) -> None:
    table = open_table(KEY, ["Ada", "Ben"], {"first": 0})
    page = table.sit(0)
    page.locator("#about-incas-mine").click()
    story = page.get_by_role("dialog", name="Incas")
    expect(story).to_contain_text("Quechua")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(story).to_be_hidden()


def hand_in(text: str, society: str) -> list[str]:
    """Return the cards of a society that a text names."""
    return [card for card in DECKS[society]["cards"] if f"card-{card}" in text or f">{CARDS[card]}<" in text or f" {CARDS[card]}" in text]


def what_changes(page: Page) -> str:
    """Return the table without its constant stories, with the state that the server sent."""
    whole: str = page.evaluate(
        """() => { const room = document.getElementById("table").cloneNode(true);
        room.querySelectorAll("dialog").forEach((each) => each.remove());
        return room.outerHTML + document.getElementById("now").textContent; }"""
    )
    return whole


def test_r1_a_shared_screen_is_covered_between_two_hands(open_table: OpenTable) -> None:
    table = open_table(KEY, ["Ada", "Ben"], {"first": 0})
    page = table.sit(0, 1)
    frames = list[str]()
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    page.reload()
    page.wait_for_selector("#uncover")
    assert hand_in(what_changes(page), "incas") == []
    player = Player(table, 0, page)
    player.tap("#uncover")
    expect(page.locator("#hand .card").first).to_be_visible()
    while there(page, ".picker:not([hidden])"):
        player.tap(".picker:not([hidden]) .choice")
    player.tap("#do-explore")
    player.confirm()
    if player.now["me"] == 0:
        player.confirm("#enough")
    expect(page.locator(".whose")).to_contain_text("Pass the screen to Ben")
    assert hand_in(what_changes(page), "incas") == []
    assert hand_in(what_changes(page), "inuits") == []
    player.tap("#uncover")
    assert hand_in(page.locator("#hand").inner_html(), "inuits")
    assert hand_in(page.locator("#art").inner_html(), "incas") != []  # the drawings hold every card, for every viewer
    assert set(hand_in(what_changes(page), "incas")) <= set(DECKS["inuits"]["cards"])
    assert max(map(len, frames)) < 60_000, "the drawings are sent once, as a file"
