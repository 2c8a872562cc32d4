"""Rules are made ready behind everybody's back: the rooms that somebody waits for first, and one that fails holds no other up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from tablee.core.errors import TableeError
from tablee.core.words import say
from tablee.server import preparing
from tablee.server.preparing import Preparing


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rooms in the order in which they were made ready; `broken` cannot be."""
    order: list[str] = []

    def make_ready(key: str) -> None:
        order.append(key)
        if key == "broken":
            raise TableeError(say("the game is over"))

    monkeypatch.setattr(preparing, "make_ready", make_ready)
    monkeypatch.setattr(preparing, "_must_be_compiled", lambda key: key.startswith("cold"))
    return order


def wait_for_each(rooms: Preparing, keys: Sequence[str]) -> list[object]:
    """Asks for the rooms while nothing is ready yet, then lets the preparing begin."""

    async def wait() -> list[object]:
        waiting = [asyncio.create_task(rooms.wait_for(key)) for key in keys]
        await asyncio.sleep(0)
        threading.Thread(target=rooms.run).start()
        return list(await asyncio.gather(*waiting, return_exceptions=True))

    return asyncio.run(wait())


def test_what_needs_no_compiling_comes_first_unless_somebody_waits(made: list[str]) -> None:
    rooms = Preparing(["cold a", "cold b", "warm"])
    rooms.run()
    assert made == ["warm", "cold a", "cold b"]


def test_what_somebody_waits_for_comes_before_the_rest(made: list[str]) -> None:
    assert wait_for_each(Preparing(["warm", "cold a", "cold b"]), ["cold b"]) == [None]
    assert made[0] == "cold b"


def test_a_room_that_fails_tells_whoever_waits_and_the_others_go_on(made: list[str]) -> None:
    failed, fine = wait_for_each(Preparing(["broken", "fine"]), ["broken", "fine"])
    assert isinstance(failed, TableeError)
    assert fine is None
    assert made == ["broken", "fine"]


def test_nobody_waits_for_what_is_ready_or_unknown(made: list[str]) -> None:
    rooms = Preparing(["warm"])
    rooms.run()
    asyncio.run(rooms.wait_for("warm"))
    asyncio.run(rooms.wait_for("elsewhere"))
