"""Benchmark of the replay slider in a real browser, over a whole finished Mayflower game: bytes and milliseconds.

python -m bench.replay
"""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, WebSocket, sync_playwright

from tests.browser import chromium
from tests.browser.table import BrowserTable, Screens
from tests.server.process import ServerProcess

DRAG = """async ([turns, at, pause]) => {
    const [slider, began] = [document.getElementById("replay-at"), performance.now()];
    const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
    for (const turn of turns) {
        slider.value = turn;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await wait(pause);
    }
    const shown = () => document.body.dataset.at === String(at) && document.getElementById("table").dataset.live === "true";
    while (!shown()) await wait(2);
    return performance.now() - began;
}"""


class SocketTraffic:
    """Sizes of the messages that a page's WebSocket received, as transferred."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: self.sizes.append(len(data)))


def finished(screens: Screens) -> BrowserTable:
    table = BrowserTable(screens, "mayflower", ["Ada", "greedy", "greedy"], {"first": 0})
    while (seen := table.see(0))["status"] != "over":
        if 0 in seen["to_act"]:
            body: dict[str, Any] = {"move": seen["legal"][0], "at": seen["version"], "id": f"m{seen['version']}"}
            table.server.ask("POST", f"/api/tables/{table.id}/moves", body, token=table.tokens[0])
    return table


def stops(page: Page) -> list[int]:
    return [int(stop) for stop in str(page.locator("#replay").get_attribute("data-stops")).split()]


def step_by_step(page: Page, traffic: SocketTraffic, turns: list[int], ends: list[int]) -> dict[str, float]:
    """Move the slider turn by turn and wait for each."""
    times, before = [], len(traffic.sizes)
    for turn in turns:
        times.append(page.evaluate(DRAG, [[turn], ends[turn], 0]))
    return figures(traffic.sizes[before:], times)


def figures(sizes: list[int], times: list[float]) -> dict[str, float]:
    return {
        "messages": len(sizes),
        "bytes": sum(sizes),
        "bytes_a_step": round(sum(sizes) / max(1, len(times))),
        "largest": max(sizes, default=0),
        "ms_median": round(statistics.median(times), 1),
        "ms_slowest": round(max(times), 1),
    }


def dragged(page: Page, traffic: SocketTraffic, turns: list[int], ends: list[int]) -> dict[str, float]:
    """Drag the slider at the pace of a hand: one turn in 16 ms."""
    before = len(traffic.sizes)
    elapsed = page.evaluate(DRAG, [turns, ends[turns[-1]], 16])
    sizes = traffic.sizes[before:]
    return {"messages": len(sizes), "bytes": sum(sizes), "ms": round(elapsed)}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder)).start()
        browser = playwright.chromium.launch(executable_path=chromium.PATH, args=["--no-sandbox"])
        try:
            screens, traffic = Screens(server, browser), SocketTraffic()
            table = finished(screens)
            page = table.sit(0, prepare=lambda page: page.on("websocket", traffic.listen))
            page.locator("#replay-open").click()
            while not page.locator(".turnings button").count():  # the coach is not done; it starts when the rules are compiled
                page.locator("#replay-back").click()
                page.wait_for_timeout(500)
            ends = stops(page)
            last = len(ends) - 1
            found: dict[str, Any] = {"lines": ends[-1], "turns": last, "page": len(page.content())}
            found["back, one by one"] = step_by_step(page, traffic, list(range(last - 1, -1, -1)), ends)
            found["on, one by one"] = step_by_step(page, traffic, list(range(1, last + 1)), ends)
            found["dragged back"] = dragged(page, traffic, list(range(last, -1, -1)), ends)
            found["dragged on"] = dragged(page, traffic, list(range(last + 1)), ends)
            found["jumps"] = step_by_step(page, traffic, [last // 2, 3, last - 3, last // 3, last], ends)
            print(json.dumps(found, indent=1))
            screens.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
