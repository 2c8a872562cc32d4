"""Reads that wait, for what Playwright's `expect` cannot say.

On a busy machine a page answers late: a test that reads once may read the old state, or measure an element that is being replaced.
Tests and checks of pages read in no other way.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from playwright.sync_api import Locator, Page, expect

TIMEOUT_MS = 60_000  # for every wait; far longer than anything takes on an idle machine
POLL_INTERVAL_MS = 20  # between two reads
REST_MS = 150  # between two equal reads of what is at rest

T = TypeVar("T")
expect.set_options(timeout=TIMEOUT_MS)


class ElementBox(NamedTuple):
    """The edges of an element in the window, in pixels."""

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
        """Tell whether the frame contains the whole element, within a pixel of rounding."""
        return (
            self.left >= frame.left - 1 and self.top >= frame.top - 1 and self.right <= frame.right + 1 and self.bottom <= frame.bottom + 1
        )

    def overlaps(self, other: ElementBox) -> bool:
        """Tell whether the two elements overlap by more than a pixel of rounding."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > 1 and min(self.bottom, other.bottom) - max(self.top, other.top) > 1


def live(page: Page) -> None:
    """Wait until a table's page has the box's art, and the server's answer to everything it sent."""
    page.locator("body:not(:has(#art:empty)) #table[data-live=true]").wait_for(state="attached", timeout=TIMEOUT_MS)


def answered(page: Page) -> None:
    """Wait until a page has the server's answer to everything it sent, if it shows a table."""
    page.locator("body:not(:has(#table)), #table[data-live=true]").first.wait_for(state="attached", timeout=TIMEOUT_MS)


def there(page: Page, selector: str) -> bool:
    """Tell whether a table's page has this element, once it has received every answer."""
    live(page)
    return page.locator(selector).count() > 0


def either(page: Page, one: str, other: str) -> bool:
    """Wait until a table's page has one of the two, once it has received every answer; tell whether it is the first."""
    live(page)
    page.locator(f":is({one}), :is({other})").first.wait_for(state="attached", timeout=TIMEOUT_MS)
    return page.locator(one).count() > 0


def text(place: Locator) -> str:
    """Return the text of an element, once it is visible."""
    expect(place).to_be_visible()
    return place.inner_text()


def texts(places: Locator) -> list[str]:
    """Return the texts of several elements, once one is visible."""
    expect(places.first).to_be_visible()
    return places.all_inner_texts()


def box(place: Locator) -> ElementBox:
    """Measure an element, once it is visible; measure again if it is replaced meanwhile."""
    expect(place).to_be_visible()
    found = until(place.page, place.bounding_box)
    assert found
    return ElementBox(found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"])


def until(page: Page, read: Callable[[], T], right: Callable[[T], object] = bool, timeout_ms: int = TIMEOUT_MS) -> T:
    """Poll until the value is right, and return it; a failure shows the last value."""
    deadline = time.monotonic() + timeout_ms / 1000
    while not right(value := read()):
        assert time.monotonic() < deadline, f"it stayed {value!r}"
        page.wait_for_timeout(POLL_INTERVAL_MS)
    return value


def still(page: Page, read: Callable[[], T]) -> T:
    """Poll until the value stays the same for a moment, and return it: what answers in two steps has answered."""
    value = read()
    while True:
        page.wait_for_timeout(REST_MS)
        before, value = value, read()
        if value == before:
            return value


def becomes(page: Page, read: Callable[[], T], wanted: T) -> None:
    """Wait until a value equals `wanted`."""
    until(page, read, lambda value: value == wanted)
