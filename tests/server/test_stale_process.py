"""Stale processes: one that missed a notification reads the database before it shows anybody less than they know."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.cluster import Listener
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tests.server.classroom import Classroom, try_a_move
from tests.server.engine import new_address
from tests.server.process import TIMEOUT_S
from tests.server.seeds import table_config
from tests.server.table_client import TableClient
from tests.server.test_multi_process import until

pytestmark = pytest.mark.one_engine


class TwoProcesses:
    """Two applications at one database in this process: tests act `here` and look `there`."""

    def __init__(self, address: str, stack: ExitStack) -> None:
        here, self.store = (stack.enter_context(closing(Store.at(address))) for _ in range(2))
        self.registry = TableRegistry(self.store, config=table_config(bot_pace=60))
        self.here, self.there = (
            stack.enter_context(TestClient(make_app(registry)))
            for registry in (TableRegistry(here, config=table_config(bot_pace=60)), self.registry)
        )
        self._pool = stack.enter_context(ThreadPoolExecutor(1))

    def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function in the event loop of `there`."""
        assert self.there.portal is not None
        return self.there.portal.call(function, *args)

    def version(self, table: TableClient, **asked: int) -> Any:
        """Return the version that `there` shows."""
        return self.there.get(table.path, params=asked).json().get("version")

    def while_it_opens(self, held: tuple[Any, str], ask: Callable[[], Any], meanwhile: Callable[[], Any]) -> Any:
        """Return the answer of `ask` where `meanwhile` happens, and is notified, after `held` has read and before it returns."""
        other = TableClient(self.here)
        self.version(other)
        read, notified, do = threading.Event(), threading.Event(), getattr(*held)

        def slowly(*args: Any) -> Any:
            found = do(*args)
            if not read.is_set():
                read.set()
                assert notified.wait(TIMEOUT_S)
            return found

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(*held, slowly)
            answer: Future[Any] = self._pool.submit(ask)
            try:
                assert read.wait(TIMEOUT_S)
                meanwhile()
                other.play(0)
                until(lambda: self.version(other) == 2)  # notifications arrive in order
            finally:
                notified.set()
            return answer.result(TIMEOUT_S)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[TwoProcesses]:
    with ExitStack() as stack:
        yield TwoProcesses(new_address(tmp_path), stack)


@pytest.fixture
def without_notifications(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TwoProcesses]:
    """Return two applications that receive no notifications."""

    @asynccontextmanager
    async def listening(_: Listener) -> AsyncIterator[None]:
        yield

    monkeypatch.setattr(Listener, "listening", listening)
    with ExitStack() as stack:
        yield TwoProcesses(new_address(tmp_path), stack)


class TwoProcessLobby:
    """Lobby that is created `here` and watched `there`."""

    def __init__(self, two: TwoProcesses) -> None:
        where = two.here.post("/new/rolling-village", data={"name": "Ada"}, follow_redirects=False).headers["location"]
        self.id, _, self._host = where.removeprefix("/t/").partition("#k=")
        self._two, self._path = two, f"/api/tables/{self.id}/gathering"

    def sit(self, name: str) -> None:
        assert self._two.here.post(self._path, json={"do": "sit", "chair": 1, "name": name}).status_code == 200

    def look(self) -> str:
        """Return the host's page `there`."""
        return self._two.there.post(f"{self._path}/page", json={"keys": self._host}).text

    @property
    def shown(self) -> list[str]:
        """Return the names in the lobby that `there` has open."""
        opened = self._two.there.app.state.lobbies.get_open(self.id)  # type: ignore[attr-defined]
        assert opened is not None
        return [seat.name for seat in opened.stored.seats if seat.name]


def test_a_move_that_is_made_while_a_table_is_being_opened_is_shown(two: TwoProcesses) -> None:
    table = TableClient(two.here)
    assert two.while_it_opens((two.store, "load"), lambda: two.version(table), lambda: table.play(0)) == 2


def test_somebody_who_sits_down_while_a_lobby_is_being_opened_is_shown(two: TwoProcesses) -> None:
    lobby = TwoProcessLobby(two)
    assert "Zeno" in two.while_it_opens((two.store, "load"), lobby.look, lambda: lobby.sit("Zeno"))


def test_somebody_who_joins_while_a_class_is_being_opened_is_in_it(two: TwoProcesses) -> None:
    room, clubs = Classroom(two.here), two.there.app.state.clubs  # type: ignore[attr-defined]
    name = room.path.removeprefix("/class/")
    club = two.while_it_opens((clubs.store, "load"), lambda: two.call(clubs.get, name), lambda: room.join("Ada"))
    assert [member.name for member in club.stored.members] == ["Ada"]


def test_a_class_that_is_paused_while_its_table_is_being_opened_is_paused_there(two: TwoProcesses) -> None:
    room = Classroom(two.here)
    (ada, _) = room.join("Ada", "Bo")
    room.seat(size="2", level="")
    table, token = room.table_of(ada)
    ask, pause = (lambda: try_a_move(two.there, table, token)), (lambda: room.organiser.post(f"{room.path}/pause", {"paused": "yes"}))
    assert two.while_it_opens((two.store, "load"), ask, pause)[0] == 409


def test_missed_notifications_are_found_by_the_next_resync(without_notifications: TwoProcesses) -> None:
    lobby, room, table = (
        TwoProcessLobby(without_notifications),
        Classroom(without_notifications.here),
        TableClient(without_notifications.here),
    )
    (ada, _) = room.join("Ada", "Bo")
    room.seat(size="2", level="")
    its_own, _ = room.table_of(ada)
    lobby.look()
    without_notifications.version(table)
    opened = without_notifications.call(without_notifications.registry.table, its_own)
    lobby.sit("Bo")
    table.play(0)
    room.organiser.post(f"{room.path}/pause", {"paused": "yes"})
    assert (lobby.shown, without_notifications.version(table), opened.paused) == (["Ada"], 1, False), "it is behind"
    without_notifications.call(without_notifications.there.app.state.peers.resync)  # type: ignore[attr-defined]
    until(lambda: lobby.shown == ["Ada", "Bo"])
    assert (without_notifications.version(table), opened.paused) == (2, True)


def test_whoever_says_which_version_they_know_is_shown_no_older_one(without_notifications: TwoProcesses) -> None:
    table = TableClient(without_notifications.here)
    assert without_notifications.version(table) == 1
    known = table.play(0)["version"]
    assert without_notifications.version(table) < known, "it is behind"
    assert without_notifications.version(table, at_least=known) == known
    known = table.play(1)["version"]
    assert len(without_notifications.there.get(f"{table.path}/record", params={"at_least": known}).json()["log"]) == known
    known = table.play(0)["version"]
    assert without_notifications.version(table, at=known) == known, "nor is a past that is news there refused"


def test_a_version_that_nobody_has_written_is_refused(without_notifications: TwoProcesses) -> None:
    answer = without_notifications.there.get(TableClient(without_notifications.here).path, params={"at_least": 9})
    assert (answer.status_code, answer.json()["error"]) == (422, "there is no position after line 9: the log has 1")
