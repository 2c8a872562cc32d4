"""Durability: a server that is killed loses no acknowledged move, plays none twice, and goes on.

Threads play whole games over HTTP the way a page does: a move is sent with one id until it is answered. Meanwhile the server process is
killed (SIGKILL) at random moments and started again on the same data.
"""

from __future__ import annotations

import json
import random
import threading
import time
import urllib.error
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from httpx2 import Response
from starlette.testclient import TestClient
from websockets.sync.client import connect

from tablee import games
from tablee.core import record
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage import schema
from tablee.server.storage.store import Store
from tablee.server.table.models import ConflictError, LogAppend, LogLine, StoreError
from tests.rounds import rounds
from tests.server.engine import open_store
from tests.server.process import ServerProcess
from tests.server.seeds import table_config
from tests.server.table_client import TableClient, without_presence

KILLS = rounds(few=8, many=60)
PAUSE = rounds(few=2, many=6) / 10  # seconds that a player thinks at most: the games outlast the kills
SEATINGS = (["Ada", "Bo", "greedy"], ["Cy", "Di", "Ed"], ["Flo", "random", "greedy"], ["Gus"])


@dataclass
class RetryingPlayer(threading.Thread):
    """Thread that plays one seat to the end and retries every request."""

    server: ServerProcess
    table: str
    seat: int
    token: str
    rng: random.Random
    acknowledged: list[tuple[str, str]] = field(default_factory=list)  # (id, line)
    failure: BaseException | None = None

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        try:
            while self.play():
                time.sleep(self.rng.random() * PAUSE)
        except BaseException as error:
            self.failure = error

    def play(self) -> bool:
        seen = self.with_retries("GET", "")
        if seen["status"] == "over":
            return False
        if seen["legal"]:
            move, number = self.rng.choice(seen["legal"]), f"{self.rng.getrandbits(64):x}"
            self.with_retries("POST", "/moves", {"move": move, "at": seen["version"], "id": number})
            self.acknowledged.append((number, f"{self.seat} {move}"))
        return True

    def with_retries(self, method: str, what: str, body: Any = None) -> Any:
        """Ask until there is an answer; a move keeps its id."""
        for _ in range(400):
            try:
                return self.server.ask(method, f"/api/tables/{self.table}{what}", body, self.token)
            except urllib.error.HTTPError as error:
                raise AssertionError(f"{method} {what} {body}: {error.code} {error.read()!r}") from error
            except (OSError, HTTPException):
                time.sleep(0.05)
        raise AssertionError("the server did not come back")


def test_a_server_killed_again_and_again_loses_nothing_and_repeats_nothing(own_server: ServerProcess) -> None:
    rng = random.Random(2024)
    tables = [own_server.create("rolling-village", seats) for seats in SEATINGS]
    players = [
        RetryingPlayer(own_server, table["table"], seat["seat"], seat["token"], random.Random(f"{number} {seat['seat']}"))
        for number, table in enumerate(tables)
        for seat in table["seats"]
        if seat["token"]
    ]
    for player in players:
        player.start()
    for _ in range(KILLS):
        time.sleep(rng.random() * 0.2)
        assert any(player.is_alive() for player in players)
        own_server.kill()
        own_server.start()
    for player in players:
        player.join(120)
    assert not [player.failure for player in players if player.failure]
    assert not [player for player in players if player.is_alive()]
    for table in tables:
        check(own_server, table["table"], [player for player in players if player.table == table["table"]])


def check(server: ServerProcess, table: str, players: list[RetryingPlayer]) -> None:
    """Check that the log holds every acknowledged move once, and no other move of these players."""
    with closing(open_store(server.folder / "data")) as store:
        written = [(row.client_id, row.line) for row in store.changes_since(table, 0).lines]
    rows = [(client_id, line) for client_id, line in written if client_id and not client_id.startswith("bot-")]
    assert sorted(rows) == sorted(move for player in players for move in player.acknowledged)
    stored_record = server.ask("GET", f"/api/tables/{table}/record")
    assert record.verify(games.find, json.dumps(stored_record)).draws == 10


def test_an_unanswered_move_may_be_sent_again_after_the_restart(own_server: ServerProcess) -> None:
    made = own_server.create("rolling-village", ["Ada", "Bo"])
    path, token = f"/api/tables/{made['table']}", made["seats"][0]["token"]
    move = {"move": own_server.ask("GET", path, token=token)["legal"][0], "at": 1, "id": "sent before the crash"}
    assert own_server.ask("POST", f"{path}/moves", move, token) == {"version": 2}
    own_server.kill()
    own_server.start()
    seen = own_server.ask("GET", path, token=token)
    assert (seen["version"], len(seen["view"]["sheets"][0]["cells"])) == (2, 1), "half a round of one sheet is kept"
    assert own_server.ask("POST", f"{path}/moves", move, token) == {"version": 2}
    assert own_server.ask("GET", path)["log"].count(f"0 {move['move']}") == 1


def test_bots_go_on_after_a_restart_as_soon_as_somebody_looks(own_server: ServerProcess) -> None:
    made = own_server.create("rolling-village", ["Ada", "greedy"])
    path = f"/api/tables/{made['table']}"
    own_server.kill()
    own_server.start()
    deadline = time.monotonic() + 60
    while 1 in own_server.ask("GET", path)["to_act"]:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_server_that_is_asked_to_stop_does_not_wait_for_its_screens_to_go(own_server: ServerProcess) -> None:
    table = own_server.create("rolling-village", ["Ada", "greedy"])["table"]
    with connect(f"{own_server.address.replace('http', 'ws')}/api/tables/{table}/ws") as looking:
        looking.send("{}")
        looking.recv(timeout=60)
        own_server.stop()
    assert "Traceback" not in own_server.output


@pytest.mark.one_engine
def test_every_commit_is_written_to_the_disk(store: Store) -> None:
    with store.database.engine.connect() as connection:
        modes = [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("journal_mode", "synchronous")]
    assert modes == ["wal", 2], "2: FULL"


def let_grow(store: Store, pages: int) -> None:
    """Simulate a disk that is almost full: SQLite may add this number of pages to its file."""
    with store.database.engine.connect() as connection:
        most = connection.exec_driver_sql("PRAGMA page_count").scalar_one() + pages
    store.database.engine.dispose()
    sql.event.listen(store.database.engine, "connect", lambda raw, _: raw.execute(f"PRAGMA max_page_count={most}"))


def play_until_refused(table: TableClient) -> Response:
    while to_act := table.see()["to_act"]:
        seen = table.see(to_act[0])
        answer = table.send(to_act[0], seen["legal"][0], seen["version"], f"at {seen['version']}")
        if answer.status_code != 200:
            return answer
    raise AssertionError("nothing was refused")


@pytest.mark.one_engine
def test_a_full_disk_is_503_in_one_sentence_and_play_goes_on_when_there_is_room(
    client: TestClient, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    table = TableClient(client, 6)
    let_grow(store, 0)
    refused = play_until_refused(table)
    sentence = "games cannot be read or saved just now; try again in a moment"
    assert (refused.status_code, refused.json()) == (503, {"error": sentence, "rule": None})
    before = table.see()
    seat = before["to_act"][0]
    move = table.see(seat)["legal"][0]
    assert table.send(seat, move, before["version"], f"at {before['version']}").status_code == 503
    assert table.see() == before, "nothing is half done"
    assert caplog.messages == ["games cannot be saved just now: database or disk is full"], "said once, and to nobody who plays"
    let_grow(store, 1000)
    assert table.send(seat, move, before["version"], f"at {before['version']}").status_code == 200
    assert caplog.messages[1:] == ["games can be saved again"]
    table.finish()
    assert record.verify(games.find, json.dumps(table.record())).draws == 10


@pytest.mark.one_engine
def test_a_new_table_on_a_read_only_disk_is_503_too(client: TestClient, store: Store) -> None:
    sql.event.listen(store.database.engine, "connect", lambda raw, _: raw.execute("PRAGMA query_only=1"))
    store.database.engine.dispose()
    answer = client.post("/api/tables", json={"game": "rolling-village", "seats": [{"kind": "human"}]})
    assert (answer.status_code, answer.json()["error"]) == (503, "games cannot be read or saved just now; try again in a moment")
    page = client.post("/new/rolling-village", data={"name": "Ada"})
    assert page.status_code == 503
    assert "try again in a moment" in page.text


def test_a_folder_that_cannot_be_written_to_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"the data folder .*file/data cannot be used: Not a directory"):
        Store.in_folder(tmp_path / "file" / "data")


def test_two_writers_cannot_both_win_a_position(store: Store, client: TestClient, tmp_path: Path) -> None:
    table = TableClient(client)
    other = open_store(tmp_path)
    assert store.append_all([LogAppend(table.made["table"], 1, (LogLine("0 build house 1A", "a"),))]) == [None]
    (refused,) = other.append_all([LogAppend(table.made["table"], 1, (LogLine("0 build lake 1A", "b"),))])
    assert isinstance(refused, ConflictError)
    loaded = other.load(table.made["table"])
    assert loaded is not None
    assert [row.client_id for row in loaded.lines] == [None, "a"]
    other.close()


def test_a_second_process_catches_up_with_what_the_first_wrote(client: TestClient, tmp_path: Path) -> None:
    here = TableClient(client)
    other = open_store(tmp_path)
    with TestClient(make_app(TableRegistry(other, config=table_config()))) as elsewhere:
        there = TableClient.__new__(TableClient)
        there.__dict__ |= here.__dict__ | {"client": elsewhere}
        moves = there.see(0)["legal"]
        assert here.send(0, moves[0], 1).status_code == 200
        late = there.send(1, there.see(1)["legal"][0], 1)
        assert late.json() == {"version": 3}, "both were awaited: what the first wrote is read, and then the second counts"
        log = there.see(0)["log"]
        assert here.see(0)["log"] in (log[:2], log)
    other.close()


def test_a_process_that_is_behind_reads_on_before_it_refuses(client: TestClient, tmp_path: Path) -> None:
    """Two registries on one folder: the page came from one, its move goes to the other."""
    here = TableClient(client)
    other = open_store(tmp_path)
    with TestClient(make_app(TableRegistry(other, config=table_config()))) as elsewhere:
        there = TableClient.__new__(TableClient)
        there.__dict__ |= here.__dict__ | {"client": elsewhere}
        assert there.see()["version"] == 1
        sent = here.see(0)["legal"][0]
        assert here.send(0, sent, 1, "once").json() == {"version": 2}
        here.finish_round(0)
        seen = here.see(1)
        assert there.send(1, seen["legal"][0], seen["version"]).json() == {"version": seen["version"] + 1}
        assert there.send(0, sent, 1, "once").json() == {"version": 2}, "what was sent to the other is known here too"
        assert here.send(0, sent, 99, "never").status_code == 409
        assert without_presence(here.see()) == without_presence(there.see())
        there.finish()
        assert here.send(0, sent, 10**6, "never").json()["error"] == "the game has moved on; look again and choose"
        assert without_presence(here.see()) == without_presence(there.see())
        assert record.verify(games.find, json.dumps(here.record())).draws == 10
    other.close()


@pytest.mark.parametrize("over", [False, True])
def test_a_table_of_older_rules_is_not_replayed_by_newer_ones_but_can_be_read(store: Store, client: TestClient, over: bool) -> None:
    table = TableClient(client)
    table.play(0)
    assert table.undo(0).status_code == 200
    if over:
        table.finish()
    before = table.record(0)
    with store.database.engine.begin() as connection:
        connection.execute(schema.tables.update().values(rules=0))
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        answer = restarted.get(table.path)
        page = restarted.get(f"/t/{table.made['table']}")
        record = restarted.get(f"{table.path}/record", headers=table.bearer(0)).json()
    assert (answer.status_code, answer.json()["error"]) == (410, "this game was played by rules 0; these are rules 1")
    assert record == before | {"rules": 0}
    assert (record["fairness"]["seed"] is not None) == over
    assert page.status_code == 200
    assert "P0" in page.text
