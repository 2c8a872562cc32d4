"""Undo requests: an undo needs the agreement of the others who are present; alone, against bots and on one screen it is free.

There is none after something hidden was shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from tablee import bots, games
from tablee.core import fairness
from tablee.core.game import Seat
from tablee.core.match import Match
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table.models import AGREE, ASK_BACK, DECLINE, MOVE, UNDO, LogAppend, LogLine
from tests.server.seeds import table_config
from tests.server.table_client import TableClient, without_presence

pytestmark = pytest.mark.one_engine


class ConnectedTable(TableClient):
    """Table whose players are connected by WebSocket."""

    def __init__(self, stack: ExitStack, client: TestClient, people: int, **more: Any) -> None:
        super().__init__(client, people, **more)
        self.stack = stack

    def come(self, *seats: int) -> None:
        for seat in seats:
            socket = self.stack.enter_context(self.client.websocket_connect(f"{self.path}/ws"))
            socket.send_json({"token": self.tokens[seat]})
            socket.receive_json()

    def ask(self, seat: int, client_id: str = "back", keys: str = "") -> Response:
        return self.client.post(f"{self.path}/undo", json={"id": client_id, "keys": keys}, headers=self.bearer(seat))

    def answer(self, seat: int, agree: bool, client_id: str = "yes") -> Response:
        return self.client.post(f"{self.path}/undo/answer", json={"agree": agree, "id": client_id}, headers=self.bearer(seat))

    def kinds(self, store: Store) -> list[str]:
        return [row.kind for row in store.changes_since(self.made["table"], 1).lines]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def three(client: TestClient, stack: ExitStack) -> ConnectedTable:
    return ConnectedTable(stack, client, 3)


def test_those_who_are_here_are_asked_and_the_last_to_agree_takes_it_back(three: ConnectedTable, store: Store) -> None:
    three.come(0, 1, 2)
    three.play(0)
    assert three.ask(0).json() == {"version": 3, "asked": [1, 2]}
    assert three.ask(0).json() == {"version": 3, "asked": [1, 2]}, "asked again under the same id"
    assert three.answer(1, True).json() == {"version": 4}
    assert three.see(0)["view"]["sheets"][0]["cells"], "it still stands"
    assert three.answer(2, True).json() == {"version": 6}
    assert three.answer(2, True).json() == {"version": 6}, "an answer counts once"
    assert three.see(0)["view"]["sheets"][0]["cells"] == {}
    assert three.kinds(store) == [MOVE, ASK_BACK, AGREE, UNDO, AGREE]
    before = three.see()
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        assert without_presence(restarted.get(three.path).json()) == without_presence(before)


def test_one_no_ends_it_and_whoever_asked_may_think_better_of_it(three: ConnectedTable, store: Store) -> None:
    three.come(0, 1, 2)
    three.play(0)
    for number, (seat, agree) in enumerate([(2, False), (0, False)]):
        assert three.ask(0, f"ask {number}").json()["asked"] == [1, 2]
        assert three.answer(1, True, f"yes {number}").status_code == 200
        assert three.answer(seat, agree, f"no {number}").status_code == 200
        late = three.answer(1, True, f"late {number}")
        assert (late.status_code, late.json()["error"]) == (409, "nobody is asking to undo a move any more")
    assert three.kinds(store) == [MOVE, *[ASK_BACK, AGREE, DECLINE] * 2]


def test_a_request_never_holds_up_the_others_and_ends_when_whoever_asked_moves_on(three: ConnectedTable) -> None:
    three.come(0, 1, 2)
    three.play(0)
    three.ask(0)
    three.play(1)
    three.play(0)
    assert three.answer(1, True).status_code == 409


def test_those_who_are_away_are_not_waited_for(three: ConnectedTable, store: Store) -> None:
    three.come(0, 2)
    three.play(0)
    assert three.ask(0).json()["asked"] == [2]
    assert three.answer(2, True).status_code == 200
    assert three.kinds(store) == [MOVE, ASK_BACK, UNDO, AGREE]


def test_whoever_shares_a_screen_has_agreed(three: ConnectedTable, store: Store) -> None:
    three.come(0, 1)
    three.play(0)
    assert three.ask(0, keys=f"{three.tokens[0]}.{three.tokens[1]}").json() == {"version": 3}
    assert three.kinds(store) == [MOVE, UNDO]


def test_a_key_that_opens_nothing_any_more_is_no_reason_to_refuse_an_answer(three: ConnectedTable) -> None:
    three.come(0, 1)
    three.play(0)
    keys = f"{three.tokens[0]}.{'of a seat that was given away ' * 20}"
    assert three.ask(0, keys=keys).json()["asked"] == [1]
    body = {"agree": True, "id": "yes", "keys": keys.replace(three.tokens[0], three.tokens[1])}
    assert three.client.post(f"{three.path}/undo/answer", json=body, headers=three.bearer(1)).status_code == 200


def test_a_request_that_waits_is_found_again_after_a_restart(three: ConnectedTable, store: Store) -> None:
    three.come(0, 1)
    three.play(0)
    three.ask(0)
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted, ExitStack() as again:
        three.client, three.stack = restarted, again
        three.come(0, 1, 2)
        assert three.answer(1, True).status_code == three.answer(2, True).status_code == 200
        assert three.see(0)["view"]["sheets"][0]["cells"] == {}


def test_right_after_a_restart_those_on_their_way_back_are_asked_too(three: ConnectedTable, store: Store) -> None:
    three.play(0)
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        three.client = restarted
        assert three.ask(0).json()["asked"] == [1, 2]
        at = restarted.app.state.registry.get_open(three.made["table"])  # type: ignore[attr-defined]
        at.presence.expect_everyone_until(0)
        assert three.ask(0, "nobody came").json() == {"version": 4}, "and who does not come is not waited for"
    assert three.kinds(store) == [MOVE, ASK_BACK, UNDO]


def test_nothing_is_asked_after_the_dice_were_seen(three: ConnectedTable) -> None:
    three.come(0, 1, 2)
    for seat in range(3):
        three.finish_round(seat)
    refused = three.ask(0)
    assert (refused.status_code, refused.json()["error"]) == (
        409,
        "there is nothing to undo: something has been rolled or drawn since",
    )


def test_what_bots_answered_is_taken_back_with_it_where_nothing_was_drawn(store: Store) -> None:
    """Amérique 1500: seat 0 plays good neighbours, the bot gives a good, and seat 0 is to go on."""
    game = games.find("amerique-1500")
    for seed in map(partial(fairness.seed_for, 1), count()):
        whole = bots.play_out(Match(game, 2, {"first": 0}, seed), [bots.GREEDY, bots.RANDOM])
        lines = whole.lines()
        answered = next((n for n, line in enumerate(lines) if lines[n - 1] == "0 play neighbours" and line.startswith("1 give")), 0)
        if answered:
            break
    with TestClient(make_app(TableRegistry(store, config=table_config(new_seed=lambda: seed)))) as client:
        table = TableClient(client, 1, bots=1, game=game.key, first=0)
        begun = table.see()["version"]
    store.append_all([LogAppend(table.made["table"], begun, tuple(LogLine(line, None) for line in lines[begun : answered + 1]))])
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        table.client = restarted
        assert table.see()["to_act"] == [0]
        assert table.undo(0).json() == {"version": answered + 3}
        assert table.see(0)["log"][-2:] == ["1 undo", "0 undo"]
        assert table.record(0)["log"] == whole.at(answered - 1).lines_for(Seat(0))
        assert "play neighbours" in table.see(0)["legal"]
