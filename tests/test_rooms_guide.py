"""The walk of docs/rooms.md from an empty folder to a page: its code, put where it says, makes a game that plays by the new rule."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tablee.checks.local_server import LocalServer
from tests.new_game import write_guest

GUIDE = (Path(__file__).parent.parent / "docs/rooms.md").read_text(encoding="utf-8")
KEY = "hedge"
SAME_SUIT = """
from tablee import games
from tablee.core.match import Match
game = games.find("hedge")
hands = [f"- deal 0 red-{rank}" for rank in (1, 2, 3)] + [f"- deal 1 red-{rank}" for rank in (4, 5, 6)]
print(*game.scores(Match.replay(game, 2, {}, [*hands, "0 play red-3", "- deal 0 gold-9", "1 play red-5"]).state))
"""


def code(beginning: str) -> str:
    """Return the block of the walk's code that begins like this, without its indentation."""
    walk = GUIDE[GUIDE.index("## In half an hour") : GUIDE.index("## What the toolkit has")]
    blocks = map(textwrap.dedent, re.findall(r"^(?: {4}.*\n)+", walk, re.MULTILINE))
    (found,) = (block for block in blocks if block.startswith(beginning))
    return found


def insert(file: Path, below: str, text: str) -> None:
    """Insert text below the line that begins like this, indented as that line is."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if line.lstrip().startswith(below))
    margin = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    file.write_text("".join([*lines[: place + 1], textwrap.indent(text, margin), *lines[place + 1 :]]), encoding="utf-8")


def change(file: Path, old: str, new: str) -> None:
    found = re.findall(old, text := file.read_text(encoding="utf-8"))
    assert len(found) == 1, file
    file.write_text(re.sub(old, lambda _: new, text), encoding="utf-8")


def follow(room: Path) -> None:
    """Do what the steps 3, 4 and 6 say."""
    insert(room / "state.py", "points: Array", code("last: int = field()"))
    change(room / "kernel.py", r"def gain\((?:.+\n)+", code("def gain("))
    insert(room / "kernel.py", "state.points[seat] += gain(", code("state.last ="))
    change(room / "view.py", "import CARDS\n", "import CARDS, SUITS\n")
    insert(room / "view.py", '"points":', code('"last":'))
    insert(room / "templates/table.html", "{% call fragment(", code("{% if view.last %}"))


def test_the_code_of_the_walk_makes_the_rule_and_the_page_that_it_promises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    follow(write_guest(tmp_path, KEY, {"hidden"}, monkeypatch))
    assert subprocess.run([sys.executable, "-c", SAME_SUIT], capture_output=True, text=True, check=True).stdout.split() == ["3", "10"]
    server = LocalServer(tmp_path).start()
    try:
        made = server.create(KEY, ["Ada", "Bo"])
        path, token = f"/api/tables/{made['table']}", made["seats"][0]["token"]
        seen = server.ask("GET", path, token=token)
        suit = seen["legal"][0].removeprefix("play ").partition("-")[0]
        server.ask("POST", f"{path}/moves", {"move": seen["legal"][0], "at": seen["version"], "id": "a"}, token)
        assert f"{suit} scores double" in server.read(f"/t/{made['table']}?k={token}")
    finally:
        server.stop()
