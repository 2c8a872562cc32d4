"""FD passing: a connection goes to the process that owns its table, with the bytes read so far, or stays where it is."""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ClassVar
from zlib import crc32

import pytest
import uvloop

from tablee.server.http import fd_passing
from tablee.server.http.connection_limit import ConnectionLimit
from tablee.server.http.fd_passing import FdPassing, PeerProcess, PendingConnection

pytestmark = pytest.mark.one_engine

TABLES = {crc32(name.encode()) % 2: name for name in ("b", "a", "d")}  # a table of each of two processes


class Speaker(asyncio.Protocol):
    """Echo protocol of one process: it answers with its name and the bytes it read."""

    def __init__(self, name: str, handing: FdPassing | None) -> None:
        self.name, self.handing = name, handing

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport

    def data_received(self, data: bytes) -> None:
        handing, self.handing = self.handing, None
        if handing:
            handing.offer(self.transport, data, self.serve)
        else:
            self.serve(data)

    def serve(self, data: bytes) -> None:
        self.transport.write(f"{self.name} heard {data.decode()}".encode())


@contextmanager
def two(folder: Path) -> Iterator[list[FdPassing]]:
    with closing(FdPassing(folder, 0, 2)) as one, closing(FdPassing(folder, 1, 2)) as other:
        yield [one, other]


async def visit(port: int, *sentences: str) -> list[str]:
    """Send these sentences one after the other, and return the answer to each."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with closing(writer):
        found = []
        for sentence in sentences:
            writer.write(sentence.encode())
            found.append((await reader.read(1000)).decode())
        return found


def with_listener(folder: Path, talk: Callable[[int, list[FdPassing]], Awaitable[None]]) -> None:
    """Run `talk` while the first of two processes listens at a port."""

    async def run() -> None:
        with two(folder) as both:
            listener = await asyncio.get_running_loop().create_server(lambda: Speaker("first", both[0]), "127.0.0.1", 0)
            async with listener, asyncio.timeout(20):
                await talk(listener.sockets[0].getsockname()[1], both)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # as the server does
        runner.run(run())


@pytest.mark.parametrize("path", ["/t/{}", "/t/{}?k=1", "/api/tables/{}/ws", "/api/tables/{}"])
def test_whoever_asks_for_a_table_of_another_process_speaks_with_that_one(tmp_path: Path, path: str) -> None:
    async def talk(port: int, both: list[FdPassing]) -> None:
        asked = [f"GET {path.format(TABLES[owner])} HTTP/1.1" for owner in range(2)]
        with both[1].accepting(lambda: Speaker("second", both[1])):
            assert await visit(port, asked[0], "and") == [f"first heard {asked[0]}", "first heard and"]
            assert await visit(port, asked[1], "and") == [f"second heard {asked[1]}", "second heard and"]
            assert await visit(port, "GET / HTTP/1.1") == ["first heard GET / HTTP/1.1"]

    with_listener(tmp_path, talk)


def test_what_comes_later_is_heard_later(tmp_path: Path) -> None:
    """The body of a request may arrive before the other process has read the head."""

    async def talk(_: int, both: list[FdPassing]) -> None:
        head = f"POST /api/tables/{TABLES[1]}/moves HTTP/1.1"
        with both[1].accepting(lambda: Speaker("second", None)), socket.create_server(("127.0.0.1", 0)) as listener:
            for _again in range(50):
                reader, writer = await asyncio.open_connection(*listener.getsockname())
                with closing(writer), listener.accept()[0] as connection:
                    writer.write(b"body")
                    await writer.drain()
                    both[0]._peers[1]._send(PendingConnection(Held(connection), head.encode(), print))  # type: ignore[arg-type]
                    answer = (await reader.readuntil(b"body")).decode()
                    assert answer in (f"second heard {head}body", f"second heard {head}second heard body")

    with_listener(tmp_path, talk)


class Held:
    """Transport that nobody reads from."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def get_extra_info(self, _: str) -> socket.socket:
        return self.connection


class Fed(Speaker):
    """Protocol that pauses reading after the first bytes."""

    fed: ClassVar[list[Any]] = []

    def serve(self, _: bytes) -> None:
        self.transport.pause_reading()
        self.fed.append(self.transport)


def test_who_does_not_want_to_hear_more_when_a_connection_comes_does_not(tmp_path: Path) -> None:
    async def talk(port: int, both: list[FdPassing]) -> None:
        with both[1].accepting(lambda: Fed("second", None)):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            with closing(writer):
                writer.write(f"GET /t/{TABLES[1]} HTTP/1.1".encode())
                while not Fed.fed:
                    await asyncio.sleep(0.001)
                await asyncio.sleep(0.01)
                taken = Fed.fed.pop()
                assert not taken.is_reading()
                taken.abort()
                await asyncio.sleep(0.01)

    with_listener(tmp_path, talk)


def test_who_is_not_there_is_stood_in_for(tmp_path: Path) -> None:
    """The other process never started, or was killed and left its socket file behind."""

    async def talk(port: int, _: list[FdPassing]) -> None:
        asked = f"GET /t/{TABLES[1]} HTTP/1.1"
        assert await visit(port, asked) == [f"first heard {asked}"]
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as killed:
            killed.bind(str(tmp_path / "1"))
        assert (tmp_path / "1").exists()
        assert await visit(port, asked) == [f"first heard {asked}"]

    with_listener(tmp_path, talk)


def test_who_has_taken_a_number_over_is_found(tmp_path: Path) -> None:
    async def talk(port: int, both: list[FdPassing]) -> None:
        (tmp_path / "1").touch()
        with both[1].accepting(lambda: Speaker("second", None)):
            assert await visit(port, f"GET /t/{TABLES[1]} HTTP/1.1") == [f"second heard GET /t/{TABLES[1]} HTTP/1.1"]
        assert not (tmp_path / "1").exists()

    with_listener(tmp_path, talk)


class Full:
    """Process that receives no connection for a while."""

    def __init__(self, place: Path) -> None:
        self.receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.receiver.bind(str(place))
        self.receiver.setblocking(False)

    def close(self) -> None:
        self.receiver.close()

    def take(self) -> int:
        """Receive and answer all connections that the system has queued, and return their number."""
        for count in itertools.count():
            try:
                data, handles, _, _ = socket.recv_fds(self.receiver, fd_passing.MAX_DATA_BYTES, 1)
            except BlockingIOError:
                return count
            with socket.socket(fileno=handles[0]) as connection:
                connection.sendall(b"second heard " + data)
        raise AssertionError


@pytest.fixture
def little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shrink the send buffer, so that the system queues few connections wherever this runs."""
    really = PeerProcess.__init__

    def cramped(self: PeerProcess, place: Path) -> None:
        really(self, place)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)

    monkeypatch.setattr(PeerProcess, "__init__", cramped)


MANY, ASKED = 60, f"GET /t/{TABLES[1]} HTTP/1.1"


@pytest.mark.usefixtures("little_room")
def test_whose_hands_are_full_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart more connections come at once than the system queues."""
    monkeypatch.setattr(fd_passing, "HANDOVER_TIMEOUT", 1000.0)

    async def talk(port: int, _: list[FdPassing]) -> None:
        with closing(Full(tmp_path / "1")) as full:
            visits = [asyncio.create_task(visit(port, ASKED)) for _ in range(MANY)]
            await asyncio.sleep(0.2)
            assert not any(visit.done() for visit in visits)
            taken = [full.take()]
            assert 0 < taken[0] < MANY
            while sum(taken) < MANY:
                await asyncio.sleep(0.001)
                taken.append(full.take())
        assert {answer for found in await asyncio.gather(*visits) for answer in found} == {f"second heard {ASKED}"}

    with_listener(tmp_path, talk)


@pytest.mark.usefixtures("little_room")
def test_whose_hands_stay_full_is_stood_in_for_and_not_asked_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fd_passing, "HANDOVER_TIMEOUT", 0.05)
    monkeypatch.setattr(fd_passing, "BACKOFF", 1000.0)

    async def talk(port: int, _: list[FdPassing]) -> None:
        with closing(Full(tmp_path / "1")) as full:
            visits = [asyncio.create_task(visit(port, ASKED)) for _ in range(MANY)]
            while not all(visit.done() for visit in visits):
                await asyncio.sleep(0.01)
                if any(visit.done() for visit in visits):  # the handover has timed out
                    full.take()
        answers = [answer for visit in visits for answer in visit.result()]
        assert {*answers} == {f"first heard {ASKED}", f"second heard {ASKED}"}
        assert await visit(port, ASKED) == [f"first heard {ASKED}"]

    with_listener(tmp_path, talk)


def test_a_place_that_cannot_be_had_stops_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The path of a Unix socket has about a hundred characters at most."""

    async def run() -> None:
        far = tmp_path / ("x" * 120)
        far.mkdir()
        with two(far) as both, both[0].accepting(lambda: Speaker("first", None)):
            pass

    asyncio.run(run())
    assert ["cannot be handed over" in message for message in caplog.messages] == [True]


def test_a_single_process_hands_nothing_over() -> None:
    assert ConnectionLimit(10).fd_passing is None
