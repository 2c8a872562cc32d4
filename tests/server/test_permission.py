"""Show by permission: from the message `TableView` nothing can be reached that the viewing seat may not know.

The walk follows everything that a message holds: containers, fields, slots, partials, bound methods and closures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from tablee import bots, games
from tablee.core.contract import BaseState
from tablee.core.game import Game, Observation, Seat, Transition
from tablee.core.i18n import Translator
from tablee.core.match import Line, Match
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table.table import Table
from tablee.server.view.client_view import ClientView
from tablee.server.view.rendering import client_state, render
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

FORBIDDEN_TYPES = (Match, Table, TableRegistry, Store, ClientView, Game, Observation, Transition, Line, ModuleType)
BOTH = (Seat(0), Seat(1))


def reach(value: Any, path: str = "", seen: dict[int, Any] | None = None) -> Iterator[tuple[str, Any]]:
    """Yield every object that is reachable from this one, with its path."""
    seen = {} if seen is None else seen
    if id(value) in seen or isinstance(value, type):
        return
    seen[id(value)] = value
    yield path, value
    for name, inner in inside(value):
        yield from reach(inner, f"{path}.{name}", seen)


def inside(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, (str, bytes, int, float, np.generic, np.ndarray, *FORBIDDEN_TYPES)):
        return
    if isinstance(value, Mapping):
        yield from value.items()
        yield "keys", list(value)
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield from enumerate(value)
    elif isinstance(value, partial):
        yield from (("func", value.func), ("args", value.args), ("keywords", value.keywords))
    elif isinstance(value, MethodType):
        yield from (("self", value.__self__), ("func", value.__func__))
    elif isinstance(value, FunctionType):
        yield from (("closure", [cell.cell_contents for cell in value.__closure__ or ()]), ("defaults", value.__defaults__))
    else:
        yield from getattr(value, "__dict__", {}).items()
        yield from ((name, getattr(value, name)) for kind in type(value).__mro__ for name in slots(kind) if hasattr(value, name))


def slots(kind: type) -> Sequence[str]:
    found = kind.__dict__.get("__slots__", ())
    return (found,) if isinstance(found, str) else tuple(found)


def forbidden(table: Table, message: Any) -> list[str]:
    match = table.match
    assert match.seed is not None
    return [f"{path}: {type(value).__name__}" for path, value in reach(message) if is_secret(match, match.seed, value)]


def is_secret(match: Match, seed: bytes, value: Any) -> bool:
    if isinstance(value, bytes):
        return True
    if isinstance(value, str):
        return seed.hex() in value and not match.over
    if isinstance(value, memoryview | np.ndarray):
        return np.shares_memory(np.asarray(value), match.state.block)
    return isinstance(value, (*FORBIDDEN_TYPES, BaseState)) or getattr(value, "dtype", None) == match.state.layout


def table_of(seats: TableClient) -> Table:
    registry: TableRegistry = seats.client.app.state.registry  # type: ignore[attr-defined]
    assert seats.client.portal is not None
    return seats.client.portal.call(registry.table, seats.made["table"])


def play_on(seats: TableClient, moves: int) -> Table:
    """Play this number of greedy moves, or fewer where the game ends."""
    table = table_of(seats)
    while table.match.to_act and (moves := moves - 1) >= 0:
        seat = table.match.to_act[0]
        move = table.game.show(bots.choose(table.match, seat, bots.GREEDY))
        assert seats.send(seat, move, table.version).status_code == 200
    return table


def screens(table: Table) -> dict[str, ClientView]:
    translator, to_act = Translator("en"), next(iter(table.match.to_act), Seat(0))
    moves = [table.game.show(move) for move in table.match.legal(to_act)][:1]
    return {
        "seat 0": ClientView(table, translator, BOTH[:1]),
        "seat 1": ClientView(table, translator, BOTH[1:]),
        "spectator": ClientView(table, translator),
        "shared, covered": ClientView(table, translator, BOTH),
        "shared, shown": ClientView(table, translator, BOTH, chosen=to_act, uncovered_seat=to_act),
        "with a draft": ClientView(table, translator, (to_act,), draft=tuple(moves), draft_version=table.version),
        "with a wrong draft": ClientView(table, translator, (to_act,), draft=("nonsense",), draft_version=table.version),
    }


@pytest.mark.parametrize("moves", [0, 7, 5000], ids=["begun", "in the middle", "over"])
@pytest.mark.parametrize("key", games.known())
def test_a_template_reaches_only_what_the_seat_may_know(client: TestClient, key: str, moves: int) -> None:
    table = play_on(TableClient(client, game=key), moves)
    assert table.match.over == (moves == 5000)
    for name, screen in screens(table).items():
        message = screen.message()
        assert forbidden(table, message) == [], name
        assert (message.table.seed is not None) == table.match.over
        render(message, screen.translator)
        client_state(message)


@pytest.mark.parametrize("key", games.known())
def test_the_view_without_the_draft_is_at_hand_too(client: TestClient, key: str) -> None:
    table = play_on(TableClient(client, game=key), 7)
    shown = {name: screen.message() for name, screen in screens(table).items()}
    awaited = shown["with a draft"]
    assert awaited.draft.draft
    assert awaited.position.view != awaited.position.before
    assert awaited.position.before == table.game.view(table.game.observe(table.match.state, awaited.viewer.me))
    assert all(each.position.before is each.position.view for name, each in shown.items() if name != "with a draft")


def test_r1_a_covered_screen_knows_no_hand(client: TestClient) -> None:
    table = play_on(TableClient(client, game="amerique-1500"), 7)
    covered = screens(table)["shared, covered"].message()
    assert covered.viewer.covered
    assert (covered.position.view["hand"], covered.position.before["hand"], covered.viewer.legal) == ([], [], [])
    assert screens(table)["shared, shown"].message().position.view["hand"]


def test_r1_a_covered_screen_does_not_try_moves_with_the_covered_hand(client: TestClient) -> None:
    seats = TableClient(client, game="amerique-1500")
    table = play_on(seats, 7)
    moves = {table.game.show(move) for move in table.match.legal(table.match.to_act[0])}

    def page(*draft: str) -> str:
        hello = {"page": True, "keys": ".".join(seats.tokens), "draft": draft, "at": table.version}
        return client.post(f"{seats.path}/page", json=hello).text

    assert {page(move) for move in [*sorted(moves)[:5], "no such move"]} == {page()}


@dataclass(frozen=True, slots=True)
class Slotted:
    """A part of a message, for the walk."""

    carried: Any


def test_the_walk_finds_what_is_hidden_deep(client: TestClient) -> None:
    table = table_of(TableClient(client))
    assert table.match.seed is not None

    def carries(what: Any) -> Any:
        return lambda: what

    hidden = {
        "a list": [[table]],
        "a partial": partial(print, table.match),
        "a keyword": partial(print, end=table.match.state),
        "a bound method": table.match.legal,
        "a closure": carries(table.match.seed),
        "a slot": Slotted(table.match.state),
        "a game": {"game": table.game},
        "a sentence": f"the seed is {table.match.seed.hex()}",
    }
    assert [name for name, each in hidden.items() if not forbidden(table, {"it": each})] == []


def test_the_walk_reaches_every_field_of_the_message(client: TestClient) -> None:
    message = ClientView(table_of(TableClient(client)), Translator("en"), BOTH[:1]).message()
    reached = {path for path, _ in reach(message)}
    variables = dict(message.variables())
    assert reached >= {f".{part.name}" for part in fields(message)}
    names = [each.name for part in fields(message) for each in fields(getattr(message, part.name))]
    assert sorted(names) == sorted(variables), "no two parts have a field of the same name"


def test_every_announcement_has_a_number_of_its_own_asides_too(client: TestClient) -> None:
    """The page announces what has a higher number than the last: of two asides before one move it would miss the second."""
    seats = TableClient(client, game="mayflower")
    for paused in (True, False):
        answer = client.post(f"{seats.path}/pause", json={"paused": paused}, headers=seats.bearer(1))
        assert answer.status_code == 200
    heard = client_state(ClientView(table_of(seats), Translator("en"), BOTH[:1]).message())["heard"]
    assert [sentence for _, sentence in heard[-2:]] == ["P1 paused the game", "P1 resumed the game"]
    assert len({number for number, _ in heard}) == len(heard)


def test_v3_what_the_others_drew_is_told_to_those_who_have_drawn(client: TestClient) -> None:
    """Nobody can copy from an open sheet: news, log, cards and announcements wait until one's own round is done."""
    seats = TableClient(client)
    table = table_of(seats)
    for _ in range(2):
        seats.play(1)
    waiting, done, watching = (ClientView(table, Translator("en"), own).message() for own in (BOTH[:1], BOTH[1:], ()))
    assert {entry.seat for entry in waiting.log.narration} == {None}
    assert (waiting.log.news, waiting.players.players[1].last, client_state(waiting)["heard"]) == (
        [],
        None,
        [(0, waiting.log.narration[0].sentence)],
    )
    assert [len(each.log.narration) for each in (done, watching)] == [3, 1], "whoever watches waits for everybody"
    for _ in range(2):
        seats.play(0)
    log = ClientView(table, Translator("en"), BOTH[:1]).message().log
    assert [line.places for line in log.news] == [tuple(entry.place for entry in log.narration if entry.seat == 1)]


def test_v3_points_are_told_with_the_round_that_gave_them(client: TestClient) -> None:
    seats = TableClient(client)
    table = table_of(seats)
    while not table.match.game.scores(table.match.state)[1]:
        if table.match.to_act != BOTH:
            seats.finish_round(0)
        seats.finish_round(1)
    waiting, done, watching = (
        ClientView(table, Translator("en"), own).message().players.players[1].score for own in (BOTH[:1], BOTH[1:], ())
    )
    assert (waiting, watching) == (0, 0)
    assert done > 0
