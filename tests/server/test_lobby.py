"""Lobby: people come by a link or a code and sit down, the host decides, and the same table becomes a game."""

from __future__ import annotations

import asyncio
import re
from types import SimpleNamespace
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from tablee.core.game import Outcome, Seat
from tablee.server.app import make_app
from tablee.server.http import websocket
from tablee.server.lobby.lobby import LobbyRegistry
from tablee.server.lobby.seats import SeatUnavailable
from tablee.server.registry import TableRegistry
from tablee.server.storage import mappers
from tablee.server.storage.clubs import ClubStore
from tablee.server.storage.mappers import end_game
from tablee.server.storage.schema import tables
from tablee.server.storage.store import Store
from tablee.server.table.models import OPEN
from tablee.server.table.seats import COLOURS, NotYourSeat
from tablee.server.view.assets import joined
from tablee.server.view.narrator import seat_colours
from tests.server.classroom import wait_until
from tests.server.event_loop import run_async
from tests.server.seeds import table_config
from tests.server.table_client import TableClient


class LobbyClient:
    """Client of one lobby in this process; `host` is the token of the person who opened it."""

    def __init__(self, client: TestClient, game: str = "rolling-village", **who: str) -> None:
        self.client = client
        made = client.post(f"/new/{game}", data=who, follow_redirects=False)
        assert made.status_code == 303
        found = re.fullmatch(r"/t/(\w+)#k=([\w-]+)", made.headers["location"])
        assert found, "the key stands where no server reads it"
        self.id, self.host = found[1], found[2]
        self.path = f"/api/tables/{self.id}/gathering"

    def do(self, action: str, keys: str | None = None, **more: Any) -> Response:
        return self.client.post(self.path, json={"do": action, "keys": self.host if keys is None else keys} | more)

    def done(self, action: str, keys: str | None = None, **more: Any) -> Any:
        answer = self.do(action, keys, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()["token"]

    def refused(self, action: str, keys: str | None = None, **more: Any) -> tuple[int, str]:
        answer = self.do(action, keys, **more)
        return answer.status_code, answer.json()["error"]

    def page(self, keys: str = "") -> str:
        """Return the HTML that a screen with these keys is sent."""
        answer = self.client.post(f"{self.path}/page", json={"keys": keys}).json()
        return " ".join(part["html"] for part in answer["parts"])

    def names(self) -> list[str]:
        return re.findall(r"<b>(.*?)</b>", self.page())

    def code(self) -> str:
        found = re.search(r'id="table-code">(\w+)<', self.page())
        assert found
        return found[1]

    def see(self, key: str | None = None) -> Any:
        return self.client.get(f"/api/tables/{self.id}", headers={"authorization": f"Bearer {key}"} if key else {}).json()


@pytest.fixture
def table(client: TestClient) -> LobbyClient:
    return LobbyClient(client, name="Ada")


def test_visitors_sit_down_and_the_same_table_becomes_the_game(table: LobbyClient) -> None:
    bo = table.done("sit", "", chair=1, name="Bo")
    table.done("bot", chair=2, value="greedy")
    assert table.see()["error"] == "this table is still waiting for players; the game begins when the host starts it"
    table.done("start")
    seen = table.see(bo)
    assert (seen["seat"], seen["status"], seen["names"]) == (1, "playing", ["Ada", "Bo", ""])
    assert table.see(table.host)["seat"] == 0
    assert table.client.post(f"{table.path}/page", json={}).json() == {"begun": True}
    assert table.refused("sit", "", chair=1) == (409, "the game has begun")


def test_there_is_one_more_seat_while_there_is_room_and_empty_ones_do_not_play(client: TestClient) -> None:
    table = LobbyClient(client, "amerique-1500", name="Ada")
    for number in (1, 2, 3):
        table.done("sit", "", chair=number, name=f"P{number}")
    assert table.refused("sit", "", chair=4) == (409, "that seat was removed; choose another one")
    assert table.refused("more") == (409, "Amérique 1500 is for at most 4 players")
    table.done("leave", chair=2)
    table.done("start")
    assert table.see()["names"] == ["Ada", "P1", "P3"]


class ConcurrentVisitors:
    """Visitors who act on one lobby at the same moment."""

    def __init__(self, store: Store) -> None:
        registry = TableRegistry(store)
        self.lobbies = LobbyRegistry(store, registry.game)
        self.request: Any = SimpleNamespace(app=SimpleNamespace(state=SimpleNamespace(registry=registry, lobbies=self.lobbies)))

    async def create_lobby(self) -> str:
        self.lobby, host = await self.lobbies.create("rolling-village", "Ada", -1)
        return host

    async def do(self, *actions: dict[str, Any]) -> list[Any]:
        answers = (websocket.act_in_lobby(self.request, self.lobby.id, websocket.LobbyAction(**action)) for action in actions)
        return await asyncio.gather(*answers, return_exceptions=True)

    async def sit(self, name: str) -> str:
        chair = [seat.kind for seat in self.lobby.stored.seats].index(OPEN)
        (answer,) = await self.do({"do": "sit", "chair": chair, "name": name})
        return str(answer["token"])

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.lobby.stored.seats]


def test_of_two_who_want_the_same_seat_one_gets_it_and_the_other_a_sentence(store: Store) -> None:
    async def race() -> None:
        people = ConcurrentVisitors(store)
        await people.create_lobby()
        both = await people.do(*({"do": "sit", "chair": 1, "name": name} for name in ("Bo", "Cy")))
        refused = [each for each in both if isinstance(each, SeatUnavailable)]
        assert [str(each) for each in refused] == ["somebody else has just sat down there; choose another seat"]
        assert people.names == ["Ada", "Bo", ""]

    run_async(race())


def test_permission_is_checked_when_an_action_runs_though_a_seat_has_moved(store: Store) -> None:
    async def race() -> None:
        people = ConcurrentVisitors(store)
        host = await people.create_lobby()
        bo, _ = await people.sit("Bo"), await people.sit("Cy")
        moved, left = await people.do({"do": "down", "chair": 1, "keys": host}, {"do": "leave", "chair": 1, "keys": bo})
        assert moved == {"token": None}
        assert isinstance(left, NotYourSeat)
        assert people.names == ["Ada", "Cy", "Bo", ""]
        came, bot = await people.do({"do": "sit", "chair": 3, "name": "Di"}, {"do": "bot", "chair": 3, "value": "greedy", "keys": host})
        assert came["token"]
        assert str(bot) == "this seat is somebody else's"
        assert people.names[3] == "Di"

    run_async(race())


def test_whoever_says_twice_that_they_sit_down_has_one_seat(table: LobbyClient) -> None:
    own = "made-by-the-device-itself"
    for _ in range(2):
        assert table.done("sit", "", chair=1, name="Bo", token=own) == own
    assert table.names() == ["Ada", "Bo"]
    assert table.do("sit", "", chair=2, token="short").status_code == 422


def test_the_host_takes_a_bots_place_in_one_action_and_nobody_else_does(table: LobbyClient) -> None:
    table.done("bot", chair=1, value="greedy")
    assert table.refused("sit", "", chair=1) == (409, "somebody else has just sat down there; choose another seat")
    assert table.done("sit", chair=1, name="Beside")
    assert table.names() == ["Ada", "Beside"]


def test_a_visitor_who_was_removed_holds_nothing_any_more(table: LobbyClient) -> None:
    bo = table.done("sit", "", chair=1, name="Bo")
    table.done("name", bo, chair=1, name="Bobby")
    table.done("leave", chair=1)
    assert table.refused("name", bo, chair=1, name="Bo") == (403, "this seat is somebody else's")
    assert table.client.post(f"{table.path}/page", json={"keys": bo}).json()["now"] == {
        "host": False,
        "chairs": [],
        "held": [False],
        "seated": [False],
    }
    table.done("start")
    assert table.see(bo)["error"] == "this link does not belong to a seat at this table"


HOSTS_ONLY = ["leave", "bot", "more", "away", "up", "down", "option", "setting", "start"]


@pytest.mark.parametrize("action", HOSTS_ONLY)
def test_only_the_host_decides(table: LobbyClient, action: str) -> None:
    bo = table.done("sit", "", chair=1, name="Bo")
    for keys in ("", "forged", bo):
        assert table.refused(action, keys, chair=0)[0] == 403


def test_nobody_dresses_somebody_else(table: LobbyClient) -> None:
    bo = table.done("sit", "", chair=1, name="Bo")
    for action in ("name", "colour", "choose"):
        for keys, seat in (("", 0), (bo, 0), (table.host, 1)):
            assert table.do(action, keys, chair=seat, name="X", colour=7).status_code == 403
    assert "X" not in table.names()


def test_a_colour_is_worn_once_and_goes_along_into_the_game(table: LobbyClient, store: Store) -> None:
    bo = table.done("sit", "", chair=1, name="Bo", colour=5)
    table.done("colour", chair=0, colour=2)  # until then the colour of an empty seat
    assert table.refused("colour", bo, chair=1, colour=2) == (409, "somebody else has just chosen this colour")
    cy = table.done("sit", "", chair=2, name="Cy", colour=5)
    table.done("up", chair=1)
    table.done("start")
    stored = store.load(table.id)
    assert stored is not None
    assert [(seat.name, seat.colour) for seat in stored.seats] == [("Bo", 5), ("Ada", 2), ("Cy", 0)]
    assert cy
    assert (
        'class="room" style="--seat-0: var(--paint-5); --seat-1: var(--paint-2); --seat-2: var(--paint-0);"'
        in table.client.get(f"/t/{table.id}").text
    )


def test_every_seat_can_wear_every_colour() -> None:
    for colour in range(COLOURS):
        assert f"--paint-{colour}: light-dark(" in joined("platform", "tokens")
        assert seat_colours([colour] * COLOURS).count(f"var(--paint-{colour});") == COLOURS - 1  # every seat but the one whose own it is


def test_everybody_keeps_their_society_wherever_they_sit(client: TestClient) -> None:
    table = LobbyClient(client, "amerique-1500", name="Ada")
    bo = table.done("sit", "", chair=1, name="Bo")
    table.done("choose", chair=0, what="societies", value="iroquois")
    refused = table.refused("choose", bo, chair=1, what="societies", value="iroquois")
    assert refused == (409, "Iroquois can be chosen only once: everybody takes another one")
    table.done("choose", bo, chair=1, what="societies", value="algonquiens")
    table.done("down", chair=0)
    table.done("option", what="game", value="full")
    table.done("start")
    record = client.get(f"/api/tables/{table.id}/record").json()
    assert record["options"]["societies"].startswith("algonquiens-iroquois-")
    assert record["options"]["game"] == "full"


def test_what_the_host_allows_is_stored(table: LobbyClient, store: Store) -> None:
    for what, value in (("hints", "yes"), ("clock", "600")):
        table.done("setting", what=what, value=value)
    table.done("start")
    stored = store.load(table.id)
    assert stored is not None
    assert (stored.settings.hints, stored.settings.clock) == (True, 600)


def test_too_few_are_told_so(client: TestClient) -> None:
    table = LobbyClient(client, "mayflower")
    assert table.refused("start") == (409, "Mayflower needs at least 2 players")
    assert "Mayflower needs at least 2 players" in table.page(table.host)


def test_a_page_that_is_loaded_again_is_drawn_for_the_keys_in_its_cookie(table: LobbyClient) -> None:
    with_a_cookie = table.client.get(f"/t/{table.id}", headers={"cookie": f"tablee_keys={table.host}"}).text
    assert 'id="start"' in with_a_cookie
    assert 'id="newcomer" hidden' in with_a_cookie
    assert 'id="start"' not in table.client.get(f"/t/{table.id}").text


def test_a_code_leads_to_the_table_and_once_its_game_has_begun_to_watching_it(table: LobbyClient, store: Store) -> None:
    code, client = table.code(), table.client
    assert set(code) <= set(mappers.CODE_LETTERS)
    assert len(code) == 6
    for typed in (code.lower(), f" {code[:2]} {code[2:]}", f"{code[:2]}-{code[2:]}"):
        assert client.get("/join", params={"code": typed}, follow_redirects=False).headers["location"] == f"/t/{table.id}"
    table.done("start")
    begun = client.get(f"/join/{code}", follow_redirects=False)
    assert (begun.status_code, "The game at this table has begun. You can watch it." in begun.text) == (200, True)
    assert f'href="/t/{table.id}"' in begun.text
    with store.database.writing() as connection:
        end_game(connection, table.id, Outcome((1,), (Seat(0),)))
    for wrong in (f"/join/{code}", "/join/QQQQQ", "/join?code=%00%F0"):
        answer = client.get(wrong, follow_redirects=False)
        assert answer.status_code == 404
        assert "perhaps its game is over" in answer.text


def test_no_code_leads_to_a_table_and_to_a_class(client: TestClient, store: Store) -> None:
    clubs = ClubStore(store)
    clubs.update(clubs.add("5B", "").id, code="BB")
    clubs.update(clubs.add("5C", "").id, code="CB")
    lobby = LobbyClient(client)
    with store.database.writing() as connection:
        connection.execute(tables.update().where(tables.c.id == lobby.id).values(code="BC"))
        assert {mappers.unused_code(connection, "BC", 2) for _ in range(9)} == {"CC"}


WRONG = [
    {"do": "dance"},
    {"do": "sit", "name": "x" * 41},
    {"do": "sit", "chair": 12},
    {"do": "sit", "chair": -1},
    {"do": "colour", "colour": 12},
    {"do": "sit", "rank": "king"},
    {"do": "bot", "chair": 1, "value": "genius"},
    {"do": "choose", "what": "rows", "value": "x"},
    {"do": "option", "what": "first", "value": "0"},
    {"do": "setting", "what": "clock", "value": "7"},
]


@pytest.mark.parametrize("body", WRONG)
def test_nonsense_is_one_sentence_and_changes_nothing(table: LobbyClient, body: dict[str, Any]) -> None:
    before = table.page(table.host)
    answer = table.client.post(table.path, json=body | {"keys": table.host})
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert table.page(table.host) == before


@pytest.mark.parametrize("action", ["leave", "away", "bot"])
def test_a_host_without_a_seat_is_the_host_still_and_looks_on_when_it_begins(table: LobbyClient, action: str) -> None:
    bo = table.done("sit", "", chair=1, name="Bo")
    table.done(action, chair=0, value="greedy")
    now = table.client.post(f"{table.path}/page", json={"keys": table.host}).json()["now"]
    assert now == {"host": True, "chairs": [], "held": [True], "seated": [False]}
    assert "The host will start the game once everyone is here." in table.page(bo)
    table.done("start")
    assert "Bo" in table.see(bo)["names"]
    assert "Ada" not in table.see(bo)["names"]
    assert table.see(table.host)["error"] == "this link does not belong to a seat at this table"


def test_a_host_who_had_stood_up_sits_down_again_with_the_same_key(table: LobbyClient) -> None:
    table.done("leave", chair=0)
    assert table.refused("start") == (409, "somebody has to play")
    assert table.done("sit", chair=1, name="Ada") is None
    beside = table.done("sit", chair=0, name="Bo")
    table.done("start")
    assert (table.see(table.host)["seat"], table.see(beside)["seat"]) == (1, 0)


def test_when_the_host_is_gone_somebody_who_sits_there_becomes_the_host(store: Store) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config(away_after=0)))) as client:
        table = LobbyClient(client, name="Ada")
        bo, cy = (table.done("sit", "", chair=seat, name=name) for seat, name in ((1, "Bo"), (2, "Cy")))
        with client.websocket_connect(f"{table.path}/ws") as host:
            host.send_json({"keys": table.host})
            host.receive_json()
            assert table.refused("host", bo) == (403, "somebody is the host already")
            assert "Become the host" not in table.page(bo)
        wait_until(lambda: "Become the host" in table.page(bo), "the host is missed")
        assert "Become the host" not in table.page(), "nobody else is offered it"
        assert table.refused("host", "")[0] == 403
        table.done("host", bo)
        table.page(bo)  # a poll: Bo is present now
        assert table.refused("host", cy) == (403, "somebody is the host already")
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as client:
        table.client = client
        assert table.refused("start", table.host) == (403, "only the host may do that"), "who was the host is a guest now"
        table.done("start", bo)
        assert [table.see(key)["seat"] for key in (table.host, bo, cy)] == [0, 1, 2]


def test_a_host_whose_phone_sleeps_for_half_a_minute_stays_the_host(store: Store) -> None:
    """Whoever sends the link from another app leaves the page; a host is missed as late as a player is, after a minute."""
    fake_time = SimpleNamespace(now=1000.0)
    config = table_config(monotonic=lambda: fake_time.now)
    with TestClient(make_app(TableRegistry(store, config=config))) as client:
        table = LobbyClient(client, name="Ada")
        bo = table.done("sit", "", chair=1, name="Bo")
        table.page(table.host)
        fake_time.now += 45
        assert "Become the host" not in table.page(bo)
        assert table.refused("host", bo) == (403, "somebody is the host already")
        fake_time.now += 30
        assert "Become the host" in table.page(bo)
        table.done("host", bo)
        assert table.refused("start") == (403, "only the host may do that")


def test_a_name_is_shown_as_it_is_written(table: LobbyClient) -> None:
    table.done("sit", "", chair=1, name="  <img src=x>\n Bo ")
    assert table.names()[1] == "&lt;img src=x&gt; Bo"


def test_a_restart_in_the_middle_loses_nobody(table: LobbyClient, store: Store) -> None:
    bo, code = table.done("sit", "", chair=1, name="Bo"), table.code()
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as again:
        table.client = again
        assert table.names()[:2] == ["Ada", "Bo"]
        assert again.get(f"/join/{code}", follow_redirects=False).status_code == 303
        table.done("name", bo, chair=1, name="Bobby")
        table.done("start")
        assert table.see(bo)["names"] == ["Ada", "Bobby"]


def test_everybody_sees_at_once_what_happens_and_hears_of_the_beginning(table: LobbyClient) -> None:
    with table.client.websocket_connect(f"{table.path}/ws") as host, table.client.websocket_connect(f"{table.path}/ws") as visitor:
        host.send_json({"keys": table.host})
        assert host.receive_json()["now"] == {"host": True, "chairs": [0], "held": [True], "seated": [True]}
        visitor.send_json({})
        assert visitor.receive_json()["now"]["chairs"] == []
        bo = table.done("sit", "", chair=1, name="Bo")
        assert "Bo" in "".join(part["html"] for part in until(host, "chair-1"))
        visitor.send_json({"keys": bo})
        table.done("start")
        for screen in (host, visitor):
            while not (message := screen.receive_json()).get("begun"):
                assert "parts" in message


def until(socket: Any, part: str) -> list[dict[str, str]]:
    """Return the parts of the first message that contains this part."""
    while True:
        parts: list[dict[str, str]] = socket.receive_json()["parts"]
        if any(each["id"] in (part, "gathering", "chairs-part") for each in parts):
            return parts


def test_a_socket_that_talks_nonsense_is_hung_up_on(table: LobbyClient) -> None:
    with table.client.websocket_connect(f"{table.path}/ws") as socket:
        socket.send_text("{")
        assert socket.receive_json() == {"error": "this is not a message that a table understands"}
    with table.client.websocket_connect("/api/tables/nowhere/gathering/ws") as socket:
        assert socket.receive_json() == {"error": "there is no table 'nowhere'"}


@pytest.mark.parametrize(("wanted", "level"), [({}, "greedy"), ({"level": "hard"}, "hard"), ({"level": "unbeatable"}, "greedy")])
def test_play_now_seats_me_against_the_bot_that_i_choose_in_my_colour(
    client: TestClient, store: Store, wanted: dict[str, str], level: str
) -> None:
    made = client.post("/play/mayflower", data={"name": "Ada", "colour": "1"} | wanted, follow_redirects=False)
    stored = store.load(made.headers["location"].split("/")[2].split("#")[0])
    assert stored is not None
    assert [(seat.kind, seat.name, seat.colour) for seat in stored.seats] == [("human", "Ada", 1), ("bot", "", 0)]
    assert stored.seats[1].level == level
    assert stored.settings.hints


def test_an_invitation_that_works_on_this_computer_only_says_so(table: LobbyClient) -> None:
    warning = "only works on this computer"
    assert warning not in table.client.get(f"/t/{table.id}").text
    assert warning in table.client.get(f"http://localhost/t/{table.id}").text


@pytest.fixture
def mine(client: TestClient) -> list[dict[str, str]]:
    """Return Ada's tables: one is over, at one she is to act, at one she is not, and one is a lobby."""
    over, playing, waiting = TableClient(client, 2), TableClient(client, 2), TableClient(client, 2)
    over.finish()
    waiting.finish_round(0)
    lobby = LobbyClient(client, name="Ada")
    tables = [{"table": each.made["table"], "keys": each.tokens[0]} for each in (over, playing, waiting)]
    return [*tables, {"table": lobby.id, "keys": lobby.host}, {"table": "nowhere", "keys": "forged"}]


def test_my_tables_are_told_with_whose_turn_it_is_and_how_they_ended(client: TestClient, mine: list[dict[str, str]]) -> None:
    page = client.post("/mine", json={"tables": mine}).text
    order = [mine[number]["table"] for number in (1, 2, 3, 0)]
    assert re.findall(r'data-table="(\w+)"', page) == order
    states = re.findall(r'class="my-state">(.*?)<', page)
    assert states[:3] == ["your turn", "waits for P1", "waiting for players"]
    assert re.fullmatch(r"won by .*P[01].* \(\d+.*\d+\)", states[3])
    assert "your turn" not in client.post("/mine", json={"tables": [each | {"keys": ""} for each in mine]}).text


def test_a_seat_goes_to_another_device_by_its_keys_and_by_no_others(client: TestClient) -> None:
    table = TableClient(client)
    path, keys = f"/t/{table.made['table']}/device", table.tokens[1]
    page = client.post(path, json={"table": "", "keys": keys})
    assert f'value="http://testserver/t/{table.made["table"]}#k={keys}"' in page.text
    assert "<svg" in page.text
    for wrong in ("", "forged"):
        assert client.post(path, json={"table": "", "keys": wrong}).status_code == 403
