"""`--cluster`: a Ray cluster gives the same bytes as one process, even if workers die; every refusal is one sentence."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablee import games
from tablee.arena import LOCAL_EXECUTOR, Executor, Plan, Tournament, dataset, plan_runner, play_all, ray_executor
from tablee.arena.executors import ordered_results
from tablee.cli import main
from tablee.core.errors import TableeError
from tests.rounds import rounds
from training.rolling_village_learner import Learner

GAME = "rolling-village"
GAMES = rounds(few=6, many=24)
WORKING = b"ray::_work"  # the title Ray gives a process that is running a task


@pytest.fixture(scope="module")
def local() -> Iterator[Executor]:
    """Yield one Ray for all tests of this module."""
    with ray_executor.connect("local", 2) as found:
        yield found


def plan(*bots: str) -> Plan:
    return Plan.of(games.find(GAME), 2, bots, {}, seed=5)


def records(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def descendants(parent: int) -> list[tuple[int, bytes]]:
    """Return all descendants of a process, each with its command line."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found += [(int(folder.name), (folder / "cmdline").read_bytes()), *descendants(int(folder.name))]
        except OSError:  # the process has just ended
            continue
    return found


def test_results_are_computed_at_most_max_pending_ahead() -> None:
    begun: list[int] = []
    promised = (begun.append(number) or number for number in range(1000))  # type: ignore[func-returns-value]
    found = ordered_results(promised, lambda number: number, max_pending=8)
    assert [next(found) for _ in range(3)] == [0, 1, 2]
    assert len(begun) == 11


def test_records_results_and_tournaments_are_those_of_one_process(local: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_runner, "CHUNK_SIZE", 2)
    for place, name in ((LOCAL_EXECUTOR, "here"), (local, "there")):
        (tmp_path / name).mkdir()
        assert sum(map(len, play_all(plan("greedy", "random"), 9, place, tmp_path / name))) == 9
    assert records(tmp_path / "here") == records(tmp_path / "there")
    tournament = Tournament.of(games.find(GAME), 2, ["greedy", "random", "easy"], {}, seed=5, games=4)
    here, there = (
        [(chunk, results.scores.tobytes()) for chunk, results in tournament.play(executor=place)] for place in (LOCAL_EXECUTOR, local)
    )
    assert here == there


def test_a_dataset_is_the_same_file(local: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "GAMES_PER_CHUNK", 2)
    monkeypatch.setattr(dataset, "ROW_GROUP_BYTES", 1 << 18)
    for place, name in ((LOCAL_EXECUTOR, "here"), (local, "there")):
        assert sum(dataset.write_dataset(plan("random", "greedy"), 9, tmp_path / name, place)) == 9
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


def test_learning_plays_the_same_games_there(local: Executor) -> None:
    assert Learner(1, local).sheets(4, 0) == Learner(1).sheets(4, 0)


def test_what_a_killed_worker_had_in_hand_is_played_again(local: Executor, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    thinking = plan("search:nodes=1000", "search:nodes=1000")
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    list(play_all(thinking, GAMES, LOCAL_EXECUTOR, tmp_path / "here"))
    killed = 0
    for _ in play_all(thinking, GAMES, local, tmp_path / "there"):
        victim = next((process for process, command in descendants(os.getpid()) if command.startswith(WORKING)), None)
        if victim and killed < 2:
            os.kill(victim, signal.SIGKILL)
            killed += 1
    assert killed, "the second may come too late"
    assert records(tmp_path / "here") == records(tmp_path / "there")
    assert capfd.readouterr() == ("", "")


def test_an_error_of_a_worker_is_the_sentence_that_it_is_here(local: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_executor, "_version", lambda: "99.0")
    with pytest.raises(TableeError, match=r"a worker has Tablée .*, and here is 99.0"):
        list(play_all(plan("random", "random"), 1, local))


def test_two_checkouts_are_told_apart_by_their_sources(tmp_path: Path) -> None:
    for name, text in (("one", "1"), ("same", "1"), ("other", "2")):
        (tmp_path / name / "tests").mkdir(parents=True)
        (tmp_path / name / "turn.py").write_text(text)
        (tmp_path / name / "tests" / "test_turn.py").write_text(name)  # a wheel has none
    one, same, other = (ray_executor.stamp([tmp_path / name]) for name in ("one", "same", "other"))
    assert one == same != other
    assert ray_executor._version().startswith("0.1.0 (")


def test_a_cluster_elsewhere_is_reached_by_its_address(local: Executor) -> None:
    """Through the client server that `ray start --head` opens at port 10001."""
    from ray.util.client.server.server import serve  # noqa: PLC0415  after our own module, which tells Ray to be quiet

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client_server = serve("127.0.0.1", port)
    command = [sys.executable, "-m", "tablee", "simulate", GAME, "--bots", "random", "--games", "300", "--json"]
    try:
        there = subprocess.run([*command, "--cluster", f"ray://127.0.0.1:{port}"], capture_output=True, text=True, check=False)
    finally:
        client_server.stop(0)
    assert (there.stderr, there.returncode) == ("", 0)
    here = subprocess.run(command, capture_output=True, text=True, check=True)
    one, two = ({**json.loads(run.stdout), "jobs": 0, "seconds": 0, "games_per_second": 0} for run in (here, there))
    assert one == two


def test_an_interrupt_ends_everything(tmp_path: Path) -> None:
    """As a terminal does it: the signal goes to the whole process group."""
    command = [sys.executable, "-m", "tablee", "simulate", "mayflower", "--games", "300000", "--cluster", "local", "--record", "records"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True) as running:
        while running.poll() is None and not list(tmp_path.glob("records/*.json")):
            time.sleep(0.05)
        started = descendants(running.pid)
        os.killpg(running.pid, signal.SIGINT)
        assert running.stderr is not None
        message = b"interrupted; the records so far stay in records, and the same command again completes them\n"
        assert (running.wait(), running.stderr.read()) == (130, message)
    assert any(command.startswith(b"ray::") for _, command in started)
    while any(Path(f"/proc/{process}").exists() for process, _ in started):
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--cluster ray://127.0.0.1:1", "the cluster ray://127.0.0.1:1 cannot be reached: Connection refused"),
        ("--cluster 127.0.0.1:10001", "must be ray://HOST:PORT or local, not '127.0.0.1:10001'"),
        ("--cluster ray://127.0.0.1:10001 --jobs 2", "a cluster knows itself how many workers it has; --jobs is for this machine"),
    ],
)
@pytest.mark.parametrize("command", [f"simulate {GAME} --record r", f"arena {GAME} --resume r", f"dataset {GAME} --out r"])
def test_a_cluster_that_is_not_there_is_one_sentence(
    command: str, arguments: str, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*command.split(), *arguments.split(), "--lang", "en"]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_without_ray_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "tablee.arena.ray_executor", raising=False)
    monkeypatch.delattr("tablee.arena.ray_executor", raising=False)
    assert main(["simulate", GAME, "--cluster", "local", "--lang", "en"]) == 2
    assert capsys.readouterr().err == "tablee: --cluster needs Ray: pip install 'tablee[cluster]'\n"
