"""R1 across the wire: nothing that reaches seat 1 (page, socket frames, HTTP answers, the API's view, log and record) names a card that
only seat 0 may know. The drawings, which hold every card of the box, and the stories never change and are left aside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page, Response, WebSocket
from websockets.sync.client import ClientConnection, connect

from tablee import games
from tablee.games.amerique_1500.names import CARDS
from tablee.games.amerique_1500.tests.page_player import HOARD, WISHES, Player
from tests.browser.table import BrowserTable, OpenTable
from tests.rounds import rounds

pytestmark = pytest.mark.browser

KEY = "amerique-1500"
STEPS = rounds(30, 60)
DECKS = games.find(KEY).components.data["societies"]
HIDER, LISTENER = "incas", "inuits"
LOOK = """() => {
  const room = document.getElementById("table").cloneNode(true);
  room.querySelectorAll(".drawings, dialog").forEach((each) => each.remove());
  return room.outerHTML + document.getElementById("now").textContent;
}"""


class TrafficRecorder:
    """Everything that reaches seat 1, by way of what; it is emptied by `hear`."""

    def __init__(self, table: BrowserTable, page: Page, socket: ClientConnection) -> None:
        self.table, self.page, self.socket = table, page, socket
        self.caught: list[tuple[str, str]] = []
        self.frames = 0
        page.on("websocket", self._tap)
        page.on("response", self._read)
        page.reload()

    def _tap(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.caught.append(("frame", str(frame))))

    def _read(self, answer: Response) -> None:
        if "/api/" in answer.url:
            self.caught.append(("answer", answer.text()))

    def drain(self) -> list[tuple[str, str]]:
        heard, self.caught = [*self.caught, *self._ask()], []
        self.frames += sum(way == "frame" for way, _ in heard)
        return heard

    def _ask(self) -> Iterator[tuple[str, str]]:
        token = self.table.tokens[1]
        yield "page", self.page.evaluate(LOOK)
        for name, bearer in (("seat 1", token), ("spectator", None)):
            for path in ("", "/record"):
                answer = self.table.server.ask("GET", f"/api/tables/{self.table.id}{path}", token=bearer)
                yield f"{name}{path}", json.dumps(_without_sets(answer))
        while (said := _receive(self.socket)) is not None:
            yield "socket of the API", json.dumps(_without_sets(json.loads(said)))


def _receive(socket: ClientConnection) -> str | None:
    try:
        return str(socket.recv(timeout=0.02))
    except TimeoutError:
        return None


def _without_sets(answer: dict[str, Any]) -> dict[str, Any]:
    """R1: which cards hand and deck hold together is known; that must follow from the deck and what was played, and from nothing else."""
    for player in answer.get("view", {}).get("players", []):
        deck, gone = DECKS[player["society"]]["cards"], player["discard"]
        assert player.pop("visually-hidden") == {card: left for card, count in deck.items() if (left := count - gone.get(card, 0))}
    return answer


@contextmanager
def record_traffic(table: BrowserTable, page: Page) -> Iterator[TrafficRecorder]:
    address = table.server.address.replace("http", "ws", 1)
    with connect(f"{address}/api/tables/{table.id}/ws") as socket:
        socket.send(json.dumps({"token": table.tokens[1]}))
        yield TrafficRecorder(table, page, socket)


def only_seat_0_knows(table: BrowserTable) -> set[str]:
    """The cards dealt to seat 0 that it has never played and that do not lie in the other deck as well."""
    log: list[str] = table.see(0)["log"]
    dealt = {line.split()[3] for line in log if line.startswith("- deal 0 ")}
    played = {line.split()[2] for line in log if line.startswith("0 play ")}
    return dealt - played - set(DECKS[LISTENER]["cards"])


def named(card: str, text: str) -> bool:
    return bool(re.search(rf"\b{card}\b", text)) or CARDS[card] in text


def test_r1_seat_1_never_hears_a_card_that_only_seat_0_may_know(open_table: OpenTable) -> None:
    table = open_table(KEY, ["Ada", "Ben"], {"first": 0, "game": "full", "societies": f"{HIDER}-{LISTENER}-iroquois-algonquiens"})
    players = [Player(table, seat, table.sit(seat)) for seat in (0, 1)]
    guarded = 0
    with record_traffic(table, players[1].page) as ear:
        players[1] = Player(table, 1, ear.page)
        for number in range(STEPS):
            player = players[table.see()["to_act"][0]]
            player.until("told.my_turn")
            player.step(HOARD if player.seat == 0 and number > STEPS // 3 else WISHES)
            if table.see()["status"] == "over":  # then the record is open to everybody
                break
            secrets = only_seat_0_knows(table)
            for way, text in ear.drain():
                assert [card for card in secrets if named(card, text)] == [], way
                assert re.findall(r"deal 0 (?!\?)\S+", text) == [], way
                guarded += len(secrets)
        assert guarded > 3 * STEPS
        assert ear.frames > STEPS // 3
    page = players[0].page.evaluate(LOOK)
    assert all(named(card, page) for card in only_seat_0_knows(table)), "the ear would have heard them"
