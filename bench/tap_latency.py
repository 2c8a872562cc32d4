"""Latency of taps in Chromium, with and without 100 ms of network: milliseconds to the first frame that answers, and to the full answer.

By the browser's own clock: from the time stamp of the click to the frame in which the tap is seen, or the server's answer is. With
`--before FOLDER`, the `src` of another version, its pages take turns with ours.

python -m bench.tap_latency [--taps N] [--games GAME ...] [--before FOLDER]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import chromium
from tests.browser.table import PHONE
from tests.browser.waiting import either, live, there
from tests.server.process import ServerProcess

DELAY_S = 0.05  # each way
GAMES = {"mayflower": ["Ada", "Ben"], "rolling-village": ["Ada"], "amerique-1500": ["Ada", "greedy"]}
SEEN = ".asked, .asked-tile, .pressed, .rubbed-out"
CLOCK = """
window.timeTap = (seen) => { window.tapped = new Promise((done) => addEventListener("click", ({ timeStamp }) => {
  const before = document.getElementById("tray")?.textContent;
  let first = 0;
  const painted = () => {
    const after = performance.now() - timeStamp;
    const answered = document.getElementById("table").dataset.live === "true";
    const tray = document.getElementById("tray")?.textContent;
    if (!first && (answered || document.querySelector(seen) || (before && tray !== before))) first = after;
    if (answered) done([first, after]);
    else frame();
  };
  const frame = () => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = painted;
    port1.postMessage(null);
  });
  frame();
}, { capture: true, once: true })); };
"""

MARK_FREE = """() => { for (const site of document.querySelectorAll(".site")) {
    const { x, y, width, height } = site.getBoundingClientRect();
    site.classList.toggle("free", document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".site") === site);
} }"""  # the places that nothing covers

ASKED_FIRST = "body:not([data-die=thrown]) #throw, .picker:not([hidden]) .choice"

Latency = tuple[float, float]  # to the first frame, to the full answer


class DelayingProxy(threading.Thread):
    """Proxy to a local port that passes on everything `delay` seconds later, WebSockets included."""

    def __init__(self, to: int, delay: float) -> None:
        super().__init__(daemon=True)
        self._to, self._delay = to, delay
        self._loop = asyncio.new_event_loop()
        server = self._loop.run_until_complete(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port = int(server.sockets[0].getsockname()[1])

    def run(self) -> None:
        self._loop.run_forever()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        await asyncio.gather(self._copy(reader, back), self._copy(there, writer))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            self._loop.call_later(self._delay, writer.write, data)
        self._loop.call_later(self._delay, writer.close)


class Taps:
    """A page on which named taps are timed."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: dict[str, list[Latency]] = defaultdict(list)  # by tap

    def tap(self, name: str, selector: str) -> None:
        live(self.page)
        place = self.page.locator(selector).first
        self.page.evaluate("seen => window.timeTap(seen)", SEEN)
        place.tap()
        self.found[name].append(tuple(self.page.evaluate("window.tapped")))

    def do(self, selector: str) -> None:
        self.page.locator(selector).first.tap()
        live(self.page)

    def mayflower(self) -> None:
        live(self.page)
        self.page.evaluate(MARK_FREE)
        self.tap("place a tile", ".site.free[data-turns*=' ']" if there(self.page, ".site.free[data-turns*=' ']") else ".site.free")
        if there(self.page, "#turn:enabled"):
            self.tap("turn it", "#turn")
        while not either(self.page, "#confirm", ".choice"):
            self.tap("choose a settler", ".choice")
        self.tap("Confirm", "#confirm")

    def rolling_village(self) -> None:
        while not there(self.page, "#confirm"):
            chooses = there(self.page, ".avenue.pick")
            self.tap("pick an avenue" if chooses else "pencil stroke", ".avenue.pick" if chooses else ".cell.open")
        self.tap("Confirm", "#confirm")

    def amerique_1500(self) -> None:
        while either(self.page, f"{ASKED_FIRST}, #confirm, #enough", "#do-explore"):
            self.do(ASKED_FIRST if there(self.page, ASKED_FIRST) else "#confirm, #enough")
        if there(self.page, "#do-barter:not([aria-disabled])"):
            self.barter()
        for name, place in (("play a card", ".card.ready > [data-moves]"), ("craft", ".item.ready > [data-moves]")):
            if there(self.page, place):
                self.do("#tab-hand:visible, #hand" if name == "play a card" else "#tab-craft:visible, #craft")
                self.tap(name, place)
                self.take_back()
        self.tap("choose an action", "#do-explore")
        self.tap("Confirm", "#confirm")

    def barter(self) -> None:
        self.tap("choose an action", "#do-barter")
        while there(self.page, "#tray:not(.even)"):
            self.do("[data-cube=own]:enabled:not([aria-disabled=true])")
            if "take" in str(self.page.evaluate("document.querySelector('.tray-say').textContent")).split():
                break
        self.tap("barter", "[data-cube=reserve]:not([aria-disabled=true])")
        self.take_back()

    def take_back(self) -> None:
        while not there(self.page, "#do-explore"):
            self.do("#drop")


@contextmanager
def servers(before: Path | None) -> Iterator[dict[tuple[str, str], tuple[ServerProcess, int]]]:
    """Start the server of each version, and yield it with a port of each network."""
    with ExitStack() as stack:
        found = {}
        for version, source in (("now", None), *((("before", before),) if before else ())):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            if source:
                os.environ["PYTHONPATH"], kept = f"{source}:{os.environ.get('PYTHONPATH', '')}", os.environ.get("PYTHONPATH", "")
            server = ServerProcess(folder).start()
            if source:
                os.environ["PYTHONPATH"] = kept
            stack.callback(server.stop)
            slow = DelayingProxy(server.port, DELAY_S)
            slow.start()
            found[version, "0 ms"], found[version, "100 ms"] = (server, server.port), (server, slow.port)
        yield found


def sit(browser: Browser, server: ServerProcess, port: int, game: str) -> Taps:
    """Open a table, and its page through the port."""
    options = {} if game == "rolling-village" else {"first": 0}
    made = server.create(game, GAMES[game], options)
    keys = ".".join(seat["token"] for seat in made["seats"] if seat["token"])
    page = browser.new_context(**PHONE, reduced_motion="reduce").new_page()
    page.add_init_script(CLOCK)
    page.goto(f"http://127.0.0.1:{port}/t/{made['table']}?k={keys}")
    return Taps(page)


def show(samples: list[Latency]) -> str:
    columns = []
    for column in zip(*samples, strict=True):
        columns.append(f"{statistics.median(column):4.0f} / {sorted(column)[int(0.95 * len(column))]:4.0f}")
    return " | ".join(columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taps", type=int, default=8, help="turns in each game, on each network")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=[*GAMES])
    parser.add_argument("--before", type=Path, help="the src of another version")
    chosen = parser.parse_args()
    print("| game | tap | version, network | first frame: median / p95 | full answer: median / p95 | taps |\n|---|---|---|---|---|---|")
    with servers(chosen.before) as places, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PATH, args=["--no-sandbox"])
        for game in chosen.games:
            players = {place: sit(browser, server, port, game) for place, (server, port) in places.items()}
            for _ in range(chosen.taps):
                for player in players.values():
                    getattr(player, game.replace("-", "_"))()
            for tap in dict.fromkeys(tap for player in players.values() for tap in player.found):
                for place, player in players.items():
                    samples = player.found[tap]
                    if samples:
                        print(f"| {game} | {tap} | {', '.join(place)} | {show(samples)} | {len(samples)} |", flush=True)
            for player in players.values():
                player.page.context.close()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
