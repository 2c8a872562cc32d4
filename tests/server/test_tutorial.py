"""Tutorials: a first game is stored, undone and reopened like any other table; only its draws claim no fairness."""

from __future__ import annotations

from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from tablee.core import tutorial
from tablee.server.app import make_app
from tablee.server.http.middleware.limits import Limits
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tests.server.seeds import table_config
from tests.test_tutorials import TAUGHT, answer, asked, begin


class Pupil:
    """Player of a tutorial; `match` is the expected state of the table."""

    def __init__(self, client: TestClient, key: str) -> None:
        self.client = client
        self.match, self.taught = begin(key)
        made = client.post(f"/first/{key}", follow_redirects=False).headers["location"]
        table, _, token = made.removeprefix("/t/").partition("#k=")
        self.link = f"/t/{table}?k={token}"
        self.path, self.headers = f"/api/tables/{table}", {"authorization": f"Bearer {token}"}

    def see(self) -> Any:
        return self.client.get(self.path, headers=self.headers).json()

    def send(self, move: str) -> Response:
        at = self.see()["version"]
        return self.client.post(f"{self.path}/moves", json={"move": move, "at": at, "id": str(at)}, headers=self.headers)

    def step(self) -> None:
        """Play the move that the tutorial asks for."""
        move = asked(self.match, self.taught)[0]
        assert self.send(move).status_code == 200
        answer(self.match, self.taught, move)
        assert self.see()["scores"] == self.match.game.scores(self.match.state)


@pytest.mark.parametrize("key", TAUGHT)
def test_a_first_game_is_played_to_its_end_through_a_restart(client: TestClient, store: Store, key: str) -> None:
    pupil = Pupil(client, key)
    for _ in range(4):
        pupil.step()
    before = pupil.see()
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as again:
        pupil.client = again
        assert pupil.see() == before
        while pupil.see()["to_act"]:
            pupil.step()
        assert 'id="real-game"' in again.get(pupil.link).text


def test_what_is_not_asked_is_answered_kindly_and_nothing_has_happened(client: TestClient) -> None:
    pupil = Pupil(client, "rolling-village")
    another = pupil.send("build house 3B")
    assert (another.status_code, another.json()["kindly"]) == (409, True)
    assert another.json()["error"].startswith("That is allowed too!")
    illegal = pupil.send("build park 3A")
    assert (illegal.status_code, illegal.json()["rule"]) == (422, "V4")
    assert illegal.json()["sentence"].startswith("Before the first round the dice are rolled for the set-up.")
    assert pupil.see()["version"] == 1


def test_what_is_taken_back_is_asked_again(client: TestClient) -> None:
    pupil = Pupil(client, "rolling-village")
    assert pupil.send("build house 3A").status_code == 200
    assert "Tap cell 4A" in client.get(pupil.link).text
    assert client.post(f"{pupil.path}/undo", headers=pupil.headers).status_code == 200
    assert "Tap cell 3A" in client.get(pupil.link).text
    assert pupil.send("build house 3A").status_code == 200


def test_a_scripted_game_claims_no_fair_draws(client: TestClient) -> None:
    pupil = Pupil(client, "mayflower")
    assert pupil.see()["commitment"] == ""
    assert client.get(f"{pupil.path}/record").json()["fairness"] is None
    assert 'id="fair"' not in client.get(pupil.link).text


def test_whoever_only_watches_is_taught_nothing(client: TestClient) -> None:
    pupil = Pupil(client, "mayflower")
    assert 'id="lesson"' in client.get(pupil.link).text
    assert 'id="lesson"' not in client.get(pupil.link.partition("?")[0]).text


def test_a_game_without_a_lesson_offers_none(client: TestClient) -> None:
    assert 'action="/first/mayflower"' in client.get("/").text
    assert 'action="/first/mayflower"' in client.get("/new/mayflower").text
    assert "/first/dice-race" not in client.get("/").text
    assert client.post("/first/dice-race").status_code == 404


def test_first_games_count_as_new_tables(store: Store) -> None:
    with TestClient(make_app(TableRegistry(store, config=table_config()), limits=Limits(tables_per_minute=1, clock=lambda: 0.0))) as client:
        made = [client.post("/first/rolling-village", follow_redirects=False).status_code for _ in range(3)]
        assert made == [303, 303, 429]


def test_a_game_that_left_its_lesson_is_played_on_as_any_other(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version may change the tutorial: a game that the older one began is not lost."""
    pupil = Pupil(client, "rolling-village")
    monkeypatch.setattr(tutorial.Tutorial, "progress", lambda *_: None)
    assert pupil.send("build lake 4E").status_code == 200
    assert 'id="lesson"' not in client.get(pupil.link).text
