"""Chaos test: two processes over one PostgreSQL, one of them killed again and again, and the database restarted once.

Groups play on at both meanwhile, as pages do: they send a move with one id until either process answers.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
import threading
import time
import urllib.error
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tablee.server.storage.store import Store
from tests.rounds import rounds
from tests.server.engine import Postgres
from tests.server.process import TIMEOUT_S, ForkedServer
from tests.server.table_client import without_presence

pytestmark = pytest.mark.one_engine

KILLS = rounds(few=4, many=40)
BETWEEN_KILLS = rounds(few=(0.5, 1.5), many=(2, 4))  # seconds
PAUSE = 0.1  # seconds that a player thinks at most: the games outlast the kills
SEATINGS = (["Ada", "Bo", "greedy"], ["Cy", "random", "greedy"], ["Di", "Ed"])
MOVED_ON, AWAY = 409, 503  # the game has moved on; the database is unreachable


@pytest.fixture
def database() -> Iterator[Postgres]:
    folder = Path(tempfile.mkdtemp(prefix="tablee-chaos-"))
    with closing(Postgres(folder)) as opened:
        yield opened
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def servers(tmp_path: Path, database: Postgres) -> Iterator[list[ForkedServer]]:
    made = [ForkedServer(tmp_path / name, extra_arguments=["--database", database.address]) for name in "ab"]
    for server in made:
        server.folder.mkdir()
        server.start()
    yield made
    for server in made:
        server.kill()


class RetryingGroup(threading.Thread):
    """Thread that plays one game after the other, each move through whichever process answers."""

    def __init__(self, servers: Sequence[ForkedServer], seating: Sequence[str], over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.servers, self.seating, self.over = servers, seating, over
        self.rng = random.Random(" ".join(seating))
        self.acknowledged: dict[str, list[tuple[str, str]]] = {}  # by table: (id, line)
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.over.is_set():
                self.play_a_game()
        except BaseException as error:
            self.failure = error

    def play_a_game(self) -> None:
        made = self.with_retries(lambda server: server.create("rolling-village", self.seating))
        acknowledged = self.acknowledged[made["table"]] = []
        people = [(seat["seat"], seat["token"]) for seat in made["seats"] if seat["token"]]
        path = f"/api/tables/{made['table']}"
        while self.see(path, None)["status"] != "over":
            for seat, token in people:
                self.move(path, seat, token, acknowledged)
            time.sleep(self.rng.random() * PAUSE)

    def move(self, path: str, seat: int, token: str, acknowledged: list[tuple[str, str]]) -> None:
        seen = self.see(path, token)
        if not seen["legal"]:
            return
        move, number = self.rng.choice(seen["legal"]), f"{self.rng.getrandbits(64):x}"
        body = {"move": move, "at": seen["version"], "id": number}
        if self.with_retries(lambda server: server.ask("POST", f"{path}/moves", body, token)) is not None:
            acknowledged.append((number, f"{seat} {move}"))

    def see(self, path: str, token: str | None) -> Any:
        return self.with_retries(lambda server: server.ask("GET", path, token=token))

    def with_retries(self, ask: Any) -> Any:
        """Ask until one process answers; return None where the game has moved on meanwhile."""
        for number in range(600):
            try:
                return ask(self.servers[self.rng.randrange(2) if not number else number % 2])
            except urllib.error.HTTPError as error:
                if error.code == MOVED_ON:
                    return None
                if error.code != AWAY:
                    raise
            except (OSError, HTTPException):
                pass
            time.sleep(0.1)
        raise AssertionError("nobody answers any more")


class SpectatorThread(threading.Thread):
    """Spectator of one table at one process, which reconnects whenever its connection ends."""

    def __init__(self, server: ForkedServer, table: str) -> None:
        super().__init__(daemon=True)
        self.server, self.table = server, table
        self.shows: dict[str, Any] = {}
        self.enough = threading.Event()

    def run(self) -> None:
        while not self.enough.is_set():
            with suppress(OSError, WebSocketException, TimeoutError), self._connect() as socket:
                socket.send("{}")
                while not self.enough.is_set():
                    with suppress(TimeoutError):
                        self.shows = json.loads(socket.recv(timeout=0.5))
            self.enough.wait(0.1)

    def _connect(self) -> Any:
        return connect(f"{self.server.address.replace('http', 'ws')}/api/tables/{self.table}/ws", open_timeout=2, close_timeout=1)


@pytest.mark.timeout(900)  # many kills take some minutes
def test_killed_processes_and_a_restarted_database_lose_nothing(servers: list[ForkedServer], database: Postgres) -> None:
    over, rng = threading.Event(), random.Random(13)
    groups = [RetryingGroup(servers, seating, over) for seating in SEATINGS]
    for group in groups:
        group.start()
    watched = servers[0].create("rolling-village", ["greedy", "random"])["table"]
    watchers = [SpectatorThread(server, watched) for server in servers]
    for watcher in watchers:
        watcher.start()
    inject_faults(servers, database, rng)
    over.set()
    for group in groups:
        group.join(120)
    assert not [group.failure for group in groups if group.failure]
    assert not [group for group in groups if group.is_alive()]
    assert_equal_screens(watchers, servers[1].ask("GET", f"/api/tables/{watched}"))
    with closing(Store.at(database.address)) as store:
        for group in groups:
            for table, acknowledged in group.acknowledged.items():
                check(store, table, acknowledged)
                one, other = (without_presence(server.ask("GET", f"/api/tables/{table}")) for server in servers)
                assert one == other
    assert all(any(group.acknowledged.values()) for group in groups), "everybody has played"
    assert sum(len(group.acknowledged) for group in groups) > rounds(few=0, many=len(groups)), "with many kills, more than one game each"


def inject_faults(servers: Sequence[ForkedServer], database: Postgres, rng: random.Random) -> None:
    for number in range(KILLS):
        time.sleep(rng.uniform(*BETWEEN_KILLS))
        servers[number % 2].kill()
        if number == KILLS // 2:
            database.restart()
        time.sleep(0.5 * rng.random())
        servers[number % 2].start()


def check(store: Store, table: str, acknowledged: list[tuple[str, str]]) -> None:
    """Check that the log holds every acknowledged move once, no other move of these people, and no bot's move twice."""
    rows = store.changes_since(table, 0).lines
    stored = [(row.client_id, row.line) for row in rows if row.client_id]
    assert sorted(each for each in stored if not (each[0] or "").startswith("bot-")) == sorted(acknowledged)
    assert max(Counter(name for name, _ in stored).values()) == 1
    found = store.load(table)
    assert found is not None
    assert found.outcome is not None


def assert_equal_screens(watchers: Sequence[SpectatorThread], now: Any) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not all(watcher.shows.get("version") == now["version"] for watcher in watchers):
        assert time.monotonic() < deadline, [watcher.shows.get("version") for watcher in watchers]
        time.sleep(0.1)
    for watcher in watchers:
        watcher.enough.set()
        watcher.join(10)
        assert {key: watcher.shows[key] for key in ("version", "log", "view", "scores")} == {
            key: now[key] for key in ("version", "log", "view", "scores")
        }
    assert now["status"] == "over", "bots that are among themselves play to the end, whoever dies"
