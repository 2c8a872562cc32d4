"""Templates, scripts and style sheets: lines of at most 120 columns, and no rule that makes the browser restyle the whole page at each tap.

With `:has()` on an element that contains the board, or in a rule that ends in a universal selector (`> *`), any change restyles
the whole page: in Mayflower about a thousand shapes. Such rules test a class of #table instead (static/shows.js).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHEETS = sorted((ROOT / "src/tablee").glob("**/static/**/*.css"))
TEMPLATES = [file for folder in ("src", "tests") for file in sorted((ROOT / folder).glob("**/templates/*"))]


def name(sheet: Path) -> str:
    return str(sheet.relative_to(ROOT / "src/tablee"))


SCRIPTS = sorted((ROOT / "src/tablee").glob("**/static/**/*.js"))
WIDTH = 120  # Biome's, which reads no Jinja and breaks no comment; CONTRIBUTING.md says why no formatter writes the templates
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


@pytest.mark.parametrize("sheet", SHEETS, ids=name)
def test_no_rule_has_the_whole_page_styled_again(sheet: Path) -> None:
    found = selectors(sheet)
    assert [each for each in found if HIGH.search(each)] == []
    assert [each for each in found if not NAMED.search(last_compound(each))] == []


def test_templates_only_show_what_the_view_computed() -> None:
    """A template that collects, chooses or adds up needs one of these; the view has types and tests for that."""
    found = [(file.name, line.strip()) for file in TEMPLATES for line in file.read_text(encoding="utf-8").split("\n")]
    computes = r"namespace\(|\.append\(|\.update\(|\| *(?:select|reject|selectattr|rejectattr|groupby|sum|sort)\b"
    assert [each for each in found if re.search(computes, each[1])] == []


def test_lines_are_short() -> None:
    files = (*TEMPLATES, *SHEETS, *SCRIPTS)
    lines = [(file.name, number, line) for file in files for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1)]
    assert len(lines) > 1000
    assert [(name, number) for name, number, line in lines if len(line) > WIDTH] == []


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


PALETTES = ("tokens", "drawings")  # the folders that may name a colour: the tokens, and the palette and drawings of a room
SPACED = r"(?:margin|padding|scroll-padding)(?:-\w+)*|(?:row-|column-)?gap"
RAW = {
    "colour": r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(",
    "duration": r"(?<![\w.-])[\d.]*[1-9][\d.]*m?s\b",
    "letters, space or corner": rf"^(?:{SPACED}|font(?:-size)?|border(?:-\w+)*-radius): [^;]*?(?<![\w.-])-?[\d.]+rem\b",
}


def raw_values(css: str) -> list[str]:
    """Return the declarations that hold a value of their own where a token belongs; `clamp()` and `calc()` may mix their own."""
    bare = re.sub(r"/\*.*?\*/|\b(?:clamp|calc|min|max)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", "", css, flags=re.S)
    lines = [line.strip() for line in re.findall(r"^\s+[\w-]+:\s[^;{]+;", bare, flags=re.M)]
    return [line for line in lines if any(re.search(raw, line, re.I) for raw in RAW.values())]


@pytest.mark.parametrize("sheet", [each for each in SHEETS if each.parent.name not in PALETTES], ids=name)
def test_a_sheet_uses_tokens(sheet: Path) -> None:
    assert raw_values(sheet.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("declaration", "is_raw"),
    [
        ("color: #fff", True),
        ("box-shadow: 0 0 1px rgb(0 0 0 / 20%)", True),
        ("transition: opacity 0.2s", True),
        ("padding: 0.3rem var(--space-2)", True),
        ("border-radius: 1rem", True),
        ("font: 600 1.2rem var(--serif)", True),
        ("font-size: clamp(1rem, 4vw, 2rem)", False),
        ("animation: tumble var(--slow) var(--bounce)", False),
        ("width: 3rem", False),
        ("fill: url(#waves)", False),
    ],
)
def test_raw_values_are_known(declaration: str, is_raw: bool) -> None:
    assert (raw_values(f".one {{\n  {declaration};\n}}") != []) == is_raw


def test_a_sheet_is_short() -> None:
    assert [(name(each), lines) for each in SHEETS if (lines := len(each.read_text(encoding="utf-8").splitlines())) > 300] == []


def test_every_argument_of_a_macro_has_its_type() -> None:
    """A template with macros begins them with a comment "Arguments: name: type; one, other: type"; a name means the same in all of them."""
    missing = []
    for file in TEMPLATES:
        text = file.read_text(encoding="utf-8")
        signatures = re.findall(r"\{%-? macro \w+\(([^)]*)\)", text)
        names = {argument.split("=")[0].strip() for each in signatures for argument in each.split(",")} - {"", "_", "fragment", "fragments"}
        glossary = re.search(r"\{# Arguments: (.*?)#\}", text, re.S)
        clauses = [clause.partition(":") for clause in (glossary[1] if glossary else "").split(";")]
        typed = {name.strip() for names_of, _, kind in clauses if kind.strip() for name in names_of.split(",")}
        missing += [(file.name, name) for name in sorted(names - typed)]
    assert missing == []
