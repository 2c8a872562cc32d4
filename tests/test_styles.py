"""The style sheets of a table's page ask for nothing that makes a browser go through the whole page at every tap.

Where `:has()` stands at an element that holds the board, or a rule with it ends in anything at all (`> *`), any change of any part has
all of the page styled again: of Mayflower's land some thousand shapes. Such rules ask for a class of #table instead (static/shows.js).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHEETS = sorted([*(ROOT / "src/tablee/server/static").glob("*.css"), *(ROOT / "src/tablee/games").glob("*/static/*.css")])
HIGH = re.compile(r"(:root|html|body|main|#table|\.at-table|\.game-[\w-]+|\.room|\.stage-board|\.stage-column)(?![\w-])[^\s>~+]*:has\(")
NAMED = re.compile(r"(?<![:\w-])[a-z]|[.#]\w|\[|:is\((?!\*)|::")  # in a last compound: a tag, a class, an id, an attribute or any of some


def selectors(sheet: Path) -> list[str]:
    """Every selector of the sheet that speaks of `:has()`, one by one."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.S)
    lists = re.findall(r"([^{};]+)\{", text)
    return [one.strip() for each in lists for one in re.split(r",(?![^(]*\))", each) if ":has(" in one and not each.strip().startswith("@")]


def last_compound(selector: str) -> str:
    """What the rule is about, without what is said of it in brackets that only exclude or look inside."""
    bare = selector
    while (fewer := re.sub(r":(?:has|not|where)\((?:[^()]|\([^()]*\))*\)", "", bare)) != bare:
        bare = fewer
    return re.split(r"[\s>~+]+(?![^(]*\))", bare.strip())[-1]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_no_rule_has_the_whole_page_styled_again(sheet: Path) -> None:
    found = selectors(sheet)
    assert [each for each in found if HIGH.search(each)] == []
    assert [each for each in found if not NAMED.search(last_compound(each))] == []


@pytest.mark.parametrize(
    ("selector", "is_high", "is_named"),
    [
        (".at-table:has(#end:not([hidden])) .bar", True, True),
        (".stage-column:has(> .finale:not([hidden])) > :not(.finale)", True, False),
        (".main-actions:has(#confirm) > *", False, False),
        (".main-actions:has(#confirm) > :is(button, a)", False, True),
        (".items:has(> :nth-child(6)) .item", False, True),
        (".player > :has(.clock)", False, False),
    ],
)
def test_such_rules_are_known(selector: str, is_high: bool, is_named: bool) -> None:
    assert (bool(HIGH.search(selector)), bool(NAMED.search(last_compound(selector)))) == (is_high, is_named)
