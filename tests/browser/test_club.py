"""A class in real browsers: the organiser works by keyboard, and pupils' devices open their tables by themselves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tablee import games
from tests.browser.table import DESKTOP, PHONE, Screens, overflow, violations_here
from tests.browser.waiting import becomes, box, live, text

pytestmark = pytest.mark.browser

TO_READ = ["/class", "/privacy", *(f"/teach/{key}" for key in games.known() if (games.folder(key) / "TEACH.md").exists())]
PROJECTOR = {"viewport": {"width": 1920, "height": 1080}}


def gather(screens: Screens) -> tuple[Page, str]:
    """Create a class; return the organiser's page and the code."""
    organiser = screens.show("/class")
    organiser.get_by_label("Name of the class").fill("5B")
    organiser.get_by_role("button", name="Gather a class").click()
    return organiser, text(organiser.locator(".club-code b"))


WIDEST_CODE = "WWWWWW"  # codes are drawn at random: one of wide letters must fit as well
MEMBERSHIPS = "Object.keys(localStorage).filter((name) => /^tablee-(organiser|member)-/.test(name)).length"


def join(screens: Screens, code: str, name: str) -> Page:
    pupil = screens.show(f"/c/{code}", **PHONE)
    pupil.get_by_label("Your first name").fill(name)
    pupil.keyboard.press("Enter")
    expect(pupil.get_by_role("heading", name=f"Hello {name}!")).to_be_visible()
    return pupil


def sound(page: Page, *sizes: dict[str, dict[str, int]]) -> None:
    for number, screen in enumerate(sizes or (DESKTOP, PHONE)):
        page.set_viewport_size({"width": screen["viewport"]["width"], "height": screen["viewport"]["height"]})
        page.emulate_media(color_scheme="dark" if number else "light")
        assert violations_here(page) == []
        assert overflow(page) == 0


def test_a_class_sits_down_is_paused_and_deleted(screens: Screens) -> None:
    organiser, code = gather(screens)
    ada, bo = join(screens, code, "Ada"), join(screens, code, "Bo")
    organiser.locator("#game").select_option("rolling-village")
    ticked = organiser.get_by_role("checkbox", name="Bo")
    ticked.focus()
    organiser.keyboard.press("Space")
    left = join(screens, code, "Cy")
    becomes(left, lambda: left.evaluate(MEMBERSHIPS), 1)
    left.get_by_role("button", name="Leave").click()
    expect(organiser.get_by_text("2 members")).to_be_visible()
    expect(left).to_have_url(re.compile("/$"))
    becomes(left, lambda: left.evaluate(MEMBERSHIPS), 0)  # and the device has forgotten it
    expect(ticked).to_be_checked()
    expect(ticked).to_be_focused()
    organiser.get_by_role("button", name="A new table with them").click()
    bo.wait_for_url(re.compile("/t/"))
    organiser.get_by_role("button", name="Seat everyone at random").click()
    ada.wait_for_url(re.compile("/t/"))
    live(ada)
    organiser.get_by_role("checkbox", name="Ada").check()
    organiser.locator("[name=table]").select_option("1")
    live(bo)  # its key has left the address
    first = bo.url.partition("?")[0]
    organiser.get_by_role("button", name="seat them there").click()
    ada.wait_for_url(re.compile(re.escape(first)))
    live(ada)
    bo.locator("#pause").tap()
    expect(organiser.locator("#club-table-1")).to_contain_text("Paused by a player")
    ada.locator("#resume").tap()
    expect(organiser.locator("#club-table-1")).not_to_contain_text("Paused by a player")
    organiser.get_by_role("button", name="Pause all tables").click()
    expect(ada.get_by_role("heading", name="All tables are paused")).to_be_visible()
    frozen = "at => !document.elementFromPoint(...at)?.closest('[id^=cell-]')"
    becomes(ada, lambda: ada.evaluate(frozen, box(ada.locator("[id^=cell-]").first).middle), True)
    expect(bo.get_by_role("heading", name="All tables are paused")).to_be_visible()
    organiser.get_by_role("button", name="Resume").click()
    expect(ada.get_by_role("heading", name="All tables are paused")).to_be_hidden()
    organiser.get_by_text("Delete this class").click()
    organiser.get_by_label("I am sure").check()
    organiser.get_by_role("button", name="Delete everything").click()
    expect(organiser.get_by_text("5B is deleted")).to_be_visible()
    expect(ada.get_by_role("alert")).to_have_text("this table was deleted, with its class")
    expect(ada.get_by_text("It is your turn")).to_have_count(0)
    expect(ada.get_by_role("link", name="Back to the start page")).to_be_visible()
    screens.close()
    screens.complaints.clear()  # the browser logs that the seat is taken and that the class is deleted


def test_the_organiser_comes_back_to_the_class_from_a_link_that_is_shown_once(screens: Screens) -> None:
    organiser, code = gather(screens)
    join(screens, code, "Ada")
    organiser.get_by_role("checkbox", name="Ada").check()
    organiser.get_by_role("button", name="New link").click()
    once = organiser.get_by_text("A new link for Ada")
    expect(once).to_be_visible()
    organiser.get_by_role("link", name="Tablée").click()
    expect(organiser.get_by_text("My classes")).to_be_visible()
    organiser.go_back()
    expect(organiser.get_by_role("checkbox", name="Ada")).to_be_visible()
    expect(once).to_have_count(0)
    screens.close()
    screens.complaints.clear()  # the browser logs that Ada's device is signed out


def seat_all(organiser: Page, *pupils: Page) -> None:
    organiser.locator("#game").select_option("rolling-village")
    organiser.locator("#seat").click()
    for pupil in pupils:
        pupil.wait_for_url(re.compile("/t/"))
        live(pupil)


def new_round(organiser: Page) -> None:
    organiser.get_by_text("A new round").click()
    organiser.locator("button[value=mixed]").click()


def test_a_pupil_with_a_new_link_or_a_second_device_goes_along_to_the_next_round(screens: Screens) -> None:
    organiser, code = gather(screens)
    ann = join(screens, code, "Ann")
    seat_all(organiser, ann)
    organiser.get_by_role("checkbox", name="Ann").check()
    organiser.locator("button[value=link]").click()
    new_device = screens.show(
        organiser.get_by_role("textbox", name="Link for Ann").input_value().removeprefix(screens.server.address), **PHONE
    )
    new_device.wait_for_url(re.compile("/t/"))
    live(new_device)
    new_device.locator("#more").tap()
    new_device.locator("#open-device").tap()
    second_device = screens.show(new_device.locator("#device input").input_value().removeprefix(screens.server.address))
    live(second_device)
    before = second_device.url
    new_round(organiser)
    for page in (new_device, second_device):
        page.wait_for_url(lambda url: "/t/" in url and url.partition("#")[0] != before)
        live(page)
        expect(page.locator("#player-0 .name")).to_have_text("Ann")
    screens.close()
    screens.complaints.clear()  # the browser logs that the old device is signed off


def test_my_classes_lead_the_organiser_and_a_member_back_until_the_class_is_deleted(screens: Screens) -> None:
    organiser, code = gather(screens)
    ada = join(screens, code, "Ada")
    for page, role in ((organiser, "you organise it"), (ada, "you are a member")):
        place = page.url
        page.wait_for_function(f"() => {MEMBERSHIPS} === 1")
        page.goto(screens.server.address)
        classes = page.get_by_role("region", name="My classes")
        expect(classes.get_by_role("link")).to_have_text(re.compile(f"5B\\s*{role}"))
        sound(page)
        classes.get_by_role("link").click()
        expect(page).to_have_url(place)
    organiser.get_by_text("Delete this class").click()
    organiser.get_by_label("I am sure").check()
    organiser.get_by_role("button", name="Delete everything").click()
    expect(organiser.get_by_text("5B is deleted")).to_be_visible()
    for page in (organiser, ada):
        page.goto(screens.server.address)
        expect(page.get_by_role("link", name="Gather a class")).to_be_visible()
        expect(page.locator("#classes")).to_be_hidden()
    screens.close()
    screens.complaints.clear()  # the browser logs that the class is deleted


def test_the_organisers_link_opens_the_class_elsewhere_and_no_address_shows_its_key(screens: Screens) -> None:
    organiser, _ = gather(screens)
    organiser.goto(f"{organiser.url}/key")
    link = organiser.locator("input[readonly]").input_value()
    asked: list[str] = []
    other = screens.show(link.removeprefix(screens.server.address), lambda page: page.on("request", lambda each: asked.append(each.url)))
    expect(other.get_by_text("Delete this class").first).to_be_visible()
    assert not [url for url in (*asked, other.url) if link.partition("#k=")[2] in url.partition("#")[0]]
    assert "#" not in other.url


def test_every_page_of_a_class_is_sound(screens: Screens) -> None:
    organiser, code = gather(screens)
    sound(organiser)
    sound(screens.show(f"/c/{code}"))
    pupil = join(screens, code, "Ada")
    sound(pupil)
    organiser.set_viewport_size(DESKTOP["viewport"])
    organiser.get_by_role("button", name="Seat everyone at random").click()
    pupil.wait_for_url(re.compile("/t/"))
    organiser.get_by_role("checkbox", name="Ada").check()
    organiser.get_by_text("A new round").click()
    sound(organiser, DESKTOP, PHONE)
    path = re.sub(r"^https?://[^/]+", "", organiser.url)
    for page in ("board", "sheet", "key"):
        opened = organiser.context.new_page()
        opened.goto(f"{screens.server.address}{path}/{page}")
        opened.evaluate(f"for (const code of document.querySelectorAll('.club-code b')) code.textContent = '{WIDEST_CODE}'")
        sound(opened, PROJECTOR, DESKTOP, PHONE)


@pytest.mark.parametrize("path", TO_READ)
def test_a_page_to_read_is_sound(screens: Screens, path: str) -> None:
    sound(screens.show(path))


def test_a_teachers_sheet_is_printed_without_the_page_header(screens: Screens) -> None:
    page = screens.show("/teach/rolling-village", locale="fr-FR")
    expect(page.get_by_role("heading", name="En vingt minutes")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("banner")).to_be_hidden()
