"""Client of one table in this process, which acts for any seat; the game is Rolling Village unless another is named."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import count
from typing import Any

from httpx2 import Response
from starlette.testclient import TestClient

from tablee.core.game import Seat
from tablee.server.storage.store import Store
from tablee.server.table import decisions
from tablee.server.table.table import Table
from tests.server.seeds import table_config

NUMBERS = count()
NOBODY_PRESENT = table_config(poll_timeout=0)  # a player who only uses the API counts as absent, so that they are asked nothing


def without_presence(seen: dict[str, Any]) -> dict[str, Any]:
    """Return what the API tells of a table, but who is here: after a restart, that is everybody for a while."""
    return seen | {"players": [player | {"here": None} for player in seen["players"]]}


async def play_move(table: Table, seat: Seat, move: str, at: int, client_id: str) -> int:
    """Play one move at an open table; return the version it led to."""
    return await table.change(decisions.play_turn(table, seat, [move], at, client_id))


class TableClient:
    def __init__(
        self, client: TestClient, people: int = 2, bots: int = 0, game: str = "rolling-village", chat: bool = False, **options: Any
    ) -> None:
        wanted: list[dict[str, str]] = [{"kind": "human", "name": f"P{n}"} for n in range(people)]
        wanted += [{"kind": "bot", "level": "greedy"}] * bots
        self.client = client
        self.made = client.post("/api/tables", json={"game": game, "seats": wanted, "options": options, "chat": chat}).json()
        self.path = f"/api/tables/{self.made['table']}"
        self.tokens = [seat["token"] for seat in self.made["seats"]]

    def bearer(self, seat: int | None) -> dict[str, str]:
        return {} if seat is None else {"authorization": f"Bearer {self.tokens[seat]}"}

    def see(self, seat: int | None = None) -> Any:
        answer = self.client.get(self.path, headers=self.bearer(seat))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def send(self, seat: int | None, move: str, at: int, client_id: str = "", **headers: str) -> Response:
        body = {"move": move, "at": at, "id": client_id or f"m{next(NUMBERS)}"}
        return self.client.post(f"{self.path}/moves", json=body, headers=self.bearer(seat) | headers)

    def play(self, seat: int, which: int = 0) -> Any:
        """Play the seat's first legal move (or its `which`th), which must be accepted."""
        seen = self.see(seat)
        answer = self.send(seat, seen["legal"][which], seen["version"])
        assert answer.status_code == 200, answer.text
        return answer.json()

    def finish_round(self, seat: int) -> None:
        """Play first legal moves of the seat until others are to act or the dice roll again."""
        rounds = self.see()["view"]["round"]
        while seat in (seen := self.see())["to_act"] and seen["view"]["round"] == rounds:
            self.play(seat)

    def undo(self, seat: int | None) -> Response:
        return self.client.post(f"{self.path}/undo", headers=self.bearer(seat))

    def record(self, seat: int | None = None) -> Any:
        return self.client.get(f"{self.path}/record", headers=self.bearer(seat)).json()

    def finish(self) -> None:
        """Play first legal moves to the end of the game; bots play for themselves."""
        while to_act := self.see()["to_act"]:
            for seat in to_act:
                if self.tokens[seat] is not None:
                    self.finish_round(seat)
                    break
            else:
                time.sleep(0.01)  # a bot is thinking; who asks all the time meets the rate limit

    def pause_club(self, store: Store, paused: bool) -> None:
        """Let the table read that its club is paused, or goes on."""
        table, really = self.client.app.state.registry.get_open(self.made["table"]), type(store).changes_since  # type: ignore[attr-defined]
        store.changes_since = lambda *args: replace(really(store, *args), club_paused=paused)  # type: ignore[method-assign]
        self.client.portal.call(table.catch_up)  # type: ignore[union-attr]
