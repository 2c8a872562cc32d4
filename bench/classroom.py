"""Benchmark of seating a class: thirty devices behind one IP address join by a code and poll until each shows its table.

python -m bench.classroom [PUPILS]
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2

from tests.server.process import ServerProcess

SCHOOL = {"x-forwarded-for": "203.0.113.5"}  # all devices share the school's IP address


def device(server: ServerProcess) -> httpx2.Client:
    return httpx2.Client(base_url=server.address, headers=SCHOOL, timeout=60)


def join(pupil: httpx2.Client, code: str, number: int) -> None:
    path = pupil.get(f"/c/{code}").headers["location"]
    assert pupil.post(f"{path}/join", data={"name": f"Pupil {number}"}).status_code == 303


def wait_for_table(pupil: httpx2.Client, path: str) -> None:
    """Poll as the waiting page does, then open the table."""
    while not (go := pupil.get(f"{path}/where").json()["go"]):
        time.sleep(2)
    assert pupil.get(go).status_code == 200


def measure(server: ServerProcess, pupils: int) -> tuple[float, float]:
    """Return the seconds until all have joined, and from the organiser's click until all see their table."""
    organiser = device(server)
    path = organiser.post("/class", data={"name": "5B"}).headers["location"]
    found = re.search(r"/c/([A-Z]{6})", organiser.get(path).text)
    assert found
    devices = [device(server) for _ in range(pupils)]  # connected before the clock starts
    with ThreadPoolExecutor(pupils) as pool:
        began = time.monotonic()
        list(pool.map(join, devices, [found[1]] * pupils, range(pupils)))
        joined = time.monotonic() - began
        began = time.monotonic()
        seats = {"how": "waiting", "game": "rolling-village", "size": "4", "level": "medium"}
        assert organiser.post(f"{path}/tables", data=seats).status_code == 303
        list(pool.map(lambda pupil: wait_for_table(pupil, path), devices))
        return joined, time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pupils", type=int, nargs="?", default=30, metavar="PUPILS")
    pupils = parser.parse_args().pupils
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), extra_arguments=["--proxy", "127.0.0.1"]).start()
        try:
            for _ in range(3):
                joined, sat = measure(server, pupils)
                print(f"{pupils} have joined in {joined:.2f} s, and see their tables {sat:.2f} s after the organiser's click")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
