"""A table opened in a real browser: each screen is its own browser context, and no console may show an error."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, Self

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page

from tablee import bots, games
from tablee.checks.local_server import LocalServer
from tablee.checks.rounds import MANY
from tablee.checks.waiting import TIMEOUT_MS, live
from tablee.core import fairness, record
from tablee.core.match import Match

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")  # without either, the one that Playwright has installed
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}}
AXE = Axe().axe_script
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


class Screens:
    """A factory of pages that collects the errors and warnings of their consoles."""

    def __init__(self, server: LocalServer, browser: Browser) -> None:
        self.server, self._browser = server, browser
        self.complaints: list[str] = []

    def show(self, path: str, prepare: Callable[[Page], None] | None = None, **screen: Any) -> Page:
        """Open a page in its own context; `screen` may be **PHONE, color_scheme="dark", locale="fr-FR" and so on."""
        context = self._browser.new_context(**(DESKTOP | {"locale": "en-GB", "reduced_motion": "reduce"} | screen))
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if prepare:
            prepare(page)
        page.goto(self.server.address + path)
        return page

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def close(self) -> None:
        for context in self._browser.contexts:
            context.close()


class BrowserTable:
    """A table created through the API."""

    def __init__(self, screens: Screens, game: str, seats: Sequence[str], options: dict[str, Any] | None = None, **more: Any) -> None:
        """Create the table; `more` holds further settings, such as a clock or a chat."""
        self.screens, self.server = screens, screens.server
        self._find(self.server.create(game, seats, options, **more))

    def _find(self, made: dict[str, Any]) -> None:
        self.id: str = made["table"]
        self.tokens: list[str | None] = [seat["token"] for seat in made["seats"]]

    def path(self, *seats: int) -> str:
        keys = ".".join(str(self.tokens[seat]) for seat in seats)
        return f"/t/{self.id}" + (f"?k={keys}" if keys else "")

    def sit(self, *seats: int, **screen: Any) -> Page:
        """Open a screen with these seats (none: a spectator's) and return it once it is live."""
        page = self.screens.show(self.path(*seats), **screen)
        live(page)
        return page

    def see(self, seat: int | None = None) -> Any:
        return self.server.ask("GET", f"/api/tables/{self.id}", token=None if seat is None else self.tokens[seat])

    def play(self, seat: int, beginning: str = "") -> bool:
        """Play the seat's first legal move with this beginning; tell whether there was one."""
        seen = self.see(seat)
        move = next((move for move in seen["legal"] if move.startswith(beginning)), None)
        if move:
            body = {"move": move, "at": seen["version"], "id": f"m{seen['version']}"}
            self.server.ask("POST", f"/api/tables/{self.id}/moves", body, self.tokens[seat])
        return move is not None

    def finish(self) -> Self:
        """Play the first legal move of the first seat until the game is over; the other seats are bots."""
        while self.play(0) or self.see()["status"] != "over":
            pass
        return self


class LateGame(BrowserTable):
    """A bots' game continued `left` lines before its end, with a person in the first seat."""

    def __init__(self, screens: Screens, game: str, seats: int, left: int = 12, options: dict[str, Any] | None = None) -> None:
        self.screens, self.server = screens, screens.server
        match = bots.play_out(Match(games.find(game), seats, options or {}, fairness.seed_for(6, 1)), [bots.GREEDY] * seats)
        finished = self.server.ask("POST", "/api/records", record.write(match))["table"]
        onward = {"at": max(0, len(match.log) - left), "people": [0], "level": "greedy"}
        self._find(self.server.ask("POST", f"/api/tables/{finished}/play-on", onward))


class OpenTable(Protocol):
    def __call__(self, game: str, seats: Sequence[str], options: dict[str, Any] | None = None) -> BrowserTable: ...


def violations(page: Page, *, both: bool = MANY) -> list[str]:
    """Return the violations that axe finds on the page; with `both`, also the contrast violations of the other theme.

    A run of axe takes a second, so `make test` checks both themes only in check_page.py.
    """
    found = violations_here(page)
    if both:
        dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        themes: tuple[Literal["light", "dark"], ...] = ("dark", "light") if dark else ("light", "dark")
        own, other = themes
        page.emulate_media(color_scheme=other)
        found += violations_here(page, runOnly=["color-contrast"])
        page.emulate_media(color_scheme=own)
    return found


def violations_here(page: Page, **options: Any) -> list[str]:
    """Return the violations in the current theme."""
    if not page.evaluate("'axe' in window"):  # half a megabyte of script: load it once per page
        page.evaluate(AXE)
    found = page.evaluate("options => axe.run(options)", {"resultTypes": ["violations"]} | options)["violations"]
    return [f"{each['id']}: {each['help']}: {node['html'][:160]}" for each in found for node in each["nodes"]]


def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than its screen."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def larger(page: Page) -> None:
    """Double the browser's font size; pass this function to `sit` or `show` as `prepare`."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
