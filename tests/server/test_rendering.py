"""Fragment cache: a cached page equals a fresh one, for every room, seat, language and draft, move after move."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from jinja2 import Environment, TemplateNotFound
from starlette.testclient import TestClient

from tablee import games
from tablee.core import fairness, record
from tablee.core.game import Seat
from tablee.core.i18n import LANGUAGES, Translator
from tablee.core.match import Match
from tablee.core.narration import turn_ends_of
from tablee.server.table.coaching import Review
from tablee.server.table.config import TableConfig
from tablee.server.table.table import Table
from tablee.server.view import rendering
from tablee.server.view.client_view import ClientView
from tablee.server.view.company import TutorialNote
from tablee.server.view.fragments import FragmentCache
from tablee.server.view.rendered_view import render_view
from tablee.server.view.table_view import UndoOffer
from tests.rounds import rounds
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

MOVES = rounds(60, 200)


@pytest.fixture
def config() -> TableConfig:
    """Return a configuration whose clocks stand still: nobody becomes absent between two renderings that are compared."""
    return table_config(monotonic=lambda: 0.0, wall_time=lambda: 0.0)


def screens(table: Table, rng: random.Random) -> Iterator[ClientView]:
    """Yield the views of every seat, a spectator, a shared screen, a draft, and at the end a replay position."""
    seats = [Seat(number) for number in range(len(table.seating))]
    translator = Translator(rng.choice(LANGUAGES))
    for held in [(seat,) for seat in seats] + [(), tuple(seats)]:
        yield ClientView(table, translator, held)
    if not table.match.to_act:
        yield ClientView(table, translator, (seats[0],), replay_position=rng.randrange(len(table.match.log)))
        return
    for seat in table.match.to_act[:2]:
        draft, trial = list[str](), table.match.branch()
        for _ in range(rng.randrange(1, 4)):
            if seat in trial.to_act:
                move = rng.choice(trial.legal(seat))
                draft.append(trial.game.show(move))
                trial.play(seat, move)
        yield ClientView(table, translator, (seat,), uncovered_seat=seat, draft=tuple(draft), draft_version=table.version)


def play_one(seats: TableClient, table: Table, rng: random.Random) -> None:
    seat = rng.choice(table.match.to_act)
    move = table.game.show(rng.choice(table.match.legal(seat)))
    assert seats.send(seat, move, table.version).status_code == 200
    if rng.random() < 0.2 and seats.undo(seat).status_code == 200 and seat in table.match.to_act:
        again = table.game.show(rng.choice(table.match.legal(seat)))
        assert seats.send(seat, again, table.version).status_code == 200


@pytest.mark.parametrize("key", games.known())
def test_the_coach_comes_to_a_record_that_was_drawn_without_it(client: TestClient, key: str) -> None:
    """The record is not finished: a seat is to act there, and nobody will."""
    match, cache = Match(games.find(key), 2, {}, fairness.seed_for(8, 1)), FragmentCache()
    match.play_nature()
    made = client.post("/api/records", content=record.dump(record.write(match))).json()["table"]
    table: Table = client.app.state.registry.get_open(made)  # type: ignore[attr-defined]
    end = ClientView(table, Translator("en"), replay_position=len(match.log))
    without = render_view(end, cache).fragment.to_html()
    table.coach.review = Review(turn_ends_of(match), 1, [[0.5, 0.5] for _ in turn_ends_of(match)])
    assert without != render_view(end, cache).fragment.to_html() == render_view(end, None).fragment.to_html()


def test_what_is_asked_in_a_lesson_is_not_shown_outside_it(client: TestClient) -> None:
    seats, cache = TableClient(client, people=1), FragmentCache()
    table: Table = client.app.state.registry.get_open(seats.made["table"])  # type: ignore[attr-defined]
    translator = Translator("en")
    message = ClientView(table, translator, (Seat(0),)).message()
    message = replace(message, viewer=replace(message.viewer, can_undo=UndoOffer(Seat(0), asks=False)))
    lesson = replace(message, company=replace(message.company, lesson=TutorialNote(1, 2, 1, "Look!")))
    for given in (message, lesson, message):
        assert rendering.render(given, translator, cache).to_html() == rendering.render(given, translator).to_html()


@pytest.mark.parametrize("people", [2, 4])
@pytest.mark.parametrize("key", games.known())
def test_what_is_remembered_is_what_would_be_drawn(client: TestClient, key: str, people: int) -> None:
    """Two tables of the same game share one cache, and neither shows anything of the other."""
    cache, rng = FragmentCache(), random.Random(people)
    pair = [TableClient(client, people=people, game=key) for _ in range(2)]
    tables: list[Table] = [client.app.state.registry.get_open(seats.made["table"]) for seats in pair]  # type: ignore[attr-defined]
    moves = 0
    while any(table.match.to_act for table in tables) and moves < MOVES:
        for seats, table in zip(pair, tables, strict=True):
            if not table.match.to_act:
                continue
            for _ in range(rng.randrange(1, 12)):
                if table.match.to_act:
                    play_one(seats, table, rng)
                    moves += 1
            for screen in screens(table, rng):
                assert render_view(screen, cache).fragment.to_html() == render_view(screen, None).fragment.to_html()
    assert cache.size_bytes > 0


@pytest.mark.parametrize("key", games.known())
def test_a_page_keeps_its_frame_until_the_game_is_over(client: TestClient, key: str) -> None:
    """Scripts hold what stands there, such as Mayflower's map: if the frame came anew, they would move what nobody sees."""
    seats, rng = TableClient(client, people=games.find(key).seats[0], game=key), random.Random(4)
    table: Table = client.app.state.registry.get_open(seats.made["table"])  # type: ignore[attr-defined]
    alone = tuple(Seat(number) for number in range(len(table.seating)))
    begun = render_view(ClientView(table, Translator("en"), alone), None).fragment
    while table.match.to_act:
        play_one(seats, table, rng)
    over = render_view(ClientView(table, Translator("en"), alone), None).fragment
    assert over.digest == begun.digest
    assert over.to_html() != begun.to_html()


def test_a_template_installed_while_the_server_runs_is_not_mixed_with_the_old_ones(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")
    loader = rendering.SnapshotLoader(tmp_path)
    page.write_text("new")
    assert Environment(loader=loader).get_template("page.html").render() == "old"
    with pytest.raises(TemplateNotFound):
        Environment(loader=loader).get_template("other.html")
