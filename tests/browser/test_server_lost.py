"""A server that ends is missed within a second of the page's own clock, which the test moves: a slow machine changes nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.table import BrowserTable, Screens
from tests.server.process import ServerProcess

pytestmark = pytest.mark.browser

NOTE_THE_END = """window.WebSocket = class extends WebSocket {
    constructor(...all) { super(...all); this.addEventListener("close", () => { document.documentElement.dataset.closed = "yes"; }); }
}"""


def with_own_clock(page: Page) -> None:
    """Move the page's time by hand, and leave its requests unanswered: only the end of the socket tells that the server has gone."""
    page.clock.install()
    page.route("**/page", lambda _: None)
    page.add_init_script(NOTE_THE_END)


def test_a_server_that_ends_is_missed_within_a_second(own_server: ServerProcess, browser: Browser) -> None:
    screens = Screens(own_server, browser)
    page = BrowserTable(screens, "rolling-village", ["Ada"]).sit(0, prepare=with_own_clock)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)
    expect(page.locator("#connection")).to_be_empty()
    own_server.stop()
    expect(page.locator("html")).to_have_attribute("data-closed", "yes")
    page.clock.run_for(1000)
    expect(page.locator("#connection")).to_have_text("Reconnecting…")
    screens.close()
