"""Mayflower in real Chromium: whole games by mouse, by keys alone, by touch and against bots; what the map shows and keeps.

Most games are played with a small box: one of each of the first eighteen faces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tablee import games
from tests.browser.table import PHONE, Opened, OpenTable, Screens, overflow, violations
from tests.server.process import ServerProcess

pytestmark = pytest.mark.browser

FACES = 18


def box_of(letters: dict[str, int], folder: Path) -> Path:
    """The published box with other counts; a letter left out is not in it."""
    text = (games.folder("mayflower") / "components.toml").read_text(encoding="utf-8")
    head, *tiles = re.split(r"(?m)^(?=\[tiles\.)", text)
    kept = [tile for tile in tiles if re.match(r"\[tiles\.(\w+)\]", tile)[1] in letters]  # type: ignore[index]
    counted = [re.sub(r"count = \d+", f"count = {letters[tile[7 : tile.index(']')]]}", tile, count=1) for tile in kept]
    file = folder / "box.toml"
    file.write_text(head + "".join(counted), encoding="utf-8")
    return file


def all_letters() -> list[str]:
    return re.findall(r"(?m)^\[tiles\.(\w+)\]", (games.folder("mayflower") / "components.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server with a small box for most of the games here."""
    folder = tmp_path_factory.mktemp("small")
    process = ServerProcess(folder, {"mayflower": box_of(dict.fromkeys(all_letters()[:FACES], 1), folder)}).start()
    yield process
    process.stop()


@pytest.fixture
def twins(tmp_path: Path, browser: Browser) -> Iterator[Screens]:
    """A box in which every tile has two towns, north and south: a tile between two others completes both."""
    process = ServerProcess(tmp_path, {"mayflower": box_of({"AV": 12}, tmp_path)}).start()
    screens = Screens(process, browser)
    yield screens
    screens.close()
    process.stop()
    assert not screens.complaints


def free_site(page: Page) -> str:
    """The id of a place that lies open under the pointer; the whole map is shown if none does."""
    found = """() => [...document.querySelectorAll(".site")].find((site) => { const box = site.getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(".site") === site; })?.id"""
    expect(page.locator(".site").first).to_be_attached()
    if not page.evaluate(found):
        page.locator("#zoom-all").click()
        page.wait_for_timeout(300)
    return str(page.evaluate(found))


def my_turn(page: Page) -> bool:
    """Waits until this screen is asked for a tile, or the game is over."""
    expect(page.locator(".site, #end h2").first).to_be_attached()
    return page.locator("#end h2").count() == 0


def settle_and_confirm(page: Page, press: str) -> None:
    """The first settler or score that is offered, then Confirm; `press` is "click" or "tap". Where nobody can stand the page passes."""
    asked = page.locator("#confirm, #choose-1")
    expect(asked).to_be_visible()
    while asked.get_attribute("id") != "confirm":
        answer(page, getattr(page.locator("#choose-1"), press))
    confirm(page, press)


def answer(page: Page, act: Callable[[], None]) -> None:
    """Does something and waits until the bar asks something else."""
    was = page.locator("#bar").inner_html()
    act()
    page.wait_for_function("was => document.getElementById('bar').innerHTML !== was", arg=was)
    expect(page.locator("#confirm, #choose-1")).to_be_visible()


def confirm(page: Page, press: str) -> None:
    version = page.evaluate("document.getElementById('tale').textContent")
    getattr(page.locator("#confirm"), press)()
    page.wait_for_function("was => document.getElementById('tale').textContent !== was", arg=version)
    expect(page.locator("#confirm")).to_have_count(0)


def whole_game(page: Page, press: str) -> int:
    turns = 0
    while my_turn(page):
        getattr(page.locator(f'[id="{free_site(page)}"]'), press)()
        settle_and_confirm(page, press)
        turns += 1
    return turns


def check_end(table: Opened, page: Page) -> None:
    """The end sheet's sums are the scores."""
    scores = table.see()["scores"]
    expect(page.locator(".sheet-of-points tfoot td")).to_have_text([str(score) for score in scores])
    rows = page.locator(".sheet-of-points tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent)))"
    )
    assert [sum(column) for column in zip(*rows, strict=True)] == scores
    assert violations(page) == []


def test_two_friends_play_a_whole_game_by_mouse(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "Ben"], {"first": 0})
    page = table.sit(0, 1)
    assert whole_game(page, "click") >= FACES - 4
    check_end(table, page)


def test_a_whole_game_by_keys_alone(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "random"], {"first": 0})
    page = table.sit(0)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.site')"):
            break
    while my_turn(page):
        expect(page.locator(".site:focus")).to_have_count(1)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        asked = page.locator("#confirm, #choose-1")
        expect(asked).to_be_visible()
        while asked.get_attribute("id") != "confirm":
            answer(page, lambda: page.keyboard.press("1"))
        expect(page.locator("#confirm")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#confirm")).to_have_count(0)
    check_end(table, page)


def test_a_whole_game_on_a_phone(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "greedy"], {"first": 0})
    page = table.sit(0, **PHONE)
    assert whole_game(page, "tap") >= FACES // 2 - 2
    assert overflow(page) <= 0
    check_end(table, page)


def test_a_whole_box_against_bots(tmp_path: Path, browser: Browser) -> None:
    server = ServerProcess(tmp_path).start()
    screens = Screens(server, browser)
    table = Opened(screens, "mayflower", ["Ada", "random", "greedy"], {"first": 0})
    page = table.sit(0)
    assert 25 < whole_game(page, "click") < 33
    check_end(table, page)
    screens.close()
    server.stop()
    assert not screens.complaints


def test_axe_has_no_complaint_at_any_step(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1)
    assert violations(page) == []
    page.locator(f'[id="{free_site(page)}"]').click()
    expect(page.locator("#drop")).to_be_visible()
    page.locator("#bag summary").click()
    assert violations(page) == []
    settle_and_confirm(page, "click")
    page.locator("#holdings summary").click()
    assert violations(page) == []


def test_the_tile_turns_only_as_it_fits_and_nothing_is_final(open_table: OpenTable) -> None:
    table = open_table("mayflower", ["Ada", "Ben"], {"first": 0})
    page = table.sit(0, 1)
    site = page.locator(f'[id="{free_site(page)}"]')
    cell, turns = site.get_attribute("data-cell"), [int(turn) for turn in str(site.get_attribute("data-turns")).split()]
    legal = table.see(0)["legal"]
    site.click()
    for _ in range(4):
        expect(page.locator("#last-tile")).to_have_attribute("data-cell", str(cell))
        drafted = page.evaluate("JSON.parse(Object.entries(sessionStorage).find(([name]) => name.includes('screen'))[1]).draft[0]")
        assert drafted in legal
        assert int(drafted.split()[2]) in turns
        page.keyboard.press("r")
        page.wait_for_timeout(120)
    while page.locator("#drop").count():
        page.locator("#drop").click()
        page.wait_for_timeout(120)
    expect(page.locator("#last-tile")).to_have_count(0)
    assert table.see(0)["view"]["tiles"] == []


def test_the_map_stays_where_it_was_put(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1)
    start = where(page)
    page.locator(f'[id="{free_site(page)}"]').hover()
    page.mouse.wheel(0, -300)
    assert where(page)["a"] > start["a"]
    page.locator("#map").hover(position={"x": 200, "y": 200})
    page.mouse.down()
    page.locator("#map").hover(position={"x": 230, "y": 225})
    page.mouse.up()
    assert where(page)["f"] != start["f"]
    put = where(page)
    page.locator(f'[id="{free_site(page)}"]').click()
    settle_and_confirm(page, "click")
    assert where(page) == pytest.approx(put)
    page.reload()
    expect(page.locator("#table")).to_have_attribute("data-live", "true")
    assert where(page) == pytest.approx(put)


def where(page: Page) -> dict[str, float]:
    moved: dict[str, float] = page.evaluate("(({a, e, f}) => ({a, e, f}))(new DOMMatrix(document.getElementById('chart').style.transform))")
    return moved


def test_a_hint_tells_of_places_out_of_view(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1)
    expect(page.locator("#elsewhere")).to_be_hidden()
    for _ in range(6):
        page.locator("#zoom-in").click()
    expect(page.locator("#elsewhere")).to_contain_text("More places")
    page.locator("#elsewhere").click()
    expect(page.locator("#elsewhere")).to_be_hidden()


def test_hover_shows_a_feature_and_the_tale_finds_its_place(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Ben"], {"first": 0}).sit(0, 1)
    page.locator('#hits [data-at="0,5 W"]').hover()
    expect(page.locator("#about")).to_contain_text("Town")
    assert page.locator("#extent .inside > *").count() == 1
    page.locator(f'[id="{free_site(page)}"]').click()
    settle_and_confirm(page, "click")
    for _ in range(8):
        page.locator("#zoom-in").click()
    page.locator(".tale .lay").first.click()
    page.wait_for_timeout(400)
    tile, map_frame = page.locator("#last-tile").bounding_box(), page.locator("#map").bounding_box()
    assert tile
    assert map_frame
    assert map_frame["x"] <= tile["x"] <= map_frame["x"] + map_frame["width"] - tile["width"]
    assert map_frame["y"] <= tile["y"] <= map_frame["y"] + map_frame["height"] - tile["height"]


def test_m8_the_player_chooses_what_is_scored_first(twins: Screens) -> None:
    table = Opened(twins, "mayflower", ["Ada", "Ben"], {"first": 0})
    for move in ("lay 1,0 0", "pass", "lay 1,2 0", "pass", "lay 2,0 0", "settle town S", "lay 2,2 0", "settle town N"):
        play(table, move)
    page = table.sit(0, 1)
    page.locator('[id="site-2,1"]').click()
    page.locator("#pass").click()
    expect(page.locator(".choice")).to_have_count(2)
    expect(page.locator("#choose-2")).to_contain_text("for Ben")
    expect(page.locator(".waiting")).to_have_count(2)
    page.locator("#choose-2").hover()
    assert page.locator("#extent .inside > *").count() == 2
    assert violations(page) == []
    page.locator("#choose-2").click()
    confirm(page, "click")
    expect(page.locator(".gain")).to_have_count(2)
    assert [player["score"] for player in table.see()["view"]["seats"]] == table.see()["scores"]


def play(table: Opened, move: str) -> None:
    seen = table.see()
    seat = seen["to_act"][0]
    body: dict[str, Any] = {"move": move, "at": seen["version"], "id": f"{seen['version']}"}
    table.server.ask("POST", f"/api/tables/{table.id}/moves", body, token=table.tokens[seat])
