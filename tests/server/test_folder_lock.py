"""Folder lock: a data folder belongs to one server; after its end one file holds all the data."""

from __future__ import annotations

import shutil
import signal
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI

from tablee.server.process import Server, listen, signals_recorded
from tablee.server.storage.backup import write_backup
from tablee.server.storage.locks import FolderInUse, lock_folder
from tablee.server.storage.store import DATABASE_FILE, Store
from tests.server.event_loop import run_async
from tests.server.process import TIMEOUT_S, ForkedServer, ServerProcess
from tests.server.table_client import without_presence

pytestmark = pytest.mark.one_engine


def second_server(data: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tablee", "serve", "--no-open", "--host", "127.0.0.1", "--port", "0", "--data", str(data)]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)


def test_a_second_server_on_the_same_folder_says_so_and_ends(own_server: ServerProcess) -> None:
    second = second_server(own_server.folder / "data")
    lines = second.stderr.splitlines()
    assert (second.returncode, second.stdout, len(lines)) == (2, "", 1)
    assert "data" in lines[0]
    assert "--data" in lines[0]
    assert own_server.create("rolling-village", ["Ada"])["table"], "the first one plays on"


def test_a_killed_server_leaves_no_lock_behind(own_server: ServerProcess) -> None:
    for _ in range(2):
        own_server.kill()
        own_server.start()
    assert (own_server.folder / "data" / "tablee.lock").exists()


def test_a_folder_is_free_again(tmp_path: Path) -> None:
    with lock_folder(tmp_path / "new"), pytest.raises(FolderInUse), lock_folder(tmp_path / "new"):
        pass
    with lock_folder(tmp_path / "new"):
        pass


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_after_the_end_one_file_holds_everything(tmp_path: Path, how: signal.Signals) -> None:
    first = ForkedServer(tmp_path / "first")
    first.folder.mkdir()
    first.start()
    made = first.create("rolling-village", ["Ada", "Bo"])
    path, token = f"/api/tables/{made['table']}", made["seats"][0]["token"]
    seen = first.ask("GET", path, token=token)
    first.ask("POST", f"{path}/moves", {"move": seen["legal"][0], "at": seen["version"], "id": "x"}, token)
    before = first.ask("GET", path, token=token)
    first._end(how)
    assert "Traceback" not in first.output
    second = ForkedServer(tmp_path / "second")
    (second.folder / "data").mkdir(parents=True)
    shutil.copy(first.folder / "data" / "tablee.db", second.folder / "data" / "tablee.db")
    second.start()
    try:
        assert without_presence(second.ask("GET", path, token=token)) == without_presence(before)
    finally:
        second.stop()


def test_a_signal_before_it_serves_ends_a_server_as_soon_as_it_does() -> None:
    with signals_recorded() as noted, listen("127.0.0.1", 0) as listening:
        signal.raise_signal(signal.SIGTERM)
        server = Server(uvicorn.Config(FastAPI(), log_level="error"), noted, cancel_waits=lambda: None)
        run_async(server.serve(sockets=[listening]))
    assert server.started, "whatever was half done has been done"


@pytest.mark.skipif(sys.platform == "win32", reason="modes are of POSIX")
def test_a_new_data_folder_is_for_its_owner_alone_and_an_older_one_is_left_as_it_is(tmp_path: Path) -> None:
    new, old = tmp_path / "below" / "new", tmp_path / "old"
    old.mkdir(mode=0o755)
    (old / DATABASE_FILE).touch(0o644)
    for folder in (new, old):
        with lock_folder(folder), closing(Store.in_folder(folder)) as store:
            store.ids()
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.glob("tablee.db*")}
            assert {*modes.values()} == {0o600 if folder == new else 0o644}, modes
    assert stat.S_IMODE(new.stat().st_mode) == 0o700
    write_backup(new, tmp_path / "copy.db")
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
