"""What the page and the terminal tell of a line that is about several seats, and of points that are lost."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee import games
from tablee.cli.event_text import sentences
from tablee.core.game import NATURE, Event, Seat
from tablee.core.i18n import Words, say
from tablee.server.view.client_view import Screen
from tablee.server.view.rendered_view import draw
from tests.server.table_client import Seats

pytestmark = pytest.mark.one_engine

ROW = Event("row", say("begins a row"), Seat(0), points=-13, parts=((say("cards"), 2), (say("the row's cost"), -15)))


def scored_by(seat: int) -> Event:
    return Event("row", say("fills a row"), Seat(seat), points=11, parts=((say("cards"), 26), (say("the row's cost"), -15)))


def page_of(client: TestClient, monkeypatch: pytest.MonkeyPatch, *events: Event) -> str:
    """The text of a dice race without kinds of event that open a turn, after a move of which this is told; as the second seat sees it."""
    game: Any = games.find("dice-race")
    monkeypatch.setitem(vars(game), "opens", frozenset())
    monkeypatch.setitem(vars(game), "tell", lambda _before, seat, *_: () if seat == NATURE else events)
    seats = Seats(client, people=3, game="dice-race")
    table = client.app.state.house._open[seats.made["table"]]  # type: ignore[attr-defined]
    seats.play(0)
    html = draw(Screen(table, Words("en"), (Seat(1),)), None).part.whole()
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
    assert sentences(ROW, None, Words("en")) == ["begins a row (cards 2 − the row's cost 15)"]
    assert sentences(Event("row", say("pays"), Seat(0), points=-1, parts=((say("cost"), -1),)), None, Words("en")) == ["pays (cost −1)"]
