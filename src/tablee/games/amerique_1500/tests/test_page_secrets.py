"""R1 on the wire: nothing that reaches seat 1 names a card that only seat 0 may know.

That covers the page, socket frames, HTTP answers, and the API's view, log and record. The drawings, which hold every card of the box, and
the stories are constant and left out.
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
  room.querySelectorAll("dialog").forEach((each) => each.remove());
  return room.outerHTML + document.getElementById("now").textContent;
}"""


class TrafficRecorder:
    """Recorder of everything that reaches seat 1, as (channel, text); `drain` empties it."""

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
        drained, self.caught = [*self.caught, *self._ask()], []
        self.frames += sum(channel == "frame" for channel, _ in drained)
        return drained

    def _ask(self) -> Iterator[tuple[str, str]]:
        token = self.table.tokens[1]
        yield "page", self.page.evaluate(LOOK)
        for name, bearer in (("seat 1", token), ("spectator", None)):
            for path in ("", "/record"):
                answer = self.table.server.ask("GET", f"/api/tables/{self.table.id}{path}", token=bearer)
                yield f"{name}{path}", json.dumps(_without_sets(answer))
        while (message := _receive(self.socket)) is not None:
            yield "socket of the API", json.dumps(_without_sets(json.loads(message)))


def _receive(socket: ClientConnection) -> str | None:
    try:
        return str(socket.recv(timeout=0.02))
    except TimeoutError:
        return None


def _without_sets(answer: dict[str, Any]) -> dict[str, Any]:
    """Remove the union of hand and deck, which is public (R1).

    It must follow from the deck and the cards played, and from nothing else.
    """
    for player in answer.get("view", {}).get("players", []):
        deck, gone = DECKS[player["society"]]["cards"], player["discard"]
        assert player.pop("unseen") == {card: left for card, count in deck.items() if (left := count - gone.get(card, 0))}
    return answer


@contextmanager
def record_traffic(table: BrowserTable, page: Page) -> Iterator[TrafficRecorder]:
    address = table.server.address.replace("http", "ws", 1)
    with connect(f"{address}/api/tables/{table.id}/ws") as socket:
        socket.send(json.dumps({"token": table.tokens[1]}))
        yield TrafficRecorder(table, page, socket)


def only_seat_0_knows(table: BrowserTable) -> set[str]:
    """Return the cards dealt to seat 0 that it has never played and that are not in the other deck as well."""
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
    with record_traffic(table, players[1].page) as recorder:
        players[1] = Player(table, 1, recorder.page)
        for number in range(STEPS):
            player = players[table.see()["to_act"][0]]
            player.until("told.my_turn")
            player.step(HOARD if player.seat == 0 and number > STEPS // 3 else WISHES)
            if table.see()["status"] == "over":  # then the record is public
                break
            secrets = only_seat_0_knows(table)
            for channel, text in recorder.drain():
                assert [card for card in secrets if named(card, text)] == [], channel
                assert re.findall(r"deal 0 (?!\?)\S+", text) == [], channel
                guarded += len(secrets)
        assert guarded > 3 * STEPS
        assert recorder.frames > STEPS // 3
    page = players[0].page.evaluate(LOOK)
    assert all(named(card, page) for card in only_seat_0_knows(table)), "the recorder would have caught them"
