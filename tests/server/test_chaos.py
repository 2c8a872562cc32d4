"""Two processes over one PostgreSQL, and nothing holds: one of the two is killed every second or so, and the database itself is restarted
once. Families play on at both meanwhile, the way pages do: a move is sent with one id until somebody answers, whoever that is.
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
from tests.server.process import ForkedServer

pytestmark = pytest.mark.one_engine

KILLS = rounds(few=4, many=40)
PAUSE = 0.1  # seconds that somebody thinks at most: games go on while the killing does
SEATINGS = (["Ada", "Bo", "greedy"], ["Cy", "random", "greedy"], ["Di", "Ed"])
MOVED_ON, AWAY = 409, 503  # look again; the database is away


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
    """Plays one game after the other, each person's moves through whichever process answers."""

    def __init__(self, servers: Sequence[ForkedServer], seating: Sequence[str], over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.servers, self.seating, self.over = servers, seating, over
        self.luck = random.Random(" ".join(seating))
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
        told = self.acknowledged[made["table"]] = []
        people = [(seat["seat"], seat["token"]) for seat in made["seats"] if seat["token"]]
        path = f"/api/tables/{made['table']}"
        while self.see(path, None)["status"] != "over":
            for seat, token in people:
                self.move(path, seat, token, told)
            time.sleep(self.luck.random() * PAUSE)

    def move(self, path: str, seat: int, token: str, told: list[tuple[str, str]]) -> None:
        seen = self.see(path, token)
        if not seen["legal"]:
            return
        move, number = self.luck.choice(seen["legal"]), f"{self.luck.getrandbits(64):x}"
        body = {"move": move, "at": seen["version"], "id": number}
        if self.with_retries(lambda server: server.ask("POST", f"{path}/moves", body, token)) is not None:
            told.append((number, f"{seat} {move}"))

    def see(self, path: str, token: str | None) -> Any:
        return self.with_retries(lambda server: server.ask("GET", path, token=token))

    def with_retries(self, ask: Any) -> Any:
        """Until one of them answers; None where the game has moved on meanwhile."""
        for number in range(600):
            try:
                return ask(self.servers[self.luck.randrange(2) if not number else number % 2])
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
    """A screen that looks at one table through one process, and comes back whenever it is sent away."""

    def __init__(self, server: ForkedServer, table: str) -> None:
        super().__init__(daemon=True)
        self.server, self.table = server, table
        self.shows: dict[str, Any] = {}
        self.enough = threading.Event()

    def run(self) -> None:
        while not self.enough.is_set():
            with suppress(OSError, WebSocketException, TimeoutError), self._line() as line:
                line.send("{}")
                while not self.enough.is_set():
                    with suppress(TimeoutError):
                        self.shows = json.loads(line.recv(timeout=0.5))
            self.enough.wait(0.1)

    def _line(self) -> Any:
        return connect(f"{self.server.address.replace('http', 'ws')}/api/tables/{self.table}/ws", open_timeout=2, close_timeout=1)


def test_killed_processes_and_a_restarted_database_lose_nothing(servers: list[ForkedServer], database: Postgres) -> None:
    over, luck = threading.Event(), random.Random(13)
    families = [RetryingGroup(servers, seating, over) for seating in SEATINGS]
    for family in families:
        family.start()
    watched = servers[0].create("rolling-village", ["greedy", "random"])["table"]
    watchers = [SpectatorThread(server, watched) for server in servers]
    for watcher in watchers:
        watcher.start()
    inject_faults(servers, database, luck)
    over.set()
    for family in families:
        family.join(120)
    assert not [family.failure for family in families if family.failure]
    assert not [family for family in families if family.is_alive()]
    assert_equal_screens(watchers, servers[1].ask("GET", f"/api/tables/{watched}"))
    with closing(Store.at(database.address)) as store:
        for family in families:
            for table, acknowledged in family.acknowledged.items():
                check(store, table, acknowledged)
                assert servers[0].ask("GET", f"/api/tables/{table}") == servers[1].ask("GET", f"/api/tables/{table}")
    assert all(any(family.acknowledged.values()) for family in families), "everybody has played"


def inject_faults(servers: Sequence[ForkedServer], database: Postgres, luck: random.Random) -> None:
    for number in range(KILLS):
        time.sleep(0.5 + luck.random())
        servers[number % 2].kill()
        if number == KILLS // 2:
            database.restart()
        time.sleep(0.5 * luck.random())
        servers[number % 2].start()


def check(store: Store, table: str, acknowledged: list[tuple[str, str]]) -> None:
    """Every acknowledged move stands in the log exactly once, nothing else of these people does, and no bot moved twice."""
    rows = store.changes_since(table, 0).lines
    kept = [(row.client_id, row.line) for row in rows if row.client_id]
    assert sorted(each for each in kept if not (each[0] or "").startswith("bot-")) == sorted(acknowledged)
    assert max(Counter(name for name, _ in kept).values()) == 1
    found = store.load(table)
    assert found is not None
    assert found.outcome is not None


def assert_equal_screens(watchers: Sequence[SpectatorThread], now: Any) -> None:
    deadline = time.monotonic() + 30
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
