"""`tablee new-game` writes packages that install into a fresh environment, play, keep the laws and have a page."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tablee.checks.local_server import LocalServer
from tablee.checks.rounds import rounds
from tablee.cli import main
from tests.new_game import write_guest

PROJECT = Path(__file__).parent.parent
HIDDEN = ("--hidden",)
ALL_KINDS = (
    *[HIDDEN, (), ("--cards",), ("--dice",), ("--board",), ("--simultaneous",), ("--cards", "--board", "--dice")],
    *[("--simultaneous", "--board", "--dice"), ("--simultaneous", "--hidden", "--board"), ("--cards", "--dice", "--simultaneous")],
)
LAWS = "replays or keeps_the_laws or conserved or longest or allocate or files or mask or fields or may_not_know or tell_apart"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a fresh environment that finds Tablée's sources, and borrows their dependencies from this environment."""
    place = tmp_path_factory.mktemp("fresh") / "env"
    venv.create(place, symlinks=True)
    (site,) = place.glob("lib/*/site-packages")
    (site / "others.pth").write_text(f"{PROJECT / 'src'}\n{sysconfig.get_path('purelib')}\n")
    return place


def run(environment: Path, folder: Path, *command: str) -> str:
    """Run a command of the fresh environment; plain rules need no compiler."""
    outside = {"PYTHONPATH", "TABLEE_EXAMPLES"}
    variables = {name: value for name, value in os.environ.items() if name not in outside} | {"TABLEE_PLAIN": "1", "LC_ALL": "C"}
    program = [str(environment / "bin/python"), "-m", *command]
    completed = subprocess.run(program, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return completed.stdout


@pytest.mark.parametrize("kinds", rounds(few=[HIDDEN], many=ALL_KINDS), ids="".join)
def test_a_new_game_installs_plays_and_keeps_the_laws(environment: Path, tmp_path: Path, kinds: tuple[str, ...]) -> None:
    key = "-".join(["zoo", *(kind.strip("-") for kind in kinds)])
    run(environment, tmp_path, "tablee", "new-game", key, *kinds)
    install = [sys.executable, "-m", "pip", "--python", str(environment / "bin/python"), "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*install, "--no-build-isolation", str(tmp_path / key)], check=True)
    assert f"{key}: 3 games" in run(environment, tmp_path, "tablee", "simulate", key, "--games", "3")
    assert "passed" in run(environment, tmp_path, "pytest", "-q", "-p", "no:cacheprovider", key)
    assert "passed" in run(environment, tmp_path, "tablee", "check-game", key, "--only", LAWS)
    ruff = [sys.executable, "-m", "ruff", "check", "--select", "E,F,UP,B", "--line-length", "140", str(tmp_path / key)]
    assert subprocess.run(ruff, check=False).returncode == 0


@pytest.mark.parametrize("kinds", rounds(few=[HIDDEN], many=ALL_KINDS), ids="".join)
def test_a_new_game_has_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: tuple[str, ...]) -> None:
    key = "-".join(["page", *(kind.strip("-") for kind in kinds)])
    write_guest(tmp_path, key, {kind.strip("-") for kind in kinds}, monkeypatch)
    server = LocalServer(tmp_path).start()
    try:
        made = server.create(key, ["Ada", "greedy"])
        token = made["seats"][0]["token"]
        while (seen := server.ask("GET", f"/api/tables/{made['table']}", token=token))["status"] != "over":
            if seen["legal"]:
                body = {"move": seen["legal"][0], "at": seen["version"], "id": str(seen["version"])}
                server.ask("POST", f"/api/tables/{made['table']}/moves", body, token)
                page = server.read(f"/t/{made['table']}?k={token}")
                assert "data-board" in page
        for path in (f"/rules/{key}", f"/box/{key}", "/"):
            assert key in server.read(path)
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("key", "said"),
    [("Chess", "small letters"), ("json", "a Python package of this name already"), ("there", "there is there already")],
)
def test_a_key_that_cannot_be_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], key: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    assert main(["new-game", key]) == 2
    assert said in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["there"]
