"""The table in a tab: bytes of the first and second visit, time and CPU to the first turn, milliseconds per tap and bot move, memory.

    python -m bench.tab [GAME]

The site is built first (tablee site). CPU seconds are those of all of Chromium's processes: on a busy machine they say more than the clock.
"""

from __future__ import annotations

import gzip
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.browser import chromium
from tests.browser.waiting import either, live
from tests.site.static_host import StaticHost

LONG_MS = 300_000
LATE = 10  # turns at the end of a game
TICKS = 100  # per second, of /proc
KEPT = "On this device: you can play without a network."


def main(game: str) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Path(folder) / "site"
        subprocess.run([sys.executable, "-m", "tablee.cli", "site", str(site)], check=True)
        files = [file for file in site.rglob("*") if file.is_file()]
        checked = (site / "service_worker.js", site / "files.js")
        print(f"first visit: {_compressed(files):.1f} MB compressed, {sum(file.stat().st_size for file in files) / 1e6:.1f} MB as they lie")
        print(f"second visit: {1000 * _compressed(checked):.0f} kB, to see whether there is a newer build")
        host = StaticHost(site)
        context = playwright.chromium.launch_persistent_context(  # with a disk cache, as people have
            Path(folder) / "profile", executable_path=chromium.PATH, args=["--no-sandbox"], reduced_motion="reduce", locale="en-GB"
        )
        _measure(context, host.address, game)
        host.stop()


def _compressed(files: list[Path] | tuple[Path, ...]) -> float:
    """Return the megabytes of these files as a host compresses them."""
    return sum(len(gzip.compress(file.read_bytes(), 6)) for file in files) / 1e6


def _measure(context: BrowserContext, address: str, game: str) -> None:
    page = context.new_page()
    for visit in ("first", "second"):
        began, cpu = time.monotonic(), _cpu_seconds()
        page.goto(f"{address}/en/index.html")
        if visit == "first":
            expect(page.locator("#offline")).to_contain_text(KEPT, timeout=LONG_MS)
        page.locator(f"#play-{game} button").click()
        page.locator("#bar").wait_for(timeout=LONG_MS)
        print(f"{visit} visit: {time.monotonic() - began:.1f} s to the first turn, {_cpu_seconds() - cpu:.1f} s of CPU")
    live(page)
    taps, moves = zip(*_turns(page), strict=True)
    print(f"a tap: {statistics.median(taps):.0f} ms, the slowest {max(taps):.0f} ms ({len(taps)} turns)")
    late = f"{statistics.median(moves[-LATE:]):.0f} ms in the last {LATE} turns, the slowest {max(moves):.0f} ms"
    print(f"confirming and the bot's answer: {statistics.median(moves):.0f} ms, {late}")
    print(f"memory: {_memory_mb():.0f} MB, all of Chromium's processes")


def _turns(page: Page) -> Iterator[tuple[float, float]]:
    """Play a game with the first legal moves; yield the milliseconds of a tap, and of a confirmed turn up to the next."""
    page.evaluate("""() => {
      const kept = JSON.parse(localStorage.getItem("tablee-preferences") ?? "{}");
      localStorage.setItem("tablee-preferences", JSON.stringify({ ...kept, pace: "quick" }));
    }""")
    page.reload()
    page.locator("#bar").wait_for(timeout=LONG_MS)
    while either(page, "#bar.mine", "#replay-open"):
        live(page)
        tap = 0.0
        while page.locator("#confirm").count() == 0:
            began = time.perf_counter()
            page.evaluate("""() => document.dispatchEvent(
              new CustomEvent("tablee:try", { detail: JSON.parse(document.getElementById("now").textContent).legal[0] }))""")
            live(page)
            tap = tap or 1000 * (time.perf_counter() - began)
        began = time.perf_counter()
        page.locator("#confirm").click()
        page.locator("#confirm").wait_for(state="detached", timeout=LONG_MS)
        either(page, "#bar.mine", "#replay-open")
        live(page)
        yield tap, 1000 * (time.perf_counter() - began)


def _processes() -> Iterator[Path]:
    """Yield the folders in /proc of all descendants of this process that are Chromium."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, fields = stat.read_text().rpartition(")")[::2]
        except OSError:
            continue
        parents[stat.parent] = (int(fields.split()[1]), name)
    mine = {Path("/proc/self").resolve()}
    while found := {each for each, (parent, _) in parents.items() if Path(f"/proc/{parent}") in mine} - mine:
        mine |= found
    yield from (each for each in mine if each in parents and "chrom" in parents[each][1])


def _cpu_seconds() -> float:
    used = [(each / "stat").read_text().rpartition(")")[2].split()[11:13] for each in _processes()]
    return sum(int(user) + int(system) for user, system in used) / TICKS


def _memory_mb() -> float:
    """Return the memory of Chromium, of which shared parts count once for each process that shares them in part."""
    totals = [line for each in _processes() for line in (each / "smaps_rollup").read_text().splitlines() if line.startswith("Pss:")]
    return sum(int(line.split()[1]) for line in totals) / 1000


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "mayflower")
