"""Several processes over one PostgreSQL: each shows what the others have written, and nothing happens twice."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tablee import games
from tablee.core import record
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.locks import LEASE_SECONDS
from tablee.server.storage.schema import leases
from tablee.server.storage.store import Store
from tests.server.classroom import Classroom, try_a_move
from tests.server.engine import new_address
from tests.server.process import TIMEOUT_S, ForkedServer, ServerProcess
from tests.server.seeds import table_config

pytestmark = pytest.mark.one_engine

A, B = 0, 1
RESTARTING = 1012  # close code after which a page reconnects at once


class ProcessPair:
    def __init__(self, folder: Path) -> None:
        self.address = new_address(folder)
        self.servers = [ForkedServer(folder / name, extra_arguments=["--database", self.address]) for name in "ab"]

    def start(self) -> ProcessPair:
        for server in self.servers:
            server.folder.mkdir(parents=True)
            server.start()
        return self

    def close(self) -> None:
        for server in self.servers:
            server.kill()

    @contextmanager
    def store(self) -> Iterator[Store]:
        with closing(Store.at(self.address)) as opened:
            yield opened

    @contextmanager
    def spectator_socket(self, which: int, table: str, token: str | None = None) -> Iterator[ClientConnection]:
        with connect(f"{self.servers[which].address.replace('http', 'ws')}/api/tables/{table}/ws") as socket:
            socket.send(json.dumps({"token": token}))
            yield socket


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[ProcessPair]:
    with closing(ProcessPair(tmp_path)) as opened:
        yield opened.start()


def until(true: Callable[[], Any], timeout: float = 60.0) -> Any:
    deadline = time.monotonic() + timeout
    while not (found := true()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


def shown(socket: ClientConnection, version: int) -> Any:
    """Return the first message about the table that has at least this version."""
    while (seen := json.loads(socket.recv(timeout=60)))["version"] < version:
        pass
    return seen


def test_a_move_at_one_process_is_on_the_screens_of_the_other(pair: ProcessPair) -> None:
    a, b = pair.servers
    made = a.create("rolling-village", ["Ada", "Bo"])
    path, (ada, bo) = f"/api/tables/{made['table']}", [seat["token"] for seat in made["seats"]]
    with pair.spectator_socket(B, made["table"]) as screen:
        shown(screen, 1)
        move = a.ask("GET", path, token=ada)["legal"][0]
        assert a.ask("POST", f"{path}/moves", {"move": move, "at": 1, "id": "x"}, ada) == {"version": 2}
        assert shown(screen, 2)["log"][-1] == f"0 {move}"
    assert b.ask("POST", f"{path}/moves", {"move": move, "at": 1, "id": "x"}, ada) == {"version": 2}, "sent again, it is known there too"
    other = b.ask("GET", path, token=bo)["legal"][0]
    assert b.ask("POST", f"{path}/moves", {"move": other, "at": 1, "id": "y"}, bo) == {"version": 3}


def test_the_same_move_sent_to_both_at_once_counts_once(pair: ProcessPair) -> None:
    made = pair.servers[A].create("rolling-village", ["Ada"])
    path, token = f"/api/tables/{made['table']}", made["seats"][0]["token"]
    move = {"move": pair.servers[B].ask("GET", path, token=token)["legal"][0], "at": 1, "id": "once"}
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda number: pair.servers[number % 2].ask("POST", f"{path}/moves", move, token), range(6)))
    assert answers == [{"version": answers[0]["version"]}] * 6
    with pair.store() as store:
        assert [row.client_id for row in store.changes_since(made["table"], 0).lines].count("once") == 1


def test_a_visitor_becomes_the_host_when_the_host_at_the_other_process_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEE_ABSENCE", "0.2")
    with closing(ProcessPair(tmp_path)) as pair:
        a, b = pair.start().servers
        table = sit_down(pair)
        path = f"/api/tables/{table['id']}/gathering"
        bo = b.ask("POST", path, {"do": "sit", "chair": 1, "name": "Bo"})["token"]
        with connect(f"{a.address.replace('http', 'ws')}{path}/ws") as host:
            host.send(json.dumps({"keys": table["host"]}))
            until(lambda: "not here" not in shown_to(b, path, bo))
        until(lambda: "Become the host" in shown_to(b, path, bo))
        b.ask("POST", path, {"do": "host", "keys": bo})
        assert 'id="start"' in shown_to(a, path, bo)
        assert 'id="start"' not in shown_to(a, path, table["host"])


def shown_to(server: ServerProcess, path: str, keys: str) -> str:
    return " ".join(part["html"] for part in server.ask("POST", f"{path}/page", {"keys": keys})["parts"])


def test_a_lobby_is_shared_by_both_processes(pair: ProcessPair) -> None:
    a, b = pair.servers
    with pair.store() as store:
        table = sit_down(pair)
        path = f"/api/tables/{table['id']}/gathering"
        bo = b.ask("POST", path, {"do": "sit", "chair": 1, "name": "Bo"})["token"]
        seen = a.ask("POST", f"{path}/page", {"keys": table["host"]})
        assert any("Bo" in part["html"] for part in seen["parts"])
        before = store.load(table["id"])
        assert before is not None
        seats, revision = len(before.seats), before.revision
        with ThreadPoolExecutor(2) as pool:  # both of two concurrent changes at different processes are stored
            bodies = [{"keys": bo, "do": "name", "chair": 1, "name": "Bob"}, {"keys": table["host"], "do": "more"}]
            list(pool.map(lambda server, body: server.ask("POST", path, body), (a, b), bodies))
        stored = store.load(table["id"])
        assert stored is not None
        assert (stored.seats[1].name, len(stored.seats), stored.revision) == ("Bob", seats + 1, revision + 2)
        for seat in reversed(range(2, len(stored.seats))):
            a.ask("POST", path, {"keys": table["host"], "do": "away", "chair": seat})
        b.ask("POST", path, {"keys": table["host"], "do": "start"})
        assert a.ask("POST", f"{path}/page", {"keys": bo}) == {"begun": True}
        assert a.ask("GET", f"/api/tables/{table['id']}", token=bo)["seat"] == 1


def sit_down(pair: ProcessPair) -> dict[str, str]:
    """Create a lobby at the first process, and return its id and its host's token."""
    connection = HTTPConnection("127.0.0.1", pair.servers[A].port, timeout=TIMEOUT_S)
    connection.request("POST", "/new/rolling-village", "name=Ada", {"content-type": "application/x-www-form-urlencoded"})
    table, _, token = (connection.getresponse().headers["location"] or "").removeprefix("/t/").partition("#k=")
    connection.close()
    return {"id": table, "host": token}


def test_whoever_looks_at_one_is_asked_before_a_move_is_taken_back_at_the_other(pair: ProcessPair) -> None:
    a, b = pair.servers
    made = a.create("rolling-village", ["Ada", "Bo"])
    path, (ada, bo) = f"/api/tables/{made['table']}", [seat["token"] for seat in made["seats"]]
    with pair.spectator_socket(B, made["table"], bo) as screen:
        shown(screen, 1)
        move = a.ask("GET", path, token=ada)["legal"][0]
        a.ask("POST", f"{path}/moves", {"move": move, "at": 1, "id": "x"}, ada)
        until(lambda: "not here<" not in str(a.ask("POST", f"{path}/page", {"page": True, "keys": ada})["parts"]))
        assert a.ask("POST", f"{path}/undo", {"id": "u"}, ada)["asked"] == [1]
        b.ask("POST", f"{path}/undo/answer", {"agree": True, "id": "yes"}, bo)
        assert "0 undo" in until(lambda: log if len(log := a.ask("GET", path)["log"]) > 3 else None)


def test_one_process_thinks_for_the_bots_and_when_it_dies_the_other_does(pair: ProcessPair) -> None:
    made = pair.servers[A].create("rolling-village", ["greedy", "random", "greedy"])
    table = made["table"]
    with pair.spectator_socket(A, table), pair.spectator_socket(B, table), pair.store() as store:
        until(lambda: len(store.changes_since(table, 0).lines) > 8)
        with store.database.reading() as connection:
            thinking = connection.execute(sql.select(leases.c.process).where(leases.c.table_id == table)).scalars().all()
        assert len(thinking) == 1
        pair.servers[A].kill()
        until(lambda: not pair.servers[B].ask("GET", f"/api/tables/{table}")["to_act"], timeout=LEASE_SECONDS + 30)
        played = [row.client_id for row in store.changes_since(table, 0).lines if row.client_id]
        assert len(played) == len(set(played)), "no bot moved twice"
    assert record.verify(games.find, json.dumps(pair.servers[B].ask("GET", f"/api/tables/{table}/record"))).draws == 10


def test_a_class_is_one_class_at_both(tmp_path: Path) -> None:
    address = new_address(tmp_path)
    with (
        closing(Store.at(address)) as here,
        closing(Store.at(address)) as there,
        TestClient(make_app(TableRegistry(here, config=table_config(bot_pace=60)))) as a,
        TestClient(make_app(TableRegistry(there, config=table_config(bot_pace=60)))) as b,
    ):
        room = Classroom(a)
        (ada, _) = room.join("Ada", "Bo")
        room.seat(size="2", level="")
        table, token = room.table_of(ada)
        assert sorted(b.get(f"/api/tables/{table}").json()["names"]) == ["Ada", "Bo"]
        room.organiser.post(f"{room.path}/pause", {"paused": "yes"})
        until(lambda: "All tables are paused" in b.get(f"/t/{table}?k={token}").text)
        assert try_a_move(b, table, token)[0] == 409
        room.organiser.post(f"{room.path}/pause", {"paused": "no"})
        until(lambda: try_a_move(b, table, token)[0] == 200)
        room.organiser.post(f"{room.path}/delete", {"sure": "yes"})
        until(lambda: b.get(f"/api/tables/{table}").status_code == 404)
        assert b.get(room.path).status_code == 404


def test_a_process_that_ends_sends_its_screens_to_the_other(pair: ProcessPair) -> None:
    table = pair.servers[A].create("rolling-village", ["Ada", "greedy"])["table"]
    with pair.spectator_socket(A, table) as screen:
        shown(screen, 1)
        pair.servers[A].stop()
        assert close_code(screen) == RESTARTING
    with pair.store() as store, store.database.reading() as connection:
        assert not connection.execute(sql.select(leases)).all(), "nobody waits for one that has ended in order"
    with pair.spectator_socket(B, table) as screen:
        assert shown(screen, 1)["table"] == table


def close_code(screen: ClientConnection) -> int | None:
    """Return the code with which the server closes the connection."""
    try:
        while True:
            screen.recv(timeout=60)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def test_a_database_that_refuses_us_is_one_sentence(tmp_path: Path) -> None:
    address = new_address(tmp_path).replace("postgres:@/postgres?", "postgres:secret@/unknown?")
    server = ServerProcess(tmp_path, extra_arguments=["--database", address])
    with pytest.raises(AssertionError, match=r"the database cannot be used: .*does not exist"):
        server.start()
    assert "secret" not in server.output
    assert len(server.output.splitlines()) == 1
