"""Fixture: the archive of Python for browsers, built once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BUILD = """
import sys
from pathlib import Path
from tablee.site.archive import site_games, write_archive
from tablee.site.prepared import prepare
folder = Path(sys.argv[1])
prepare(folder / "prepared", site_games())
write_archive(folder / "tablee.zip", folder / "prepared")
"""


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    subprocess.run([sys.executable, "-c", BUILD, str(folder)], check=True)  # a process of its own: it plays without machine code
    return folder / "tablee.zip"
