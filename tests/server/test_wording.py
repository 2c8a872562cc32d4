"""Wording that fits the game: what a score counts, who is waited for, and that a team plays together."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine


@pytest.mark.parametrize(("game", "unit"), [("amerique-1500", "discs"), ("mayflower", "points"), ("rolling-village", "points")])
def test_a_score_is_read_as_what_it_counts(client: TestClient, game: str, unit: str) -> None:
    page = client.get(TableClient(client, game=game).made["watch"]).text
    assert re.findall(r'class="score">0<span class="visually-hidden"> (\w+)<', page) == [unit, unit]


def test_those_who_are_waited_for_are_listed_with_and(client: TestClient) -> None:
    table = TableClient(client, people=3)
    page = client.get(table.made["watch"], headers={"accept-language": "fr"}).text
    assert "On attend P0, P1 et P2" in page
    assert "3 personnes jouent" in page
