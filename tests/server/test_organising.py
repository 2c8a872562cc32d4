"""What an organiser does to people who sit: each deed wholly or not at all, one after the other, and as often as they like."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tablee.server.app import make_app
from tablee.server.house import House
from tablee.server.kept.store import Store
from tests.server.classroom import Classroom

PAIRS = {"game": "rolling-village", "size": "2", "level": "random"}


@pytest.fixture
def room(store: Store) -> Iterator[Classroom]:
    with TestClient(make_app(House(store, pace=60))) as client:
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
        assert room.where(ada) == ("", ""), "she waits"
        assert room.do("move", 1, table="1").status_code == 303
        assert room.see(ada)["names"].count("Ada") == 1, "and plays on where a bot played for her"
