"""A table in a tab: whole games with what a browser has, which is neither the packages of the server nor NumPy, nor Babel."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tablee import games
from tablee.cli.server_packages import MODULES
from tablee.core import record
from tablee.core.i18n import Translator
from tablee.server.table.models import HURRIED
from tablee.site.archive import site_games
from tablee.site.tab.memory import MemoryDevice
from tablee.site.tab.routes import Tab
from tablee.site.tab.storage import FULL
from tablee.site.tab.thinking import Think
from tests.server.event_loop import run_async
from tests.server.seeds import table_config
from tests.site.tab_game import Page

pytestmark = pytest.mark.timeout(900)  # the archive may have to be compiled

PROJECT = Path(__file__).parent.parent.parent
MISSING_IN_BROWSER = (*MODULES, "numpy", "numba", "llvmlite", "babel", "tqdm", "choix", "psycopg")
PROGRAM = f"""
import sys; sys.modules.update(dict.fromkeys({MISSING_IN_BROWSER!r}))
import asyncio, json, tab_game, tablee
assert tablee.__file__.startswith(sys.argv[1]), tablee.__file__
print(json.dumps(asyncio.Runner().run(tab_game.play(sys.argv[2]))))
"""


@pytest.fixture(scope="session")
def unpacked(archive: Path) -> Path:
    """Return a folder with what the archive for browsers holds."""
    subprocess.run([sys.executable, "-m", "zipfile", "-e", archive, archive.parent / "python"], check=True)
    return archive.parent / "python"


@pytest.mark.parametrize("key", site_games())
def test_a_whole_game_needs_only_what_a_browser_has(key: str, unpacked: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TABLEE_")}
    environment |= {"PYTHONPATH": os.pathsep.join((str(unpacked), str(Path(__file__).parent))), "TABLEE_PLAIN": "1"}
    command = [sys.executable, "-c", PROGRAM, str(unpacked), key]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=unpacked, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    played: dict[str, Any] = json.loads(done.stdout)
    verified = record.verify(games.find, json.dumps(played["record"]))
    assert verified.draws == played["draws"] > 0
    assert Translator("fr")(games.find(key).title) in played["listed"]


class SmallDevice(MemoryDevice):
    full = False

    async def write(self, *written: Any) -> str:
        return FULL if self.full else await super().write(*written)


async def play_on_a_full_device() -> tuple[list[int], str, list[str]]:
    device = SmallDevice()
    tab = Tab(device, "en", table_config(bot_pace=60))
    _, made = await tab.answer("POST", "/play/rolling-village", None, "")
    path, before = f"/api/tables/{made['table']}", await tab.tables.table(made["table"])
    seat = before.seating.seat_of_token(made["keys"])
    trial = before.match.branch()
    moves: list[str] = []
    while seat is not None and seat in trial.to_act:
        move = trial.legal(seat)[0]
        moves.append(trial.game.show(move))
        trial.play(seat, move)
    turn = json.dumps({"moves": moves, "at": before.version, "id": "one"})
    statuses, said = [], ""
    for device.full in (True, False, False):  # the same turn again and again, as a page sends it
        status, body = await tab.answer("POST", f"{path}/moves", made["keys"], turn)
        statuses.append(status)
        said = said or body.get("error", "")
    return statuses, said, [str(line) for line, _, _ in device.tables[made["table"]][1] if str(line).startswith(f"{seat} ")]


def test_a_full_device_is_one_sentence_and_the_turn_counts_once_when_there_is_room() -> None:
    statuses, said, lines = run_async(play_on_a_full_device())
    assert statuses == [503, 200, 200]
    assert said == "there is no room left on this device: the turn is saved as soon as there is some"
    assert len(lines) == 2


async def beside_a_thinking_bot(think: Think) -> tuple[MemoryDevice, Page]:
    """Sit down against `medium`, which thinks in another worker; `think` reaches it."""
    device = MemoryDevice()
    tab = Tab(device, "en", table_config(), think=think)
    _, made = await tab.answer("POST", "/play/rolling-village", None, "level=medium")
    page = Page(tab, made["table"], made["keys"])
    await page.say([])
    return device, page


async def draw_while_a_bot_thinks() -> list[str]:
    asked = asyncio.Event()

    async def think(_: str) -> str:
        asked.set()
        await asyncio.Event().wait()  # for ever
        return ""

    _, page = await beside_a_thinking_bot(think)
    await asked.wait()
    await page.say([page.now["legal"][0]])
    draft: list[str] = page.now["draft"]
    page.socket.close()
    return draft


def test_the_page_is_answered_while_a_bot_thinks() -> None:
    assert len(run_async(draw_while_a_bot_thinks())) == 1


async def play_beside_a_lost_worker() -> list[list[str | None]]:
    async def think(_: str) -> str:
        raise OSError("no memory for a second worker")

    device, page = await beside_a_thinking_bot(think)
    while not any(kind == HURRIED for _, _, kind in device.tables[page.table][1]):
        await page.next_message()
    page.socket.close()
    return device.tables[page.table][1]


def test_greedy_moves_where_the_other_worker_is_lost_and_the_log_says_so() -> None:
    lines = run_async(play_beside_a_lost_worker())
    place = next(place for place, (_, _, kind) in enumerate(lines) if kind == HURRIED)
    assert str(lines[place + 1][0]).startswith("1 ")
