"""Limits: no client blocks the server by connections, half-sent requests or new tables, and a class is never refused."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient
from websockets.sync.client import connect

from tablee.server.app import DEFAULT_LIMITS, make_app
from tablee.server.http import connection_limit
from tablee.server.http.connection_limit import Connection, raise_file_limit
from tablee.server.http.middleware.headers import HEADERS
from tablee.server.http.middleware.host_origin import HostOriginCheck
from tablee.server.http.middleware.limits import LOCAL_CLIENT, Limits, TokenBuckets, client_key
from tablee.server.http.websocket import CLOSE_INVALID
from tablee.server.process import listen, uvicorn_config
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tests.server.classroom import Classroom
from tests.server.process import ServerProcess
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

TABLE = {"game": "rolling-village", "seats": [{"kind": "human"}]}
TIMEOUT_S, SHORT_TIMEOUT_S = 60.0, 1.0  # seconds: the tests' own timeout, and the server's shortened one


@contextmanager
def opened(registry: TableRegistry, most: int, proxy: str = "", limits: Limits = DEFAULT_LIMITS) -> Iterator[int]:
    """Serve in this process with at most `most` connections, and yield the port."""
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        server = uvicorn.Server(uvicorn_config(make_app(registry), replace(limits, connections=most), proxy))
        running = threading.Thread(target=server.run, args=([listening],))
        running.start()
        try:
            yield port
        finally:
            server.should_exit = True
            running.join(TIMEOUT_S)


@pytest.fixture
def short_timeout_port(store: Store) -> Iterator[int]:
    with opened(TableRegistry(store, config=table_config()), 100, limits=Limits(request_timeout=SHORT_TIMEOUT_S)) as port:
        yield port


def call(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), TIMEOUT_S)


def ask(port: int, path: str = "/api/games", headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)) as connection:
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def send_repeatedly(connection: socket.socket, data: bytes, pause: float = 0.0) -> None:
    """Send the same bytes until the server closes the connection, 2,000 times at most."""
    for _ in range(2000):
        connection.sendall(data)
        time.sleep(pause)


HALF_SENT = {
    "silence": b"",
    "half a line": b"GET / HT",
    "headers without an end": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
    "half a body": b"POST /new/rolling-village HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\nname=Ada&",
    "half a second request": b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api",
}


@pytest.mark.parametrize("sent", HALF_SENT.values(), ids=HALF_SENT)
def test_who_does_not_finish_asking_is_hung_up_on(short_timeout_port: int, store: Store, sent: bytes) -> None:
    with call(short_timeout_port) as half:
        half.sendall(sent)
        with contextlib.suppress(ConnectionResetError):
            while half.recv(65536):
                pass
    assert ask(short_timeout_port)[0] == 200
    with store.database.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM tables").scalar_one() == 0, "half a form makes no table"


def test_who_does_not_take_the_answer_is_hung_up_on(store: Store) -> None:
    limits = Limits(request_timeout=SHORT_TIMEOUT_S, response_timeout=SHORT_TIMEOUT_S)
    with opened(TableRegistry(store, config=table_config()), 100, limits=limits) as port, call(port) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            send_repeatedly(connection, b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n", pause=0.05)


def test_a_few_pipelined_requests_are_answered_in_order(short_timeout_port: int) -> None:
    received = b""
    with call(short_timeout_port) as pipelining, contextlib.suppress(ConnectionResetError):
        pipelining.sendall(b"GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5)
        while piece := pipelining.recv(65536):
            received += piece
    assert received.count(b"HTTP/1.1 307") == 5


def test_pipelined_requests_are_not_collected(short_timeout_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the server has read and not begun to answer is bounded; then it hangs up."""
    request, read, begun, waiting = b"GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\n", 0, 0, list[int]()
    receive, check = Connection.data_received, HostOriginCheck.__call__

    def count_bytes(connection: Connection, data: bytes) -> None:
        nonlocal read
        waiting.append(read - begun * len(request))
        read += len(data)
        receive(connection, data)

    async def count_requests(*args: Any) -> None:
        nonlocal begun
        begun += 1
        await check(*args)

    monkeypatch.setattr(Connection, "data_received", count_bytes)
    monkeypatch.setattr(HostOriginCheck, "__call__", count_requests)
    with call(short_timeout_port) as greedy, contextlib.suppress(BrokenPipeError, ConnectionResetError):
        greedy.sendall(request * 3000)
        while greedy.recv(65536):
            pass
    assert max(waiting) <= connection_limit.MAX_PIPELINED_BYTES + 2 * connection_limit.READ_BYTES
    assert begun < 3000


def test_headers_without_end_are_not_collected(short_timeout_port: int) -> None:
    with call(short_timeout_port) as endless:
        endless.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            send_repeatedly(endless, b"X: " + b"y" * 10_000 + b"\r\n")
    assert ask(short_timeout_port)[0] == 200


def test_who_is_connected_stays_and_who_is_slow_may_be_slow(short_timeout_port: int) -> None:
    with closing(HTTPConnection("127.0.0.1", short_timeout_port, timeout=TIMEOUT_S)) as connection:
        for _ in range(2):
            connection.request("GET", "/api/games")
            assert connection.getresponse().read()
        connection.request("POST", "/api/tables", json.dumps(TABLE), {"content-type": "application/json"})
        table = json.load(connection.getresponse())["table"]
    with connect(f"ws://127.0.0.1:{short_timeout_port}/api/tables/{table}/ws") as socket_:
        socket_.send("{}")
        socket_.recv(TIMEOUT_S)
        time.sleep(2 * SHORT_TIMEOUT_S)
        socket_.send("{}")
        assert json.loads(socket_.recv(TIMEOUT_S))["version"] == 1


def test_a_full_server_says_so_in_one_sentence_and_opens_again(store: Store) -> None:
    registry = TableRegistry(store, config=table_config())
    with TestClient(make_app(registry)) as client:
        table = TableClient(client).made["table"]
    with opened(registry, 3) as port:
        with contextlib.ExitStack() as screens:
            for _ in range(3):
                screen = screens.enter_context(connect(f"ws://127.0.0.1:{port}/api/tables/{table}/ws"))
                screen.send("{}")
                screen.recv(TIMEOUT_S)
            status, headers, body = ask(port, headers={"accept-language": "it"})
            assert (status, headers["retry-after"]) == (503, "10")
            assert json.loads(body)["error"] == "il server è pieno in questo momento; riprova fra un attimo"
            assert HEADERS.items() <= headers.items()
            screen.send("{}")
            assert screen.recv(TIMEOUT_S), "those who are in play on"
        assert ask(port)[0] == 200


def test_who_says_nothing_makes_room_for_who_asks(store: Store) -> None:
    with opened(TableRegistry(store, config=table_config()), 5) as port, contextlib.ExitStack() as silent:
        first, *_ = [silent.enter_context(call(port)) for _ in range(20)]
        assert ask(port)[0] == 200
        with contextlib.suppress(ConnectionResetError):
            assert first.recv(1) == b""


BUSY_WITH_NOTHING = {
    "half a body": HALF_SENT["half a body"],
    "an answer that nobody reads": b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


@pytest.mark.parametrize("sent", BUSY_WITH_NOTHING.values(), ids=BUSY_WITH_NOTHING)
def test_who_keeps_a_connection_for_nothing_makes_room(store: Store, sent: bytes) -> None:
    with opened(TableRegistry(store, config=table_config()), 5) as port, contextlib.ExitStack() as flood:
        for _ in range(20):
            held = flood.enter_context(call(port))
            with contextlib.suppress(ConnectionError):
                held.sendall(sent)
        assert [ask(port)[0] for _ in range(5)] == [200] * 5


def test_whoever_holds_most_connections_makes_room_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        opened(TableRegistry(store, config=table_config()), 5) as port,
        socket.socket() as visitor,
        contextlib.ExitStack() as flood,
    ):
        visitor.settimeout(TIMEOUT_S)
        visitor.bind(("127.0.0.1", 0))
        monkeypatch.setattr(connection_limit, "client_key", lambda scope: str(scope["client"][1] == visitor.getsockname()[1]))
        visitor.connect(("127.0.0.1", port))
        for _ in range(20):
            flood.enter_context(call(port)).sendall(b"GET / HTTP/1.1\r\n")
        visitor.sendall(b"GET /api/games HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert visitor.recv(65536).startswith(b"HTTP/1.1 200"), "who came first, with one connection, was not closed"


HANDSHAKE = (
    "GET {path}/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
SERVER_CLOSE = b"\x88\x02" + CLOSE_INVALID.to_bytes(2, "big")
MASK = bytes(4)
HELLO, PING, CLOSE = (bytes([kind, 0x80 + len(data)]) + MASK + data for kind, data in ((0x81, b"{}"), (0x89, b"x" * 125), (0x88, b"")))


def open_websocket(port: int, path: str) -> socket.socket:
    """Open a WebSocket by hand, and return its connection after the handshake."""
    connection = call(port)
    connection.sendall(HANDSHAKE.format(path=path).encode())
    assert receive_until(connection, b"\r\n\r\n").startswith(b"HTTP/1.1 101")
    return connection


def receive_until(connection: socket.socket, end: bytes) -> bytes:
    """Receive up to these bytes and none after them, whatever came in the same packet."""
    received = b""
    while not received.endswith(end):
        byte = connection.recv(1)
        assert byte, f"closed after {received!r}"
        received += byte
    return received


def test_who_talks_on_after_being_refused_does_not_keep_the_socket(store: Store) -> None:
    with opened(TableRegistry(store, config=table_config()), 9) as port, open_websocket(port, "/api/tables/nowhere") as refused:
        refused.sendall(HELLO)
        receive_until(refused, SERVER_CLOSE)
        with suppress(ConnectionError):  # the server closed before it had read everything, which is as good
            refused.sendall(b"\x81\xfe" + (2000).to_bytes(2, "big") + MASK + b"x" * 2000 + CLOSE)
            assert refused.recv(65536) == b""


@pytest.fixture
def table_path(store: Store) -> str:
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as client:
        return TableClient(client).path


def test_who_pings_without_reading_is_hung_up_on(store: Store, table_path: str) -> None:
    with opened(TableRegistry(store, config=table_config()), 9) as port:
        with open_websocket(port, table_path) as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                send_repeatedly(deaf, PING * 500)
        assert ask(port)[0] == 200


def test_many_small_messages_are_received_a_little_at_a_time(store: Store, table_path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No piece is larger than READ_BYTES, so the event loop runs between two pieces; what waits unread stays with the sender."""
    pieces, receive = list[int](), Connection.data_received

    def note(connection: Connection, data: bytes) -> None:
        pieces.append(len(data))
        receive(connection, data)

    monkeypatch.setattr(Connection, "data_received", note)
    with opened(TableRegistry(store, config=table_config()), 9) as port:
        with open_websocket(port, table_path) as spectator:
            spectator.sendall(HELLO * 5000)
            assert spectator.recv(1)
            assert ask(port)[0] == 200
        assert max(pieces) <= connection_limit.READ_BYTES
        assert sum(pieces) < 5000 * len(HELLO), "the server does not read on while messages wait"


def test_at_the_limit_of_files_the_server_stays_calm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEE_PLAIN", "1")
    server = ServerProcess(tmp_path, files=300).start()
    try:
        with contextlib.ExitStack() as flood:
            for number in range(700):
                half = flood.enter_context(call(server.port))
                with contextlib.suppress(ConnectionError):
                    half.sendall(b"GET / HTTP/1.1\r\n" if number % 2 else b"")
            assert server.ask("GET", "/api/health") == {"ready": True}
            assert server.create("rolling-village", ["Ada"])["table"]
    finally:
        server.stop()
    assert "Traceback" not in server.output
    assert "Too many open files" not in server.output


def test_as_many_files_may_be_open_as_the_system_lets_us() -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
        assert raise_file_limit(100) == 100
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(("proxy", "scheme"), [("", "http"), ("127.0.0.1", "https"), ("192.0.2.1", "http")])
def test_only_the_proxy_that_was_named_is_believed(store: Store, proxy: str, scheme: str) -> None:
    with (
        opened(TableRegistry(store, config=table_config()), 9, proxy) as port,
        closing(HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)) as connection,
    ):
        headers = {"content-type": "application/json", "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.5"}
        connection.request("POST", "/api/tables", json.dumps(TABLE), headers)
        assert json.load(connection.getresponse())["watch"].startswith(f"{scheme}://")


def still() -> float:
    """Return the time of a clock that stands: no bucket refills, however slow the machine is."""
    return 0.0


def table_makers(client: TestClient) -> list[Callable[[], int]]:
    """Return the four requests that make a new table."""
    over = TableClient(client, people=1)
    over.finish()
    return [
        lambda: client.post("/api/tables", json=TABLE).status_code,
        lambda: client.post("/new/rolling-village", follow_redirects=False).status_code,
        lambda: client.post("/play/rolling-village", follow_redirects=False).status_code,
        lambda: client.post(f"{over.path}/rematch", headers=over.bearer(0)).status_code,
    ]


def test_a_flood_of_tables_ebbs_away_and_says_when_to_come_again(store: Store) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config()), limits=Limits(tables_per_minute=3, clock=still))) as client:
        makers = table_makers(client)  # makes one
        assert [make() for make in makers] == [201, 303, 303, 201]
        assert [makers[0]() for _ in range(2)] == [201, 429]
        assert [make() for make in makers] == [429] * 4
        refused = client.post("/api/tables", json=TABLE, headers={"accept-language": "fr"})
        assert 1 <= int(refused.headers["retry-after"]) <= 20
        assert "trop de nouvelles tables" in refused.json()["error"]
        assert client.get("/api/games").status_code == 200
        assert TestClient(client.app, client=("198.51.100.7", 1)).post("/api/tables", json=TABLE).status_code == 201


def test_what_was_not_made_is_not_counted(store: Store) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config()), limits=Limits(tables_per_minute=1, clock=still))) as client:
        for _ in range(20):
            assert client.post("/api/tables", json={}).status_code == 422
        assert client.post("/api/tables", json=TABLE).status_code == 201


def test_records_count_whether_or_not_they_are_refused(store: Store) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config()), limits=Limits(tables_per_minute=1, clock=still))) as client:
        assert [client.post("/api/records", content="{}").status_code for _ in range(3)] == [422, 422, 429]


def test_a_class_sits_down_and_five_thousand_do_not() -> None:
    now = 0.0
    buckets = TokenBuckets(Limits().tables_per_minute, lambda: now)
    for _ in range(10):  # thirty tables, then a game of ten minutes, then all again with everybody asking for the rematch
        assert not any(buckets.take("class") for _ in range(30 + 60))
        now += 60
    made = 0
    for _ in range(5000):
        made += not buckets.take("flood")
        now += 28 / 5000
    assert made < 350


WRONG = ("/join/{code}", "/join?code={code}", "/c/{code}")


def statuses(client: TestClient, paths: Iterable[str]) -> list[int]:
    return [client.get(path, follow_redirects=False).status_code for path in paths]


def wrong(count: int) -> list[str]:
    return [WRONG[number % 3].format(code=f"BC{number:03}X") for number in range(count)]


@pytest.fixture
def guessed(store: Store) -> Iterator[TestClient]:
    with TestClient(
        make_app(TableRegistry(store, config=table_config()), limits=Limits(wrong_codes_per_minute=3, clock=still)),
        client=("203.0.113.5", 1),
    ) as client:
        yield client


def test_right_codes_are_not_locked_out_by_a_guesser_behind_the_same_address(guessed: TestClient) -> None:
    room = Classroom(guessed)
    lobby = guessed.post("/new/rolling-village", follow_redirects=False).headers["location"].partition("#")[0]
    found = re.search(r"[BCDFGHJKMNPQRSTVWXZ]{6}", guessed.get(lobby).text)
    assert found is not None
    assert statuses(guessed, wrong(10)) == [404] * 6 + [429] * 4
    assert statuses(guessed, [f"/c/{room.code}", f"/join?code={room.code.lower()}", f"/join/{found[0]}"]) == [303] * 3
    elsewhere = TestClient(guessed.app, client=("198.51.100.7", 1))
    assert statuses(elsewhere, [f"/join/{room.code}", *wrong(1)]) == [303, 404]


def test_codes_cannot_be_guessed_from_one_network_nor_from_many(guessed: TestClient) -> None:
    code = Classroom(guessed).code

    def tried(address: str, paths: list[str]) -> list[int]:
        return statuses(TestClient(guessed.app, client=(address, 1)), paths)

    spread = [tried(f"2001:db8:1:{number:x}::1", wrong(1))[0] for number in range(40)]
    assert spread == [404] * 24 + [429] * 16, "one /48 has four times what a household has"
    many = [tried(f"2001:db8:{number:x}::1", wrong(6)).count(404) for number in range(2, 14)]
    assert (many[0], many[-1]) == (6, 4), "the server's bucket is empty, and nobody may guess on"
    assert tried("198.51.100.7", [f"/join/{code}", *wrong(1)]) == [303, 404], "but who does not guess is let in"


def test_an_older_code_of_five_letters_still_leads_to_its_table(guessed: TestClient, store: Store) -> None:
    lobby = guessed.post("/new/rolling-village", follow_redirects=False).headers["location"].partition("#")[0]
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE tables SET code = 'BCDFG'")
    assert guessed.get("/join/bcdfg", follow_redirects=False).headers["location"] == lobby


def test_a_stranger_does_not_fill_a_class_at_once(store: Store) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config()), limits=Limits(joins_per_minute=2, clock=still))) as client:
        first, second = Classroom(client), Classroom(client)
        joined = [client.post(f"{first.path}/join", data={"name": f"P{n}"}, follow_redirects=False).status_code for n in range(6)]
        assert joined == [303] * 4 + [429] * 2
        assert client.post(f"{second.path}/join", data={"name": "Ada"}, follow_redirects=False).status_code == 303
    assert 2 * Limits().joins_per_minute >= 40, "a class of 30 joins at once"


def test_pauses_and_take_backs_do_not_fill_the_log(store: Store) -> None:
    with TestClient(
        make_app(TableRegistry(store, config=table_config()), limits=Limits(interruptions_per_minute=2, clock=still))
    ) as client:
        table, other = TableClient(client), TableClient(client)

        def pause(seats: TableClient, paused: bool) -> int:
            return client.post(f"{seats.path}/pause", json={"paused": paused}, headers=seats.bearer(0)).status_code

        assert [pause(table, number % 2 == 0) for number in range(6)] == [200] * 4 + [429] * 2
        assert table.see()["version"] == 1 + 4
        assert pause(other, True) == 200
        alone, undone = TableClient(client, people=1), list[int]()
        for _ in range(5):
            alone.play(0)
            undone.append(alone.undo(0).status_code)
        assert undone == [200] * 4 + [429]


def test_buckets_do_not_pile_up() -> None:
    buckets = TokenBuckets(10)
    for number in range(3 * TokenBuckets.MAX_BUCKETS):
        buckets.take(str(number))
    assert len(buckets) == TokenBuckets.MAX_BUCKETS


CLIENT_KEYS = {
    "127.0.0.1": LOCAL_CLIENT,
    "::1": LOCAL_CLIENT,
    "::ffff:127.0.0.1": LOCAL_CLIENT,
    "192.168.7.5": "192.168.7.5",
    "::ffff:192.168.7.5": "192.168.7.5",
    "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
    "2001:db8:1:2::9": "2001:db8:1:2::/64",
    "testclient": "testclient",
}


@pytest.mark.parametrize(("address", "who"), CLIENT_KEYS.items())
def test_a_client_key_is_an_address_or_a_whole_ipv6_network(address: str, who: str) -> None:
    assert client_key({"client": (address, 1)}) == who
