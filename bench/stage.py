"""Share of the window that the board takes in each room, with its pixels, for two seats and for the most.

python -m bench.stage
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tablee import games
from tablee.checks.check_page import BOARD, SHARES, share
from tests.browser import chromium
from tests.browser.table import BrowserTable, Screens
from tests.server.process import ServerProcess


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder)).start()
        browser = playwright.chromium.launch(executable_path=chromium.PATH, args=["--no-sandbox"])
        print("| room, seats | " + " | ".join(SHARES) + " |\n|---|" + "---|" * len(SHARES))
        for key in games.known():
            for seats in sorted({2, games.find(key).seats[-1]}):
                print(f"| {key}, {seats} | {' | '.join(measured(server, browser, key, seats))} |")
        server.stop()


def measured(server: ServerProcess, browser: Browser, key: str, seats: int) -> list[str]:
    table = BrowserTable(Screens(server, browser), key, ["Ada", *["greedy"] * (seats - 1)])
    found = []
    for screen, _ in SHARES.values():
        page = table.sit(0, **screen)
        _, _, width, height = page.evaluate(BOARD)
        found.append(f"{100 * share(page):.0f} % ({width:.0f}x{height:.0f})")
        page.context.close()
    return found


if __name__ == "__main__":
    main()
