"""`tablee serve --develop`: an author saves a file and sees what became of it, errors with their place included."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablee.checks.local_server import TIMEOUT_S, LocalServer
from tests.new_game import write_guest

pytestmark = pytest.mark.one_engine
KEY = "meadow"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_guest(tmp_path, KEY, {"dice"}, monkeypatch)


@pytest.fixture
def server(room: Path, tmp_path: Path) -> Iterator[LocalServer]:
    process = LocalServer(tmp_path, extra_arguments=["--develop"]).start()
    yield process
    process.stop()


def read(server: LocalServer, path: str, language: str = "en") -> str:
    """Return a page, also one that reports an error."""
    try:
        return server.read(path, language)
    except urllib.error.HTTPError as refused:
        return str(refused.read().decode())
    except (ConnectionError, urllib.error.URLError, http.client.IncompleteRead):  # the server was being replaced: a browser asks again
        return ""


def wait_for(read_page: Callable[[], str], words: str) -> str:
    """Ask for a page until it has these words."""
    deadline = time.monotonic() + TIMEOUT_S
    while words not in (page := read_page()):
        assert time.monotonic() < deadline, page
    return page


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_saved_template_a_style_a_rule_a_text_and_a_box_show_at_the_same_table(room: Path, server: LocalServer) -> None:
    made = server.create(KEY, ["Ada", "greedy"])
    page = f"/t/{made['table']}?k={made['seats'][0]['token']}"
    change(room / "templates/table.html", "Keep the die, or leave it?", "Which shall it be?")
    wait_for(lambda: read(server, page), "Which shall it be?")
    change(room / "static/style.css", "line-height: 1;", "line-height: 1.5;")
    wait_for(lambda: read(server, f"/static/{KEY}/joined/table.css"), "line-height: 1.5;")
    change(room / "notation.py", "Leave the die", "Let it lie")
    wait_for(lambda: read(server, page), "Let it lie")
    change(room / "components.toml", "rounds = 8", "rounds = 3")
    wait_for(lambda: read(server, f"/box/{KEY}"), "<dt>rounds</dt><dd>3</dd>")
    change(room / "locale/fr.po", 'msgid "Keep the die"\nmsgstr ""', 'msgid "Keep the die"\nmsgstr "Garder le dé"')
    wait_for(lambda: read(server, page, "fr"), "Garder le dé")


def test_an_error_in_a_template_is_shown_with_file_and_line(room: Path, server: LocalServer) -> None:
    made = server.create(KEY, ["Ada", "greedy"])
    change(room / "templates/table.html", "in players %}", "in playrs %}")
    lines = (room / "templates/table.html").read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "playrs" in text)
    page = wait_for(lambda: read(server, f"/t/{made['table']}"), "playrs")
    assert "is undefined" in page
    assert f"templates/table.html, line {line})" in page


def test_an_error_in_the_rules_is_shown_with_file_and_line_and_spoils_no_other_game(room: Path, server: LocalServer) -> None:
    change(room / "kernel.py", "def setup(", "def setup(:")
    line = next(n for n, text in enumerate((room / "kernel.py").read_text().splitlines(), 1) if "def setup(:" in text)
    wait_for(lambda: read(server, f"/rules/{KEY}"), f"kernel.py, line {line})")
    assert server.create("dice-race", ["Ada", "greedy"])["table"]
    change(room / "kernel.py", "def setup(:", "def setup(")
    wait_for(lambda: read(server, f"/rules/{KEY}"), "Everybody has eight turns")


def test_an_author_sees_the_state_and_plays_random_moves(server: LocalServer) -> None:
    table = server.create(KEY, ["Ada", "Bo"])["table"]
    page = read(server, f"/develop/{table}")
    assert "<dt>points</dt>" in page
    with urllib.request.urlopen(urllib.request.Request(f"{server.address}/develop/{table}?moves=2", b""), timeout=TIMEOUT_S):
        assert sum(line.split()[0] != "-" for line in server.ask("GET", f"/api/tables/{table}")["log"]) == 2
    with urllib.request.urlopen(urllib.request.Request(f"{server.address}/develop/{table}?moves=10000", b""), timeout=TIMEOUT_S):
        assert server.ask("GET", f"/api/tables/{table}")["status"] == "over"


def test_without_the_option_nobody_sees_a_state(room: Path, tmp_path: Path) -> None:
    process = LocalServer(tmp_path).start()
    try:
        table = process.create(KEY, ["Ada", "Bo"])["table"]
        assert "page not found" in read(process, f"/develop/{table}")
    finally:
        process.stop()
