"""A table opened in a real browser, as the checks of pages open it (`tablee/checks/browser.py`).

A room's page test asks for the fixture `open_table` (see /conftest.py):

    @pytest.mark.browser
    def test_a_tile_is_laid_by_clicking(open_table: OpenTable) -> None:
        table = open_table("mayflower", ["Ada", "greedy"], {"first": 0})
        page = table.sit(0)                    # Ada's screen; sit(0, 1) shares one screen, sit() watches
        page.locator("...").click()
        assert table.see(0)["version"] == 3    # the API's answer for that seat
"""

from __future__ import annotations

from tablee.checks.browser import DESKTOP, PHONE, BrowserTable, LateGame, OpenTable, Screens, larger, overflow, violations, violations_here

__all__ = [
    "DESKTOP",
    "PHONE",
    "BrowserTable",
    "LateGame",
    "OpenTable",
    "Screens",
    "crafting",
    "larger",
    "overflow",
    "violations",
    "violations_here",
]


def crafting(open_table: OpenTable) -> BrowserTable:
    """Open Amérique 1500 tables until the first player may craft at once: a six would first ask which food they take."""
    while True:
        opened = open_table("amerique-1500", ["Ada", "Bo"], {"first": 0, "societies": "iroquois-inuits-incas-algonquiens"})
        if "craft" in opened.see(0)["legal"]:
            return opened
