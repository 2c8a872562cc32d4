"""The wheel is complete: installed into an empty environment, `tablee` serves every page and every file on it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
GAMES = ("mayflower", "rolling-village", "amerique-1500")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a fresh environment with our wheel, which borrows its dependencies from this environment."""
    place = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)], cwd=PROJECT, check=True)
    (wheel,) = place.glob("*.whl")
    venv.create(place / "env", symlinks=True)
    python = place / "env/bin/python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(command, check=True)
    (site,) = place.glob("env/lib/*/site-packages")
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")  # Python does not execute the .pth files in there
    return place


@pytest.fixture(scope="module")
def address(installed: Path) -> Iterator[str]:
    arguments = ["--no-open", "--host", "127.0.0.1", "--port", "0", "--data", str(installed / "data")]
    with (installed / "output").open("w+") as log:
        server = subprocess.Popen([installed / "env/bin/tablee", *arguments], stdout=log, env=alone(), cwd=installed)
        try:
            while not (found := re.search(r"http://\S+:\d+", (installed / "output").read_text())):
                assert server.poll() is None
            yield found[0]
        finally:
            server.terminate()
            server.wait()


def alone() -> dict[str, str]:
    """Return the environment variables without the paths of this checkout."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def get(url: str, language: str = "en") -> str:
    with urllib.request.urlopen(urllib.request.Request(url, headers={"accept-language": language}), timeout=60) as answer:
        return str(answer.read().decode(errors="replace"))


def test_the_wheel_holds_no_tests_and_the_environment_is_its_own(installed: Path) -> None:
    program = "import tablee, pathlib; root = pathlib.Path(tablee.__path__[0]); print(root, len(list(root.rglob('test_*.py'))))"
    output = subprocess.run([installed / "env/bin/python", "-c", program], capture_output=True, text=True, check=True, env=alone()).stdout
    assert output.startswith(str(installed))
    assert output.split()[-1] == "0"


def test_every_page_and_all_that_it_loads_is_there(address: str) -> None:
    assert json.loads(get(f"{address}/api/health")) == {"ready": True}
    pages = ["/", "/credits", *(f"/{page}/{game}" for page in ("new", "rules", "box") for game in GAMES)]
    for game in GAMES:
        body = json.dumps({"game": game, "seats": [{"kind": "human"}, {"kind": "bot", "level": "hard"}]}).encode()
        wanted = urllib.request.Request(f"{address}/api/tables", body, {"content-type": "application/json"})
        with urllib.request.urlopen(wanted, timeout=60) as made:
            pages.append(f"/t/{json.load(made)['table']}")
    loaded = {link for page in pages for link in re.findall(r'(?:src|href)="(/static/[^"]+)"', get(address + page))}
    assert len(loaded) > 15
    modules = {found for link in loaded if ".js" in link for found in re.findall(r'from "\./([\w-]+\.js)"', get(address + link))}
    assert modules
    for link in loaded | {icon["src"] for icon in json.loads(get(f"{address}/static/platform/manifest.webmanifest"))["icons"]}:
        assert get(address + (link if link.startswith("/") else f"/static/platform/{link}"))
    assert "À quoi" in get(address, "fr")


def test_a_game_is_checked_without_a_checkout(installed: Path) -> None:
    command = [str(installed / "env/bin/tablee"), "check-game", "rolling-village", "--only", "files or hash_seed"]
    completed = subprocess.run(command, capture_output=True, text=True, check=False, env=alone(), cwd=installed)
    assert completed.returncode == 0, completed.stdout
    assert "2 passed" in completed.stdout


def test_what_bots_learned_is_in_it(installed: Path) -> None:
    program = (
        "from tablee import games; learned = ('learned_value', 'win_model'); "
        "print(*(f'{key} {name}' for key in games.known() for name in learned if (games.folder(key) / f'{name}.json').exists()), sep='\\n')"
    )
    output = subprocess.run([installed / "env/bin/python", "-c", program], capture_output=True, text=True, check=True, env=alone()).stdout
    assert output.splitlines() == [
        "amerique-1500 learned_value",
        "amerique-1500 win_model",
        "mayflower learned_value",
        "rolling-village learned_value",
    ]
