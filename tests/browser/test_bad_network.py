"""People play on through a network that drops, delays, duplicates, half-closes, stalls and answers 502.

Once it has recovered, every screen shows the server's state, and every turn counts once.
"""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tablee import games
from tablee.core import record
from tests.browser.table import BrowserTable, OpenTable, Screens
from tests.browser.village import OPEN, draw_round
from tests.browser.waiting import becomes, there, until
from tests.server.bad_network import BadNetwork
from tests.server.process import ServerProcess

pytestmark = pytest.mark.browser

EXPECTED = re.compile(r"net::ERR_|Failed to load resource|WebSocket connection|status of 502|Bad Gateway")
STAMPS = "Object.fromEntries([...document.querySelectorAll('#table [data-part]')].map((part) => [part.id, part.dataset.part]))"
SENT = "!Object.entries(localStorage).some(([key, value]) => key.endsWith('-turn') && value !== 'null')"
SHOWN = "JSON.parse(document.getElementById('now').textContent).version"
SEND = """([path, token, body]) => fetch(path, {
    method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${token}` }, body: JSON.stringify(body)
}).then((answer) => answer.json())"""


class FarServer:
    """A server reached through the faulty network."""

    def __init__(self, server: ServerProcess, network: BadNetwork) -> None:
        self.address, self.ask, self.create = network.address, server.ask, server.create


@pytest.fixture
def network(server: ServerProcess) -> Iterator[BadNetwork]:
    with BadNetwork(server.port, random.Random(11)) as between:
        yield between


@pytest.fixture
def far(server: ServerProcess, network: BadNetwork, browser: Browser) -> Iterator[Screens]:
    screens = Screens(FarServer(server, network), browser)  # type: ignore[arg-type]
    yield screens
    screens.close()
    assert not [complaint for complaint in screens.complaints if not EXPECTED.search(complaint)]


def press_on(page: Page) -> None:
    """Press the next button or cell that a player would press, if there is one."""
    page.evaluate("open => (document.getElementById('confirm') ?? document.querySelector(open))?.click()", OPEN)


def test_every_screen_ends_up_as_the_server_sees_it(far: Screens, network: BadNetwork, screens: Screens) -> None:
    table = BrowserTable(far, "rolling-village", ["Ada", "Bo"])
    ada, bo, watching = pages = table.sit(0), table.sit(1), table.sit()

    def presses_on() -> bool:
        press_on(ada)
        press_on(bo)
        met = sum(network.met[fault] > 0 for fault in ("drop", "delay", "double", "half-close", "silence", "bad gateway"))
        return met >= 4 and table.see()["version"] >= 10

    network.worsen()
    until(ada, presses_on, timeout_ms=120_000)
    network.heal()
    near = BrowserTable.__new__(BrowserTable)
    near.__dict__ |= table.__dict__ | {"screens": screens, "server": screens.server}
    for page in pages:
        becomes(page, partial(page.evaluate, SENT), True)
    for page, seats in zip(pages, ([0], [1], []), strict=True):
        fresh = near.sit(*seats)
        becomes(page, partial(page.evaluate, SHOWN), table.see()["version"])
        expect(page.locator("#connection")).to_be_empty()
        drop_the_draft(page)
        until(page, partial(show_the_same, page, fresh))
    record.verify(games.find, json.dumps(table.server.ask("GET", f"/api/tables/{table.id}/record")))
    expect(watching.locator("#confirm")).to_have_count(0)


def show_the_same(page: Page, fresh: Page) -> bool:
    """Tell whether two screens show the same; both change while the others come back."""
    return bool(page.evaluate(STAMPS) == fresh.evaluate(STAMPS))


def drop_the_draft(page: Page) -> None:
    """Drop the draft, which only this screen shows."""
    while there(page, "#drop"):
        page.locator("#drop").click()


def test_the_same_turn_sent_five_times_over_two_transports_counts_once(open_table: OpenTable) -> None:
    table, sent = open_table("rolling-village", ["Ada"]), list[Any]()

    def note(page: Page) -> None:
        page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame))))

    page = table.sit(0, prepare=note)
    draw_round(page)
    page.locator("#confirm").click()
    expect(page.locator(".round")).to_contain_text("Round 1 of 9")
    body = next(message["turn"] for message in sent if "turn" in message)
    answers: list[int] = []

    def again() -> None:
        answers.append(table.server.ask("POST", f"/api/tables/{table.id}/moves", body, table.tokens[0])["version"])

    others = [threading.Thread(target=again) for _ in range(2)]
    for each in others:
        each.start()
    for _ in range(2):
        answers.append(page.evaluate(SEND, [f"/api/tables/{table.id}/moves", table.tokens[0], body])["version"])
    for each in others:
        each.join()
    assert answers == [4] * 4
    assert table.see()["version"] == 4


def test_a_server_error_is_told_as_one(open_table: OpenTable, screens: Screens) -> None:
    table = open_table("rolling-village", ["Ada"])
    page = table.sit(0, prepare=lambda page: page.route_web_socket("**/ws", lambda socket: socket.close()))
    page.route("**/page", lambda route: route.fulfill(status=502, content_type="text/html", body="<h1>Bad Gateway</h1>"))
    expect(page.locator("#connection")).to_have_text("The server has trouble (error 502); trying again…")
    page.unroute("**/page")
    expect(page.locator("#connection")).to_be_empty()
    expect(page.locator("#toast")).to_have_text("Connected again")
    assert all("502" in complaint for complaint in screens.complaints)
    screens.complaints.clear()
