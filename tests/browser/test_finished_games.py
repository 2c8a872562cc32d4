"""Finished games in a real browser: opening a record, replaying it, playing on from it and checking every draw.

Also: a page older than the server reloads itself and loses nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tablee import bots, games
from tablee.core import fairness, record
from tablee.core.match import Match
from tests.browser.table import PHONE, OpenTable, Screens, overflow, violations
from tests.browser.village import OPEN
from tests.browser.waiting import live

pytestmark = pytest.mark.browser

DROP = """async (text) => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], "game.json", { type: "application/json" }));
    const event = { dataTransfer: carried, bubbles: true, cancelable: true };
    for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, event));
}"""
HASHES = """async (lengths) => { const { ownDigest } = await import("/static/platform/hashing.js");
    const hex = (found) => [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return lengths.map((length) => ["SHA-256", "SHA-512"].map((name) => hex(ownDigest(name, new Uint8Array(length).fill(97))))); }"""
WITHOUT_SHA = "Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })"


def recorded(key: str = "rolling-village", seats: int = 2) -> dict[str, Any]:
    match = Match(games.find(key), seats, {}, fairness.seed_for(6, 1))
    return record.write(bots.play_out(match, [bots.GREEDY] * seats))


def brought(screens: Screens, saved: dict[str, Any], prepare: Callable[[Page], Any] | None = None, **screen: Any) -> Page:
    """Upload this record and return the page of its table."""
    made = screens.server.ask("POST", "/api/records", saved)
    page = screens.show(f"/t/{made['table']}", prepare, **screen)
    live(page)
    return page


def go_to(page: Page, turn: int) -> None:
    page.locator("#replay-at").fill(str(turn))
    expect(page.locator("body")).to_have_attribute("data-at", page.locator("#replay").get_attribute("data-stops").split()[turn])  # type: ignore[union-attr]
    live(page)


def test_a_record_dropped_on_the_start_page_can_be_looked_at_and_played_on_from(screens: Screens) -> None:
    saved = recorded()
    page = screens.show("/")
    page.evaluate(DROP, json.dumps(saved | {"scores": [1, 1]}))
    expect(page.locator("#bring-said")).to_contain_text("the record says scores [1, 1]")
    expect(page.locator("#bring-said")).to_be_in_viewport(ratio=1)
    assert all("status of 422" in complaint for complaint in screens.complaints)
    screens.complaints.clear()
    page.evaluate(DROP, json.dumps(saved))
    page.wait_for_url("**/t/*")
    live(page)
    expect(page.locator(".away")).to_have_count(0)
    page.locator("#replay-open").click()
    expect(page.locator("#play-on")).to_have_count(0)
    go_to(page, 3)
    expect(page).to_have_url(re.compile(r"\?at=\d+"))
    assert violations(page) == []
    at = int(re.findall(r"at=(\d+)", page.url)[0])
    page.locator("#play-on-as").select_option("1")
    page.locator("#play-on").click()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    live(page)
    expect(page.locator(".player.me .name")).to_contain_text("Player 2")
    table = re.findall(r"/t/(\w+)", page.url)[0]
    written = screens.server.ask("GET", f"/api/tables/{table}/record")
    assert (written["from"]["lines"], written["log"][:at]) == (at, saved["log"][:at])
    page.locator("#open-fair").click()
    expect(page.locator("#fair")).to_contain_text(f"The first {at} lines of this game were taken over")


def test_a_file_over_the_start_page_is_told_where_to_drop_it(screens: Screens) -> None:
    page = screens.show("/")
    page.evaluate(DROP.replace('"dragover", "drop"', '"dragover"'), "")
    sign = page.locator("#bring").evaluate("""place => {
        const { position, content, width, height } = getComputedStyle(place, "::before");
        return [position, content, parseFloat(width) > innerWidth / 2, parseFloat(height) > innerHeight / 2];
    }""")
    assert sign == ["fixed", '"Drop the saved game here"', True, True]


def test_a_turn_of_six_is_told_to_its_last_word(screens: Screens) -> None:
    page = brought(screens, recorded(seats=6))
    page.locator("#replay-open").click()
    go_to(page, 3)
    expect(page.locator("#bar-say")).to_contain_text("Player 6 ")
    page.wait_for_function("(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.getElementById('bar-say'))")
    expect(page.locator("#replay-on")).to_be_in_viewport(ratio=1)


def test_a_record_that_is_not_finished_is_shown_as_far_as_it_goes(screens: Screens) -> None:
    saved = recorded("mayflower") | {"scores": None, "winners": None, "fairness": None}
    page = brought(screens, saved | {"log": saved["log"][:31]}, **PHONE)
    expect(page.locator(".whose")).to_have_text("The saved game ends here")
    page.locator("#look-back").click()
    go_to(page, 4)
    expect(page.locator("#play-on")).to_be_visible()
    assert overflow(page) == 0


@pytest.mark.parametrize("sha", ["the browser's", "our own"])
def test_every_draw_is_checked_on_the_page(screens: Screens, sha: str) -> None:
    saved = recorded()
    page = brought(screens, saved, lambda page: page.add_init_script(WITHOUT_SHA) if sha == "our own" else None)
    page.locator("#open-fair").click()
    page.locator("#check-draws").click()
    draws = sum(line[0] == "-" for line in saved["log"])
    expect(page.locator("#checked p")).to_have_text(f"All {draws} draws follow from the secret number.")
    expect(page.locator("#checked li.right")).to_have_count(draws + 1)
    expect(page.locator("#checked li").nth(1)).to_contain_text("The dice show")
    assert violations(page) == []


def another_seed(report: dict[str, Any]) -> None:
    report["seed"] = fairness.seed_for(6, 2).hex()


def another_seed_and_its_fingerprint(report: dict[str, Any]) -> None:
    another_seed(report)
    report["commitment"] = fairness.commitment(fairness.seed_for(6, 2))


def another_draw(report: dict[str, Any]) -> None:
    report["draws"][3]["drawn"] = next(outcome for outcome, _ in report["draws"][3]["outcomes"] if outcome != report["draws"][3]["drawn"])


def another_weight(report: dict[str, Any]) -> None:
    """Give the drawn outcome the weight zero."""
    for outcome in report["draws"][3]["outcomes"]:
        if outcome[0] == report["draws"][3]["drawn"]:
            outcome[1] = 0


@pytest.mark.parametrize("lie", [another_seed, another_seed_and_its_fingerprint, another_draw, another_weight])
def test_what_is_false_is_shown_as_false(screens: Screens, lie: Callable[[dict[str, Any]], None]) -> None:
    def answer(route: Route) -> None:
        report = route.fetch().json()
        lie(report)
        route.fulfill(json=report)

    page = brought(screens, recorded(), lambda page: page.route("**/draws", answer))
    page.locator("#open-fair").click()
    page.locator("#check-draws").click()
    expect(page.locator("#checked p.wrong")).to_contain_text("not as promised")
    wrong = page.locator("#checked li.wrong").first
    expect(wrong).to_contain_text(
        "the secret number draws" if lie in (another_draw, another_weight) else "The secret number is not the one"
    )


def test_our_own_sha_is_the_standards(screens: Screens) -> None:
    lengths = [0, 1, 32, 44, 55, 56, 64, 111, 112, 128, 300]
    page = screens.show("/credits")
    expected = [[hashlib.new(name, b"a" * length).hexdigest() for name in ("sha256", "sha512")] for length in lengths]
    assert page.evaluate(HASHES, lengths) == expected


OLDER = """document.addEventListener("readystatechange", () => {
    const [old, now] = ["old", "now"].map((id) => document.getElementById(id));
    const loads = Number(sessionStorage.getItem("loads") ?? 0);
    if (document.readyState !== "interactive" || !old) return;
    sessionStorage.setItem("loads", loads + 1);
    document.documentElement.dataset.loads = loads + 1;
    if (loads >= TIMES) return;
    old.dataset.build = "older";
    if (now) now.textContent = JSON.stringify({ ...JSON.parse(now.textContent), picture: "" });
})"""


def of_an_older_build(page: Page, times: int) -> None:
    """Make the next `times` loads of the page look like those of an older build."""
    page.add_init_script(OLDER.replace("TIMES", str(times)))


def test_a_page_older_than_the_server_loads_itself_again(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada"]).sit(0, prepare=lambda page: of_an_older_build(page, 1))
    expect(page.locator("html")).to_have_attribute("data-loads", "2")
    expect(page.locator("#old")).to_be_hidden()


def test_a_lobby_and_a_class_older_than_the_server_load_themselves_again(screens: Screens) -> None:
    page = screens.show("/class", lambda page: of_an_older_build(page, 1))
    page.get_by_label("Name of the class").fill("5B")
    page.get_by_role("button", name="Gather a class").click()
    expect(page.locator("html")).to_have_attribute("data-loads", "2")
    page = screens.show("/", lambda page: of_an_older_build(page, 1))
    page.locator("form[action='/new/rolling-village'] button").click()
    expect(page.locator("html")).to_have_attribute("data-loads", "2")
    expect(page.locator("#old")).to_be_hidden()


def test_never_in_circles_and_not_while_something_is_tried_out(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada"]).sit(0)
    page.locator(OPEN).first.click()
    live(page)
    of_an_older_build(page, 9)
    page.reload()
    expect(page.locator("#old")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-loads", "1")
    assert violations(page) == []
    page.evaluate("localStorage.removeItem(Object.keys(localStorage).find((key) => key.endsWith('screen')))")
    page.locator("#reload").click()
    expect(page.locator("html")).to_have_attribute("data-loads", "3")
    expect(page.locator("#old")).to_be_visible()
