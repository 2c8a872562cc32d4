"""Build the wheel twice and compare: `make dist` leaves one in dist/ only if both have the same bytes.

The times inside are SOURCE_DATE_EPOCH, by default the time of the last commit: another computer makes the same file from that commit.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).parent.parent
DIST = PROJECT / "dist"


def main() -> str | None:
    """Return an error for `sys.exit`, or None."""
    environment = {"SOURCE_DATE_EPOCH": last_commit_time(), **os.environ}
    with tempfile.TemporaryDirectory(prefix="tablee-dist-") as folder:
        one, other = (build(Path(folder) / name, environment) for name in ("one", "other"))
        digests = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in (one, other)]
        if digests[0] != digests[1]:
            return f"two builds of {one.name} differ: {digests[0]} and {digests[1]}"
        DIST.mkdir(exist_ok=True)
        shutil.copy(one, DIST)
    print(f"dist/{one.name}\nsha256 {digests[0]}, twice; SOURCE_DATE_EPOCH={environment['SOURCE_DATE_EPOCH']}")
    return None


def last_commit_time() -> str:
    """Return the time of the last commit in seconds; outside a Git checkout that of the first zip file, 1980."""
    command = ["git", "-C", str(PROJECT), "log", "-1", "--format=%ct"]
    found = subprocess.run(command, capture_output=True, text=True, check=False) if shutil.which("git") else None
    return found.stdout.strip() if found and found.returncode == 0 else "315532800"


def build(folder: Path, environment: dict[str, str]) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-cache-dir", "-w", str(folder), str(PROJECT)]
    subprocess.run(command, env=environment, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


if __name__ == "__main__":
    sys.exit(main())
