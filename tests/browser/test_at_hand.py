"""What somebody looks for at the table is where they look: on a phone, with a long name, with large letters, with the keyboard alone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table import PHONE, OpenTable
from tests.browser.village import finish

pytestmark = pytest.mark.browser

UPRIGHT: dict[str, Any] = PHONE | {"viewport": {"width": 390, "height": 844}}
CUT = "each => { const name = each.closest('.name').getBoundingClientRect(); return each.getBoundingClientRect().right > name.right; }"


def test_every_point_is_one_tap_from_the_end_on_a_phone(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"])
    finish(table)
    page = table.sit(0, **UPRIGHT)
    page.get_by_role("button", name="Every point, round by round").tap()
    expect(page.locator(".every-round table").first).to_be_in_viewport()


def test_a_long_name_leaves_the_mark_of_somebody_who_is_away(open_table: OpenTable) -> None:
    page = open_table("mayflower", ["Ada", "Leo the greatest explorer of them all", "greedy"]).sit(0)
    away = page.locator("#player-1 .away")
    expect(away).to_be_visible()
    assert not away.evaluate(CUT)
