"""Weight of the pages: bytes and requests of a first and a second visit, and the cost of a move on the Mayflower page.

A move costs bytes sent to a player and to a spectator, and milliseconds to patch the page in Chromium, whose CPU is slowed six times.

python -m bench.page_weight
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, WebSocket, sync_playwright

from tests.browser import chromium
from tests.server.process import ServerProcess

STAGES = (20, 50, 90)
TURNS = 4  # per stage
CPU_SLOWDOWN = 6
TIMED = """
const bare = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
window.patches = [];
Object.defineProperty(WebSocket.prototype, "onmessage", { ...bare, set(handler) {
  bare.set.call(this, (event) => {
    const start = performance.now();
    handler(event);
    document.body.getBoundingClientRect();
    const patched = performance.now() - start;
    requestAnimationFrame(() => setTimeout(() => window.patches.push([patched, performance.now() - start])));
  });
} });
"""


class MeasuredTable:
    def __init__(self, server: ServerProcess) -> None:
        made = server.create("mayflower", ["Ada", "Ben"], {"first": 0})
        self.server, self.id, self.dice = server, made["table"], random.Random(1)
        self.tokens = [seat["token"] for seat in made["seats"]]

    def see(self, seat: int | None = None) -> Any:
        return self.server.ask("GET", f"/api/tables/{self.id}", token=None if seat is None else self.tokens[seat])

    def play(self, move: str | None = None) -> None:
        """Play a move of the acting seat, at random unless given."""
        seat = self.see()["to_act"][0]
        seen = self.see(seat)
        move = move or self.dice.choice(seen["legal"])
        body = {"move": move, "at": seen["version"], "id": str(seen["version"])}
        self.server.ask("POST", f"/api/tables/{self.id}/moves", body, token=self.tokens[seat])

    def reach(self, tiles: int) -> None:
        while len((view := self.see()["view"])["tiles"]) < tiles or view["phase"] != "lay":
            self.play()


class UpdateCost(NamedTuple):
    """Total bytes, and for each message the milliseconds until the page was patched and laid out, and until it was painted."""

    size: int
    patched: list[float]
    painted: list[float]


class MeasuredPage:
    """Page that records the sizes of its messages and the time to show them."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.frames: list[int] = []
        page.add_init_script(TIMED)
        page.on("websocket", self._listen)
        page.goto(address)
        page.wait_for_selector('body:not(:has(#art:empty)) #table[data-live="true"]')
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(deflated(frame)))

    def reset(self) -> None:
        self.page.wait_for_timeout(1500)
        self.frames.clear()
        self.page.evaluate("window.patches.length = 0")

    def cost(self) -> UpdateCost:
        self.page.wait_for_timeout(1500)
        patches = self.page.evaluate("window.patches")
        return UpdateCost(sum(self.frames), [patch for patch, _ in patches], [paint for _, paint in patches])


def deflated(frame: str | bytes) -> int:
    """Return a frame's size under permessage-deflate without context takeover."""
    return len(zlib.compress(frame.encode() if isinstance(frame, str) else frame))


def measure(table: MeasuredTable, player: MeasuredPage, spectator: MeasuredPage) -> dict[str, UpdateCost]:
    """Measure one turn: a draft of the tile on the player's screen, then the lay and the pass for all."""
    move = table.dice.choice(table.see(table.see()["to_act"][0])["legal"])
    for screen in (player, spectator):
        screen.reset()
    player.page.evaluate("move => document.dispatchEvent(new CustomEvent('tablee:draft', { detail: [move] }))", move)
    tried = player.cost()
    player.page.evaluate("document.dispatchEvent(new CustomEvent('tablee:draft', { detail: [] }))")
    for screen in (player, spectator):
        screen.reset()
    table.play(move)
    while table.see()["view"]["phase"] not in ("lay", "over"):
        table.play("pass" if table.see()["view"]["phase"] == "settle" else None)
    return {"tried out": tried, "turn, watched": spectator.cost()}


def visit(context: BrowserContext, address: str) -> tuple[int, int]:
    """Open a page and close it; return the kibibytes on the wire, headers and WebSocket included, and the number of requests."""
    page = context.new_page()
    sizes, asked = list[float](), list[str]()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sizes.append(deflated(frame))))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address, wait_until="networkidle")
    page.close()
    return round(sum(sizes) / 1024), len(asked)


def print_visits(server: ServerProcess, browser: Browser) -> None:
    made = {game: server.create(game, ["Ada", "greedy"]) for game in ("mayflower", "rolling-village", "amerique-1500")}
    places = {"start page": "/"} | {game: f"/t/{table['table']}#k={table['seats'][0]['token']}" for game, table in made.items()}
    print("| page | first visit: KiB, requests | second visit |\n|---|---|---|")
    for name, place in places.items():
        context = browser.new_context(viewport={"width": 1280, "height": 860})
        first, second = (visit(context, server.address + place) for _ in range(2))
        print(f"| {name} | {first[0]}, {first[1]} | {second[0]}, {second[1]} |")
        context.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder)).start()
        browser = playwright.chromium.launch(executable_path=chromium.PATH, args=["--no-sandbox"])
        print_visits(server, browser)
        table = MeasuredTable(server)
        print(f"medians of {TURNS} turns, CPU slowed {CPU_SLOWDOWN} times")
        print(f"{'tiles':>5} {'what':<14} {'messages':>8} {'bytes':>7} {'patch ms':>9} {'painted ms':>10}")
        for tiles in STAGES:
            table.reach(tiles)
            stage(
                table,
                browser.new_page(viewport={"width": 1280, "height": 860}),
                browser.new_page(viewport={"width": 390, "height": 800}),
                tiles,
            )
        server.stop()


def stage(table: MeasuredTable, one: Page, other: Page, tiles: int) -> None:
    address = f"{table.server.address}/t/{table.id}"
    start = time.perf_counter()
    player = MeasuredPage(one, f"{address}?k={'.'.join(table.tokens)}")
    print(f"{tiles:>5} page opened in {1000 * (time.perf_counter() - start):.0f} ms")
    spectator = MeasuredPage(other, address)
    turns = [measure(table, player, spectator) for _ in range(TURNS)]
    for name in turns[0]:
        rows = [turn[name] for turn in turns]
        patch, paint = [ms for row in rows for ms in row.patched], [ms for row in rows for ms in row.painted]
        print(
            f"{tiles:>5} {name:<14} {len(patch) / TURNS:>8.1f} {statistics.median(row.size for row in rows):>7.0f}"
            f" {statistics.median(patch):>9.1f} {statistics.median(paint):>10.1f}"
        )
    one.close()
    other.close()


if __name__ == "__main__":
    main()
