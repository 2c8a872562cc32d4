"""Generator of docs/images/*.png (`make screenshots`): seeded bots play each table, a server opens it, Chromium takes the picture."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Browser, sync_playwright

from tablee import bots, games
from tablee.core import fairness
from tablee.core.match import Match
from tablee.server.app import make_app
from tablee.server.process import listen
from tablee.server.registry import TableRegistry
from tablee.server.storage.store import Store
from tablee.server.table.models import LogLine, StoredSeat, StoredTable, hash_token

IMAGES = Path(__file__).parent / "images"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1200, "height": 750}, "device_scale_factor": 0.72}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
WHOLE = 10_000


@dataclass(frozen=True)
class Screenshot:
    """One picture of a table after `lines` lines of its log, seen from the seat `viewer`."""

    name: str
    game: str = ""
    players: tuple[str, ...] = ()
    lines: int = 0
    seed: int = 1
    viewer: int = 0
    screen: dict[str, Any] = field(default_factory=lambda: DESKTOP)
    theme: str = "light"
    language: str = "en-GB"


SCREENSHOTS = [
    Screenshot("start"),
    Screenshot("rolling-village", "rolling-village", ("Léa", "Marco", "Sam"), lines=53, seed=4),
    Screenshot(
        "rolling-village-phone", "rolling-village", ("Léa", "Marco"), lines=37, seed=2, screen=PHONE, theme="dark", language="fr-FR"
    ),
    Screenshot("mayflower-phone", "mayflower", ("Léa", "Marco", "Sam"), lines=62, seed=5, viewer=2, screen=PHONE),
    Screenshot("amerique-1500-phone", "amerique-1500", ("Léa", "Marco", "Sam"), lines=60, seed=6, screen=PHONE, language="it-IT"),
    Screenshot("rolling-village-end", "rolling-village", ("Léa", "Marco"), lines=WHOLE, seed=3),
    Screenshot("mayflower", "mayflower", ("Léa", "Marco", "Sam"), lines=62, seed=5),
    Screenshot("amerique-1500", "amerique-1500", ("Léa", "Marco", "Sam"), lines=60, seed=6),
]


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        store = Store.in_folder(Path(folder))
        for shot in SCREENSHOTS:
            if shot.game:
                store.add_table(set_table(shot))
        with serving(store) as address:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium") or shutil.which("chromium-headless-shell"), args=["--no-sandbox"]
            )
            for shot in SCREENSHOTS:
                take(browser, address, shot)
            browser.close()
        store.close()


def set_table(shot: Screenshot) -> StoredTable:
    """Return a table of human players with a game that greedy bots played up to the wanted line."""
    game = games.find(shot.game)
    match = Match(game, len(shot.players), {}, fairness.seed_for(shot.seed, 0))
    match.play_nature()
    while match.to_act and len(match.log) < shot.lines:
        seat = match.to_act[0]
        match.play(seat, bots.choose(match, seat, bots.find("greedy")))
        match.play_nature()
    seats = tuple(StoredSeat("human", name, token_hash=hash_token(name)) for name in shot.players)
    rows = tuple(LogLine(line, None) for line in match.lines())
    options, seed = dict(match.options), match.seed or b""
    return StoredTable(table_id(shot), game.key, game.rules, game.components, options, seats, seed, match.derivation, rows)


def table_id(shot: Screenshot) -> str:
    return f"scene{SCREENSHOTS.index(shot)}"


@contextmanager
def serving(store: Store) -> Iterator[str]:
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(make_app(TableRegistry(store)), log_level="warning", ws="websockets-sansio"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()


def take(browser: Browser, address: str, shot: Screenshot) -> None:
    settings: dict[str, Any] = {"color_scheme": shot.theme, "locale": shot.language, "reduced_motion": "reduce"}
    context = browser.new_context(**shot.screen, **settings)
    page = context.new_page()
    page.goto(f"{address}/t/{table_id(shot)}?k={shot.players[shot.viewer]}" if shot.game else f"{address}/")
    if shot.game:
        others = [context.new_page() for _ in shot.players[1:]]
        sit(others, address, shot)
        page.locator("body:not(:has(#art:empty)) #table[data-live=true]").wait_for()
        page.locator(".away").first.wait_for(state="detached")
    page.screenshot(path=IMAGES / f"{shot.name}.png")
    context.close()


def sit(pages: Sequence[Any], address: str, shot: Screenshot) -> None:
    """Open a page for every other player, so that all are present."""
    absent = [name for seat, name in enumerate(shot.players) if seat != shot.viewer]
    for page, name in zip(pages, absent, strict=True):
        page.goto(f"{address}/t/{table_id(shot)}?k={name}")


if __name__ == "__main__":
    main()
