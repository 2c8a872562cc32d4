"""Tablée without the extra `serve`: rules, bots, simulations and environments work; the server says in one line what to install."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tablee.cli.server_packages import MODULES

PROJECT = Path(__file__).parent.parent
GAME = "rolling-village"
EXTRA = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]["serve"]
BLOCK = f"import sys; sys.modules.update(dict.fromkeys({MODULES!r}))\n"  # from here on, importing them raises ModuleNotFoundError
COMMAND = f"{BLOCK}from tablee.cli import main; sys.exit(main(sys.argv[1:]))"
ENVIRONMENT = f"""{BLOCK}
import gymnasium, tablee.research
env = gymnasium.make("tablee/RollingVillageSolo-v0")
_, info = env.reset(seed=1)
done = False
while not done:
    _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
    done = terminated or truncated
print(info["scores"])
"""


def run_without_server(program: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh interpreter that cannot import the server's packages, with interpreted rules."""
    environment = os.environ | {"TABLEE_PLAIN": "1", "LC_ALL": "C", "XDG_DATA_HOME": str(folder)}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder, check=False)


def test_the_blocked_modules_are_those_of_the_extra() -> None:
    owners = packages_distributions()
    assert {owners[module][0].lower().replace("_", "-") for module in MODULES} == {each.partition(">=")[0] for each in EXTRA}


@pytest.mark.parametrize(
    "command",
    [
        f"simulate {GAME} --bots greedy,random --games 2 --jobs 1 --json",
        f"arena {GAME} --bots greedy,random --games 2 --jobs 1 --json --picture ladder.svg",
    ],
    ids=["simulate", "arena"],
)
def test_bots_play_without_the_server(command: str, tmp_path: Path) -> None:
    done = run_without_server(COMMAND, *command.split(), folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["games"] == 2


@pytest.mark.parametrize("command", ["rules", "components"])
def test_rules_and_box_are_printed_without_the_server(command: str, tmp_path: Path) -> None:
    done = run_without_server(COMMAND, command, GAME, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Rolling Village" in done.stdout


def test_an_environment_is_stepped_without_the_server(tmp_path: Path) -> None:
    done = run_without_server(ENVIRONMENT, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip().startswith("[")


@pytest.mark.parametrize("command", ["", "serve", "--port 0 --no-open", "backup copy.db", "export --out records", "move"])
def test_a_command_of_the_server_says_what_to_install(command: str, tmp_path: Path) -> None:
    done = run_without_server(COMMAND, *command.split(), folder=tmp_path)
    sentence = "tablee: this command needs the packages of the server: pip install 'tablee[serve]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)
    assert list(tmp_path.iterdir()) == []
