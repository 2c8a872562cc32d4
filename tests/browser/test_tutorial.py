"""Every tutorial on its page: the test taps the highlighted element until the tutorial is over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tablee import games
from tablee.core import tutorial
from tablee.core.i18n import Translator
from tablee.server.view.company import CONFIRM_PROMPT
from tests.browser.table import PHONE, Screens, overflow, violations
from tests.browser.waiting import box, live, text, there
from tests.rounds import rounds
from tests.test_tutorials import answer, asked, begin

TAUGHT = [key for key in games.known() if tutorial.load_tutorial(games.folder(key))]
SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

pytestmark = pytest.mark.browser


def learn(screens: Screens, game: str, **screen: Any) -> Page:
    page = screens.show("/", **screen)
    page.locator(f"#learn-{game}").click()
    live(page)
    return page


def tap(page: Page) -> None:
    """Tap the middle of the highlighted element."""
    page.evaluate(DRAWN)
    press = page.touchscreen.tap if page.evaluate("navigator.maxTouchPoints") else page.mouse.click
    press(*box(page.locator(".lesson-ring").first).middle)
    live(page)


def follow(page: Page, taps: int = 200) -> None:
    for _ in range(taps):
        if there(page, "#real-game"):
            return
        tap(page)


ELSEWHERE = {TAUGHT[0]: SMALL | {"locale": "fr-FR"}, TAUGHT[-1]: PHONE | {"locale": "it-IT"}}
ON_A_DESKTOP: dict[str, dict[str, Any]] = {game: {} for game in TAUGHT}


@pytest.mark.parametrize(
    ("game", "screen"), rounds(few=[*(ON_A_DESKTOP | ELSEWHERE).items()], many=[*ON_A_DESKTOP.items(), *ELSEWHERE.items()])
)
def test_a_first_game_is_played_by_tapping_what_wears_the_ring(screens: Screens, game: str, screen: dict[str, Any]) -> None:
    page = learn(screens, game, **screen)
    follow(page, 5)
    note = text(page.locator("#lesson-note"))
    page.reload()
    live(page)
    expect(page.locator("#lesson-note")).to_have_text(note, use_inner_text=True)
    follow(page)
    expect(page.locator("#lesson-note li")).to_have_count(3)
    expect(page.locator(".player.me.won")).to_have_count(1)
    assert overflow(page) <= 0
    page.locator("#real-game").click()
    live(page)
    expect(page.locator("#lesson")).to_have_count(0)


def test_another_legal_move_is_answered_kindly_and_an_illegal_one_with_its_rule(screens: Screens) -> None:
    page = learn(screens, "rolling-village")
    assert not violations(page)
    page.locator("#cell-3B").click()
    expect(page.locator("#toast.good")).to_contain_text("That is allowed too!")
    page.locator("#cell-1A").click(force=True)
    expect(page.locator("#toast.shown:not(.good)")).to_contain_text("1A is not in a column that was rolled")
    tap(page)
    expect(page.locator("#lesson-note")).to_contain_text("Tap cell 4A")
    page.locator("#drop").click()
    expect(page.locator("#lesson-note")).to_contain_text("Tap cell 3A")


# Puts a text into the note; returns how many pixels of it must be scrolled to, and by how many its task overflows.
MEASURE_NOTE = """([says, todo]) => {
    const note = document.getElementById("lesson-note");
    note.querySelector("p:not(.lesson-head, .lesson-todo)").textContent = says;
    note.querySelector(".lesson-todo").textContent = todo;
    const windows = [note, ...note.querySelectorAll("*")].filter((each) => getComputedStyle(each).overflowY !== "visible");
    const scrolled = [0, ...windows.map((each) => each.scrollHeight - each.clientHeight)];
    return [Math.max(...scrolled), note.querySelector(".lesson-todo").getBoundingClientRect().bottom - note.getBoundingClientRect().bottom];
}"""


def notes(game: str) -> Iterator[tuple[str, str]]:
    """Yield the text and the task of every step of a tutorial, in every language."""
    taught = tutorial.load_tutorial(games.folder(game))
    assert taught is not None
    for translator in map(Translator, ("en", "fr", "it")):
        for step in taught.steps:
            yield from [(translator(step.says), translator(step.todo))] if step.todo else []
            yield from [(translator(step.ready), translator(CONFIRM_PROMPT))] if step.ready else []


@pytest.mark.parametrize("game", TAUGHT)
def test_on_a_phone_every_sentence_of_a_lesson_is_read_whole(screens: Screens, game: str) -> None:
    page = learn(screens, game, **PHONE)
    for says, todo in notes(game):
        below, out = page.evaluate(MEASURE_NOTE, [says, todo])
        assert (below <= 1, out <= 0) == (True, True), f"{below} pixels of {says!r} are not in sight, {out} of {todo!r}"


def learnt(screens: Screens, game: str, **screen: Any) -> Page:
    """Open the end of a tutorial whose moves went through the API."""
    page, server = screens.show("/", **screen), screens.server
    made = page.request.post(f"{server.address}/first/{game}", max_redirects=0).headers["location"]
    table, _, token = made.removeprefix("/t/").partition("#k=")
    match, taught = begin(game)
    while match.to_act:
        move, at = asked(match, taught)[0], server.ask("GET", f"/api/tables/{table}", token=token)["version"]
        server.ask("POST", f"/api/tables/{table}/moves", {"move": move, "at": at, "id": str(at)}, token)
        answer(match, taught, move)
    page.goto(f"{server.address}/t/{table}?k={token}")
    live(page)
    return page


@pytest.mark.parametrize("game", TAUGHT)
def test_at_its_end_the_button_is_whole_and_the_note_gives_way_to_the_board(screens: Screens, game: str) -> None:
    page = learnt(screens, game, **PHONE | {"locale": "fr-FR"})
    for screen in (PHONE, SMALL):
        page.set_viewport_size(screen["viewport"])
        expect(page.locator("#real-game")).to_be_in_viewport(ratio=1)
        expect(page.locator("#lesson-note form a")).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 390, "height": 844})
    column, words = box(page.locator(".stage-column")), box(page.locator("#lesson-note"))
    assert words.bottom <= column.top
    assert column.height <= 0.31 * 844
    if there(page, "#finale-play"):
        page.locator("#finale-play").click()
        expect(page.locator("#lesson-note")).to_be_hidden()
        page.locator("#finale-skip").click()
    expect(page.locator("#lesson-note")).to_be_visible()
    page.locator("#replay-open").click()
    for turn in ("End", "Home"):
        page.locator("#replay-at").press(turn)
        live(page)
        expect(page.locator("#lesson-note")).to_be_hidden()
        expect(page.locator("#replay-at")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.querySelector('[data-board]').clientHeight > .35 * innerHeight")
