"""A scripted player in the browser: taps the best of what can be tapped, and confirms; by mouse, by keys alone or by finger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.table import BrowserTable
from tests.browser.waiting import there, until

LISTEN = """
  window.told = JSON.parse(document.getElementById("now").textContent);
  document.addEventListener("tablee:now", (event) => { window.told = event.detail; });
"""
TRIED = "JSON.stringify([told.draft, told.me, told.covered])"
WISHES = (  # the best first
    ".picker:not([hidden]) .choice",
    ".request-card.ready > button",
    ".item.ready > button",
    ".card.ready > button",
    "#confirm",
    "#enough",
    "#do-explore",
)
HOARD = (".picker:not([hidden]) .choice", "#confirm", "#enough", "#do-explore")
Tap = Callable[[Locator], None]


def by_mouse(target: Locator) -> None:
    target.click()


def by_finger(target: Locator) -> None:
    target.tap()


def by_keys(target: Locator) -> None:
    """Press Tab until the target has the focus, then Enter."""
    page, wanted = target.page, target.get_attribute("id")
    for _ in range(120):
        if page.evaluate("document.activeElement.id") == wanted:
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached by keys")


class Player:
    def __init__(self, table: BrowserTable, seat: int, page: Page, tap: Tap = by_mouse) -> None:
        self.table, self.seat, self.page, self.press = table, seat, page, tap
        page.evaluate(LISTEN)

    @property
    def now(self) -> Any:
        """The state that the server last sent to the page: see `now` of server/view/rendering.py."""
        return self.page.evaluate("window.told")

    def see(self) -> Any:
        return self.table.see(self.seat)

    def until(self, script: str, about: Any = None) -> None:
        """Wait until a script returns true."""
        until(self.page, lambda: self.page.evaluate(script, about))

    def throw(self) -> None:
        """Throw the die if it lies before this player; only then the page asks for anything else."""
        if there(self.page, "#throw:visible"):
            self.press(self.page.locator("#throw"))
            self.until("document.body.dataset.die === 'thrown'")

    def reach(self, selector: str) -> Locator:
        """Return the first match; on a small board it may lie behind a tab, and an exchange behind the choice of a partner."""
        target = self.page.locator(selector).first
        if not there(self.page, f"{selector} >> nth=0 >> visible=true"):
            self.press(self.page.locator(f"#tab-{target.evaluate('each => each.closest(`.place`).id')}"))
        if target.get_attribute("data-ask"):
            self.press(target)
            target = self.page.locator("#whom .choice").first
        return target

    def tap(self, selector: str) -> None:
        """Tap the first match, and wait for the server's answer."""
        self.throw()
        before = self.page.evaluate(TRIED)
        self.press(self.reach(selector))
        self.until(f"before => {TRIED} !== before", before)

    def confirm(self, selector: str = "#confirm") -> None:
        """Press Confirm, and wait until the whole draft has been played."""
        version = self.now["version"]
        self.press(self.page.locator(selector))
        self.until("version => told.version > version && !told.draft.length", version)

    def swap(self, given: str, taken: str) -> None:
        """Put goods into the barter tray; a balanced tray can be confirmed."""
        for shelf, goods in (("own", given), ("reserve", taken)):
            for good in goods:
                self.press(self.page.locator(f"#{shelf}-{good}"))
        self.page.wait_for_selector("#tray.even")
        self.page.wait_for_selector("#confirm")

    def step(self, wishes: Sequence[str] = WISHES) -> None:
        """Tap the best target that there is now."""
        self.throw()
        wish = next(wish for wish in wishes if there(self.page, wish))
        if wish in ("#confirm", "#enough"):
            self.confirm(wish)
        else:
            self.tap(wish)

    def play(self, look: Callable[[], None] = lambda: None) -> None:
        """Play a whole game; `look` is called before every tap."""
        for _ in range(400):
            self.until("told.over || told.my_turn")
            if self.now["over"]:
                return
            look()
            self.step()
        raise AssertionError("a game without end")
