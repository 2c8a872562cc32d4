"""Layout of the page: what a decision needs is visible, questions lie over the actions, the die is thrown by hand, the end is legible."""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tablee import bots, games
from tablee.core import fairness, record
from tablee.core.match import Match
from tablee.games.amerique_1500.state import State
from tablee.games.amerique_1500.tests.page_player import Player, by_finger
from tests.browser import waiting
from tests.browser.table import PHONE, BrowserTable, OpenTable, Screens, larger, overflow, violations
from tests.browser.waiting import ElementBox, live, texts, there
from tests.rounds import MANY, rounds

pytestmark = pytest.mark.browser

KEY = "amerique-1500"
FOUR = ["Ada", "greedy", "greedy", "greedy"]
VERSIONS: dict[str, dict[str, Any]] = {"quick": {}, "full": {"game": "full"}, "together": {"cooperative": True}}
LAPTOP, TABLET = {"viewport": {"width": 1280, "height": 800}}, {"viewport": {"width": 1024, "height": 768}}
UPRIGHT, LYING = PHONE | {"viewport": {"width": 390, "height": 844}}, PHONE | {"viewport": {"width": 844, "height": 390}}
PLACES = ("#status", "#stock", ".doing", "#hand", "#craft", "#wanted", "#others")
BOXES = "all => all.map((each) => { const b = each.getBoundingClientRect(); return [b.x, b.y, b.right, b.bottom]; })"
CUT = """() => [...document.querySelectorAll("#end td, #end th, #end p, #end .end-do > *")].filter((each) => {
    const box = each.getBoundingClientRect();
    const hides = each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflow !== "visible";
    return each.getClientRects().length && (box.left < 0 || box.right > innerWidth || hides);
}).map((each) => each.textContent.trim())"""


def box(page: Page, selector: str) -> ElementBox:
    return waiting.box(page.locator(selector).first)


def begun(open_table: OpenTable, seats: list[str] | None = None, **options: Any) -> BrowserTable:
    return open_table(KEY, seats or FOUR, {"first": 0} | options)


def learn(screens: Screens) -> Page:
    page = screens.show("/", **UPRIGHT)
    page.locator(f"#learn-{KEY}").click()
    live(page)
    return page


def play_out(table: BrowserTable) -> None:
    """Play seat 0 through the API, serving, crafting and playing cards whenever it can; bots play the others."""
    eager = ("serve", "make", "craft", "play", "cards")
    while (seen := table.see(0))["status"] != "over":
        if 0 in seen["to_act"]:
            move = next((move for verb in eager for move in seen["legal"] if move.startswith(verb)), seen["legal"][0])
            body: dict[str, Any] = {"move": move, "at": seen["version"], "id": f"m{seen['version']}"}
            table.server.ask("POST", f"/api/tables/{table.id}/moves", body, token=table.tokens[0])


@pytest.mark.parametrize("screen", [LAPTOP, TABLET], ids=["1280x800", "1024x768"])
def test_all_that_one_decides_from_is_in_sight_at_once(open_table: OpenTable, screen: dict[str, Any]) -> None:
    page = begun(open_table, game="full", cooperative=True).sit(0, **screen)
    places = {name: box(page, name) for name in PLACES}
    board = box(page, "[data-board]")
    assert [name for name, place in places.items() if not place.inside(board)] == []
    assert [(a, b) for a in PLACES for b in PLACES if a < b and places[a].overlaps(places[b])] == []
    piles = [ElementBox(*pile) for pile in page.locator(".pile").evaluate_all(BOXES)]
    assert not any(one.overlaps(two) for n, one in enumerate(piles) for two in piles[:n]), "goods do not overlap"
    page.locator("#throw").click()
    expect(page.locator(".tile").first).to_be_visible()
    sizes = page.locator(".tile").evaluate_all("all => all.map((each) => [each.offsetWidth, each.offsetHeight])")
    assert min(width for width, _ in sizes) >= 90
    assert min(height for _, height in sizes) >= 44
    for far in ("#wanted", "#others"):
        assert page.locator(far).evaluate("each => each.scrollHeight - each.clientHeight") <= 1, far


@pytest.mark.parametrize("screen", [UPRIGHT, LYING], ids=["upright", "lying"])
def test_on_a_phone_goods_stay_in_sight_and_every_place_is_one_tap_away(open_table: OpenTable, screen: dict[str, Any]) -> None:
    page = begun(open_table).sit(0, **screen)
    page.locator("#throw").tap()
    for place in ("craft", "wanted", "others", "hand"):
        tab = page.get_by_role("tab", selected=False).and_(page.locator(f"#tab-{place}"))
        tab.tap()
        expect(tab).to_have_count(0)
        expect(page.locator(f"#{place}")).to_be_visible()
        expect(page.locator(".place:visible")).to_have_count(1)
        expect(page.locator("#stock")).to_be_in_viewport(ratio=1)
        assert overflow(page) == 0
        if MANY or screen is UPRIGHT:
            assert violations(page) == []
    page.locator("#tab-hand").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#craft")).to_be_visible()
    expect(page.locator("#tab-craft")).to_be_focused()


def test_a_question_turns_to_the_place_of_its_answer_and_hides_no_goods(open_table: OpenTable) -> None:
    table = begun(open_table, ["Ada", "Ben"])
    player = Player(table, 0, table.sit(0, **UPRIGHT), by_finger)
    player.throw()
    while there(player.page, ".picker:not([hidden])"):
        assert not box(player.page, "#stock").overlaps(box(player.page, ".picker:not([hidden])"))
        player.tap(".picker:not([hidden]) .choice")
    player.page.locator("#tab-others").tap()
    player.tap("#do-barter")
    assert not box(player.page, "#stock").overlaps(box(player.page, "#tray"))
    assert not box(player.page, "#tabs").overlaps(box(player.page, "#tray"))
    labels = [ElementBox(*each) for each in player.page.locator("#tray h3").evaluate_all(BOXES)]
    assert not any(one.overlaps(two) for n, one in enumerate(labels) for two in labels[:n])
    player.tap("#drop")
    if there(player.page, "#do-cards:not([aria-disabled])"):
        player.tap("#do-cards")
        expect(player.page.locator("#hand")).to_be_visible()


def test_the_die_lies_there_until_its_player_throws_it(open_table: OpenTable) -> None:
    table = begun(open_table, ["Ada", "Ben"])
    ada, ben = table.sit(0), table.sit(1)
    expect(ada.locator("#bar-say")).to_contain_text("throw the die", use_inner_text=True)
    expect(ada.locator("#status .thrown").first).to_be_hidden()
    expect(ada.locator("#do-explore, .picker .choice").first).to_be_hidden()
    expect(ben.locator("#status .die.thrown")).to_be_visible()
    assert violations(ada) == []
    ada.keyboard.press("t")
    expect(ada.locator("#status .die.thrown")).to_be_visible()
    expect(ada.locator("#throw")).to_be_hidden()
    expect(ada.locator("#rolled-say")).to_contain_text("Ada rolled")
    ada.reload()
    live(ada)
    expect(ada.locator("#status .die.thrown")).to_be_visible()
    expect(ada.locator("#throw")).to_be_hidden()


def test_whoever_acts_at_once_has_thrown_the_die_too(open_table: OpenTable) -> None:
    for _ in range(20):
        table = begun(open_table, ["Ada", "Ben"])
        if table.see(0)["view"]["awaits"][0]["what"] == "action":
            break
    page = table.sit(0)
    page.keyboard.press("1")
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator("#status .die.thrown")).to_be_visible()
    page.locator("#drop").click()
    live(page)
    expect(page.locator("#throw")).to_be_hidden()
    expect(page.locator("#do-explore")).to_be_visible()


def test_a7_what_the_die_brings_and_nothing_else_is_kept_back_until_it_is_thrown(screens: Screens) -> None:
    page = learn(screens)
    crops, chip = page.locator("[data-tell='0-C'] b"), page.locator("#player-0 [data-number]")
    expect(crops).to_have_text("1")
    expect(chip).to_have_text("2")
    page.locator("#throw").tap()
    expect(crops).to_have_text("2")
    expect(chip).to_have_text("3")
    page.locator("#do-explore").tap()
    page.locator("#confirm").tap()
    expect(page.locator("#throw")).to_be_visible()
    for drawn in ("perch", "feast"):
        expect(page.locator(f"[data-tell='card-{drawn}']")).to_be_visible()
    expect(page.locator("[data-tell='0-G'] b")).to_have_text("1")  # Pia's die
    page.locator("#throw").tap()
    expect(page.locator("[data-tell='0-G'] b")).to_have_text("2")


def test_a7_nothing_on_the_table_tells_of_a_die_that_is_not_thrown(open_table: OpenTable) -> None:
    table = begun(open_table, ["Ada", "Ben"])
    while not table.see(0)["view"]["die"]["goods"]:
        table = begun(open_table, ["Ada", "Ben"])
    page = table.sit(0, **LAPTOP)
    expect(page.locator("#throw")).to_be_visible()
    expect(page.locator(".pile .laid:visible")).to_have_count(6)
    expect(page.locator(".pips").first).to_be_visible()
    looks = "each => each.map((one) => JSON.stringify([getComputedStyle(one).opacity, getComputedStyle(one).backgroundColor]))"
    for brought, usual in ((".cube.brought", ".cube.lacking"), (".pip.brought", ".pip:not(.has)")):
        assert {*page.locator(brought).evaluate_all(looks)} <= {*page.locator(usual).evaluate_all(looks)}
    page.locator("#throw").click()
    expect(page.locator(".pile .early:visible")).to_have_count(0)
    expect(page.locator(".pile .laid:visible")).to_have_count(6)


def test_on_a_phone_nothing_that_is_chosen_lies_under_anything_else(screens: Screens) -> None:
    page = learn(screens)
    for tap in ("throw", "do-explore", "confirm", "throw", "do-cards", "card-of-perch", "card-of-hare"):
        page.locator(f"#{tap}").tap()
    expect(page.locator("#confirm")).to_be_visible()
    live(page)
    for chosen in page.locator(".plan li").all():
        expect(chosen).to_be_in_viewport(ratio=1)
    assert not box(page, "#again").overlaps(box(page, "#confirm"))


def test_a7_on_a_phone_the_food_of_a_die_stays_in_sight_when_an_action_follows(open_table: OpenTable) -> None:
    table = begun(open_table, ["Ada", "Ben"])
    while "cards" in table.see(0)["legal"]:  # until a die asks for food first
        table = begun(open_table, ["Ada", "Ben"])
    page = table.sit(0, **UPRIGHT)
    page.locator("#throw").tap()
    for _ in range(table.see(0)["view"]["die"]["food"]):
        page.locator(".picker:not([hidden]) .choice").first.tap()
        live(page)
    page.locator("#do-cards").tap()
    live(page)
    for chosen in page.locator(".plan li > :last-child").all():
        assert chosen.evaluate("each => getComputedStyle(each).clipPath") == "none"


def test_a8_a_tray_that_balances_does_not_lead_the_keyboard_to_confirm(open_table: OpenTable) -> None:
    table = begun(open_table, ["Ada", "Ben"])
    player = Player(table, 0, table.sit(0))
    player.throw()
    while there(player.page, ".picker:not([hidden])"):
        player.tap(".picker:not([hidden]) .choice")
    player.tap("#do-barter")
    page, version = player.page, player.now["version"]
    page.locator("#own-C").focus()
    page.keyboard.press("Enter")
    page.locator("#reserve-W").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#confirm")
    expect(page.locator("#reserve-W")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".tray-say")).to_have_text("Now give 1 more.")
    live(page)
    assert player.now["version"] == version, "nothing was confirmed"


def test_a_request_says_what_one_has_of_each_kind(open_table: OpenTable) -> None:
    table = begun(open_table)
    page, view = table.sit(0), table.see(0)["view"]
    if there(page, "#throw"):
        page.locator("#throw").click()
    stock = view["players"][0]["goods"]
    for wish, request in zip(page.locator(".request-card").all(), view["requests"], strict=True):
        kinds = [good for good in "GMFCWS" if good in request["goods"]]
        expect(wish.locator(".kind")).to_have_count(len(kinds))
        for kind, good in zip(wish.locator(".kind").all(), kinds, strict=True):
            wanted = request["goods"].count(good)
            expect(kind).to_have_text(re.compile(rf"^\s*{min(stock.count(good), wanted)}\s*/\s*{wanted}\s*$"))
        expect(wish).to_contain_text("Missing:")


def test_playable_cards_can_be_told_in_forced_colours(open_table: OpenTable) -> None:
    page = begun(open_table).sit(0, forced_colors="active")
    page.locator("#throw").click()
    marked = "each => getComputedStyle(each).outlineStyle"
    for able in page.locator(".ready > button, .tile > button:not([aria-disabled]), .picker:not([hidden]) .choice").all():
        assert able.evaluate(marked) == "solid"


def test_a_shared_screen_shows_the_table_to_everybody_while_it_is_passed_on(open_table: OpenTable) -> None:
    page = begun(open_table, ["Ada", "Ben"]).sit(0, 1)
    expect(page.locator("#uncover")).to_be_visible()
    expect(page.locator(".request-card").first).to_be_visible()
    expect(page.locator(".other")).to_have_count(2)
    expect(page.locator("#hand")).to_have_count(0)
    expect(page.locator("#throw")).to_have_count(0)
    assert violations(page) == []


@pytest.mark.parametrize("screen", [UPRIGHT, LYING], ids=["upright", "lying"])
@pytest.mark.parametrize("seats", [(), (0, 1)], ids=["spectator", "covered"])
def test_on_a_phone_whoever_only_looks_sees_the_die_the_tabs_and_the_place(
    open_table: OpenTable, seats: tuple[int, ...], screen: dict[str, Any]
) -> None:
    page = begun(open_table, ["Ada", "Ben"]).sit(*seats, **screen)
    board = box(page, "[data-board]")
    for place in ("#others", "#wanted"):
        page.locator(f"#tab-{place[1:]}").tap()
        expect(page.locator(".place:visible")).to_have_count(1)
        seen = [box(page, name) for name in ("#status", "#tabs", place)]
        assert not any(one.overlaps(two) for n, one in enumerate(seen) for two in seen[:n]), place
        assert not box(page, "#tab-wanted").overlaps(box(page, "#tab-others"))
        assert all(part.width >= 200 and part.inside(board) for part in seen), place
        assert seen[-1].bottom >= board.bottom - 10, "the place fills what is left"
    assert overflow(page) == 0


def test_a7_the_log_keeps_the_roll_back_until_the_die_is_thrown_also_after_a_reload(open_table: OpenTable) -> None:
    page = begun(open_table, ["Ada", "Ben"]).sit(0)
    for _ in range(2):
        expect(page.locator("#throw")).to_be_visible()
        expect(page.locator("#tale")).not_to_contain_text("rolls", use_inner_text=True)
        page.reload()
        live(page)
    page.locator("#throw").click()
    expect(page.locator("#tale")).to_contain_text("rolls", use_inner_text=True)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_end_is_read_without_anything_cut(open_table: OpenTable, version: str) -> None:
    table = begun(open_table, **VERSIONS[version])
    play_out(table)
    view = table.see(0)["view"]
    for screen in (LAPTOP, UPRIGHT):
        page = table.sit(0, **screen)
        expect(page.locator("#end tbody tr")).to_have_count(4)
        assert page.evaluate(CUT) == []
        assert overflow(page) == 0
        last = page.locator("#end th", has_text="Goods left")
        last.scroll_into_view_if_needed()
        expect(last).to_be_in_viewport(ratio=1)
        expect(page.locator("#end .winners .person")).to_have_count(len(view["winners"]))
        expect(page.locator("#board")).not_to_contain_text("craft an item")
        if MANY or screen is UPRIGHT:
            assert violations(page) == []
        page.locator("#finale-play").click()
        expect(page.locator(".counted:visible").first).to_be_in_viewport()
        page.locator("#finale-skip").click()
        expect(page.locator(".counted")).to_have_count(0)
        page.context.close()


def test_everybody_at_a_gathering_table_chooses_a_society_and_no_two_the_same(screens: Screens) -> None:
    page = screens.show("/")
    page.locator(f"form[action='/new/{KEY}'] button").click()
    live(page)
    page.get_by_label("Where player 2 sits").select_option(value="bot:greedy")
    first, second = page.locator("#chair-0"), page.locator("#chair-1")
    expect(second.get_by_role("radio", name="Inuit")).to_be_checked()
    first.get_by_role("radio", name="Iroquois").check()
    expect(second.get_by_role("radio", name="Iroquois")).to_be_disabled()
    page.locator("#start").click()
    for society, where in (("iroquois", "mine"), ("inuits", "1")):
        expect(page.locator(f"#about-{society}-{where}")).to_be_visible()


def test_all_moves_are_words(open_table: OpenTable) -> None:
    table = begun(open_table, ["Ada", "Ben"])
    page = table.sit(0)
    page.locator("#throw").click()
    page.locator("#open-moves").click()
    offered = texts(page.locator("#moves-list button"))
    assert len(offered) == len(table.see(0)["legal"])
    assert set(offered) <= {"Explore", "Barter", "Play cards", "Craft", "Gathering", "Meat", "Fish", "Crop"}


@cache
def game_of_bots(seats: int, seed: int, **options: Any) -> Match[State]:
    return bots.play_out(Match(games.find(KEY), seats, options, fairness.seed_for(6, seed)), [bots.GREEDY] * seats)


class Continued(BrowserTable):
    """A game of bots continued after `at` lines of its log, with a person in one seat."""

    def __init__(self, screens: Screens, match: Match[State], at: int, seat: int) -> None:
        self.screens, self.server = screens, screens.server
        stored = self.server.ask("POST", "/api/records", record.write(match))["table"]
        onward = {"at": at, "people": [seat], "level": "greedy"}
        self._find(self.server.ask("POST", f"/api/tables/{stored}/play-on", onward))


class LongTurn(Continued):
    """A game of bots continued where its longest turn began, with a person in that seat; `moves` are the moves of that turn."""

    def __init__(self, screens: Screens) -> None:
        game, match = games.find(KEY), game_of_bots(4, 1, game="full")
        turns = [list(lines) for seat, lines in groupby(enumerate(match.log), key=lambda each: each[1].seat) if seat >= 0]
        turn = max(turns, key=len)
        self.moves = [game.show(line.move) for _, line in turn]
        self.seat = turn[0][1].seat
        super().__init__(screens, match, turn[0][0], self.seat)


def test_a7_with_letters_twice_as_large_the_die_has_no_empty_field_before_a_question(screens: Screens) -> None:
    """A six asks for a food once it is thrown; until then that question takes no place under the die, however small the hand."""
    match = game_of_bots(2, 3, first=0)
    rolled = match.lines().index("- roll 6") + 1
    assert match.lines()[rolled].startswith("0 take ")
    page = Continued(screens, match, rolled, 0).sit(0, prepare=larger, locale="fr-FR", **UPRIGHT)
    expect(page.locator("#throw")).to_be_visible()
    field, die, words = (box(page, place) for place in (".doing", "#throw svg", "#throw b"))
    assert field.height - (max(die.bottom, words.bottom) - min(die.top, words.top)) < 48
    assert page.locator(".doing").evaluate("each => each.scrollHeight - each.clientHeight") <= 1
    page.locator("#throw").tap()
    expect(page.locator(".picker .choice:visible")).to_have_count(4)


OUT_OF_SIGHT = """all => all.filter((each) => {
    const [box, around] = [each, each.closest(".bar-do")].map((one) => one.getBoundingClientRect());
    const beside = box.left < around.left - 1 || box.right > around.right + 1;
    return !box.width || beside || box.top < around.top - 1 || box.bottom > around.bottom + 1 || each.scrollWidth > each.clientWidth + 1;
}).map((each) => each.textContent.trim())"""


@pytest.mark.parametrize("language", rounds(few=["fr-FR"], many=["en-GB", "fr-FR"]))  # French has the longer words
@pytest.mark.parametrize("screen", [LAPTOP, TABLET, UPRIGHT, LYING], ids=["1280x800", "1024x768", "390x844", "844x390"])
def test_every_part_of_a_long_turn_is_in_sight_before_it_is_confirmed(screens: Screens, screen: dict[str, Any], language: str) -> None:
    table = LongTurn(screens)
    page = table.sit(table.seat, **screen, locale=language)
    verbs = box(page, ".main-actions")
    page.evaluate("moves => document.dispatchEvent(new CustomEvent('tablee:draft', { detail: moves }))", table.moves)
    expect(page.locator("#confirm")).to_be_visible()
    live(page)
    expect(page.locator(".plan li")).to_have_count(6)
    assert page.locator(".plan li, #again").evaluate_all(OUT_OF_SIGHT) == []
    assert box(page, ".main-actions") == verbs, "nothing moves under a finger"
    page.locator("#again").click()
    expect(page.locator(".plan")).to_have_count(0)


def test_whoever_has_just_moved_is_outlined_in_their_colour(open_table: OpenTable) -> None:
    """The edge of their board has the colour of their token, and that of the others has not."""
    edge = "one => getComputedStyle(one).borderTopColor"
    page = open_table(KEY, ["Ada", "greedy", "greedy"], {"first": 1}).sit(0)
    expect(page.locator("#bar.mine")).to_be_visible()
    for seat in (1, 2):
        colour = page.locator(f"#player-{seat} .token").evaluate(edge)
        expect(page.locator(f"#other-{seat}")).to_have_css("border-top-color", colour)
    first = open_table(KEY, ["Ada", "greedy"], {"first": 0}).sit(0)
    expect(first.locator("#bar.mine")).to_be_visible()
    assert first.locator("#other-1").evaluate(edge) != first.locator("#player-1 .token").evaluate(edge)
