"""People at one table, each at their own screen: notifications, requests to each other, and absent players."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.table import PHONE, BrowserTable, OpenTable, Screens, overflow, violations
from tests.browser.test_lobby import at_the_game, join_lobby, open_lobby
from tests.browser.village import play_round
from tests.browser.waiting import ElementBox, becomes, box, live, text, until
from tests.server.process import ForkedServer, ServerProcess

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def impatient_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Yield a server with short timeouts for absent players."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLEE_ABSENCE", "0.4")
        process = ForkedServer(tmp_path_factory.mktemp("impatient")).start()
    yield process
    process.stop()


@pytest.fixture
def impatient(impatient_server: ServerProcess, browser: Browser) -> Iterator[Screens]:
    """Yield screens on the impatient server."""
    screens = Screens(impatient_server, browser)
    yield screens
    screens.close()
    assert not screens.complaints


def with_sound(page: Page) -> None:
    """Switch sounds on, and count the notes instead of playing them."""
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
    play_a_turn(table, 0)
    expect(bo).to_have_title(re.compile("● Your turn · Mayflower"))
    expect(icon).to_have_attribute("href", re.compile("icon-turn.svg"))
    expect(bo.locator("#herald")).to_contain_text("Your turn")
    becomes(bo, lambda: bo.evaluate("window.notes"), 2)
    expect(ada).to_have_title(re.compile("^Mayflower"))


def called_elsewhere(page: Page) -> None:
    """Hide the tab and allow notifications; record each notification and whether it was closed again."""
    page.context.grant_permissions(["notifications"])
    page.add_init_script("""
        localStorage.setItem("tablee-preferences", JSON.stringify({ notify: true }));
        window.elsewhere = false;
        Object.defineProperty(document, "hidden", { get: () => window.elsewhere });
        const shown = [];
        const note = (what) => { document.documentElement.dataset.shown = [...shown, what].join(", "); shown.push(what); };
        window.Notification = class extends Notification {
          constructor(title, options) { super(title, options); note(`${title} (${options.body})`); }
          close() { super.close(); note("taken away"); }
        };
    """)


def play_a_turn(table: BrowserTable, seat: int) -> None:
    """Play a turn through the API."""
    while seat in (seen := table.see(seat))["to_act"]:
        body = {"move": seen["legal"][-1], "at": seen["version"], "id": f"m{seen['version']}"}
        table.server.ask("POST", f"/api/tables/{table.id}/moves", body, table.tokens[seat])


def test_whoever_looks_elsewhere_is_notified_once_when_it_is_their_turn(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "Bo"], {"first": 0})
    bo = table.sit(1, prepare=called_elsewhere)
    play_a_turn(table, 0)
    expect(bo).to_have_title(re.compile("● Your turn"))
    play_a_turn(table, 1)
    expect(bo).to_have_title(re.compile("^Mayflower"))
    bo.evaluate("window.elsewhere = true")
    play_a_turn(table, 0)
    expect(bo.locator("html")).to_have_attribute("data-shown", "Your turn (Mayflower · Tablée)")  # and not while the tab was visible
    play_a_turn(table, 1)
    expect(bo.locator("html")).to_have_attribute("data-shown", "Your turn (Mayflower · Tablée), taken away")


def test_a_browser_that_shows_no_notifications_says_so_when_they_are_wished_for(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada", "greedy"]).sit(0, permissions=[])
    page.evaluate("Notification.requestPermission = async () => 'denied'")
    page.locator("[popovertarget=preferences]").first.click()
    wish = page.get_by_label("Notify me when it is my turn")
    wish.click()
    expect(page.locator("#toast")).to_contain_text("This browser shows no notifications for this page.")
    expect(wish).not_to_be_checked()


def seconds(page: Page, seat: int) -> int:
    minutes, rest = text(page.locator(f"#player-{seat} .clock")).split(":")
    return 60 * int(minutes) + int(rest)


def test_a_clock_runs_on_the_card_of_whoever_is_awaited_and_stands_on_the_others(screens: Screens) -> None:
    table = BrowserTable(screens, "mayflower", ["Ada", "Bo"], {"first": 0}, clock=62)
    ada, bo = table.sit(0), table.sit(1, **PHONE, color_scheme="dark")
    for page in (ada, bo):
        expect(page.locator("#player-1 .clock")).to_have_text("1:02")
        expect(page.locator("#player-0 .clock")).to_have_class(re.compile("short"))
        assert seconds(page, 0) < 60
        assert not violations(page)
    until(ada, lambda: abs(seconds(ada, 0) - seconds(bo, 0)) <= 1)  # both screens show the server's time
    ada.locator("#pause").click()
    expect(bo.locator("#player-0 .clock[data-since]")).to_have_count(0)
    bo.locator("#resume").tap()
    expect(bo.locator("#player-0 .clock[data-since]")).to_have_count(1)
    play_a_turn(table, 0)
    expect(ada.locator("#player-0 .clock[data-since]")).to_have_count(0)
    expect(ada.locator("#player-1 .clock[data-since]")).not_to_have_text("1:02")
    card, clock = box(bo.locator("#player-1 > *").first), box(bo.locator("#player-1 .clock"))
    assert clock.left >= card.left
    assert clock.bottom <= card.bottom


def test_a_take_back_is_asked_and_allowed_on_the_other_screen(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    ada, bo = table.sit(0), table.sit(1)
    play_round(ada)
    ada.get_by_role("button", name="Ask to undo").click()
    expect(ada.locator(".notice")).to_contain_text("Waiting for Bo")
    expect(bo.locator(".notice")).to_contain_text("Ada would like to undo")
    assert not violations(bo)
    bo.locator("#agree").click()
    expect(ada.locator("#bar")).to_have_class(re.compile("mine"))
    expect(ada.locator(".notice, #agree")).to_have_count(0)
    assert table.see()["log"][-4:] == ["0 ask-back", "0 undo", "0 undo", "1 agree"], "all that was sent together"


def test_somebody_who_is_away_is_reminded_and_a_bot_sits_in_until_they_are_back(impatient: Screens) -> None:
    table = BrowserTable(impatient, "rolling-village", ["Ada", "Bo"])
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
    expect(ada.locator(".round")).to_contain_text("Round 1 of 9")
    expect(ada.locator(".game-log")).to_contain_text("is away: a bot plays on")
    bo.goto(table.server.address + table.path(1))
    live(bo)
    expect(bo.locator(".notice")).to_contain_text("A bot plays for Bo.")
    assert not violations(bo)
    assert overflow(bo) <= 0
    bo.locator("#back-1").tap()
    expect(bo.locator(".notice")).to_have_count(0)
    assert "1 back 1" in table.see()["log"]


def give_away(page: Page, seat: int, name: str = "") -> None:
    """Give the seat away and accept the dialog's warning."""
    page.locator(f"#hand-over-{seat}").click()
    expect(page.locator("#hand-over-says")).to_contain_text("Until they have made a move, Bo can come back and take it; then it is theirs.")
    page.get_by_label("Who takes the seat?").fill(name)
    page.get_by_role("button", name="Give the seat: make a link").click()


def test_the_seat_of_somebody_who_is_away_is_given_to_somebody_else(impatient: Screens) -> None:
    table = BrowserTable(impatient, "rolling-village", ["Ada", "Bo"])
    ada = table.sit(0)
    give_away(ada, 1, "Cy")
    link = ada.get_by_label("Link to the seat")
    expect(link).to_have_value(re.compile(rf"/t/{table.id}#k="))
    assert not violations(ada)
    ada.keyboard.press("Escape")
    expect(ada.locator("#player-1 .name")).to_have_text("○ not here Cy")
    bo = table.sit(1, **PHONE)
    expect(bo.locator(".notice")).to_contain_text("Your seat was given to Cy. Until Cy has made a move, it is still yours.")
    assert not violations(bo)
    assert overflow(bo) <= 0
    bo.goto("about:blank")
    cy = impatient.show(link.input_value().removeprefix(table.server.address))
    live(cy)
    play_round(cy)
    bo.goto(table.server.address + table.path(1))
    expect(bo.locator("main")).to_contain_text("this seat has been given to somebody else")
    impatient.close()
    impatient.complaints[:] = [message for message in impatient.complaints if "403" not in message]


def test_an_owner_who_comes_back_before_the_newcomer_moves_keeps_the_seat(impatient: Screens) -> None:
    table = BrowserTable(impatient, "rolling-village", ["Ada", "Bo"])
    ada = table.sit(0)
    give_away(ada, 1, "Cy")
    link = ada.get_by_label("Link to the seat")
    expect(link).to_have_value(re.compile(rf"/t/{table.id}#k="))
    cy = impatient.show(link.input_value().removeprefix(table.server.address))
    live(cy)
    ada.keyboard.press("Escape")
    bo = table.sit(1)
    bo.get_by_role("button", name="Take the seat back").click()
    expect(ada.locator("#player-1 .name")).to_have_text("Bo")
    play_round(bo)
    expect(cy.locator("#toast")).to_contain_text("this seat has been given to somebody else")
    expect(cy.locator("#bar")).to_contain_text("You are watching.")
    impatient.close()
    impatient.complaints[:] = [message for message in impatient.complaints if "403" not in message]


def test_a_hand_of_secrets_is_given_away_by_all_who_are_here(impatient: Screens) -> None:
    table = BrowserTable(impatient, "amerique-1500", ["Ada", "Bo", "Cy"], {"first": 1})
    ada = table.sit(0)
    expect(ada.locator("#stand-in-1")).to_be_visible()
    expect(ada.locator("#hand-over-1")).to_have_count(0)
    cy = table.sit(2)
    for page in (ada, cy):
        give_away(page, 1)
        if page is ada:
            expect(ada.locator("#toast")).to_contain_text("everybody present has to agree")
            expect(cy.locator(".notice")).to_contain_text("Ada wants to give the seat to somebody else.")
    expect(cy.get_by_label("Link to the seat")).to_have_value(re.compile(rf"/t/{table.id}#k="))
    expect(ada.locator("#new-link")).not_to_be_visible()


def test_on_a_new_phone_a_player_says_who_they_are_and_the_others_let_them_in(impatient: Screens) -> None:
    table = BrowserTable(impatient, "rolling-village", ["Ada", "Bo", "Cy"])
    ada, cy, new_device = table.sit(0), table.sit(2), table.sit(**PHONE)
    expect(new_device.locator(".notice")).to_contain_text("Do you play here, on a new device?")
    assert not violations(new_device)
    assert overflow(new_device) <= 0
    new_device.get_by_role("button", name="I am Bo").tap()
    expect(new_device.locator(".notice")).to_contain_text("The players are asked whether you are Bo. Waiting for Ada and Cy")
    ada.get_by_role("button", name="Yes, it is Bo").click()
    expect(new_device.locator(".notice")).to_contain_text("Waiting for Cy")
    cy.get_by_role("button", name="Yes, it is Bo").click()
    expect(new_device.locator("#bar")).to_contain_text("It is your turn")
    expect(new_device.locator("#player-1")).to_have_class(re.compile("me"))
    play_round(new_device)
    expect(ada.locator("#player-1 .name")).to_have_text("Bo")


def test_a_refused_claim_from_a_new_phone_is_explained_and_spectators_are_not_asked(impatient: Screens) -> None:
    table = BrowserTable(impatient, "rolling-village", ["Ada", "Bo"])
    ada, new_device, watching = table.sit(0), table.sit(), table.sit()
    watching.get_by_role("button", name="I only watch").click()
    expect(watching.locator(".claimable")).to_be_hidden()
    new_device.get_by_role("button", name="I am Bo").click()
    ada.locator("#turn-away-1").click()
    expect(new_device.locator("#toast")).to_contain_text("The others did not let you in.")
    expect(new_device.locator("#bar")).to_contain_text("You are watching.")
    expect(watching.locator(".notice:visible")).to_have_count(0)
    impatient.close()
    impatient.complaints[:] = [message for message in impatient.complaints if "403" not in message]


def test_a_seat_in_which_a_bot_sits_and_the_second_of_one_name_say_so(impatient: Screens) -> None:
    table = BrowserTable(impatient, "rolling-village", ["Sam", "Bo", "Sam"])
    ada = table.sit(0)
    expect(ada.locator("#player-2 .name")).to_contain_text("Sam (2)")
    expect(ada.locator("#player-0 .name")).to_have_text("Sam")
    ada.locator("#stand-in-1").click()
    expect(ada.locator("#player-1 .name .mark")).to_be_visible()
    expect(ada.locator("#player-1 .name")).to_have_text("bot (a bot plays) Bo")
    assert not violations(ada)


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(("game", "options"), [("mayflower", {"first": 1}), ("rolling-village", {}), ("amerique-1500", {"first": 1})])
def test_the_sign_of_a_bot_in_a_seat_stands_beside_the_name(
    impatient: Screens, game: str, options: dict[str, Any], screen: dict[str, Any]
) -> None:
    ada = BrowserTable(impatient, game, ["Ada", "Bo", "Cleo"], options).sit(0, **screen)
    ada.locator("#stand-in-1").click()
    sign = box(ada.locator("#player-1 .name .mark"))
    words = """name => { const range = document.createRange(); range.selectNodeContents(name.lastChild);
        const text = range.getBoundingClientRect(); return [text.left, text.top, text.right, text.bottom]; }"""
    name = ElementBox(*until(ada, lambda: ada.locator("#player-1 .name").evaluate(words)))
    assert not sign.overlaps(name)
    assert sign.inside(box(ada.locator("#player-1")))


def test_a_paused_game_says_so_and_goes_on_where_it_was(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    ada, bo = table.sit(0), table.sit(1)
    ada.locator("#pause").click()
    expect(bo.locator("#bar")).to_contain_text("Paused")
    for page in (ada, bo):
        expect(page.locator("#bar")).not_to_contain_text("Waiting for")
    expect(bo.locator("[data-shows=paused]")).to_have_text(re.compile("The game is paused."))
    assert not violations(bo)
    bo.locator("#resume").click()
    live(ada)
    play_round(ada)


BESIDE = """() => {
    const [sign, name] = ["#player-0 .reaction", "#player-0 .name"].map((each) => document.querySelector(each)?.getBoundingClientRect());
    return sign && name && (sign.right <= name.left + 1 || sign.left >= name.right || sign.bottom <= name.top || sign.top >= name.bottom);
}"""


def test_a_sign_stands_on_the_card_for_a_moment(open_table: OpenTable, screens: Screens) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    ada, bo, watching = table.sit(0), table.sit(1), table.sit()
    expect(watching.locator("#open-signs")).to_be_hidden()
    ada.locator("#open-signs").click()
    assert not violations(ada)
    ada.get_by_role("button", name="Well played").click()
    expect(bo.locator("#player-0").get_by_role("img", name="Well played")).to_be_visible()
    bo.wait_for_function(BESIDE)
    ada.route("**/reactions", lambda route: route.fulfill(status=429, json={"error": "one reaction at a time"}))
    ada.locator("#open-signs").click()
    ada.get_by_role("button", name="Thank you").click()
    expect(ada.locator("#toast")).to_have_text("one reaction at a time")
    expect(bo.locator(".reaction")).to_have_count(0)
    assert table.see()["version"] == 1, "nothing of it is written down"
    assert all("429" in complaint for complaint in screens.complaints)
    screens.complaints.clear()


def test_when_the_host_is_gone_another_one_at_the_table_starts_the_game(impatient: Screens) -> None:
    ada = open_lobby(impatient)
    bo, cy = join_lobby(impatient, ada, "Bo"), join_lobby(impatient, ada, "Cy", **PHONE)
    expect(bo.locator("#starting")).to_have_text("Ada will start the game once everyone is here.")
    table = ada.url
    ada.goto("about:blank")
    expect(bo.locator("#starting")).to_contain_text("Ada, the host, is not here.")
    assert not violations(cy)
    assert overflow(cy) <= 0
    cy.get_by_role("button", name="Become the host").tap()
    expect(bo.locator("#starting")).to_have_text("Cy will start the game once everyone is here.")
    ada.goto(table)
    live(ada)
    expect(ada.locator("#starting")).to_have_text("Cy will start the game once everyone is here.")
    cy.get_by_role("button", name="Start with 3 players").tap()
    for page in (ada, bo, cy):
        at_the_game(page)
