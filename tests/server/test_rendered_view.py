"""Rendered views: equal screens share one rendering; a screen that comes back and shows everything needs none."""

from __future__ import annotations

import asyncio
import json
import zlib
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee.core.game import Seat
from tablee.core.i18n import Translator
from tablee.server.live import table_connection
from tablee.server.view import rendered_view
from tablee.server.view.client_view import ClientView
from tablee.server.view.rendered_view import RenderQueue, cached_view
from tests.server.event_loop import run_async
from tests.server.table_client import TableClient
from tests.server.test_websocket import open_socket, page, until

pytestmark = pytest.mark.one_engine

ADA = (Seat(0),)


@pytest.fixture
def renderings(monkeypatch: pytest.MonkeyPatch) -> list[ClientView]:
    """Record every client view that is rendered."""
    rendered, original = list[ClientView](), rendered_view.render_view

    def draw(screen: ClientView) -> Any:
        rendered.append(screen)
        return original(screen)

    monkeypatch.setattr(rendered_view, "render_view", draw)
    return rendered


def table_of(seats: TableClient) -> Any:
    return seats.client.app.state.registry.get_open(seats.made["table"])  # type: ignore[attr-defined]


def test_screens_that_look_alike_are_drawn_for_once(client: TestClient, renderings: list[ClientView]) -> None:
    table = table_of(TableClient(client))
    french, english = Translator("fr"), Translator("en")
    alike = [cached_view(ClientView(table, french, ADA)) for _ in range(5)]
    assert len(set(map(id, alike))) == len(renderings) == 1
    for other in (ClientView(table, english, ADA), ClientView(table, french, (Seat(1),)), ClientView(table, french)):
        assert cached_view(other) is not alike[0]
    table.signal.notify()
    assert cached_view(ClientView(table, french, ADA)) is not alike[0], "something may have changed"


def test_a_large_message_is_packed_once_and_reads_the_same(client: TestClient) -> None:
    seats = TableClient(client, game="mayflower")
    table = table_of(seats)
    before = cached_view(ClientView(table, Translator("fr"), ADA))
    for seat in (*table.match.to_act, *table.match.to_act):
        seats.play(seat)
    after = cached_view(ClientView(table, Translator("fr"), ADA))
    for shown in (before.fragment, None):
        packed = [after.message(shown, serial, packed=True) for serial in (1, 2)]
        assert all(isinstance(each, bytes) for each in packed)
        read = [json.loads(zlib.decompress(each, -zlib.MAX_WBITS)) for each in packed if isinstance(each, bytes)]
        assert read == [json.loads(after.message(shown, serial)) for serial in (1, 2)]
    nothing = after.message(after.fragment, 3, packed=True)
    assert json.loads(nothing)["parts"] == []


def test_a_screen_that_comes_back_and_shows_everything_is_not_drawn_for(client: TestClient) -> None:
    seats = TableClient(client)
    with open_socket(seats, **page(seats, 0)) as session:
        shown = session.receive_json()["now"]
        back = page(seats, 0, seen={"room": "old"}, picture=shown["picture"], serial=4)
        with open_socket(seats, **back) as again:
            assert again.receive_json() == {"serial": 4}
            assert client.post(f"{seats.path}/page", json=back).json() == {"serial": 4}
            seats.play(0)
            message = until(again, lambda message: "now" in message)
            assert [part["id"] for part in message["parts"]] == ["room"], "what it shows is compared when something has changed"
    with open_socket(seats, **back) as late:
        assert late.receive_json()["now"]["version"] == 2, "a picture of an older version is no excuse"


def test_what_is_tried_out_has_no_name(client: TestClient) -> None:
    table = table_of(TableClient(client))
    named, other = (cached_view(ClientView(table, Translator("fr"), (Seat(seat),))).client_state["picture"] for seat in (0, 1))
    assert named
    assert named != other
    assert cached_view(ClientView(table, Translator("fr"), ADA, draft=("build house 1A",))).client_state["picture"] == ""


def test_a_page_that_cannot_be_drawn_is_told_by_a_number(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: ClientView) -> None:
        raise ZeroDivisionError

    seats = TableClient(client)
    with monkeypatch.context() as broken:
        broken.setattr(table_connection, "cached_view", fails)
        with open_socket(seats, **page(seats, 0)) as session:
            assert "something went wrong" in session.receive_json()["error"]
            broken.undo()
            seats.play(0)
            assert until(session, lambda message: "now" in message)["now"]["version"] == 2, "the connection goes on"


def test_between_two_pages_everything_else_has_its_turn_and_touched_screens_go_first() -> None:
    async def run() -> list[str]:
        queue, done = RenderQueue(), list[str]()

        async def draw(name: str, touched: bool) -> None:
            async with queue.slot(touched):
                done.append(name)

        async def other() -> None:
            for number in range(3):
                done.append(f"other {number}")
                await asyncio.sleep(0)

        waiting = [asyncio.create_task(draw(name, name == "touched")) for name in ("first", "second", "third", "touched")]
        await asyncio.gather(*waiting, other())
        return done

    assert run_async(run()) == ["first", "other 0", "other 1", "touched", "other 2", "second", "third"]


def test_nobody_can_keep_the_others_from_being_drawn_for() -> None:
    async def run() -> None:
        queue = RenderQueue()

        async def touch_again_and_again() -> None:
            while True:
                async with queue.slot(urgent=True):
                    pass

        pollers = [asyncio.create_task(touch_again_and_again()) for _ in range(3)]
        for _ in range(5):
            await asyncio.wait_for(_draw(queue), 5)
        for poller in pollers:
            poller.cancel()

    run_async(run())


def test_somebody_who_stops_waiting_for_the_render_queue_holds_up_nobody() -> None:
    async def run() -> None:
        queue = RenderQueue()
        async with queue.slot(urgent=False):
            gone, stays = (asyncio.create_task(_draw(queue)) for _ in range(2))
            await asyncio.sleep(0)
            gone.cancel()
        await asyncio.wait_for(stays, 5)

    run_async(run())


async def _draw(queue: RenderQueue) -> None:
    async with queue.slot(urgent=False):
        pass
