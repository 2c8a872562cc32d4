"""A class behind an in-process client: an organiser and pupils, each a device with cookies of its own."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from httpx2 import Response
from starlette.testclient import TestClient

TIMEOUT_S = 120.0  # seconds, for a busy computer
TABLE = re.compile(r"/t/(\w+)#k=([\w-]+)")


class Device:
    """Browser with its own cookie jar: a request carries the cookies whose path it matches."""

    def __init__(self, client: TestClient) -> None:
        self._client = client
        self._cookies: dict[tuple[str, str], str] = {}  # by path and name

    def get(self, path: str) -> Response:
        return self._send("GET", path)

    def follow(self, link: str) -> Response:
        """Open a link with a key behind its #, and post the key as its page does."""
        path, _, key = link.partition("#k=")
        assert self.get(path).status_code == 200
        return self.post(path, {"k": key})

    def post(self, path: str, data: dict[str, Any] | None = None, json: Any = None) -> Response:
        return self._send("POST", path, data=data or {}) if json is None else self._send("POST", path, json=json)

    def _send(self, method: str, path: str, **body: Any) -> Response:
        self._client.cookies.clear()
        sent = "; ".join(f"{name}={value}" for (at, name), value in self._cookies.items() if path.startswith(at))
        answer = self._client.request(method, path, headers={"cookie": sent} if sent else {}, follow_redirects=False, **body)
        for cookie in self._client.cookies.jar:
            self._cookies[cookie.path, cookie.name] = cookie.value or ""
        return answer


class Classroom:
    """New class; `organiser` may do everything."""

    def __init__(self, client: TestClient, name: str = "5B") -> None:
        self.client, self.organiser = client, Device(client)
        made = self.organiser.post("/class", {"name": name})
        assert made.status_code == 303, made.text
        self.path = made.headers["location"]
        found = re.search(r"/c/([A-Z]{6})", self.organiser.get(self.path).text)
        assert found
        self.code = found[1]
        self.pupils: list[Device] = []

    def join(self, *names: str) -> Sequence[Device]:
        for name in names:
            pupil = Device(self.client)
            assert pupil.get(f"/c/{self.code}").headers["location"] == self.path
            assert pupil.post(f"{self.path}/join", {"name": name}).status_code == 303
            self.pupils.append(pupil)
        return self.pupils[-len(names) :]

    def seat(self, how: str = "waiting", **chosen: Any) -> Response:
        return self.organiser.post(f"{self.path}/tables", {"how": how, "game": "rolling-village", "size": "4", "level": "greedy"} | chosen)

    def do(self, what: str, *members: int, **more: Any) -> Response:
        """Post an organiser's action on the members with these numbers, which count from 1."""
        return self.organiser.post(f"{self.path}/members", {"do": what, "member": [str(each) for each in members]} | more)

    def table_of(self, pupil: Device) -> tuple[str, str]:
        """Return the table and the token of a pupil's device; both are empty while it waits."""
        found = TABLE.match(pupil.get(f"{self.path}/where").json()["go"])
        return (found[1], found[2]) if found else ("", "")

    def see(self, pupil: Device) -> Any:
        table, token = self.table_of(pupil)
        return self.client.get(f"/api/tables/{table}", headers={"authorization": f"Bearer {token}"}).json()


def try_a_move(client: TestClient, table: str, token: str) -> tuple[int, str]:
    bearer = {"authorization": f"Bearer {token}"}
    seen = client.get(f"/api/tables/{table}", headers=bearer).json()
    body = {"move": seen["legal"][0], "at": seen["version"], "id": "m"}
    answer = client.post(f"/api/tables/{table}/moves", json=body, headers=bearer)
    return answer.status_code, answer.json().get("error", "")


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Poll until the condition holds; fail after TIMEOUT_S."""
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def finish(room: Classroom, pupil: Device) -> None:
    """Wait until bots have played the game to its end."""
    wait_until(lambda: bool(room.see(pupil)["status"] == "over"), "the game is over")


def spreadsheet(room: Classroom) -> list[list[str]]:
    text = room.organiser.get(f"{room.path}/results.csv").content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def names_on_disk(folder: Path, what: str) -> list[str]:
    """Return the names of the files in the data folder that contain this text."""
    return [file.name for file in folder.rglob("*") if file.is_file() and what.encode() in file.read_bytes()]
