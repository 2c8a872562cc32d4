"""What `-v0` promises: fingerprints and golden trajectories. `python -m tests.research.test_versions` writes `versions.json` again.

A change of this file is a change of an environment: then the version in its ids rises, and the page of the environment says why.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from tablee import games
from tablee.research import pettingzoo
from tablee.research.gymnasium_env import VERSION
from tablee.research.spaces import Spaces, known
from tablee.research.vector import Vector

FILE = Path(__file__).with_name("versions.json")
STEPS, GAMES = 400, 2
OWN = [key for key in known() if games.package(key).rpartition(".")[0] == games.__name__]
PAGES = Path(__file__).parents[2] / "docs" / "research" / "envs"


def trajectory(key: str, seats: int) -> str:
    """Return a hash of everything that a learner receives, step by step, when it takes each legal action in turn."""
    vector, found = Vector(key, seats, GAMES, reward="points", longest=STEPS // 2), hashlib.sha256()
    vector.reset([1, 2])
    for step in range(STEPS):
        for array in (vector.observations, vector.masks, vector.rewards, vector.infos["seat"], vector.terminated, vector.scores):
            found.update(array.tobytes())
        legal = [np.flatnonzero(mask) for mask in vector.masks]
        vector.step(np.array([each[7 * step % len(each)] for each in legal]))
    return found.hexdigest()[:16]


def promised(key: str) -> dict[str, object]:
    game = games.find(key)
    return {
        "fingerprint": Spaces(game, game.seats[0]).fingerprint,
        "trajectories": {str(seats): trajectory(key, seats) for seats in (game.seats[0], game.seats[-1])},
    }


@pytest.mark.parametrize("key", OWN)
def test_an_environment_is_what_its_version_promises(key: str) -> None:
    assert promised(key) == json.loads(FILE.read_text(encoding="utf-8"))[key], "raise its version, then write versions.json again"


@pytest.mark.parametrize("key", OWN)
def test_every_environment_says_its_fingerprint(key: str) -> None:
    print_of = json.loads(FILE.read_text(encoding="utf-8"))[key]["fingerprint"]
    assert Vector(key).fingerprint == print_of
    assert pettingzoo.environment(key).raw_env().metadata["fingerprint"] == print_of
    names = [name for name, spec in gymnasium.registry.items() if spec.kwargs.get("game") == key]
    assert names
    for name in names:
        assert gymnasium.make(name).unwrapped.fingerprint == print_of  # type: ignore[attr-defined]


@pytest.mark.parametrize("key", OWN)
def test_the_page_of_an_environment_has_its_history(key: str) -> None:
    page = (PAGES / f"{key.replace('-', '_')}.md").read_text(encoding="utf-8")
    history = page.partition("## Version history")[2]
    assert f"| {VERSION} |" in history
    assert json.loads(FILE.read_text(encoding="utf-8"))[key]["fingerprint"] in history


def test_another_box_has_another_fingerprint(tmp_path: Path) -> None:
    game = games.find("rolling-village")
    file = tmp_path / "box.toml"
    file.write_text(game.components.text.replace("park_points = 10", "park_points = 9"), encoding="utf-8")
    other = games.find("rolling-village", file)
    assert Spaces(other, 1).fingerprint != Spaces(game, 1).fingerprint
    assert Spaces(game, 1).fingerprint == Spaces(game, 5).fingerprint


if __name__ == "__main__":
    FILE.write_text(json.dumps({key: promised(key) for key in OWN}, indent=1) + "\n", encoding="utf-8")
