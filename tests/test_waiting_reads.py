"""Browser tests read a page only by waiting: with Playwright's `expect`, or with the reads of tests/browser/waiting.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RAW = re.compile(r"\.(bounding_box|inner_text|all_inner_texts|is_visible|is_hidden|is_enabled|wait_for_timeout)\(|\.count\(\)|\bsleep\(")
DRIVING = [
    file
    for folder in ("tests", "src/tablee/games", "src/tablee/checks")
    for file in sorted((ROOT / folder).rglob("*.py"))
    if re.search(r"^from playwright|^from tests\.browser", file.read_text(), re.MULTILINE) and file.name != "waiting.py"
]


@pytest.mark.parametrize("file", DRIVING, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_browser_test_reads_without_waiting(file: Path) -> None:
    lines = enumerate(file.read_text().splitlines(), 1)
    assert [f"{file.name}:{number}: {line.strip()}" for number, line in lines if RAW.search(line)] == []


def test_no_other_test_runs_an_event_loop_beside_playwrights() -> None:
    tests = [file for folder in ("tests", "src/tablee/games") for file in (ROOT / folder).rglob("*.py")]
    assert [file.name for file in tests if re.search(r"\basyncio\.run\b", file.read_text())] == ["event_loop.py"]


def test_all_of_them_are_looked_at() -> None:
    assert len(DRIVING) > 20
