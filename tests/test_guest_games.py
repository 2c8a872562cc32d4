"""A game of another package has all that a game of Tablée has: cover, lesson, teachers' sheet, art, translation, environments, site."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablee.checks.local_server import LocalServer
from tests.new_game import write_guest

KEY = "lantern"
LESSON = """
opponents = ["Pia"]
learnt = ["You take counters."]

[[steps]]
says = "A heap lies on the table."
todo = "Take two counters."
asks = ["take 2"]
"""
ART = """art=lambda: '<svg xmlns="http://www.w3.org/2000/svg"><defs><symbol id="lantern"/></defs></svg>',
        rules=1,"""
SITE = """
import sys
from pathlib import Path
from tablee.site import build
from tablee.site.archive import site_games, write_archive
from tablee.site.prepared import prepare
folder = Path(sys.argv[1])
build._write_static_files(folder / "site", site_games())
build._write_pages(folder / "site", site_games())
prepare(folder / "prepared", site_games())
write_archive(folder / "tablee.zip", folder / "prepared")
"""
ENVIRONMENTS = """
import sys, gymnasium, tablee.research
from tablee.research.pettingzoo import lantern_v0
from tablee.research.openspiel import spiel_name
found = gymnasium.make("tablee/Lantern-v0", opponent="random").unwrapped
_, info = found.reset(seed=1)
print(int(info["action_mask"].sum()), lantern_v0.env(seats=3).possible_agents, spiel_name("lantern"))
"""


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the package of a guest that brings everything, beside one that cannot be opened."""
    room = write_guest(tmp_path, KEY, set(), monkeypatch)
    (room / "tutorial.toml").write_text(LESSON)
    (room / "TEACH.md").write_text("# Lantern in class\n\nHow many counters are left?\n")
    init, french = room / "__init__.py", room / "locale/fr.po"
    init.write_text(init.read_text().replace("rules=1,", ART))
    french.write_text(french.read_text().replace('msgid "Lantern"\nmsgstr ""', 'msgid "Lantern"\nmsgstr "Lanterne"'))
    broken = tmp_path / KEY / "broken_guest"
    broken.mkdir()
    (broken / "__init__.py").write_text("raise RuntimeError('no')\n")
    (broken / "components.toml").touch()
    entry_points = tmp_path / KEY / f"{KEY}-1.dist-info/entry_points.txt"
    entry_points.write_text(entry_points.read_text() + "broken-guest = broken_guest\n")
    return room


@pytest.fixture
def server(guest: Path, tmp_path: Path) -> Iterator[LocalServer]:
    process = LocalServer(tmp_path).start()
    yield process
    process.stop()


def test_the_server_shows_all_of_it_and_a_broken_guest_costs_one_line(server: LocalServer) -> None:
    start = server.read("/", "fr")
    assert "Lanterne" in start
    assert 'action="/first/lantern"' in start
    assert 'fill="#b3512f"' in start, "its cover"
    assert "by  ·" not in server.read("/")
    assert "A game by" not in server.read(f"/box/{KEY}"), "its author is not named"
    assert "How many counters are left?" in server.read(f"/teach/{KEY}")
    made = server.create(KEY, ["Ada", "greedy"])
    page = server.read(f"/t/{made['table']}?k={made['seats'][0]['token']}", "fr")
    assert "Lanterne" in page
    art = page.partition('data-art="')[2].partition('"')[0]
    assert 'id="lantern"' in server.read(art)
    complaints = [line for line in server.output.splitlines() if "broken" in line]
    assert len(complaints) == 1
    assert complaints[0].endswith("broken_guest/__init__.py, line 1)")


def test_learners_have_its_environments(guest: Path) -> None:
    done = subprocess.run([sys.executable, "-c", ENVIRONMENTS], capture_output=True, text=True, check=True)
    assert done.stdout.split(maxsplit=1)[0] == "3"
    assert "'seat_2'" in done.stdout


def test_the_site_has_its_pages_and_its_rules(guest: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SITE, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Lanterne" in (tmp_path / "site/fr/index.html").read_text()
    assert ".game-lantern" in (tmp_path / f"site/static/{KEY}/joined/table.css").read_text()
    with zipfile.ZipFile(tmp_path / "tablee.zip") as archive:
        archive.extractall(tmp_path / "browser")
    assert (tmp_path / "browser/lantern/kernel.py").exists()
    program = "from tablee import games; print(games.find('lantern').title, 'lantern' in games.known(), games.folder('lantern'))"
    command = [sys.executable, "-c", program]
    environment = {"PYTHONPATH": str(tmp_path / "browser"), "TABLEE_PLAIN": "1", "PATH": ""}
    printed = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    assert printed.split() == ["Lantern", "True", str(tmp_path / "browser/lantern")]
