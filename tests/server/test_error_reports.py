"""Error reports, health and metrics: a client reads one sentence with the number of a report; the log names nobody."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sql
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.http import websocket
from tablee.server.http.middleware.limits import Limits
from tablee.server.ops import error_reports, metrics
from tablee.server.ops.error_reports import report
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table.models import NoSuchTable, StoreError
from tests.server.process import ForkedServer
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

SECRET = "Ada's own name"


@pytest.fixture
def reports(tmp_path: Path) -> Iterator[Path]:
    error_reports.set_folder(tmp_path / "reports")
    yield tmp_path / "reports"
    error_reports.set_folder(None)


def break_down(*_: object) -> None:
    raise ZeroDivisionError(SECRET)


def test_a_kind_of_a_listed_error_has_its_status(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    class Elsewhere(NoSuchTable):
        pass

    async def fails(*_: object) -> None:
        raise Elsewhere("any")

    monkeypatch.setattr(TableRegistry, "table", fails)
    assert client.get("/api/tables/any").status_code == 404


APOLOGIES = {
    "en": r"something went wrong on our side; it is recorded as report (\d+)",
    "fr": "quelque chose s'est mal passé ici, par notre faute\u202f; c'est noté sous le rapport (\\d+)",
    "it": r"qui qualcosa è andato storto per colpa nostra; è annotato come rapporto (\d+)",
}


@pytest.mark.parametrize("language", APOLOGIES)
def test_what_nobody_expected_is_told_by_a_number_and_written_down(
    client: TestClient, reports: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, language: str
) -> None:
    monkeypatch.setattr(TableRegistry, "games", break_down)
    monkeypatch.setattr(logging.getLogger("tablee"), "propagate", True)
    for path in ("/api/games", "/"):
        answer = client.get(path, headers={"accept-language": language})
        assert answer.status_code == 500
        message = answer.json()["error"] if path == "/api/games" else answer.text.replace("&#39;", "'")
        found = re.search(APOLOGIES[language], message)
        assert found
        file = next(reports.glob(f"*-{found[1]}.txt"))
        assert "in break_down" in file.read_text()
        assert SECRET in file.read_text()
        assert f"report {found[1]}: ZeroDivisionError" in caplog.text
        assert "in break_down" in caplog.text
        assert SECRET not in caplog.text, "the log names nobody"


def test_a_socket_is_told_too(client: TestClient, reports: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = TableClient(client).path
    monkeypatch.setattr(websocket, "table_response", break_down)
    with client.websocket_connect(f"{path}/ws") as socket:
        socket.send_json({})
        assert re.fullmatch(APOLOGIES["en"], socket.receive_json()["error"])
        socket.send_json({})
        assert re.fullmatch(APOLOGIES["en"], socket.receive_json()["error"])
    assert len(list(reports.iterdir())) == 1, "the same fault is written down once"


def test_reports_do_not_pile_up(reports: Path) -> None:
    for _ in range(error_reports.MAX_REPORTS + 5):
        report(ValueError("x" * 2 * error_reports.MAX_CHARACTERS))
    files = list(reports.iterdir())
    assert len(files) == error_reports.MAX_REPORTS
    assert max(file.stat().st_size for file in files) < error_reports.MAX_CHARACTERS + 200


def test_a_report_that_cannot_be_written_is_logged(reports: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    error_reports.set_folder(tmp_path / "file" / "reports")
    assert report(ValueError("x")) >= 100_000


DAMAGE = [
    pytest.param("settings", "{", marks=pytest.mark.one_engine), ("settings", "7"), ("settings", "[]"), ("settings", '{"nose": 1}'),
    ("settings", '{"clock": "soon"}'), ("settings", '{"club": 7}'), ("outcome", "7"), ("outcome", '{"nose": 1}'),
    ("seed", b""), ("seed", b"short"), ("seed", "text"), pytest.param("options", "{", marks=pytest.mark.one_engine), ("options", "[]"),
]  # fmt: skip


@pytest.mark.parametrize(("column", "value"), DAMAGE)
def test_a_damaged_table_is_one_sentence(client: TestClient, store: Store, column: str, value: str | bytes) -> None:
    table = TableClient(client)
    with store.database.engine.begin() as connection:
        connection.execute(sql.text(f"UPDATE tables SET {column} = :value"), {"value": value})
    is_damaged(store, table)


@pytest.mark.one_engine
@pytest.mark.parametrize(
    ("column", "value"), [("colour", "red"), ("used", "long"), ("token_hash", b"0"), ("token_hash", "é"), ("name", b"0")]
)
def test_a_damaged_seat_is_one_sentence(client: TestClient, store: Store, column: str, value: str | bytes) -> None:
    table = TableClient(client)
    with store.database.engine.begin() as connection:
        connection.execute(sql.text(f"UPDATE seats SET {column} = :value WHERE seat = 1"), {"value": value})
    is_damaged(store, table)


DAMAGED_LISTED = [("tables", "outcome", '{"nose": 1}'), pytest.param("seats", "colour", "red", marks=pytest.mark.one_engine)]


@pytest.mark.parametrize(("where", "column", "value"), DAMAGED_LISTED)
def test_my_tables_are_listed_though_one_is_damaged(client: TestClient, store: Store, where: str, column: str, value: str) -> None:
    bad, good = TableClient(client), TableClient(client)
    with store.database.engine.begin() as connection:
        key = "id" if where == "tables" else "table_id"
        wanted = {"value": value, "table": bad.made["table"]}
        connection.execute(sql.text(f"UPDATE {where} SET {column} = :value WHERE {key} = :table"), wanted)
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        mine = {"tables": [{"table": each.made["table"], "keys": each.tokens[0]} for each in (bad, good)]}
        listed = restarted.post("/mine", json=mine)
        assert listed.status_code == 200
        assert "is damaged and cannot be read" in listed.text
        assert "your turn" in listed.text


def test_a_table_without_seats_is_damaged(client: TestClient, store: Store) -> None:
    table = TableClient(client)
    with store.database.engine.begin() as connection:
        connection.execute(sql.text("DELETE FROM seats"))
    is_damaged(store, table)


def is_damaged(store: Store, table: TableClient) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as restarted:
        answer = restarted.get(table.path)
        sentence = f"the data of table '{table.made['table']}' is damaged and cannot be read"
        assert (answer.status_code, answer.json()["error"]) == (500, sentence)
        assert restarted.get(f"/t/{table.made['table']}").status_code == 500
        with restarted.websocket_connect(f"{table.path}/ws") as socket:
            assert socket.receive_json() == {"error": sentence}


def test_the_server_says_whether_it_is_ready(store: Store) -> None:
    now = 1000.0
    with TestClient(make_app(TableRegistry(store), limits=Limits(clock=lambda: now))) as client:
        ready = client.get("/api/health")
        assert (ready.status_code, ready.json()) == (200, {"ready": True})
        sql.event.listen(store.database.engine, "connect", lambda raw, _: raw.execute("PRAGMA query_only=1"))
        store.database.engine.dispose()
        now += 1
        down = client.get("/api/health")
        assert (down.status_code, down.json()) == (503, {"ready": False})


def test_however_often_health_is_asked_the_store_is_checked_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[None] = []
    monkeypatch.setattr(store, "check", lambda: checks.append(None))
    with TestClient(make_app(TableRegistry(store), limits=Limits(clock=lambda: 1000.0))) as client:
        for _ in range(20):
            assert client.get("/api/health").status_code == 200
    assert len(checks) == 1


def test_a_lost_database_is_not_ready(client: TestClient, store: Store) -> None:
    with store.database.engine.begin() as connection:
        connection.execute(sql.text("ALTER TABLE tables RENAME TO elsewhere"))
    assert client.get("/api/health").status_code == 503


def test_an_error_of_the_database_names_nobody(store: Store, client: TestClient) -> None:
    with store.database.engine.begin() as connection:
        connection.execute(sql.text("DROP TABLE reviews"))
    with pytest.raises(StoreError) as caught:
        store.save_review("table", SECRET)
    assert SECRET not in str(caught.value.__cause__)


def test_figures_are_shown_where_they_are_asked_for(store: Store, client: TestClient) -> None:
    assert client.get("/metrics").status_code == 404
    try:
        with TestClient(make_app(TableRegistry(store, config=table_config()), metrics_enabled=True)) as measured:
            table = TableClient(measured)
            table.play(0)
            with measured.websocket_connect(f"{table.path}/ws") as socket:
                socket.send_json({})
                socket.receive_json()
                shown = measured.get("/metrics")
            metrics.set_open_tables(7)
            with metrics.time_rendering("rolling-village"):
                pass
            text = measured.get("/metrics").text
    finally:
        metrics.disable()
    assert shown.headers["content-type"].startswith("text/plain")
    for line in ("tablee_acknowledgement_seconds_count 1.0", 'tablee_requests_total{status="2xx"} 3.0', "tablee_screens 1.0"):
        assert line in shown.text
    for line in ('tablee_moves_total{game="rolling-village"} 1.0', "tablee_tables 7.0", "tablee_screens 0.0",
                 'tablee_drawing_seconds_count{game="rolling-village"} 1.0', "tablee_loop_delay_seconds_bucket"):  # fmt: skip
        assert line in text
    assert not any(secret in text for secret in (*filter(None, table.tokens), table.made["table"], "P0"))


def test_measuring_costs_nothing_where_nobody_asked(client: TestClient) -> None:
    metrics.count_move("x")
    metrics.observe_acknowledgement(1)
    metrics.add_connections(1)
    metrics.set_open_tables(1)
    metrics.count_report()
    with metrics.time_rendering("x"):
        pass
    assert client.get("/metrics").status_code == 404


def test_a_real_server_logs_no_names_and_no_tokens(tmp_path: Path) -> None:
    server = ForkedServer(tmp_path, extra_arguments=["--metrics", "--log-level", "debug"]).start()
    try:
        made = server.create("rolling-village", ["Ada", "greedy"])
        token = made["seats"][0]["token"]
        server.ask("GET", f"/api/tables/{made['table']}", token=token)
        assert server.ask("GET", "/api/health") == {"ready": True}
    finally:
        server.stop()
    assert not any(secret in server.output for secret in ("Ada", token, made["table"]))
