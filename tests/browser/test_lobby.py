"""The lobby: alone in one tap, with friends by a link or a code, and back again without a key in the URL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.table import DESKTOP, PHONE, OpenTable, Screens
from tests.browser.test_connection import without_sockets
from tests.browser.test_pages import left_in_english, sound
from tests.browser.village import OPEN, play_round, play_to_the_end
from tests.browser.waiting import becomes, live, text, there
from tests.server.process import ServerProcess

pytestmark = pytest.mark.browser

NO_KEY = re.compile(r"/t/\w+$")


def open_lobby(screens: Screens, game: str = "rolling-village", name: str = "Ada", **screen: Any) -> Page:
    """Open a new table and return the host's page."""
    page = screens.show("/", **screen)
    page.locator(f"form[action='/new/{game}'] button").click()
    live(page)
    page.get_by_label("Name of player 1").fill(name)
    page.keyboard.press("Enter")
    return page


def join_lobby(screens: Screens, host: Page, name: str, **screen: Any) -> Page:
    """Open the host's link as a visitor, sit down and return the page."""
    visitor = screens.show(link(host).removeprefix(screens.server.address), **screen)
    visitor.get_by_label("Your name").fill(name)
    visitor.get_by_role("button", name="Sit here").first.click()
    expect(visitor.locator(".seat.mine")).to_have_count(1)
    return visitor


def link(page: Page) -> str:
    return page.locator("#invite input").input_value()


def at_the_game(page: Page) -> None:
    expect(page.locator(".stage-board")).to_be_visible()
    live(page)


def test_alone_one_tap_leads_to_the_first_move(screens: Screens) -> None:
    page = screens.show("/", **PHONE)
    page.get_by_role("button", name="Play now: Rolling Village").tap()
    at_the_game(page)
    expect(page).to_have_url(NO_KEY)
    expect(page.locator("#bar.mine")).to_be_visible()
    page.locator(OPEN).first.tap()
    expect(page.locator(".cell.tried")).to_have_count(1)


def test_two_people_by_link_choose_colours_and_societies_and_play(screens: Screens) -> None:
    host = open_lobby(screens, "amerique-1500")
    visitor = join_lobby(screens, host, "Bo")
    expect(host.locator("#chair-1")).to_contain_text("Bo")
    expect(visitor.locator("#chair-0")).to_contain_text("Ada")
    expect(visitor.get_by_role("radio", name="red")).to_be_disabled()
    visitor.locator("#chair-1").get_by_role("radio", name="violet").check(force=True)
    visitor.locator("#chair-1").get_by_role("radio", name="Algonquians").check()
    expect(host.locator("#chair-1")).to_contain_text("Algonquians")
    expect(host.locator("#chair-0").get_by_role("radio", name="violet")).to_be_disabled()
    for page in (host, visitor):
        sound(page)
        page.set_viewport_size(DESKTOP["viewport"])
        page.emulate_media(color_scheme="light")
    host.get_by_role("button", name="Start with 2 players").click()
    for page in (host, visitor):
        at_the_game(page)
        expect(page).to_have_url(NO_KEY)
        expect(page.locator("#room")).to_have_attribute("style", "--seat-1: var(--paint-5);")
    expect(visitor.locator("#about-algonquiens-mine")).to_be_visible()
    (active,) = [page for page in (host, visitor) if there(page, "#bar.mine")]
    active.locator("#throw").click()
    active.locator("#table [data-move]:visible").first.click()
    expect(active.locator("#drop")).to_be_visible()
    ring = "getComputedStyle(document.querySelector('.player .token.seat-1')).borderTopColor"
    becomes(visitor, lambda: visitor.evaluate(ring), "rgb(123, 63, 160)")  # violet by day


@pytest.mark.parametrize("language", ["fr", "it"])
def test_nothing_of_a_lobby_is_left_in_english(screens: Screens, language: str) -> None:
    page = screens.show("/", locale=language)
    page.locator("form[action='/new/amerique-1500'] button").click()
    live(page)
    page.locator("#kind-1").select_option("bot:greedy")
    page.locator("#more").click()
    expect(page.locator(".seat")).to_have_count(3)
    assert left_in_english(page, language) == []
    watcher = screens.show(link(page).removeprefix(screens.server.address), locale=language)
    assert left_in_english(watcher, language) == []


def test_a_code_that_is_read_out_leads_to_the_table_and_a_wrong_one_to_a_sentence(screens: Screens) -> None:
    host = open_lobby(screens)
    visitor = screens.show("/")
    visitor.get_by_label("I have a code").fill("qqqqq")
    visitor.get_by_role("button", name="Join").click()
    expect(visitor.get_by_role("alert")).to_contain_text("no table has the code 'QQQQQ'")
    screens.complaints.clear()  # the browser logs the 404
    visitor.get_by_label("I have a code").fill(text(host.locator("#table-code")).lower())
    visitor.get_by_role("button", name="Join").click()
    expect(visitor.get_by_role("button", name="Sit here")).to_be_visible()


def test_whoever_types_the_code_a_minute_late_is_offered_to_watch(screens: Screens) -> None:
    host = open_lobby(screens)
    code = host.locator("#table-code")
    expect(code).to_have_text(re.compile("^[A-Z]+$"))
    late = screens.show("/", **PHONE)
    late.get_by_label("I have a code").fill(text(code))
    host.locator("#start").click()
    at_the_game(host)
    late.get_by_role("button", name="Join").tap()
    expect(late.get_by_text("The game at this table has begun. You can watch it.")).to_be_visible()
    sound(late)
    late.get_by_role("link", name="Watch").click()
    at_the_game(late)
    expect(late.locator("#bar")).to_contain_text("You are watching.")


def test_a_host_who_only_sets_the_table_gives_the_seat_away_and_spectates(screens: Screens) -> None:
    host = open_lobby(screens)
    host.get_by_label("Where player 1 sits").select_option("joins by link")
    expect(host.locator(".seat.mine")).to_have_count(0)
    expect(host.locator("#newcomer")).to_be_hidden()
    sound(host)
    host.set_viewport_size(DESKTOP["viewport"])
    visitors = [join_lobby(screens, host, name) for name in ("Bo", "Cy")]
    host.get_by_role("button", name="Start with 2 players").click()
    for page in (host, *visitors):
        at_the_game(page)
    expect(host.locator("#bar")).to_contain_text("You are watching.")
    expect(visitors[0].locator("#bar.mine")).to_be_visible()


def test_a_removed_visitor_is_told_and_a_bot_may_take_the_seat(screens: Screens) -> None:
    host = open_lobby(screens)
    visitor = join_lobby(screens, host, "Bo")
    host.get_by_role("button", name="Free Bo's seat").click()
    expect(visitor.locator("#toast")).to_have_text("The host has freed your seat.")
    expect(visitor.locator("#newcomer")).to_be_visible()
    host.locator("#kind-1").select_option("bot:greedy")
    expect(visitor.locator("#chair-1")).to_contain_text("bot, greedy (fairly easy)")
    host.reload()
    live(host)
    host.get_by_role("button", name="Start with 2 players").click()
    at_the_game(host)
    at_the_game(visitor)
    expect(visitor.locator(".player.me")).to_have_count(0)


def test_whoever_sat_down_and_did_not_hear_the_answer_sits_there(screens: Screens) -> None:
    host = open_lobby(screens)
    visitor = screens.show(link(host).removeprefix(screens.server.address))

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    visitor.route("**/gathering", lose_the_answer)
    visitor.get_by_label("Your name").fill("Bo")
    visitor.get_by_role("button", name="Sit here").click()
    expect(visitor.locator(".seat.mine")).to_have_count(1)
    expect(host.locator("#chair-1")).to_contain_text("Bo")
    screens.complaints[:] = [message for message in screens.complaints if "ERR_FAILED" not in message]


def test_half_a_name_stays_where_it_is_typed_while_others_sit_down(screens: Screens) -> None:
    host = open_lobby(screens)
    host.get_by_label("Name of player 1").fill("Ada Lo")
    join_lobby(screens, host, "Bo")
    expect(host.locator("#chair-1")).to_contain_text("Bo")
    expect(host.get_by_label("Name of player 1")).to_be_focused()
    expect(host.get_by_label("Name of player 1")).to_have_value("Ada Lo")


def test_where_sockets_are_blocked_a_lobby_fills_too(screens: Screens) -> None:
    host = open_lobby(screens, prepare=without_sockets)
    join_lobby(screens, host, "Bo")
    expect(host.locator("#chair-1")).to_contain_text("Bo")
    host.get_by_role("button", name="Start with 2 players").click()
    at_the_game(host)


def test_the_key_leaves_the_address_and_the_seat_is_found_again(open_table: OpenTable, screens: Screens) -> None:
    """After a reload, from another page and in another tab; two tabs with two seats keep theirs."""
    table = open_table("rolling-village", ["Ada", "Bo"])
    ada = table.sit(0)
    expect(ada).to_have_url(NO_KEY)
    bo = ada.context.new_page()
    bo.goto(screens.server.address + table.path(1).replace("?", "#"))
    live(bo)
    expect(bo).to_have_url(NO_KEY)
    for page, name in ((ada, "Ada"), (bo, "Bo")):
        page.reload()
        live(page)
        expect(page.locator(".player.me .name")).to_contain_text(name)
    ada.goto(f"{screens.server.address}/rules/rolling-village")
    assert table.tokens[0] not in ada.evaluate("document.referrer")
    both = ada.context.new_page()
    both.goto(f"{screens.server.address}/t/{table.id}")
    live(both)
    expect(both.locator("[data-seat]")).to_have_count(2)


def test_a_key_that_opens_nothing_any_more_leaves_a_spectator(open_table: OpenTable, screens: Screens) -> None:
    table = open_table("rolling-village", ["Ada", "Bo"])
    page = table.sit(0)
    page.evaluate(f"sessionStorage.setItem('tablee-keys-{table.id}', 'given-away')")
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator(".player.me")).to_have_count(0)
    expect(page.locator(".player")).to_have_count(2)
    live(page)
    screens.complaints.clear()  # the browser logs that the key was refused


def test_a_seat_moves_to_another_device(open_table: OpenTable, screens: Screens) -> None:
    page = open_table("rolling-village", ["Ada", "Bo"]).sit(1)
    page.get_by_role("button", name="On another device").click()
    expect(page.locator("#device .qr svg")).to_be_visible()
    sound(page)
    phone = screens.show(page.get_by_label("Link to this seat").input_value().removeprefix(screens.server.address), **PHONE)
    live(phone)
    expect(phone.locator(".player.me .name")).to_have_text("Bo")


def test_my_tables_wait_on_the_start_page(screens: Screens) -> None:
    page = screens.show("/")
    page.get_by_role("button", name="Play now: Rolling Village").click()
    at_the_game(page)
    play_to_the_end(page)
    host = open_lobby_in(page, "rolling-village")
    host.get_by_role("button", name="Start alone").click()
    at_the_game(host)
    page.goto(f"{screens.server.address}/")
    cards = page.locator(".my-table")
    expect(cards.locator(".my-state")).to_have_text(["your turn", re.compile("won by")])
    sound(page)
    cards.first.get_by_role("link").click()
    at_the_game(page)
    play_round(page)
    page.goto(f"{screens.server.address}/")
    page.get_by_role("button", name="Hide this table of Rolling Village").last.click()
    expect(cards).to_have_count(1)
    page.reload()
    expect(cards).to_have_count(1)


CARD = """card => {
    const [title, state, around] = [...card.querySelectorAll("b, .my-state"), card].map((each) => each.getBoundingClientRect());
    return title.height < 2 * parseFloat(getComputedStyle(card).fontSize) && state.bottom <= around.bottom - 6;
}"""


def test_a_lobby_card_has_its_title_on_one_line_and_its_words_inside(screens: Screens) -> None:
    page = open_lobby(screens, "amerique-1500")
    page.goto(f"{screens.server.address}/")
    expect(page.locator(".my-table")).to_have_count(1)
    assert page.locator(".my-table").evaluate(CARD)


def open_lobby_in(page: Page, game: str) -> Page:
    """Open a new table in the same browser."""
    page.goto("/".join(page.url.split("/")[:3]))
    page.locator(f"form[action='/new/{game}'] button").click()
    live(page)
    return page


def test_what_the_device_prefers_is_used_wherever_one_sits_down(screens: Screens) -> None:
    page = screens.show("/credits")
    page.locator("#open-preferences").click()
    sound(page)
    page.get_by_label("Name", exact=True).fill("Zoé")
    page.get_by_role("radio", name="teal").check(force=True)
    page.keyboard.press("Escape")
    open_lobby_in(page, "rolling-village")
    expect(page.get_by_label("Name of player 1")).to_have_value("Zoé")
    expect(page.locator("#chair-0").get_by_role("radio", name="teal")).to_be_checked()


@pytest.fixture
def shaky(own_server: ServerProcess, browser: Browser) -> Iterator[Screens]:
    """Yield screens on a server that will be killed; their consoles may complain."""
    screens = Screens(own_server, browser)
    yield screens
    screens.close()


def test_a_killed_server_comes_back_and_everybody_still_sits_there(shaky: Screens) -> None:
    host = open_lobby(shaky)
    visitor = join_lobby(shaky, host, "Bo")
    shaky.server.kill()
    expect(visitor.locator("#connection")).to_have_text("Reconnecting…")
    shaky.server.start()
    expect(visitor.locator("#toast")).to_have_text("Connected again")
    host.get_by_role("button", name="Start with 2 players").click()
    for page in (host, visitor):
        at_the_game(page)
    expect(visitor.locator(".player.me .name")).to_have_text("Bo")


SIXTY_TABLES = """() => {
    const tables = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`old${at}`, { keys: "k", at }]));
    localStorage.setItem("tablee-tables", JSON.stringify(tables));
    for (const table of ["old0", "old1", "watched"]) {
        localStorage.setItem(`tablee-fingerprint-${table}`, "f");
        localStorage.setItem(`tablee-at-${table}-k-screen`, "{}");
        document.cookie = `tablee_keys=k; path=/t/${table}`;
    }
}"""


def test_what_leaves_the_devices_list_leaves_the_device(screens: Screens) -> None:
    page = screens.show("/")
    page.evaluate(SIXTY_TABLES)
    page.get_by_role("button", name="Play now: Rolling Village").click()
    at_the_game(page)
    new = page.url.rpartition("/")[2]
    known = page.evaluate("Object.keys(JSON.parse(localStorage.getItem('tablee-tables')))")
    assert len(known) == 60
    assert {"old1", new} <= set(known)
    assert "old0" not in known
    prints = page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('tablee-fingerprint-'))")
    assert sorted(prints) == sorted(["tablee-fingerprint-old1", f"tablee-fingerprint-{new}"])
    items = page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('tablee-at-')).map((name) => name.split('-')[2])")
    assert sorted(items) == sorted(["old1", new])
    paths = [cookie["path"] for cookie in page.context.cookies() if cookie["name"] == "tablee_keys"]
    assert "/t/old0" not in paths
    assert {"/t/old1", f"/t/{new}"} <= set(paths)
