"""Every page: no accessibility violation in light and dark, no overflow on a phone, and no English for French or Italian readers."""

from __future__ import annotations

import re
from functools import cache

import pytest
from playwright.sync_api import Page, expect

from tablee import games
from tablee.core.i18n import messages
from tablee.core.po_files import HEADER
from tests.browser.table import DESKTOP, PHONE, OpenTable, Screens, larger, overflow, violations_here
from tests.browser.village import OPEN, draw_round, play_round, play_to_the_end
from tests.browser.waiting import box, live
from tests.rounds import MANY, rounds

pytestmark = pytest.mark.browser

READ = [f"/{page}/{key}" for page in ("rules", "box") for key in games.known()]
FETCHED = """performance.getEntriesByType("resource").filter((each) => each.transferSize && each.initiatorType !== "fetch")
    .map((each) => each.name)"""  # what came over the network: modules, style sheets, pictures
STILL = ["/", "/join", *READ, "/credits"]


def sound(page: Page, *, both: bool = MANY) -> None:
    """Check a page on a light desktop and a dark phone; without `both`, axe checks only the phone."""
    for screen, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
        page.set_viewport_size(screen["viewport"])
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        if both or screen is PHONE:
            assert violations_here(page) == [], f"{scheme}, {screen['viewport']['width']} px"
        assert overflow(page) == 0


def test_the_buttons_of_the_start_page_are_named_by_what_they_say(screens: Screens) -> None:
    page = screens.show("/", locale="en-GB")
    for words in ("Play now", "New table"):
        expect(page.get_by_role("button", name=words)).to_have_count(len(games.known()))


@pytest.mark.parametrize("key", games.known())
def test_a_later_visit_asks_for_nothing_but_the_page(open_table: OpenTable, key: str) -> None:
    first, second = (open_table(key, ["Ada", "greedy"]) for _ in range(2))
    page = first.sit(0)
    assert page.evaluate(FETCHED)
    page.goto(second.server.address + second.path(0))
    live(page)
    assert page.evaluate(FETCHED) == []


@pytest.mark.parametrize("path", STILL)
def test_a_still_page_is_sound(screens: Screens, path: str) -> None:
    sound(screens.show(path), both=True)


@pytest.mark.parametrize("path", READ)
def test_a_markdown_page_has_the_site_header(screens: Screens, path: str) -> None:
    for screen in rounds(few=(PHONE,), many=(DESKTOP, PHONE)):
        page = screens.show(path, **screen)
        expect(page.get_by_role("banner").get_by_role("link", name="Tablée")).to_be_visible()
        expect(page.get_by_role("link", name="Play")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert overflow(page) == 0
        by_day = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        page.locator("#open-preferences").click()
        page.get_by_role("button", name="Light or dark").click()
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != by_day


@pytest.mark.parametrize("path", ["/rules/rolling-village", "/box/rolling-village"])
def test_the_rows_of_a_drawn_sheet_have_their_letters(screens: Screens, path: str) -> None:
    paper = screens.show(path).locator(".rv-paper").first
    for row in "ABCDE":
        expect(paper.get_by_text(row, exact=True)).to_be_visible()


@pytest.mark.parametrize("made", ["/t/{table}", "/new/rolling-village"])
def test_without_javascript_a_table_says_that_it_is_needed(screens: Screens, open_table: OpenTable, made: str) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"])
    page = screens.show("/", java_script_enabled=False)
    if made.startswith("/new"):
        page.locator(f"form[action='{made}'] button").click()
    else:
        page.goto(screens.server.address + made.format(table=table.id))
    expect(page.locator(".needs-script")).to_contain_text("This page needs JavaScript")
    expect(page.locator(".needs-script")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("key", ["amerique-1500", "mayflower", "rolling-village"])
def test_the_pictures_of_a_turn_are_drawn(screens: Screens, key: str) -> None:
    """Every picture has a size, and the symbols it uses are on the page."""
    page = screens.show(f"/rules/{key}")
    assert all(box(each).height > 150 for each in page.locator(".drawn-here").all())
    lost = page.evaluate(
        "[...document.querySelectorAll('use')].map((e) => e.getAttribute('href')).filter((id) => !document.querySelector(id))"
    )
    assert lost == []


def test_with_letters_twice_as_large_the_start_page_is_as_wide_as_its_window(screens: Screens) -> None:
    page = screens.show("/", prepare=larger, **PHONE | {"locale": "fr-FR"})
    assert page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [PHONE["viewport"]["width"]] * 2


@pytest.mark.parametrize("path", ["/nothing", "/t/nowhere", "/t/{table}?k=forged", "/rules/chess", "/box/chess"])
def test_an_error_is_a_page_too(screens: Screens, open_table: OpenTable, path: str) -> None:
    page = screens.show(path.format(table=open_table("rolling-village", ["Ada"]).id))
    expect(page.get_by_role("heading", name="Something went wrong")).to_be_visible()
    expect(page.get_by_role("alert")).not_to_be_empty()
    sound(page)
    assert all("status of 4" in complaint for complaint in screens.complaints)
    screens.complaints.clear()


def test_a_table_is_sound_from_the_set_up_to_the_end(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy", "greedy"])
    page = table.sit(0)
    sound(page)
    page.locator(OPEN).first.click()
    live(page)
    sound(page)
    draw_round(page)
    sound(page)
    play_round(page)
    play_round(page)
    for panel in ("rounds", "fair"):
        page.set_viewport_size(DESKTOP["viewport"])
        page.locator(f"#open-{panel}").click()
        expect(page.locator(f"#{panel}")).to_be_visible()
        sound(page)
        page.keyboard.press("Escape")
    page.set_viewport_size(DESKTOP["viewport"])
    play_to_the_end(page)
    sound(page)
    sound(table.sit())


def test_a_table_of_twelve_fits_a_phone(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "A name that is as long as a name may be"] + ["random"] * 10)
    page = table.sit(0, **PHONE)
    assert overflow(page) == 0
    expect(page.locator(".others .other")).to_have_count(11)
    sound(page)


def test_another_language_keeps_the_seat_and_the_draft(open_table: OpenTable) -> None:
    page = open_table("rolling-village", ["Ada", "Bo"]).sit(1)
    page.locator(OPEN).first.click()
    live(page)
    for code, prompt in (("fr", "Maintenant un projet dans la colonne"), ("it", "Ora un progetto nella colonna")):
        page.locator("#open-preferences").click()
        page.locator(f"#preferences a[hreflang={code}]").click()
        live(page)
        expect(page.locator("html")).to_have_attribute("lang", code)
        expect(page.locator(".player.me .name")).to_have_text("Bo")
        expect(page.locator(".cell.tried")).to_have_count(1)
        expect(page.locator("#bar-say")).to_contain_text(prompt)


def test_light_and_dark_are_remembered(screens: Screens) -> None:
    page = screens.show("/", color_scheme="light")
    by_day = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.locator("#open-preferences").click()
    page.get_by_role("button", name="Light or dark").click()
    page.goto(f"{screens.server.address}/credits")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != by_day


EVERY_WORD = """() => [...document.querySelectorAll("body *")].flatMap((each) => [
    ...[...each.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && !each.closest("script")).map((node) => node.textContent),
    each.getAttribute("aria-label"), each.getAttribute("title"), each.getAttribute("placeholder"),
]).filter(Boolean).map((text) => text.trim().replace(/\\s+/g, " ")).filter(Boolean)"""


@cache
def english(language: str) -> list[re.Pattern[str]]:
    """Return patterns of the platform's English messages whose translation differs, without those that are mostly gaps."""
    every = [
        (part, translated)
        for message, forms in messages(language).items()
        if message != HEADER
        for part, translated in zip(message, forms, strict=True)
    ]
    texts = [text for text, translated in every if text != translated and len(re.sub(r"\{.*?\}|\W", "", text)) > 4]
    same = {translated.lower() for _, translated in every}
    return [re.compile(re.sub(r"\\\{.*?\\\}", ".+", re.escape(text))) for text in texts if text.lower() not in same]


def left_in_english(page: Page, language: str) -> list[str]:
    """Return the page's texts that are English or contain an escaped entity."""
    return [text for text in page.evaluate(EVERY_WORD) if "&#" in text or is_english(text, language)]


@cache
def is_english(text: str, language: str) -> bool:
    """Tell whether a text is English; cached, because most texts occur on several pages."""
    return any(sentence.fullmatch(text) for sentence in english(language))


@pytest.mark.parametrize("language", ["fr", "it"])
def test_nothing_is_left_in_english(screens: Screens, open_table: OpenTable, language: str) -> None:
    page = screens.show(STILL[0], locale=language)
    for path in STILL:
        page.goto(screens.server.address + path)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert left_in_english(page, language) == [], path
    page = open_table("rolling-village", ["Ada", "greedy"]).sit(0, locale=language)
    for moment in (draw_round, play_round, draw_round, play_to_the_end):
        assert left_in_english(page, language) == []
        moment(page)
    assert left_in_english(page, language) == []
