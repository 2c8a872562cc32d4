"""Classes: thirty pupils join by one code; an organiser seats, moves, pauses and deletes, and nobody else may."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tablee.server.app import make_app
from tablee.server.club.results import escape_formula
from tablee.server.club.seating_plan import split_into_tables
from tablee.server.http.middleware.limits import Limits
from tablee.server.registry import TableRegistry
from tablee.server.storage.clubs import ClubStore
from tablee.server.storage.store import Store
from tests.server.classroom import Classroom, Device, finish, names_on_disk, spreadsheet, try_a_move, wait_until
from tests.server.seeds import table_config

NAMES = [f"Pupil {number}" for number in range(1, 31)]
ELSEWHERE = ("203.0.113.5", 4000)  # a school's one address, where limits hold


@pytest.fixture
def school(store: Store) -> Iterator[TestClient]:
    limits = Limits(clock=lambda: 0.0)  # no bucket refills, however slow the machine is
    with TestClient(make_app(TableRegistry(store, config=table_config(bot_pace=60)), limits=limits), client=ELSEWHERE) as opened:
        yield opened


@pytest.fixture
def room(school: TestClient) -> Classroom:
    return Classroom(school)


def test_thirty_pupils_from_one_address_join_and_sit(room: Classroom) -> None:
    pupils = room.join(*NAMES)
    assert all("Hello" in pupil.get(room.path).text for pupil in pupils), "they wait on a page that says so"
    assert room.seat().status_code == 303
    tables = Counter(room.table_of(pupil)[0] for pupil in pupils)
    seen = [room.see(pupil) for pupil in pupils]
    assert sorted(tables.values()) == [3, 3, 4, 4, 4, 4, 4, 4]
    assert {each["names"][each["seat"]] for each in seen} == set(NAMES), "everybody sits in their own seat"
    assert {len(each["names"]) for each in seen} == {4}, "a bot fills each table"
    assert pupils[0].get(room.path).headers["location"].startswith("/t/"), "a device that opens the class again is sent to its table"


def test_people_are_dealt_evenly() -> None:
    assert [len(table) for table in split_into_tables(range(30), 4)] == [4, 4, 4, 4, 4, 4, 3, 3]
    assert [len(table) for table in split_into_tables(range(5), 4)] == [3, 2]
    assert sorted(each for table in split_into_tables(range(7), 3) for each in table) == list(range(7))


def test_a_name_is_taken_once_and_bad_input_gets_a_sentence(room: Classroom, school: TestClient) -> None:
    room.join("Ada")
    other = Device(school)
    for name, sentence in (("ada", "called ada already"), ("  ", "type your first name")):
        answer = other.post(f"{room.path}/join", {"name": name})
        assert answer.status_code == 422
        assert sentence in answer.text
    assert other.get("/c/AAAAA").status_code == 404
    assert room.seat(size="9", game="mayflower").status_code == 422
    assert room.do("swap", 1).status_code == 422
    assert room.do("move").status_code == 422
    room.organiser.post(f"{room.path}/door", {"admits": "no"})
    assert "takes nobody in" in other.post(f"{room.path}/join", {"name": "Bo"}).text


ACTIONS = ("tables", "members", "pause", "door", "delete")
LOOKS = ("board", "sheet", "results.csv", "key")


def test_only_the_organiser_organises(room: Classroom, school: TestClient) -> None:
    pupil, stranger = room.join("Ada")[0], Device(school)
    for who in (pupil, stranger):
        for action in ACTIONS:
            assert who.post(f"{room.path}/{action}", {"sure": "yes", "how": "waiting"}).status_code == 403
        assert who.post(f"{room.path}/live", json={}).status_code == 403
        for page in LOOKS:
            assert who.get(f"{room.path}/{page}").status_code == 403
        assert "Delete this class" not in who.get(room.path).text
    assert stranger.get(f"{room.path}/where").status_code == 403
    assert stranger.post(f"{room.path}/leave").status_code == 403
    assert room.seat().status_code == 303
    assert Classroom(school).organiser.post(f"{room.path}/delete", {"sure": "yes"}).status_code == 403, "nor may another class's"


def test_the_organisers_link_works_on_another_device_and_no_wrong_one_does(room: Classroom, school: TestClient) -> None:
    link = re.search(r'value="http://[^/]+(/class/[^"]+)"', room.organiser.get(f"{room.path}/key").text)
    assert link
    other = Device(school)
    assert other.follow(link[1]).status_code == 303
    assert "Delete this class" in other.get(room.path).text
    older = Device(school)
    assert older.get(link[1].replace("/arrive#", "?")).status_code == 303
    assert "Delete this class" in older.get(room.path).text
    wrong = Device(school)
    wrong.get(f"{room.path}?k=nonsense")
    wrong.follow(f"{room.path}/arrive#k=nonsense")
    assert "Delete this class" not in wrong.get(room.path).text


def test_somebody_is_moved_during_a_game_and_a_bot_plays_on(room: Classroom) -> None:
    ada, bo, cy = room.join("Ada", "Bo", "Cy")
    played = {"game": "rolling-village", "size": "2", "level": "random"}
    room.do("chosen", 1, 2, **played)
    room.do("chosen", 3, **played)
    first, second = room.table_of(ada)[0], room.table_of(cy)[0]
    assert room.do("move", 1, table="1").status_code == 422, "she sits there already"
    assert room.do("move", 1, table="2").status_code == 303
    assert room.table_of(ada)[0] == second
    assert room.see(bo)["names"] == ["", "Bo"], "a bot sits where she sat"
    assert room.do("move", 2, table="2").status_code == 422, "no bot is left there"
    assert room.do("swap", 1, 2).status_code == 303
    assert (room.table_of(ada)[0], room.table_of(bo)[0]) == (first, second)


def test_a_bot_plays_for_a_missing_pupil_and_gives_the_seat_back(client: TestClient) -> None:
    room = Classroom(client)
    (ada,) = room.join("Ada")
    room.seat(size="1", level="")
    before = room.see(ada)["version"]
    assert room.do("bot", 1).status_code == 303
    wait_until(lambda: room.see(ada)["version"] >= before + 3, "the bot plays")
    assert room.see(ada)["names"] == ["Ada"], "and the seat is still hers"
    assert room.do("back", 1).status_code == 303


def test_all_tables_pause_and_go_on_also_after_a_restart(room: Classroom, store: Store) -> None:
    (ada,) = room.join("Ada")
    room.seat(size="1", level="")
    room.organiser.post(f"{room.path}/pause", {"paused": "yes"})
    table, token = room.table_of(ada)
    assert try_a_move(room.client, table, token) == (409, "all tables of the class are paused; make your move when they go on")
    assert "All tables are paused" in room.client.get(f"/t/{table}?k={token}").text
    with TestClient(make_app(TableRegistry(store, config=table_config(bot_pace=60)))) as again:
        assert try_a_move(again, table, token)[0] == 409
    room.organiser.post(f"{room.path}/pause", {"paused": "no"})
    assert try_a_move(room.client, table, token)[0] == 200


def test_a_new_round_mixes_or_keeps_the_tables_and_a_rematch_is_followed(client: TestClient) -> None:
    room = Classroom(client)
    pupils = room.join("Ada", "Bo")
    room.seat(size="1", level="")
    first = [room.table_of(pupil)[0] for pupil in pupils]
    assert room.seat("again").status_code == 303
    second = [room.table_of(pupil)[0] for pupil in pupils]
    assert not set(first) & set(second)
    assert room.seat("mixed", size="2").status_code == 303
    assert room.table_of(pupils[0])[0] == room.table_of(pupils[1])[0] not in (*first, *second)
    for member in (1, 2):
        room.do("bot", member)
    table, token = room.table_of(pupils[0])
    finish(room, pupils[0])
    bearer = {"authorization": f"Bearer {token}"}
    rematch = client.post(f"/api/tables/{table}/rematch", headers=bearer).json()["table"]
    assert room.table_of(pupils[1])[0] == rematch
    rows = spreadsheet(room)
    assert [row[0] for row in rows[1:]] == ["1", "1", "2", "2", "3", "3", "3", "3"], "every round's games, and the rematch"
    number, began = rows[0].index("Game at this table"), rows[0].index("Started (UTC)")
    assert [row[number] for row in rows[1:]] == ["1", "1", "1", "1", "1", "1", "2", "2"], "which is told apart"
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", row[began]) for row in rows[1:])


def test_results_open_in_a_spreadsheet_and_no_name_is_a_formula(client: TestClient) -> None:
    room = Classroom(client)
    (pupil,) = room.join('=HYPERLINK("x")')
    room.seat(size="1", level="")
    room.do("bot", 1)
    finish(room, pupil)
    room.table_of(pupil)
    assert room.organiser.get(f"{room.path}/results.csv").content.startswith(b"\xef\xbb\xbf")
    heading, row = spreadsheet(room)
    found = dict(zip(heading, row, strict=True))
    assert heading[:4] == ["Round", "Table", "Game", "Game at this table"]
    assert (*row[:4], found["Seat"]) == ("1", "1", "Rolling Village", "1", "1")
    assert (found["First name"], found["Bot"], found["Rank"]) == ('\'=HYPERLINK("x")', "yes", "")
    assert int(found["Points"]) > 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", found["Finished (UTC)"])
    assert [escape_formula(name) for name in ("+1", "-1", "@x", "Ada")] == ["'+1", "'-1", "'@x", "Ada"]
    overview = str(room.organiser.post(f"{room.path}/live", json={}).json()["parts"])
    assert "The game is over" in overview
    assert "wins!" not in overview, "nobody wins alone: the village's target decides"


def test_a_lost_device_gets_a_new_link_and_the_old_one_opens_nothing(room: Classroom, school: TestClient) -> None:
    (old,) = room.join("Ada")
    room.seat(size="1", level="")
    table, token = room.table_of(old)
    link = re.search(r'value="http://[^/]+(/class/[^"]+)"', room.do("link", 1).text)
    assert link
    new = Device(school)
    new.follow(link[1])
    assert room.table_of(new)[0] == table
    assert room.see(new)["seat"] == 0
    assert old.get(f"{room.path}/where").status_code == 403
    assert school.get(f"/api/tables/{table}", headers={"authorization": f"Bearer {token}"}).status_code == 403


@pytest.mark.one_engine
def test_whoever_leaves_is_forgotten(room: Classroom, tmp_path: Path) -> None:
    leaving, _ = room.join("Wilhelmina", "Bo")
    room.seat(size="2")
    assert names_on_disk(tmp_path, "Wilhelmina")
    assert leaving.post(f"{room.path}/leave").status_code == 303
    assert not names_on_disk(tmp_path, "Wilhelmina")
    assert leaving.get(f"{room.path}/where").status_code == 403


@pytest.mark.one_engine
def test_a_class_is_deleted_with_everything_and_open_screens_are_told(room: Classroom, tmp_path: Path) -> None:
    ada, waiting = room.join("Wilhelmina", "Bo")
    room.do("chosen", 1, game="rolling-village", size="1", level="")
    table, token = room.table_of(ada)
    with room.client.websocket_connect(f"/api/tables/{table}/ws") as screen:
        screen.send_json({"token": token})
        assert screen.receive_json()["seat"] == 0
        assert room.organiser.post(f"{room.path}/delete").status_code == 422, "one has to be sure"
        assert "is deleted" in room.organiser.post(f"{room.path}/delete", {"sure": "yes"}).text
        assert screen.receive_json() == {"error": "this table was deleted, with its class"}
        with pytest.raises(WebSocketDisconnect):
            screen.receive_json()
    assert waiting.get(f"{room.path}/where").status_code == 404
    assert room.client.get(f"/api/tables/{table}").status_code == 404
    with closing(sqlite3.connect(tmp_path / "tablee.db")) as raw:
        for stored_table in ("clubs", "members", "club_tables", "tables", "seats", "log", "reviews"):
            assert raw.execute(f"SELECT count(*) FROM {stored_table}").fetchone() == (0,), stored_table
    assert not names_on_disk(tmp_path, "Wilhelmina")


def test_a_class_that_nobody_uses_for_half_a_year_is_deleted(room: Classroom, store: Store) -> None:
    room.join("Ada")
    clubs = ClubStore(store)
    assert clubs.unused() == []
    clubs.update(room.path.rpartition("/")[2], used=date(2020, 1, 1))
    with TestClient(make_app(TableRegistry(store, config=table_config(bot_pace=60)))) as later:
        wait_until(lambda: later.get(f"/c/{room.code}", follow_redirects=False).status_code == 404, "it is deleted")
    assert room.organiser.get(f"/c/{room.code}").status_code == 404


def test_a_flood_of_classes_codes_and_tables_is_slowed_down_and_a_class_is_not(room: Classroom, school: TestClient) -> None:
    room.join(*NAMES)
    assert [room.seat("mixed", size="2").status_code for _ in range(6)] == [303] * 6, "six rounds of fifteen tables in a row"
    flood = [Device(school).post("/class", {"name": "x"}).status_code for _ in range(30)]
    assert flood[:15] == [303] * 15
    assert flood[-1] == 429
    codes = [school.get("/c/ZZZZZ", follow_redirects=False).status_code for _ in range(130)]
    assert codes[:30] == [404] * 30, "a class may mistype"
    assert codes[-1] == 429
    tables = [room.seat("mixed", size="1", level="").status_code for _ in range(8)]
    assert tables[-1] == 429, "thirty tables count as thirty"


def test_the_screen_of_one_who_was_moved_does_not_look_on(room: Classroom) -> None:
    """A seat's secrets belong to its new owner."""
    ada, _ = room.join("Ada", "Bo")
    room.seat(size="2", game="amerique-1500", level="")
    table, token = room.table_of(ada)
    with room.client.websocket_connect(f"/api/tables/{table}/ws") as screen:
        screen.send_json({"token": token})
        screen.receive_json()
        room.do("up", 1)
        assert screen.receive_json() == {"error": "this seat has been given to somebody else, and this link does not open it any more"}


def test_a_name_is_only_a_name(room: Classroom) -> None:
    (pupil,) = room.join("<i>Al</i>")
    assert "<i>" not in pupil.get(room.path).text
    for page in (room.path, f"{room.path}/board"):
        assert "&lt;i&gt;Al" in room.organiser.get(page).text
        assert "<i>" not in room.organiser.get(page).text


def test_the_overview_of_all_tables_sends_only_what_changed(room: Classroom) -> None:
    room.join("Ada", "Bo", "Cy", "Di")
    room.seat(size="2", level="")  # no bot plays meanwhile
    first = room.organiser.post(f"{room.path}/live", json={}).json()
    assert "Table 2" in str(first["parts"])
    assert room.organiser.post(f"{room.path}/live", json={"mark": first["mark"]}).json() == first | {"parts": []}
    table, token = room.table_of(room.pupils[0])
    assert try_a_move(room.client, table, token)[0] == 200
    stamps = dict(re.findall(r'id="([\w-]+)" data-part="(\w+)"', first["parts"][0]["html"]))
    news = room.organiser.post(f"{room.path}/live", json={"mark": first["mark"], "parts": stamps}).json()
    assert len(news["parts"]) <= 1, "one table's card at most"
