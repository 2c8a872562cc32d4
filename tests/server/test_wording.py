"""Wording that fits the game: what a score counts, who is waited for, and that a team plays together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tablee import bots, games
from tablee.core import fairness, record
from tablee.core.game import NATURE
from tablee.core.i18n import messages
from tablee.core.match import Match
from tests.server.table_client import TableClient

pytestmark = pytest.mark.one_engine

ROOT = Path(__file__).parents[2]
NAMES_BUTTONS = {"src/tablee/server/texts/PRIVACY.md": "en", "src/tablee/server/texts/PRIVACY.fr.md": "fr", "docs/classes.md": "en"}
NAMES_BUTTONS |= {"src/tablee/server/texts/PRIVACY.it.md": "it", "README.md": "en"}


@pytest.mark.parametrize(("game", "unit"), [("amerique-1500", "discs"), ("mayflower", "points"), ("rolling-village", "points")])
def test_a_score_is_read_as_what_it_counts(client: TestClient, game: str, unit: str) -> None:
    page = client.get(TableClient(client, game=game).made["watch"]).text
    assert re.findall(r'class="score">0<span class="visually-hidden">\s+(\w+)\s*<', page) == [unit, unit]


def test_those_who_are_waited_for_are_listed_with_and(client: TestClient) -> None:
    table = TableClient(client, people=3)
    page = client.get(table.made["watch"], headers={"accept-language": "fr"}).text
    assert "On attend P0, P1 et P2" in page
    assert "3 personnes jouent" in page


@pytest.mark.parametrize(("language", "names"), [("en", "Player 1 and Player 2 share"), ("fr", "Joueur 1 et Joueur 2 se partagent")])
def test_those_who_share_the_win_are_listed_with_and(client: TestClient, language: str, names: str) -> None:
    """Two who draw the same have the same points (V10)."""
    match = Match(games.find("rolling-village"), 2, {}, fairness.seed_for(6, 1))
    match.play_nature()
    while match.to_act:
        move = match.legal(match.to_act[0])[0]
        for seat in match.to_act:
            match.play(seat, move)
        match.play_nature()
    table = client.post("/api/records", json=record.write(match)).json()["table"]
    page = client.get(f"/t/{table}", headers={"accept-language": language}).text
    assert names in " ".join(re.sub(r"<[^>]*>", "", page).split())


def test_a_team_is_not_spoken_to_as_rivals(client: TestClient) -> None:
    match = bots.play_out(Match(games.find("amerique-1500"), 2, {"cooperative": True}, fairness.seed_for(6, 1)), [bots.GREEDY] * 2)
    table = client.post("/api/records", json=record.write(match)).json()["table"]
    answers = [
        client.post(f"/api/tables/{table}/page", json={"page": True, "look": look}, headers={"accept-language": "fr"}).json()
        for look in (5, None)
    ]
    text = " ".join(re.sub(r"<[^>]*>", " ", "".join(part["html"] for each in answers for part in each["parts"])).split())
    assert "Reprendre à partir d" in text
    assert "ensemble" in text
    assert re.findall(r"(?i)\b(?:contre robot|revanche|adversaire)\w*", text) == []


def test_parks_stand_apart_from_the_last_avenue(client: TestClient) -> None:
    """Confirm tells both together in the last round (V9, V10)."""
    match = bots.play_out(Match(games.find("rolling-village"), 1, {}, fairness.seed_for(6, 1)), [bots.GREEDY])
    begun = max(at for at, line in enumerate(match.log) if line.seat == NATURE) + 1
    over = client.post("/api/records", json=record.write(match)).json()["table"]
    made = client.post(f"/api/tables/{over}/play-on", json={"at": begun, "people": [0], "level": "greedy"}).json()
    draft = [match.game.show(line.move) for line in match.log[begun:]]
    hello = {"page": True, "keys": made["seats"][0]["token"], "draft": draft, "at": begun}
    parts = client.post(f"/api/tables/{made['table']}/page", json=hello).json()["parts"]
    text = " ".join(re.sub(r"<[^>]*>", "", "".join(part["html"] for part in parts)).split())
    assert re.search(r"\) · Parks score \d+", text)


@pytest.mark.parametrize(("file", "language"), NAMES_BUTTONS.items())
def test_a_text_names_only_buttons_that_there_are(file: str, language: str) -> None:
    """What such a text sets in italics is a name on the page, but for Ada's."""
    named = set(re.findall(r"(?<![*\w])\*([^*\n]+)\*(?![*\w])", (ROOT / file).read_text(encoding="utf-8"))) - {"Ada"}
    found = messages("fr" if language == "en" else language)
    shown = "\n".join("\n".join(each) for each in (found if language == "en" else found.values()))
    assert named
    assert [name for name in named if name.rstrip(".") not in shown] == []
