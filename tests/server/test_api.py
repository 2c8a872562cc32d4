"""The HTTP contract (DESIGN section 8), status by status. A refusal is one sentence and changes nothing."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import Any

import pytest
from starlette.testclient import TestClient

from tablee import games
from tablee.core import record
from tablee.server.app import make_app
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tests.server.process import ServerProcess
from tests.server.seeds import table_config
from tests.server.table_client import NOBODY_PRESENT, TableClient

VILLAGE = {"game": "rolling-village", "seats": [{"kind": "human", "name": "Ada"}, {"kind": "bot", "level": "greedy"}]}


@pytest.fixture
def two(client: TestClient) -> TableClient:
    return TableClient(client)


def test_the_games_are_listed_with_their_seats_and_options(client: TestClient) -> None:
    listed = {each["game"]: each for each in client.get("/api/games", headers={"accept-language": "fr"}).json()}
    assert set(listed) == set(games.known())
    village = listed["rolling-village"]
    assert village["seats"] == list(range(1, 13))
    option = {"key": "setup_types", "label": "Les deux premiers projets", "values": ["different", "free"], "default": "different"}
    assert village["options"] == [option]
    assert {"random", "greedy"} <= set(village["bots"])


def test_a_new_table_gives_a_token_and_a_link_to_every_person_and_none_to_a_bot(client: TestClient) -> None:
    answer = client.post("/api/tables", json=VILLAGE)
    made = answer.json()
    assert answer.status_code == 201
    assert [seat["seat"] for seat in made["seats"]] == [0, 1]
    token = made["seats"][0]["token"]
    assert len(token) >= 20
    assert made["seats"][0]["link"] == f"http://testserver/t/{made['table']}#k={token}"
    assert made["seats"][1] == {"seat": 1, "token": None, "link": None}
    assert made["watch"] == f"http://testserver/t/{made['table']}"
    assert client.get(made["watch"]).status_code == client.get(made["seats"][0]["link"].replace("#", "?")).status_code == 200


BAD_TABLES: list[tuple[dict[str, Any], str]] = [
    ({"game": "chess"}, "there is no game 'chess'; there are: " + ", ".join(games.known())),
    ({"options": {"wings": 1}}, "Rolling Village has no option 'wings'; it has: setup_types"),
    ({"options": {"setup_types": "odd"}}, "option setup_types cannot be 'odd'; it is one of: different, free"),
    ({"options": {"setup_types": True}}, "option setup_types cannot be True; it is one of: different, free"),
    ({"options": {"setup_types": ["free"]}}, "options.setup_types: it must be a text, a whole number, or true or false"),
    ({"options": []}, "options: it must be an object"),
    ({"seats": []}, "seats: it must have at least 1 entry"),
    ({"seats": [{"kind": "human"}] * 13}, "seats: it may have at most 12 entries"),
    ({"seats": [{"kind": "ghost"}]}, "seats.0: its kind must be one of: 'human', 'program', 'bot'"),
    ({"seats": [{"name": "Ada"}]}, "seats.0: its kind must be one of: 'human', 'program', 'bot'"),
    ({"seats": [{"kind": "bot"}]}, "seats.0.level: it is missing"),
    ({"seats": [{"kind": "bot", "level": "clever"}]}, "there is no bot 'clever'; there are: random, easy, greedy, medium, hard"),
    (
        {"seats": [{"kind": "bot", "level": "search:ms=999999999"}]},
        "there is no bot 'search:ms=999999999'; there are: random, easy, greedy, medium, hard",
    ),
    ({"seats": [{"kind": "human", "name": "x" * 41}]}, "seats.0.name: it may have at most 40 characters"),
    ({"seats": [{"kind": "human", "name": "\ud800"}]}, "seats.0.name: it must be a text"),
    ({"seats": [{"kind": "human", "level": "greedy"}]}, "seats.0.level: nothing of this name belongs here"),
    ({"colour": "red"}, "colour: nothing of this name belongs here"),
]


@pytest.mark.parametrize(("change", "sentence"), BAD_TABLES, ids=[sentence[:40] for _, sentence in BAD_TABLES])
def test_a_table_that_cannot_be_is_refused_with_its_reason(client: TestClient, change: dict[str, Any], sentence: str) -> None:
    body = json.dumps(VILLAGE | change)
    answer = client.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()) == (422, {"error": sentence, "rule": None})


def test_what_is_not_json_is_400_and_what_is_no_object_is_422(client: TestClient, two: TableClient) -> None:
    for path in ("/api/tables", f"{two.path}/moves"):
        broken = client.post(path, content=b'{"game": ', headers={"content-type": "application/json"} | two.bearer(0))
        assert broken.status_code == 400
        assert broken.json()["error"].startswith("this is not JSON")
        listed = client.post(path, json=[], headers=two.bearer(0))
        assert (listed.status_code, listed.json()["error"]) == (422, "body: it must be an object")
    deep = client.post("/api/tables", content=b"[" * 50_000, headers={"content-type": "application/json"})
    assert deep.status_code == 400


def test_a_body_of_ten_megabytes_is_413_whatever_it_says_of_its_length(client: TestClient, two: TableClient) -> None:
    pieces = (b"x" * 65536 for _ in range(160))
    for content in (b"x" * 10_000_000, pieces):
        answer = client.post("/api/tables", content=content, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["error"]) == (413, "that is too large: a request may hold 65536 bytes")
    assert two.see()["version"] == 1


def test_a_real_connection_hears_413_too(server: ServerProcess) -> None:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("POST", "/api/tables", b"x" * 10_000_000, {"content-type": "application/json"})
    answer = connection.getresponse()
    assert (answer.status, json.load(answer)["error"]) == (413, "that is too large: a request may hold 65536 bytes")
    connection.request("GET", "/api/games")
    assert connection.getresponse().status == 200
    connection.close()


def test_each_seat_sees_itself_and_a_spectator_sees_without_moves(two: TableClient) -> None:
    for seat in (0, 1):
        seen = two.see(seat)
        assert (seen["table"], seen["game"], seen["status"], seen["seat"]) == (two.made["table"], "rolling-village", "playing", seat)
        assert (seen["version"], seen["to_act"], seen["names"], seen["scores"]) == (1, [0, 1], ["P0", "P1"], [0, 0])
        assert seen["legal"]
        assert seen["view"]["forecast"].keys() == set(seen["legal"])
        assert seen["log"][0].startswith("- roll ")
    watched = two.see()
    assert (watched["seat"], watched["legal"]) == (None, [])


def test_a_forged_or_broken_token_is_403(client: TestClient, two: TableClient) -> None:
    other = TableClient(client)
    for header in ("Bearer forged", f"Bearer {other.tokens[0]}", "Bearer ", "Basic abc", f"Bearer {two.tokens[0]}x", "Bearer \xe9"):
        headers = {b"authorization": header.encode("latin-1")}
        for answer in (client.get(two.path, headers=headers), client.post(f"{two.path}/undo", headers=headers)):
            assert (answer.status_code, answer.json()["rule"]) == (403, None)
        body = {"move": "build house 1A", "at": 1, "id": "x"}
        assert client.post(f"{two.path}/moves", json=body, headers=headers).status_code == 403
    assert two.see()["version"] == 1


def test_a_request_without_a_token_may_look_but_not_move(two: TableClient) -> None:
    answer = two.send(None, two.see(0)["legal"][0], 1)
    assert (answer.status_code, answer.json()["error"]) == (403, "only a player may move: this request carries no seat's token")
    assert two.undo(None).status_code == 403


@pytest.mark.parametrize("table", ["nosuchtable", "NOSUCH!", "%C3%A9", "x" * 300, "..%2f.."])
def test_an_unknown_table_is_404(client: TestClient, table: str) -> None:
    for path in ("", "/record"):
        assert client.get(f"/api/tables/{table}{path}").status_code == 404
    assert client.post(f"/api/tables/{table}/moves", json={"move": "avenue A", "at": 0, "id": "x"}).status_code == 404
    assert client.get(f"/t/{table}").status_code == 404


def test_a_move_is_answered_with_the_version_it_led_to(two: TableClient) -> None:
    first = two.play(0)
    assert first == {"version": 2}
    assert two.see(0)["log"][1].startswith("0 build ")


def test_the_dice_after_the_last_move_of_a_round_belong_to_its_version(two: TableClient) -> None:
    two.finish_round(0)
    two.play(1)
    assert two.play(1) == {"version": 6}
    assert two.see()["log"][-1].startswith("- roll ")


def test_whoever_has_finished_the_round_waits_409(two: TableClient) -> None:
    move = two.see(0)["legal"][0]
    two.finish_round(0)
    answer = two.send(0, move, two.see()["version"])
    assert (answer.status_code, answer.json()["error"]) == (409, "it is not your turn; waiting for seat 1")


def test_an_illegal_move_is_422_with_why_and_which_rule(two: TableClient) -> None:
    answer = two.send(0, "build park 1A", 1)
    body = answer.json()
    assert (answer.status_code, body["error"], body["rule"]) == (422, "no Park during set-up (V4)", "V4")
    assert (body["sentence"].split(".")[0], body["link"]) == (
        "Before the first round the dice are rolled for the set-up",
        "/rules/rolling-village#V4",
    )
    nonsense = two.send(0, "castle kingside", 1)
    assert nonsense.status_code == 422
    assert nonsense.json()["error"].startswith("'castle kingside' is not a move")
    assert two.see()["version"] == 1


BAD_MOVES: list[tuple[dict[str, Any], str]] = [
    ({"at": -1}, "at: it must be at least 0"),
    ({"at": 10**9}, "at: it must be at most 1000000"),
    ({"at": "1"}, "at: it must be a whole number"),
    ({"at": 1.5}, "at: it must be a whole number"),
    ({"id": ""}, "id: it must not be empty"),
    ({"id": "x" * 65}, "id: it may have at most 64 characters"),
    ({"move": 7}, "move: it must be a text"),
    ({"move": "x" * 81}, "move: it may have at most 80 characters"),
    ({"seat": 1}, "seat: nothing of this name belongs here"),
]


@pytest.mark.parametrize(("change", "sentence"), BAD_MOVES, ids=[sentence for _, sentence in BAD_MOVES])
def test_a_move_of_the_wrong_shape_is_422(client: TestClient, two: TableClient, change: dict[str, Any], sentence: str) -> None:
    body = {"move": "build house 1A", "at": 1, "id": "x"} | change
    answer = client.post(f"{two.path}/moves", json=body, headers=two.bearer(0))
    assert (answer.status_code, answer.json()["error"]) == (422, sentence)


def test_a_move_chosen_before_the_dice_rolled_is_409(two: TableClient) -> None:
    at = two.see(0)["version"]
    two.finish_round(0)
    two.finish_round(1)
    seen = two.see(0)
    stale = two.send(0, seen["legal"][0], at)
    assert (stale.status_code, stale.json()["error"]) == (409, "the game has moved on; look again and choose")
    assert two.send(0, seen["legal"][0], seen["version"] + 1).status_code == 409
    assert two.see()["version"] == seen["version"]


def test_a_move_chosen_before_ones_own_last_move_is_409(two: TableClient) -> None:
    two.play(0)
    assert two.send(0, two.see(0)["legal"][0], 1).status_code == 409


def test_what_only_the_others_did_meanwhile_does_not_make_a_move_old(two: TableClient) -> None:
    chosen = two.see(1)
    two.play(0)
    two.play(0)
    assert two.send(1, chosen["legal"][0], chosen["version"]).status_code == 200


def test_the_same_id_counts_once_however_often_it_is_sent(two: TableClient) -> None:
    move = two.see(0)["legal"][0]
    first = two.send(0, move, 1, "once")
    two.play(1)
    again = two.send(0, move, 1, "once")
    assert first.json() == again.json() == {"version": 2}
    assert two.see()["log"].count(f"0 {move}") == 1


def test_the_same_id_for_another_move_is_409_and_for_another_seat_is_another_id(two: TableClient) -> None:
    first, second = two.see(0)["legal"][:2]
    two.send(0, first, 1, "once")
    other = two.send(0, second, 2, "once")
    assert (other.status_code, other.json()["error"]) == (409, f"this id was already used for another move: '0 {first}'")
    assert two.send(1, second, 1, "once").status_code == 200
    assert len(two.see()["log"]) == two.see()["version"] == 3


@pytest.mark.parametrize("config", [NOBODY_PRESENT])
def test_undo_takes_back_the_last_move_and_the_log_keeps_both(two: TableClient) -> None:
    before = two.see(0)
    move = before["legal"][3]
    two.send(0, move, 1, "taken back")
    two.play(1)
    assert two.undo(0).json() == {"version": 4}
    after = two.see(0)
    assert after["version"] == len(after["log"]) == 4
    assert [after["log"][1], after["log"][3]] == [f"0 {move}", "0 undo"]
    assert after["legal"] == before["legal"]
    assert two.send(0, move, 1, "taken back").json() == {"version": 2}, "it was sent before, and taken back"
    assert two.send(0, move, after["version"]).status_code == 200


def test_undo_is_refused_once_the_dice_were_seen_and_when_there_is_nothing(two: TableClient) -> None:
    assert two.undo(0).status_code == 409
    two.finish_round(0)
    two.finish_round(1)
    answer = two.undo(0)
    assert (answer.status_code, answer.json()["error"]) == (409, "there is nothing to undo: something has been rolled or drawn since")


def test_the_record_keeps_the_seed_to_itself_until_the_game_is_over(client: TestClient) -> None:
    table = TableClient(client, 1)
    shown = table.record()
    assert (shown["scores"], shown["winners"], shown["fairness"]["seed"]) == (None, None, None)
    assert shown["fairness"]["commitment"] == table.see()["commitment"]
    table.play(0)
    table.undo(0)
    table.finish()
    whole = table.record()
    verdict = record.verify(games.find, json.dumps(whole))
    assert verdict.draws == 10
    assert whole["fairness"]["commitment"] == shown["fairness"]["commitment"]
    assert whole["scores"] == table.see()["scores"]
    assert not [line for line in whole["log"] if "undo" in line]


def test_a_finished_game_says_so_and_takes_no_move(client: TestClient) -> None:
    table = TableClient(client, 1, bots=1)
    table.finish()
    seen = table.see(0)
    assert (seen["status"], seen["to_act"], seen["legal"]) == ("over", [], [])
    answer = table.send(0, "build house 1A", seen["version"])
    assert (answer.status_code, answer.json()["error"]) == (409, "the game is over")


@pytest.mark.parametrize(
    ("headers", "query", "sentence"),
    [
        ({"accept-language": "fr-CH, en;q=0.5"}, "", "pas de Parc pendant la préparation (V4)"),
        ({"accept-language": "de, it;q=0.8, fr;q=0.4"}, "", "niente Parco durante la preparazione (V4)"),
        ({"accept-language": "fr"}, "?lang=it", "niente Parco durante la preparazione (V4)"),
        ({"accept-language": "fr", "cookie": "tablee_lang=en"}, "", "no Park during set-up (V4)"),
        ({"accept-language": "xx;q=banana, *"}, "", "no Park during set-up (V4)"),
    ],
)
def test_each_reader_gets_errors_in_their_own_language(two: TableClient, headers: dict[str, str], query: str, sentence: str) -> None:
    body = {"move": "build park 1A", "at": 1, "id": "x"}
    answer = two.client.post(f"{two.path}/moves{query}", json=body, headers=two.bearer(0) | headers)
    assert answer.json()["error"] == sentence


def test_the_shape_of_a_request_is_explained_in_the_readers_language_too(two: TableClient) -> None:
    answer = two.send(0, "x" * 81, 1, **{"accept-language": "fr"})
    assert answer.json()["error"] == "move\u00a0: 80 caractères au plus"


def test_the_interface_describes_itself(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    assert set(document["paths"]) == {
        "/api/games",
        "/api/health",
        "/api/tables",
        "/api/tables/{table}",
        "/api/tables/{table}/moves",
        "/api/tables/{table}/undo",
        "/api/tables/{table}/rematch",
        "/api/tables/{table}/hint",
        "/api/tables/{table}/record",
        "/api/tables/{table}/undo/answer",
        "/api/tables/{table}/seats/{seat}",
        "/api/tables/{table}/seats/{seat}/claim",
        "/api/tables/{table}/pause",
        "/api/tables/{table}/draws",
        "/api/tables/{table}/play-on",
        "/api/tables/{table}/continue",
        "/api/records",
        "/api/tables/{table}/reactions",
        "/api/tables/{table}/chat",
    }
    assert set(document["paths"]["/api/tables/{table}/moves"]["post"]["responses"]) == {
        "200", "400", "403", "404", "409",
        "410", "413", "415", "422", "503",
    }  # fmt: skip


def test_an_unknown_page_is_one_sentence_for_people_and_for_programs(client: TestClient) -> None:
    assert client.get("/api/nothing").json() == {"error": "page not found", "rule": None}
    page = client.get("/nothing", headers={"accept-language": "it"})
    assert page.status_code == 404
    assert "pagina non trovata" in page.text.lower()
    assert client.delete("/api/games").status_code == 405


def test_who_opened_localhost_invites_friends_to_the_address_on_the_network(store: Store) -> None:
    with TestClient(
        make_app(TableRegistry(store, config=table_config()), "http://192.168.7.5:8000"), base_url="http://localhost:8000"
    ) as client:
        page = client.post("/new/rolling-village")
    assert page.url.host == "localhost"
    assert f'value="http://192.168.7.5:8000{page.url.path}"' in page.text


def test_the_api_tells_what_the_page_tells(two: TableClient) -> None:
    """Players, log and news in words, notices; a draft is tried out and changes nothing."""
    first = two.see(0)
    assert [(each["seat"], each["name"], each["awaited"]) for each in first["players"]] == [(0, "P0", True), (1, "P1", True)]
    assert [entry["kind"] for entry in first["told"]] == ["roll"]
    move = first["legal"][0]
    tried = two.client.get(two.path, params={"draft": [move, "nonsense"]}, headers=two.bearer(0)).json()
    assert (tried["tried"]["draft"], tried["tried"]["ready"]) == ([move], False)
    assert [entry["seat"] for entry in tried["tried"]["preview"]] == [0]
    assert tried["tried"]["refused"]
    assert {name: value for name, value in tried.items() if name != "tried"} == {name: first[name] for name in first if name != "tried"}
    for _ in range(2):
        two.play(1)
    assert (two.see(0)["news"], two.see(0)["told"]) == ([], first["told"]), "the others' moves wait for one's own round (V3)"
    for _ in range(2):
        two.play(0)
    now = two.see(0)
    assert [line["seat"] for line in now["news"]] == [1]
    assert now["news"][0]["words"]
    everything = two.client.get(two.path, params={"since": 0}, headers=two.bearer(0)).json()["told"]
    assert [entry["position"] for entry in everything] == sorted(entry["position"] for entry in everything)
    assert everything[0] == first["told"][0]
    assert (now["notices"]["paused"], now["notices"]["request"]) == (False, None)
    past = two.client.get(two.path, params={"at": 1}, headers=two.bearer(0)).json()
    assert [past[name] for name in ("players", "told", "news", "notices", "tried")] == [None] * 5


def test_r1_the_words_of_the_api_hold_no_secret(client: TestClient) -> None:
    seats = TableClient(client, game="amerique-1500")
    for _ in range(6):
        seats.play(seats.see()["to_act"][0])
    for reader in (0, 1, None):
        hidden = {entry["sentence"] for seat in (0, 1) if seat != reader for entry in told(seats, seat)} - {
            entry["sentence"] for entry in told(seats, reader)
        }
        assert not hidden & {entry["sentence"] for entry in seats.see(reader)["told"]}
    assert told(seats, 0) != told(seats, 1) != told(seats, None), "each hand is told to its owner only"


def told(seats: TableClient, reader: int | None) -> list[dict[str, object]]:
    found: list[dict[str, object]] = seats.client.get(seats.path, params={"since": 0}, headers=seats.bearer(reader)).json()["told"]
    return found
