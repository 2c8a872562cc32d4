"""No style sheet of a table's page makes the browser restyle the whole page at every tap.

With `:has()` on an element that contains the board, or in a rule that ends in a universal selector (`> *`), any change restyles
the whole page: in Mayflower about a thousand shapes. Such rules test a class of #table instead (static/shows.js).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHEETS = sorted([*(ROOT / "src/tablee/server/static").glob("*.css"), *(ROOT / "src/tablee/games").glob("*/static/*.css")])
HIGH = re.compile(r"(:root|html|body|main|#table|\.at-table|\.game-[\w-]+|\.room|\.stage-board|\.stage-column)(?![\w-])[^\s>~+]*:has\(")
NAMED = re.compile(r"(?<![:\w-])[a-z]|[.#]\w|\[|:is\((?!\*)|::")  # in a last compound: a tag, class, id, attribute or list of alternatives


def selectors(sheet: Path) -> list[str]:
    """Return every selector of the sheet that contains `:has()`."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.S)
    lists = re.findall(r"([^{};]+)\{", text)
    return [one.strip() for each in lists for one in re.split(r",(?![^(]*\))", each) if ":has(" in one and not each.strip().startswith("@")]


def last_compound(selector: str) -> str:
    """Return the subject of the selector, without `:has()`, `:not()` and `:where()`."""
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
