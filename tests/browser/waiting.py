"""Reads that wait, for what Playwright's `expect` cannot say.

A page answers in its own time, and on a busy machine that time is long: a test that reads once may read what was there before, or
measure an element that is just being replaced. `tests/test_waiting_reads.py` keeps the raw reads out of the browser tests.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from playwright.sync_api import Locator, Page, expect

TIMEOUT_MS = 30_000  # milliseconds, for whatever is waited for; nothing takes nearly as long on a quiet machine
POLL_INTERVAL_MS = 20  # milliseconds between two reads

T = TypeVar("T")
expect.set_options(timeout=TIMEOUT_MS)


class ElementBox(NamedTuple):
    """Where an element stands in the window, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def inside(self, frame: ElementBox) -> bool:
        """Whether the frame holds all of it, give or take a pixel of rounding."""
        return (
            self.left >= frame.left - 1 and self.top >= frame.top - 1 and self.right <= frame.right + 1 and self.bottom <= frame.bottom + 1
        )

    def overlaps(self, other: ElementBox) -> bool:
        """Whether the two cover each other by more than a pixel of rounding."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > 1 and min(self.bottom, other.bottom) - max(self.top, other.top) > 1


def live(page: Page) -> None:
    """Wait until a table's page has heard the server's answer to everything it said."""
    page.locator("#table[data-live=true]").wait_for(state="attached", timeout=TIMEOUT_MS)


def there(page: Page, selector: str) -> bool:
    """Tell whether a table's page, once it has heard every answer, has such an element."""
    live(page)
    return page.locator(selector).count() > 0


def either(page: Page, one: str, other: str) -> bool:
    """Wait until the page has one of the two, and tell whether it is the first."""
    page.locator(f":is({one}), :is({other})").first.wait_for(state="attached", timeout=TIMEOUT_MS)
    return page.locator(one).count() > 0


def text(place: Locator) -> str:
    """Return the words that an element shows, once it is seen."""
    expect(place).to_be_visible()
    return place.inner_text()


def texts(places: Locator) -> list[str]:
    """Return the words of several elements, once there are any."""
    expect(places.first).to_be_visible()
    return places.all_inner_texts()


def box(place: Locator) -> ElementBox:
    """Measure an element, once it is seen; one that is replaced meanwhile is measured again."""
    expect(place).to_be_visible()
    found = until(place.page, place.bounding_box)
    assert found
    return ElementBox(found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"])


def until(page: Page, read: Callable[[], T], right: Callable[[T], object] = bool, patience: int = TIMEOUT_MS) -> T:
    """Read again and again until the value is right, and return it; a failure shows the last one."""
    deadline = time.monotonic() + patience / 1000
    while not right(value := read()):
        assert time.monotonic() < deadline, f"it stayed {value!r}"
        page.wait_for_timeout(POLL_INTERVAL_MS)
    return value


def becomes(page: Page, read: Callable[[], T], wanted: T) -> None:
    """Wait until a value is as wanted."""
    until(page, read, lambda value: value == wanted)
