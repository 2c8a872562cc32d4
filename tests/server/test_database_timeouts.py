"""Database timeouts: a request is answered with 503 and a sentence, and a server ends though its database hangs."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import subprocess
import sys
import urllib.error
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tablee.server.cluster import Listener
from tablee.server.storage.database import Database
from tablee.server.storage.store import Store, open_when_up
from tablee.server.table.models import StoreError
from tests.server.engine import Postgres, new_address
from tests.server.event_loop import run_async
from tests.server.process import TIMEOUT_S, ForkedServer, ServerProcess
from tests.server.test_multi_process import until

pytestmark = pytest.mark.one_engine

SENTENCE = "games cannot be read or saved just now; try again in a moment"
NOT_YET = "the database does not answer yet"


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """Start a PostgreSQL server that only these tests use, and that they may stop."""
    with closing(Postgres(tmp_path_factory.mktemp("hanging") / "database")) as started:
        yield started


@pytest.fixture
def server(tmp_path: Path, postgres: Postgres) -> Iterator[ServerProcess]:
    started = ForkedServer(tmp_path, extra_arguments=["--database", postgres.address]).start()
    yield started
    started.kill()


def refused(server: ServerProcess, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
    """Send a request that must fail, and return its status and its JSON."""
    with pytest.raises(urllib.error.HTTPError) as caught:
        server.ask(method, path, body, token)
    with closing(caught.value) as answer:
        return answer.code, json.load(answer)


def healthy(server: ServerProcess) -> bool:
    with suppress(urllib.error.HTTPError):
        return bool(server.ask("GET", "/api/health")["ready"])
    return False


def test_a_database_that_hangs_is_503_and_the_same_move_counts_once_when_it_goes_on(server: ServerProcess, postgres: Postgres) -> None:
    made = server.create("rolling-village", ["Ada"])
    path, token = f"/api/tables/{made['table']}", made["seats"][0]["token"]
    move = {"move": server.ask("GET", path, token=token)["legal"][0], "at": 1, "id": "x"}
    with postgres.hanging():
        assert refused(server, "GET", "/api/health") == (503, {"ready": False})
        assert refused(server, "POST", f"{path}/moves", move, token) == (503, {"error": SENTENCE, "rule": None})
        assert server.ask("GET", path)["version"] == 1, "what is open can be looked at"
    until(lambda: healthy(server))
    version = server.ask("POST", f"{path}/moves", move, token)["version"]
    assert server.ask("POST", f"{path}/moves", move, token)["version"] == version
    for message in ("games cannot be saved just now: ", "games can be saved again"):
        assert server.output.count(message) == 1, server.output


def test_a_server_ends_in_order_though_its_database_hangs(server: ServerProcess, postgres: Postgres) -> None:
    table = server.create("rolling-village", ["Ada"])["table"]
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT_S)) as connection:
        with postgres.hanging():
            connection.request("GET", "/api/tables/unread")
            refused(server, "GET", "/api/health")  # by then the server has read the other request too
            server.stop()
        answer = connection.getresponse()
        assert (answer.status, "error" in json.load(answer)) == (503, True)
    assert "Traceback" not in server.output
    assert server.start().ask("GET", f"/api/tables/{table}")["version"] == 1


def test_a_line_on_which_nothing_is_said_is_hung_up_and_the_next_one_is_good(postgres: Postgres) -> None:
    with closing(Store.at(f"{postgres.address}&connect_timeout=2")) as store:
        store.database.timeout = 0.2
        with postgres.hanging(), pytest.raises(StoreError):
            store.check()
        store.check()


def test_an_address_may_have_time_outs_and_options_of_its_own(tmp_path: Path) -> None:
    with closing(Database(f"{new_address(tmp_path)}&connect_timeout=9")) as database, database.reading() as connection:
        line = connection.connection.driver_connection
        assert line is not None
        assert line.info.get_parameters()["connect_timeout"] == "9"
        assert connection.exec_driver_sql("SHOW statement_timeout").scalar_one() == "3s"
        assert str(connection.exec_driver_sql("SHOW search_path").scalar_one()).startswith("t"), "as the test's own address says"


def test_a_lost_listener_connection_is_logged_once_and_once_when_it_is_back(postgres: Postgres, caplog: pytest.LogCaptureFixture) -> None:
    async def lose_it(database: Database) -> None:
        connected = asyncio.Semaphore(0)
        async with Listener(database, lambda *_: None, connected.release).listening():
            await connected.acquire()
            await asyncio.to_thread(postgres.restart)
            await asyncio.wait_for(connected.acquire(), TIMEOUT_S)

    with closing(Database(postgres.address)) as database:
        run_async(lose_it(database))
    assert [message.partition(":")[0] for message in caplog.messages if "processes" in message] == [
        "other processes are not heard just now",
        "other processes are heard again",
    ]


@pytest.mark.parametrize("processes", [1, 2])
def test_waiting_for_a_database_at_the_start_ends_with_a_signal(tmp_path: Path, processes: int) -> None:
    output = tmp_path / "said"
    with closing(socket.create_server(("127.0.0.1", 0))) as silent, output.open("wb") as log:
        address = f"postgresql://tablee:secret@127.0.0.1:{silent.getsockname()[1]}/tablee?connect_timeout=2"
        command = [
            "serve",
            "--no-open",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--processes",
            str(processes),
            "--database",
            address,
            "--reports",
            str(tmp_path),
        ]
        starting = subprocess.Popen([sys.executable, "-m", "tablee", *command], stdout=log, stderr=log)
        try:
            until(lambda: NOT_YET in output.read_text(), TIMEOUT_S)
            starting.terminate()
            assert starting.wait(TIMEOUT_S) == 0
        finally:
            starting.kill()
    assert sum("WARNING" in line for line in output.read_text().splitlines()) == 1, output.read_text()
    assert "Traceback" not in output.read_text()


def test_a_database_that_is_up_later_is_waited_for(postgres: Postgres, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    with ThreadPoolExecutor(1) as pool:
        with postgres.hanging():
            opening = pool.submit(open_when_up, f"{postgres.address}&connect_timeout=2", lambda: False)
            until(lambda: NOT_YET in caplog.text)
        opened = opening.result(TIMEOUT_S)
    assert opened is not None
    with closing(opened) as store:
        store.check()


@pytest.mark.parametrize(
    ("address", "timeout"), [("postgresql://nobody@127.0.0.1:1/none", 0.0), ("postgresql://nobody@/none?nonsense=1", 99.0)]
)
def test_what_cannot_be_opened_is_one_sentence_when_the_time_is_over_or_at_once(address: str, timeout: float) -> None:
    with pytest.raises(StoreError, match="the database cannot be used: "):
        open_when_up(address, lambda: False, timeout)


def test_whoever_is_refused_by_a_database_that_is_up_does_not_wait(postgres: Postgres, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(StoreError, match=r"the database cannot be used: .*does not exist"):
        open_when_up(postgres.address.replace("/postgres?", "/unknown?"), lambda: False)
    assert NOT_YET not in caplog.text
