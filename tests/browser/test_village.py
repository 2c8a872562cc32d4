"""Rolling Village in real Chromium."""

from __future__ import annotations

import pytest

from tests.browser.table import OpenTable

pytestmark = pytest.mark.browser


def test_it_opens(open_table: OpenTable) -> None:
    table = open_table("rolling-village", ["Ada", "greedy"])
    page = table.sit(0)
    assert page.title() == "Rolling Village · Tablée"
    assert table.see(0)["seat"] == 0
