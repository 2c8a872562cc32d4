"""`tablee new-game` writes packages that install into a fresh environment, play, keep the laws and have a page."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator, Sequence
from contextlib import chdir
from itertools import combinations
from pathlib import Path

import pytest

from tablee.checks.local_server import LocalServer
from tablee.checks.rounds import rounds
from tablee.cli import main
from tablee.cli.new_game import KINDS

PROJECT = Path(__file__).parent.parent
EACH_KIND = ((), ("cards",), ("dice",), ("board",), ("hidden",), ("simultaneous",), tuple(KINDS))
EVERY_SET = tuple(chosen for count in range(len(KINDS) + 1) for chosen in combinations(KINDS, count))
KIND_SETS = rounds(few=EACH_KIND, many=EVERY_SET)
RULES = 5  # of each game, with a test each
LAWS = "replays or keeps_the_laws or conserved or longest or allocate or files or mask or fields or may_not_know or tell_apart"


def key_of(kinds: Sequence[str]) -> str:
    return "-".join(["zoo", *kinds])


class FreshEnvironment:
    """An environment of its own that finds Tablée's sources, and borrows their dependencies from this environment."""

    def __init__(self, place: Path) -> None:
        self.place, self.python = place, place / "env/bin/python"
        venv.create(place / "env", symlinks=True)
        (self.packages,) = place.glob("env/lib/*/site-packages")
        (self.packages / "others.pth").write_text(f"{PROJECT / 'src'}\n{sysconfig.get_path('purelib')}\n")

    def install(self, folders: Sequence[Path]) -> None:
        install = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "-q", "--no-deps", "--no-index"]
        subprocess.run([*install, "--no-build-isolation", *map(str, folders)], check=True)

    def run(self, *command: str) -> str:
        """Run a module of the environment; plain rules need no compiler."""
        outside = {"PYTHONPATH", "TABLEE_EXAMPLES"}
        variables = {name: value for name, value in os.environ.items() if name not in outside} | {"TABLEE_PLAIN": "1", "LC_ALL": "C"}
        program = [str(self.python), "-m", *command]
        completed = subprocess.run(program, cwd=self.place, env=variables, capture_output=True, text=True, check=False)
        assert completed.returncode == 0, completed.stdout + completed.stderr
        return completed.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> FreshEnvironment:
    """Return an environment into which a game of each kind is installed, as `tablee new-game` has written it."""
    made = FreshEnvironment(tmp_path_factory.mktemp("fresh"))
    with chdir(made.place):
        assert [main(["new-game", key_of(kinds), *(f"--{kind}" for kind in kinds)]) for kinds in KIND_SETS] == [0] * len(KIND_SETS)
    made.install([made.place / key_of(kinds) for kinds in KIND_SETS])
    return made


@pytest.mark.parametrize("kinds", KIND_SETS, ids=key_of)
def test_a_new_game_of_each_kind_installs_and_plays(environment: FreshEnvironment, kinds: Sequence[str]) -> None:
    key = key_of(kinds)
    assert f"{key}: 3 games" in environment.run("tablee", "simulate", key, "--games", "3")


def test_their_own_tests_pass(environment: FreshEnvironment) -> None:
    folders = [key_of(kinds) for kinds in KIND_SETS]
    done = environment.run("pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", *folders)
    assert f"{RULES * len(folders)} passed" in done
    ruff = [sys.executable, "-m", "ruff", "check", "--select", "E,F,UP,B", "--line-length", "140", str(environment.place)]
    assert subprocess.run(ruff, check=False).returncode == 0


def test_they_keep_the_laws(environment: FreshEnvironment) -> None:
    """All in one process of pytest; `tablee check-game` would start one for each."""
    folder = PROJECT / "src/tablee/checks"
    checks = [str(folder / f"{name}.py") for name in ("check_rules", "check_kernel", "check_learners")]
    named = [argument for kinds in KIND_SETS for argument in ("--game", key_of(kinds))]
    alone = ["-c", os.devnull, "--rootdir", str(folder), "--confcutdir", str(folder), "--import-mode=importlib", "-p", "no:cacheprovider"]
    done = environment.run("pytest", *alone, "-p", "tablee.checks.plugin", "-q", *named, "-k", LAWS, *checks)
    assert "passed" in done
    assert "skipped" not in done


@pytest.fixture(scope="module")
def server(environment: FreshEnvironment) -> Iterator[LocalServer]:
    """Yield a server that offers all of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(environment.packages), *filter(None, sys.path)]))
        patch.setenv("TABLEE_PLAIN", "1")
        process = LocalServer(environment.place).start()
    yield process
    process.stop()


@pytest.mark.parametrize("kinds", KIND_SETS, ids=key_of)
def test_a_new_game_of_each_kind_has_a_page(server: LocalServer, kinds: Sequence[str]) -> None:
    key = key_of(kinds)
    made = server.create(key, ["Ada", "greedy"])
    path, token = f"/api/tables/{made['table']}", made["seats"][0]["token"]
    while (seen := server.ask("GET", path, token=token))["status"] != "over":
        if seen["legal"]:
            body = {"move": seen["legal"][0], "at": seen["version"], "id": str(seen["version"])}
            server.ask("POST", f"{path}/moves", body, token)
            assert "data-board" in server.read(f"/t/{made['table']}?k={token}")
    for page in (f"/rules/{key}", f"/box/{key}", "/"):
        assert key in server.read(page)


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
