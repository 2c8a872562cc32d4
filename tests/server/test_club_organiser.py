"""Organiser's actions on seated members: each is atomic, they run one after the other, and they can be repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee.core.errors import TableeError
from tablee.core.game import Seat
from tablee.core.i18n import msg
from tablee.server.app import make_app
from tablee.server.club.club import ClubRegistry
from tablee.server.club.seating_plan import SeatingPlan
from tablee.server.registry import TableRegistry
from tablee.server.storage import clubs
from tablee.server.storage.mappers import insert_table
from tablee.server.storage.schema import tables
from tablee.server.storage.store import Store
from tablee.server.table.models import LogAppend, StoreError
from tests.server.classroom import Classroom, finish, try_a_move
from tests.server.event_loop import run_async
from tests.server.seeds import table_config

PAIRS = {"game": "rolling-village", "size": "2", "level": "random"}


@pytest.fixture
def room(store: Store) -> Iterator[Classroom]:
    with TestClient(make_app(TableRegistry(store, config=table_config(bot_pace=60)))) as client:
        yield Classroom(client)


def test_two_at_one_table_swap_as_often_as_they_like(room: Classroom) -> None:
    ada, bo = room.join("Ada", "Bo")
    room.seat(size="2", level="")
    seats = []
    for _ in range(3):
        assert room.do("swap", 1, 2).status_code == 303
        seats.append((room.see(ada)["seat"], room.see(bo)["seat"]))
    assert seats[0] != seats[1], "they have changed places"
    assert seats[0] == seats[2]


def test_somebody_is_taken_off_the_table_and_sits_down_again_twice(room: Classroom) -> None:
    (ada,) = room.join("Ada")
    room.seat(**PAIRS)
    for _ in range(2):
        assert room.do("up", 1).status_code == 303
        assert room.table_of(ada) == ("", ""), "she waits"
        assert room.do("move", 1, table="1").status_code == 303
        assert room.see(ada)["names"].count("Ada") == 1, "and plays on where a bot played for her"


def refuse(store: Store, monkeypatch: pytest.MonkeyPatch, refused: Callable[[str], bool]) -> None:
    """Make the store refuse the lines of these tables."""
    append = store.append_all

    def some(entries: Sequence[LogAppend]) -> list[TableeError | None]:
        return [StoreError(msg("the disk is full")) if refused(entry.table) else append([entry])[0] for entry in entries]

    monkeypatch.setattr(store, "append_all", some)


def test_who_cannot_stand_up_is_not_seated_twice_and_no_table_is_left_behind(
    room: Classroom, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,) = room.join("Ada")
    room.seat(**PAIRS)
    before = room.table_of(ada)
    refuse(store, monkeypatch, lambda _: True)
    assert room.do("chosen", 1, **PAIRS).status_code == 503
    assert store.ids() == [before[0]]
    assert room.table_of(ada) == before


def test_if_new_tables_cannot_be_saved_people_wait_and_are_seated_the_next_time(
    room: Classroom, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = room.join("Ada", "Bo")
    room.seat(**PAIRS)
    first, _ = room.table_of(ada)
    with monkeypatch.context() as full:
        full.setattr(clubs, "insert_table", one_only(insert_table))
        assert room.do("chosen", 1, 2, game="rolling-village", size="1", level="").status_code == 503
    assert store.ids() == [first], "none of the two is left behind"
    assert room.table_of(ada) == ("", "")
    assert room.seat(**PAIRS).status_code == 303
    assert room.table_of(ada)[0] not in ("", first)


def one_only(insert: Callable[..., None]) -> Callable[..., None]:
    """Wrap `insert` so that it succeeds once; then the disk is full."""
    left = iter([insert])

    def inserted(*args: Any) -> None:
        found = next(left, None)
        if found is None:
            raise StoreError(msg("the disk is full"))
        found(*args)

    return inserted


def test_two_swap_or_stay(room: Classroom, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo = room.join("Ada", "Bo")
    for number in (1, 2):
        room.do("chosen", number, **PAIRS)
    before = room.table_of(ada), room.table_of(bo)
    with monkeypatch.context() as full:
        refuse(store, full, lambda table: table == before[1][0])
        assert room.do("swap", 1, 2).status_code == 503
    assert (room.table_of(ada), room.table_of(bo)) == before
    assert [room.see(each)["names"][room.see(each)["seat"]] for each in (ada, bo)] == ["Ada", "Bo"]
    assert room.do("swap", 1, 2).status_code == 303
    assert (room.table_of(ada)[0], room.table_of(bo)[0]) == (before[1][0], before[0][0])


def test_a_bot_and_a_new_link_at_once_do_not_revive_the_old_link(store: Store) -> None:
    async def both() -> None:
        registry = TableRegistry(store, config=table_config(bot_pace=60))
        club, _ = await ClubRegistry(registry).create("5B")
        await club.join("Ada")
        await club.seat_waiting(SeatingPlan("rolling-village", 1))
        (ada,), ((_, table),) = club.stored.members, await club.tables()
        _, token = await asyncio.gather(club.stand_in(ada, True), club.new_token(ada))
        assert table.seating.seat_of_token(token) == 0
        assert table.seating.has_stand_in(Seat(0))
        table.close()

    run_async(both())


def test_in_a_class_that_is_paused_a_rematch_waits_too(client: TestClient) -> None:
    room = Classroom(client)
    (ada,) = room.join("Ada")
    room.seat(size="1", level="")
    room.do("bot", 1)
    finish(room, ada)
    room.organiser.post(f"{room.path}/pause", {"paused": "yes"})
    table, token = room.table_of(ada)
    again = client.post(f"/api/tables/{table}/rematch", headers={"authorization": f"Bearer {token}"}).json()["table"]
    assert client.app.state.registry.get_open(again).paused, "from its first moment"  # type: ignore[attr-defined]
    assert room.table_of(ada)[0] == again
    assert room.do("back", 1).status_code == 303
    assert try_a_move(client, again, token)[0] == 409


def test_a_table_of_older_rules_keeps_no_other_from_being_paused(room: Classroom, store: Store) -> None:
    pupils = room.join("Ada", "Bo")
    for number in (1, 2):
        room.do("chosen", number, game="rolling-village", size="1", level="")
    (old, _), (table, token) = map(room.table_of, pupils)
    with store.database.writing() as connection:
        connection.execute(tables.update().where(tables.c.id == old).values(rules=tables.c.rules - 1))
    with TestClient(make_app(TableRegistry(store, config=table_config(bot_pace=60)))) as later:
        room.client = room.organiser._client = later
        assert try_a_move(later, table, token)[0] == 200
        assert room.organiser.post(f"{room.path}/pause", {"paused": "yes"}).status_code == 303
        assert try_a_move(later, table, token)[0] == 409
