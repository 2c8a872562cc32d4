"""Table registry: it opens a table on request by replaying its log, and evicts idle tables."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import pytest
import sqlalchemy as sql

from tablee import bots, games
from tablee.core import record
from tablee.core.errors import RecordError, TableeError
from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.storage.writer import GroupCommitWriter
from tablee.server.table.config import TableConfig
from tablee.server.table.models import ConflictError, LogAppend, LogLine, NoSuchTable
from tablee.server.table.seats import SeatSpec
from tablee.server.table.table import Table
from tests.server.event_loop import run_async
from tests.server.seeds import table_config
from tests.server.table_client import play_move

PERSON, BOT = SeatSpec("human", "Ada"), SeatSpec("bot", level="greedy")


@contextmanager
def opened(store: Store, config: TableConfig = table_config()) -> Iterator[TableRegistry]:  # noqa: B008  frozen
    with closing(TableRegistry(store, config=config)) as registry:
        yield registry


async def play(table: Table, moves: int, rng: random.Random) -> None:
    """Play random moves of the seats that are to act, and undo a few of them."""
    for _ in range(moves):
        if not table.match.to_act:
            return
        seat = rng.choice(table.match.to_act)
        await play_move(table, seat, table.game.show(rng.choice(table.match.legal(seat))), table.version, f"m{table.version}")
        if rng.random() < 0.15 and table.match.can_undo(seat):
            await table.change(table.undo_requests.request(seat, (), f"u{table.version}"))


def snapshot(table: Table) -> dict[str, Any]:
    """Return everything that is known of a table."""
    return {
        "state": table.match.state.tobytes(),
        "log": table.match.log,
        "told": table.match.events,
        "drawn": table.match.draw_count,
        "rows": table.log.rows,
        "awaited": table.log.to_act_by_version[-1],
        "heard": [table.log.redacted_lines(table.match, viewer) for viewer in (None, Seat(0))],
        "undo": [table.match.can_undo(Seat(seat)) for seat in range(len(table.seating))],
    }


@pytest.mark.parametrize("key", games.known())
def test_a_table_is_opened_again_as_it_was_played(store: Store, key: str) -> None:
    async def run() -> None:
        with opened(store) as registry, opened(store) as again:
            table, _ = await registry.create(key, {}, [PERSON] * games.find(key).seats[1])
            await play(table, 20, random.Random(5))  # no game is over by then
            replayed = await again.table(table.id)
            assert snapshot(replayed) == snapshot(table)
            await play(replayed, 5, random.Random(6))

    run_async(run())


def test_a_table_is_opened_once_however_many_ask(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        with opened(store) as registry, opened(store) as again:
            table, _ = await registry.create("rolling-village", {}, [PERSON])
            read: list[str] = []
            really = store.load

            def load(name: str) -> Any:
                read.append(name)
                return really(name)

            monkeypatch.setattr(store, "load", load)
            found = await asyncio.gather(*(again.table(table.id) for _ in range(20)))
            assert read == [table.id]
            assert len(set(map(id, found))) == 1

    run_async(run())


def test_a_table_that_nobody_is_at_is_let_go_and_found_again(store: Store) -> None:
    async def run() -> None:
        with opened(store) as registry:
            left, _ = await registry.create("rolling-village", {}, [PERSON] * 2)
            looked_at, _ = await registry.create("rolling-village", {}, [PERSON] * 2)
            await play(left, 6, random.Random(1))
            looked_at.presence.connect(())
            await registry.evict(stale=1e-9)
            assert registry.tables == [looked_at]
            again = await registry.table(left.id)
            assert again is not left
            assert snapshot(again) == snapshot(left)

    run_async(run())


def test_bots_rest_while_nobody_looks_unless_they_are_among_themselves(store: Store) -> None:
    async def run() -> None:
        with opened(store, table_config(idle_after=0)) as registry:
            with_people, _ = await registry.create("rolling-village", {}, [BOT, PERSON])
            alone, _ = await registry.create("rolling-village", {}, [BOT, BOT])
            while not alone.match.over:
                await asyncio.sleep(0.01)
            assert with_people.version == 1, "only the dice have rolled"
            with_people.presence.connect(())
            with_people.bot_player.wake()
            while with_people.version == 1:
                await asyncio.sleep(0.01)

    run_async(run())


def test_what_nobody_expected_of_a_bot_is_told_by_a_number(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise ZeroDivisionError

    async def run() -> None:
        monkeypatch.setattr(bots, "choose", fails)
        with opened(store) as registry:
            table, _ = await registry.create("rolling-village", {}, [BOT, PERSON])
            while table.error_report is None:
                await asyncio.sleep(0.01)
            assert table.version == 1

    run_async(run())


def test_an_undo_counts_once_however_often_it_is_sent(store: Store) -> None:
    async def run() -> None:
        with opened(store) as registry, opened(store) as again:
            table, _ = await registry.create("rolling-village", {}, [PERSON] * 2)
            for number in range(2):
                await play_move(table, Seat(0), table.game.show(table.match.legal(Seat(0))[0]), table.version, f"m{number}")
            after = await table.change(table.undo_requests.request(Seat(0), (), "once"))
            assert await table.change(table.undo_requests.request(Seat(0), (), "once")) == after == table.version
            restarted = await again.table(table.id)
            assert await restarted.change(restarted.undo_requests.request(Seat(0), (), "once")) == after
            with pytest.raises(ConflictError, match="already used"):
                await play_move(table, Seat(0), table.game.show(table.match.legal(Seat(0))[0]), table.version, "once")
            assert await table.change(table.undo_requests.request(Seat(0), (), "twice")) == after + 1
            assert [row.kind for row in table.log.rows] == ["move", "move", "move", "undo", "undo"]

    run_async(run())


def test_the_lines_of_many_tables_go_to_disk_in_one_commit(store: Store) -> None:
    commits: list[int] = []
    sql.event.listen(store.database.engine, "commit", lambda _: commits.append(1))

    async def run() -> None:
        with opened(store) as registry:
            made = [(await registry.create("rolling-village", {}, [PERSON]))[0] for _ in range(12)]
            writer = GroupCommitWriter(store)
            commits.clear()
            wanted = [writer.append(LogAppend(table.id, table.version, (LogLine("0 build house 1A", None),))) for table in made]
            taken = writer.append(LogAppend(made[0].id, 0, (LogLine("0 build house 1A", None),)))
            *written, refused = await asyncio.gather(*wanted, taken, return_exceptions=True)
            assert written == [None] * 12
            assert isinstance(refused, ConflictError), "a position that is taken harms nobody else"
            assert {len(store.changes_since(table.id, 0).lines) for table in made} == {2}
            commits.clear()
            await asyncio.gather(*(writer.append(LogAppend(table.id, 2, (LogLine("0 build house 2A", None),))) for table in made))
            assert len(commits) == 1

    run_async(run())


def test_how_a_game_ended_is_stored_with_its_last_line(store: Store) -> None:
    async def run() -> str:
        with opened(store) as registry:
            table, _ = await registry.create("rolling-village", {}, [PERSON])
            await play(table, 400, random.Random(2))
            assert table.match.over
            return table.id

    found = store.load(run_async(run()))
    assert found is not None
    assert found.outcome is not None
    assert found.outcome.winners == (0,)


def test_many_entries_in_one_commit_are_each_all_or_none(store: Store) -> None:
    with closing(TableRegistry(store)) as registry:
        table, _ = run_async(registry.create("rolling-village", {}, [PERSON]))
    lines = (LogLine("0 build house 1A", None), LogLine("0 build house 2A", None))
    found = store.append_all([LogAppend(table.id, 1, lines), LogAppend("no-such-table", 0, lines)])
    assert found[0] is None
    assert isinstance(found[1], TableeError)
    assert len(store.changes_since(table.id, 0).lines) == 3
    assert store.changes_since("no-such-table", 0).lines == ()


def test_a_move_whose_sender_has_left_is_on_disk_and_at_the_table(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        with opened(store) as registry:
            table, _ = await registry.create("rolling-village", {}, [PERSON])
            begun, go, really = threading.Event(), threading.Event(), store.append_all

            def append_all(entries: Sequence[LogAppend]) -> list[TableeError | None]:
                begun.set()
                go.wait()
                return really(entries)

            monkeypatch.setattr(store, "append_all", append_all)
            move = table.game.show(table.match.legal(Seat(0))[0])
            sending = asyncio.create_task(play_move(table, Seat(0), move, table.version, "m"))
            await asyncio.to_thread(begun.wait)
            sending.cancel()
            again = asyncio.create_task(play_move(table, Seat(0), move, table.version, "other"))  # waits until the first is done
            await asyncio.sleep(0)
            go.set()
            with pytest.raises(ConflictError):
                await again
            assert len(store.changes_since(table.id, 0).lines) == table.version == len(table.match.log) == 2

    run_async(run())


def test_whatever_goes_wrong_while_writing_each_table_hears_of_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: Any) -> None:
        raise ZeroDivisionError

    async def run() -> None:
        writer = GroupCommitWriter(store)
        monkeypatch.setattr(store, "append_all", fails)
        found = await asyncio.gather(
            *(writer.append(LogAppend(f"t{n}", 0, (LogLine("0 x", None),))) for n in range(5)), return_exceptions=True
        )
        assert [type(each) for each in found] == [ZeroDivisionError] * 5

    run_async(run())


def test_moves_do_not_wait_for_records_that_are_being_checked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = threading.Event()

    def refuses(*_: Any) -> None:
        checked.wait()
        raise RecordError(msg("nothing"))

    async def run() -> None:
        with opened(store) as registry:
            table, _ = await registry.create("rolling-village", {}, [PERSON])
            monkeypatch.setattr(record, "verify", refuses)
            bringing = [asyncio.create_task(registry.import_record("")) for _ in range(40)]  # more than asyncio's default pool has threads
            await asyncio.sleep(0)
            try:
                async with asyncio.timeout(30):
                    await play_move(table, Seat(0), table.game.show(table.match.legal(Seat(0))[0]), table.version, "m")
            finally:
                checked.set()
                await asyncio.gather(*bringing, return_exceptions=True)

    run_async(run())


def test_only_the_last_of_many_deleted_tables_are_remembered(store: Store) -> None:
    with opened(store) as registry:
        for number in range(2000):
            registry.mark_deleted(f"t{number}", msg("this table was deleted"))
        with pytest.raises(NoSuchTable, match="this table was deleted"):
            run_async(registry.table("t1000"))
        with pytest.raises(NoSuchTable, match="there is no table"):
            run_async(registry.table("t999"))


def test_after_the_reconnect_grace_only_tables_that_miss_somebody_signal(store: Store) -> None:
    async def run() -> None:
        with opened(store, table_config(reconnect_grace=0.01)) as registry:
            whole, lacking = [(await registry.create("rolling-village", {}, [PERSON] * 2))[0] for _ in range(2)]
            whole.presence.connect((Seat(0), Seat(1)))
            lacking.presence.connect((Seat(0),))
            before = [table.signal.generation for table in (whole, lacking)]
            async with registry.running(), asyncio.timeout(60):
                while lacking.signal.generation == before[1]:
                    await asyncio.sleep(0.001)
                assert whole.signal.generation == before[0]

    run_async(run())
