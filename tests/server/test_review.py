"""Review and hints: the coach reviews a finished game once, in the background, and stores the review.

During a game it gives hints only where the host allows it.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee import bots, games
from tablee.bots import coach
from tablee.bots.coach import Advice
from tablee.bots.luck import balances
from tablee.core import fairness, record
from tablee.core.contract import WHOLE_SHARE
from tablee.core.game import NATURE, Move, Seat, choose_options
from tablee.core.i18n import LANGUAGES, Translator, msg
from tablee.core.match import Match
from tablee.core.narration import turn_ends_of
from tablee.server.app import make_app
from tablee.server.ops import error_reports
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table import coaching
from tablee.server.table.coaching import Review
from tablee.server.table.config import TableConfig
from tablee.server.table.seats import Seating
from tablee.server.view.narrator import Narrator
from tablee.server.view.review_view import hint_reason
from tests.server.seeds import table_config
from tests.server.table_client import TableClient

QUICK = table_config()


@pytest.fixture
def config() -> TableConfig:
    return QUICK


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coaching, "is_uncompiled", lambda _: False)


@pytest.fixture
def over(client: TestClient) -> TableClient:
    table = TableClient(client, people=1, bots=1)
    table.finish()
    return table


def look(table: TableClient, client: TestClient, at: int | None, **more: Any) -> Any:
    hello = {"page": True, "keys": table.tokens[0], "look": at, **more}
    with client.websocket_connect(f"{table.path}/ws") as session:
        session.send_json(hello)
        for _ in range(400):
            session.receive_json()
            if (review := client.app.state.registry.get_open(table.made["table"]).coach.review) and review.progress == 1.0:  # type: ignore[attr-defined]
                break
            time.sleep(0.01)
    return client.post(f"{table.path}/page", json=hello).json()


def html(message: Any) -> str:
    return "".join(part["html"] for part in message["parts"])


def test_looking_back_starts_the_coach_and_its_words_are_stored(over: TableClient, client: TestClient, store: Store) -> None:
    last = over.see()["version"]
    page = html(look(over, client, last - 1))
    assert "Looking back" in page
    assert "<polyline" in page
    assert "Rather than draw a " in page
    stored = store.load_review(over.made["table"])
    assert stored is not None
    with TestClient(make_app(TableRegistry(store, config=table_config()))) as again:
        page_again = html(look(over, again, last - 1))
        match = again.app.state.registry.get_open(over.made["table"]).match  # type: ignore[attr-defined]
    assert "<polyline" in page_again
    review = Review.from_json(match, stored)
    assert review is not None
    assert (review.progress, review.turn_ends, review.to_json()) == (1.0, turn_ends_of(match), stored)
    assert [sum(shares) for shares in review.chances] == pytest.approx([1] * len(review.turn_ends))


def test_one_sentence_for_each_player_says_luck_and_what_was_given_away(over: TableClient, client: TestClient) -> None:
    page = html(look(over, client, over.see()["version"]))
    table = client.app.state.registry.get_open(over.made["table"])  # type: ignore[attr-defined]
    review, shares = table.coach.review, [each.luck / WHOLE_SHARE for each in balances(table.match)]
    assert [review.luck_of(Seat(seat)) for seat in range(2)] == pytest.approx(shares)
    mine, bots_own = (f"{100 * share:+.0f}".replace("-", "−") for share in shares)
    gains = sum(each.share for each in review.advice.values() if each.differs)
    assert "in chances of winning:" in page
    assert f"Luck {mine} %, you gave away {100 * gains:.0f} %" in page
    assert re.search(rf"Luck {re.escape(bots_own)} %\s*</p>", page), "nobody advises a bot"
    spectator = html(client.post(f"{over.path}/page", json={"page": True, "look": 1}).json())
    assert re.search(rf"Luck {re.escape(mine)} %, [^,]* gave away", spectator)
    assert "you gave away" not in spectator


def test_what_an_older_coach_found_is_looked_at_anew(over: TableClient, client: TestClient, store: Store) -> None:
    store.save_review(over.made["table"], '{"chances": [[1.0, 0.0]], "advice": [], "same_luck": {}}')
    assert "Rather than draw a " in html(look(over, client, over.see()["version"] - 1))


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {"game": "full"}), (2, {"cooperative": True})])
def test_what_only_ends_a_step_belongs_to_its_turn(seats: int, options: dict[str, Any]) -> None:
    """A move without an event, such as "done", belongs to the turn that it ends."""
    match = bots.play_out(Match(games.find("amerique-1500"), seats, options, fairness.seed_for(2, 1)), [bots.GREEDY] * seats)
    without_event = [at for at, line in enumerate(match.log) if line.seat != NATURE and not match.events[at]]
    assert without_event
    assert not set(without_event) & set(turn_ends_of(match))
    before, line, narrator = match.at(without_event[0]), match.log[without_event[0]], Narrator(Translator("fr"), Seating(()))
    assert narrator.render(narrator.infinitive(before, line.seat, [line.move], None)) == "en rester là"


@pytest.mark.one_engine
def test_a_team_has_one_chance_and_whoever_is_alone_has_points(client: TestClient) -> None:
    for people, label, options in ((1, "Expected score", {}), (2, "The team&#39;s chance of winning", {"cooperative": True})):
        table = TableClient(client, people=people, game="amerique-1500" if options else "rolling-village", **options)
        table.finish()
        page = html(look(table, client, table.see()["version"]))
        assert label in page
        assert ("in points:" if people == 1 else "in chances of winning:") in page
        assert page.count("<polyline") == 1


def test_a_position_is_shown_as_it_was_and_nothing_can_be_played_there(over: TableClient, client: TestClient) -> None:
    message = client.post(f"{over.path}/page", json={"page": True, "keys": over.tokens[0], "look": 1}).json()
    assert message["now"]["looks_back"]
    assert message["now"]["legal"] == []
    assert not message["now"]["over"]
    assert html(message).count('class="turn"') == 1


def test_while_it_is_played_nobody_looks_back(client: TestClient) -> None:
    table = TableClient(client)
    table.play(0)
    message = client.post(f"{table.path}/page", json={"page": True, "keys": table.tokens[0], "look": 0}).json()
    assert not message["now"]["looks_back"]
    assert "replay-at" not in html(message)


def hint(table: TableClient, seat: int | None = 0) -> Any:
    return table.client.post(f"{table.path}/hint", headers=table.bearer(seat))


def test_against_bots_one_may_ask_for_a_hint(client: TestClient) -> None:
    table = TableClient(client, people=1, bots=1)
    answer = hint(table)
    assert answer.status_code == 200
    assert answer.json()["move"] in table.see(0)["legal"]
    assert answer.json()["move"] == answer.json()["moves"][0]
    assert answer.json()["sentence"].startswith("The coach would draw a ")
    assert answer.json()["why"]
    assert not any(line.startswith("0 ") for line in table.see()["log"])
    assert hint(table, None).status_code == 403


def test_a_hint_always_says_why() -> None:
    def why(better: int, points: float, share: float = 0.0) -> str:
        return str(hint_reason(Advice(0, Seat(0), (Move(1),), (Move(better), Move(3)), share, points), msg("draw a Lake on 1E")))

    now = "Right away it looks better to draw a Lake on 1E; in the long run "
    assert why(1, 0.0) == "It also looks best right away."
    assert why(2, 3.4) == now + "the coach's way should bring about 3 points more."
    assert why(2, 0.4, 0.051) == now + "the coach's way should win 5 % more often."
    assert why(2, 0.4) == now + "both come to about the same."


@pytest.mark.parametrize(
    ("language", "turn", "build", "spare"),
    [
        (
            "en",
            "lay tile {0} in column 1, row 3, turned by 90°, then put no settler on tile {0}",
            "draw a Forest on 4A",
            "take 1 wood from the special reserve",
        ),
        (
            "fr",
            "poser la tuile {0} en colonne 1, rangée 3, tournée de 90°, puis ne placer aucun colon sur la tuile {0}",
            "dessiner une Forêt en 4A",
            "prendre 1 bois dans la réserve spéciale",
        ),
        (
            "it",
            "posare la tessera {0} in colonna 1, riga 3, ruotata di 90°, poi non mettere coloni sulla tessera {0}",
            "disegnare un Bosco in 4A",
            "prendere 1 legno dalla riserva speciale",
        ),
    ],
)
def test_the_coach_speaks_in_the_infinitive(language: str, turn: str, build: str, spare: str) -> None:
    translator = Translator(language)
    narrator = Narrator(translator, Seating(()))

    def spoken(key: str, *moves: str) -> tuple[str, str]:
        match = Match(games.find(key), 2, {}, fairness.seed_for(2, 1))
        match.play_nature()
        drawn, seat = match.lines()[-1].split()[-1], match.to_act[0]
        return narrator.render(narrator.infinitive(match, seat, [match.game.read(move) for move in moves], seat)), drawn

    sentence, letter = spoken("mayflower", "lay 1,3 1", "pass")
    assert sentence == turn.format(letter)
    assert spoken("rolling-village", "build forest 4A")[0] == build
    amerique = games.find("amerique-1500")
    assert amerique.infinitive is not None
    state = amerique.setup(2, choose_options(amerique, 2, {"cooperative": True}))
    assert translator(amerique.infinitive(state, Seat(0), amerique.read("spare W"))) == spare


@pytest.mark.parametrize("key", games.known())
def test_every_move_can_be_said_in_every_language(key: str) -> None:
    """A move is quoted where the room has no infinitive for it or it is a secret."""
    match = bots.play_out(Match(games.find(key), 2, {}, fairness.seed_for(2, 1)), [bots.RANDOM] * 2)
    for at, line in enumerate(match.log):
        if line.seat != NATURE and at % 5 == 0:
            for language in LANGUAGES:
                narrator = Narrator(Translator(language), Seating(()))
                assert narrator.render(narrator.infinitive(match.at(at), line.seat, [line.move], None))


def test_one_entry_for_each_turn_and_player_names_the_turn_that_was_played(over: TableClient, client: TestClient) -> None:
    """The coach never advises the move that was played."""
    last = over.see()["version"]
    look(over, client, last)
    table = client.app.state.registry.get_open(over.made["table"])  # type: ignore[attr-defined]
    for stop in table.coach.review.turn_ends[1:]:
        page = html(look(over, client, stop))
        assert page.count("Rather than") <= 1
        for played, better in re.findall(r"Rather than (.*?), the coach would (.*?):", page):
            assert played != better


def test_among_people_the_host_decides(client: TestClient) -> None:
    strangers = TableClient(client)
    answer = hint(strangers)
    assert (answer.status_code, answer.json()["error"]) == (409, "the coach cannot be asked at this table")
    seats = [{"kind": "human"}, {"kind": "human"}]
    made = client.post("/api/tables", json={"game": "rolling-village", "seats": seats, "hints": True}).json()
    strangers.made, strangers.path = made, f"/api/tables/{made['table']}"
    strangers.tokens = [seat["token"] for seat in made["seats"]]
    assert hint(strangers).status_code == 200


def test_the_coach_speaks_only_when_it_is_your_turn(client: TestClient) -> None:
    table = TableClient(client, people=1, bots=1)
    table.finish()
    answer = hint(table)
    assert (answer.status_code, answer.json()["error"]) == (409, "the coach has nothing to say right now")


def bring_half_a_game(client: TestClient) -> Any:
    """Import the record of a running game, which holds no seed."""
    match = Match(games.find("rolling-village"), 2, {}, fairness.seed_for(1, 1))
    match.play_nature()
    for _ in range(6):
        match.play(match.to_act[0], bots.choose(match, match.to_act[0], bots.GREEDY))
        match.play_nature()
    return client.post("/api/records", content=record.dump(record.write(match))).json()["table"]


def review_of(client: TestClient, table: str) -> Any:
    """Open a replay position, and return the review when the coach has finished."""
    reviewer = client.app.state.registry.get_open(table).coach  # type: ignore[attr-defined]
    look_back(client, table)
    while reviewer.review is None or reviewer.review.progress < 1:
        time.sleep(0.01)
    return reviewer.review


def look_back(client: TestClient, table: str) -> None:
    client.post(f"/api/tables/{table}/page", json={"page": True, "look": 3})


def test_a_record_without_its_seed_is_looked_at_too(client: TestClient) -> None:
    review = review_of(client, bring_half_a_game(client))
    assert review.progress == 1.0
    assert review.advice


def test_a_review_that_fails_is_reported_once_however_many_look(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(coach, "chances", lambda *_: 1 / 0)
    error_reports.set_folder(tmp_path / "reports")
    table, reports = bring_half_a_game(client), tmp_path / "reports"
    while not reports.exists() or not list(reports.iterdir()):
        look_back(client, table)
    for _ in range(3):
        look_back(client, table)
    assert len(list(reports.iterdir())) == 1
