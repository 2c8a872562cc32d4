"""Page and terminal: log lines about several seats, and lost points."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee import games
from tablee.cli.event_text import event_lines
from tablee.core.game import NATURE, Event, Seat
from tablee.core.i18n import Translator, msg
from tablee.server.view.client_view import ClientView
from tablee.server.view.rendered_view import render_view
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

ROW = Event("row", msg("begins a row"), Seat(0), points=-13, parts=((msg("cards"), 2), (msg("the row's cost"), -15)))


def scored_by(seat: int) -> Event:
    return Event("row", msg("fills a row"), Seat(seat), points=11, parts=((msg("cards"), 26), (msg("the row's cost"), -15)))


def page_of(client: TestClient, monkeypatch: pytest.MonkeyPatch, *events: Event) -> str:
    """Return the page's text for the second seat of a dice race after a move with these events, none of which opens a turn."""
    game: Any = games.find("dice-race")
    monkeypatch.setitem(vars(game), "turn_opening_kinds", frozenset())
    monkeypatch.setitem(vars(game), "events", lambda _before, seat, *_: () if seat == NATURE else events)
    seats = TableClient(client, people=3, game="dice-race")
    table = client.app.state.registry.get_open(seats.made["table"])  # type: ignore[attr-defined]
    seats.play(0)
    html = render_view(ClientView(table, Translator("en"), (Seat(1),)), None).fragment.to_html()
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def test_everybody_of_whom_one_line_tells_is_in_the_log(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page_of(client, monkeypatch, *map(scored_by, range(3)))
    assert re.findall(r"(\w+) fills a row cards 26 − the row's cost 15 = 11", text) == ["P0", "P1", "P2"]


def test_points_that_are_lost_have_a_minus_sign(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page_of(client, monkeypatch, ROW)
    assert "begins a row, −13" in text, "in the news"
    assert "begins a row −13" in text, "on the player's card"
    assert "begins a row cards 2 − the row's cost 15 = −13" in text, "in the log"
    assert not re.search(r"-\d|\+ ?[-−]", text)


def test_the_terminal_takes_away_what_is_lost() -> None:
    assert event_lines(ROW, None, Translator("en")) == ["begins a row (cards 2 − the row's cost 15)"]
    assert event_lines(Event("row", msg("pays"), Seat(0), points=-1, parts=((msg("cost"), -1),)), None, Translator("en")) == [
        "pays (cost −1)"
    ]
