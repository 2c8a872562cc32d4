"""docs/research/: its programs run, and its generated tables are those of the code."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from docs import research_tables
from tablee import bots, games
from tablee.arena import Plan, Results, play_all
from tablee.core import fairness, record, slots, stepping
from tablee.core.errors import TableeError
from tablee.core.game import Game, Move, Observation
from tablee.core.match import Match
from tablee.research.curve import curve


def page(name: str) -> str:
    return (research_tables.FOLDER / name).read_text(encoding="utf-8")


def programs(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page(name), re.DOTALL)


(TRAIN,) = programs("baselines.md")
EVALUATE, PLOT = programs("evaluation.md")


def run(program: str, folder: Path) -> str:
    """As somebody would try it: saved to a file."""
    (folder / "program.py").write_text(program, encoding="utf-8")
    ran = subprocess.run([sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("file", research_tables.pages(), ids=lambda file: file.name)
def test_the_generated_tables_are_those_of_the_code(file: Path) -> None:
    assert research_tables.written(file) == file.read_text(encoding="utf-8"), "write them again: python docs/research_tables.py"


def imported(program: str) -> list[str]:
    return re.findall(r"^(?:from|import) (\w+)", program, re.MULTILINE)


BY_HAND = {
    "stable_baselines3",
    "sb3_contrib",
    "torch",
    "torchrl",
}  # gigabytes of PyTorch: their programs were last run by hand on 2026-11-18
QUICK = [program for program in programs("quickstart.md") if not BY_HAND.intersection(imported(program))]


@pytest.mark.parametrize("program", QUICK, ids=lambda program: imported(program)[0])
def test_the_programs_of_the_quickstart_run(program: str, tmp_path: Path) -> None:
    assert run(program.replace("100_000", "500"), tmp_path)


def test_the_rewards_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| (\d) \| (\d) \| ([−/\d]+) \| ([−/\d]+) \|$", page("concepts.md"), re.MULTILINE)
    assert len(rows) == 3
    for seats, winners, *said in rows:
        given = [stepping.win_reward(slots.REWARD_WIN, int(seats), int(winners), won) for won in (True, False)]
        assert given == [float(Fraction(each.replace("−", "-"))) for each in said]


def test_an_agent_is_trained(tmp_path: Path) -> None:
    """Shortened: a hundredth of the updates, fewer games at the end."""
    assert "= 1300, 256, 24, 128, 2000" in TRAIN
    said = run(TRAIN.replace("= 1300, 256, 24, 128, 2000", "= 10, 64, 24, 32, 50"), tmp_path)
    found = re.fullmatch(r"the agent ([0-9.]+), greedy ([0-9.]+) points\n", said)
    assert found
    assert 0 < float(found[1]) < float(found[2])


@pytest.fixture(scope="module")
def standings(tmp_path_factory: pytest.TempPathFactory) -> str:
    return run(EVALUATE.replace("games=20", "games=4"), tmp_path_factory.mktemp("arena"))


def test_a_bot_of_ones_own_is_evaluated_in_the_arena_in_ten_lines(standings: str) -> None:
    assert [line.split()[0] for line in standings.splitlines()] == ["hasty", "random"]
    body = EVALUATE.partition("@bots")[2]
    assert len([line for line in body.splitlines() if line.strip()]) <= 10


def test_such_a_bot_is_known_to_worker_processes_too(standings: str, tmp_path: Path) -> None:
    program = (
        EVALUATE.replace("games=20", "games=4")
        .replace("tournament.play()", "tournament.play(executor=LocalExecutor(2))")
        .replace("import Tournament", "import LocalExecutor, Tournament")
    )
    assert run(program, tmp_path) == standings


def test_a_games_chances_are_plotted(tmp_path: Path) -> None:
    match = bots.play_out(Match(games.find("rolling-village"), 3, {}, fairness.seed_for(1, 1)), [bots.GREEDY, bots.RANDOM, bots.EASY])
    (tmp_path / "game.json").write_text(record.dump(record.write(match)), encoding="utf-8")
    assert "at the beginning" in run(PLOT.replace("positions=30", "positions=4"), tmp_path)
    drawn = ET.fromstring((tmp_path / "chances.svg").read_text(encoding="utf-8"))
    assert len(drawn.findall("{http://www.w3.org/2000/svg}polyline")) == 3


def test_a_curve_begins_at_the_beginning_and_ends_with_the_winners() -> None:
    match = bots.play_out(Match(games.find("amerique-1500"), 2, {}, fairness.seed_for(1, 2)), [bots.GREEDY, bots.GREEDY])
    points = curve(match, positions=3, games=4)
    assert [point.line for point in points] == [0, len(match.log) // 2, len(match.log)]
    assert match.outcome is not None
    assert points[-1].chances == [(seat in match.outcome.winners) / len(match.outcome.winners) for seat in range(2)]
    assert all(sum(point.chances) == pytest.approx(1) for point in points)


def test_a_bot_of_ones_own_has_a_name_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "REGISTERED", {})

    @bots.register("first-move")
    def first_move(game: Game, seen: Observation, luck: object) -> Move:
        assert seen.seat is not None
        return game.legal(seen.state, seen.seat)[0]

    assert bots.find("first-move") is first_move
    assert "first-move" in bots.known()
    assert len(Results.join(play_all(Plan.of(games.find("rolling-village"), 1, ["first-move"], {}, 1), 2))) == 2
    for taken in ("greedy", "hard", "search:nodes=5", "With Space", ""):
        with pytest.raises(TableeError, match="a bot cannot be called"):
            bots.register(taken)
    with pytest.raises(TableeError, match="there is no bot 'first-move'"):
        bots.find_for_table("first-move")
