"""Bots that are programs: the protocol of the arena, and what happens to one that breaks it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tablee import bots, games
from tablee.bots.program import ProgramBot
from tablee.checks.rounds import rounds
from tablee.cli import main
from tablee.core import fairness
from tablee.core.errors import TableeError
from tablee.core.match import Match

PAGE = (Path(__file__).parent.parent / "docs/bots-api.md").read_text(encoding="utf-8")


NOTING = """import json, sys
for line in sys.stdin:
    open(sys.argv[1], "a").write(line)
    print(json.loads(line)["legal"][0], flush=True)
"""

ANOTHER_EACH_TIME = """import json, pathlib, sys
started = pathlib.Path(sys.argv[1])
place = started.exists()
started.touch()
for line in sys.stdin:
    legal = json.loads(line)["legal"]
    print(legal[place % len(legal)], flush=True)
"""


def play(command: str, key: str, seed: int = 1, timeout: float = 60) -> Match:
    match = Match(games.find(key), 2, {}, fairness.seed_for(seed, 1))
    return bots.play_out(match, [ProgramBot(command, timeout), bots.RANDOM])


@pytest.fixture
def smallest(tmp_path: Path) -> str:
    """Return the command of the smallest bot of docs/bots-api.md."""
    (tmp_path / "bot.py").write_text(textwrap.dedent(PAGE[PAGE.rindex("    import json") :]))
    return f"{sys.executable} {tmp_path / 'bot.py'}"


def check(command: str, key: str, only: str = "") -> subprocess.CompletedProcess[str]:
    checking = [sys.executable, "-m", "tablee", "check-game", key, "--bot", command, "--only", only]
    return subprocess.run(checking, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("key", rounds(few=["orchard", "rolling-village"], many=list(games.known())))
def test_the_smallest_program_of_the_guide_conforms(smallest: str, key: str) -> None:
    completed = check(smallest, key)
    assert completed.returncode == 0, completed.stdout
    assert "3 passed" in completed.stdout


def test_a_program_that_plays_the_same_game_differently_does_not(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(ANOTHER_EACH_TIME)
    completed = check(f"{sys.executable} {tmp_path / 'bot.py'} {tmp_path / 'started'}", "orchard", "again")
    assert completed.returncode == 1
    assert "1 failed" in completed.stdout


def test_it_is_told_what_its_seat_may_know_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(NOTING)
    play(f"{sys.executable} {tmp_path / 'bot.py'} {tmp_path / 'questions'}", "orchard")
    questions = [json.loads(line) for line in (tmp_path / "questions").read_text().splitlines()]
    assert len(questions) == 12
    assert {tuple(question) for question in questions} == {("game", "seat", "seats", "view", "legal", "random")}
    assert all(question["seat"] == 0 and len(question["view"]["hand"]) == question["view"]["held"][0] for question in questions)


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("print('castle', flush=True); input(); input()", "answered 'castle', which is not one of its moves"),
        ("pass", "has ended"),
        ("import time\nwhile True: time.sleep(1)", "has not answered in 1 s"),
    ],
)
def test_one_that_breaks_the_protocol_ends_the_run_with_a_sentence(tmp_path: Path, program: str, sentence: str) -> None:
    (tmp_path / "bot.py").write_text(program)
    with pytest.raises(TableeError, match=sentence):
        play(f"{sys.executable} {tmp_path / 'bot.py'}", "orchard", timeout=1 if "sleep" in program else 60)


def test_one_that_is_not_there_cannot_be_started() -> None:
    with pytest.raises(TableeError, match=r"the bot '\./nobody' cannot be started"):
        play("./nobody", "orchard")


def test_the_arena_seats_it(smallest: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "rolling-village", "--bots", f"program:{smallest},random", "--games", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bots"][0]["games"] == 4


def clients() -> dict[str, str]:
    """Return the clients that docs/bots-api.md shows, by file name."""
    found = re.findall(r"^`(player\.\w+)`[^\n]*:\n\n((?: {4}[^\n]*\n|\n)+)", PAGE, re.MULTILINE)
    return {name: textwrap.dedent(program).strip() + "\n" for name, program in found}


def test_every_client_has_at_most_forty_lines() -> None:
    assert {name: len(program.splitlines()) for name, program in clients().items() if len(program.splitlines()) > 40} == {}
    assert len(clients()) == 3
