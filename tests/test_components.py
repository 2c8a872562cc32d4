"""A box is data, and a fault in it names the file, the line and the reason."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tablee import games
from tablee.core import components
from tablee.core.components import Components, line_of
from tablee.core.errors import ComponentsError
from tablee.core.i18n import msg
from tests.rounds import rounds

TEXT = """\
# a comment with [brackets]
name = "a box"

[sheet]     # heading
rows = [
  [1, 2],
  [3, 4]
]
colour = "red"

[sheet.corner]
"size" = 3
size_of_all = 4
"""
BOX = Components.parse("box.toml", TEXT)


@pytest.mark.parametrize(
    ("table", "key", "line"),
    [
        ("", "name", 2),
        ("sheet", "", 4),
        ("sheet", "rows", 5),
        ("sheet", "colour", 9),
        ("sheet", "absent", 4),
        ("sheet.corner", "size", 12),
        ("sheet.corner", "size_of_all", 13),
        ("nowhere", "size", 1),
    ],
)
def test_a_key_is_found_by_its_line(table: str, key: str, line: int) -> None:
    assert line_of(TEXT, table, key) == line


def test_a_fault_names_file_line_and_reason() -> None:
    assert str(BOX.fault(msg("too few"), "sheet", "rows", row=2)) == "box.toml, line 7: too few"


@pytest.mark.parametrize("value", ["3.0", "true", '"3"', "2", "10", "[3]", "-3"])
def test_a_whole_number_is_whole_and_within_its_bounds(value: str) -> None:
    box = Components.parse("box.toml", f"[game]\nrounds = {value}\n")
    with pytest.raises(ComponentsError, match=r"box\.toml, line 2: rounds must be a whole number from 3 to 9"):
        box.get_int("game", "rounds", 3, 9)


def test_a_whole_number_is_given() -> None:
    assert BOX.get_int("sheet.corner", "size", 3, 3) == 3


@pytest.mark.parametrize(
    ("table", "key", "line"), [("sheet", "depth", 4), ("sheet.edge", "size", 1), ("sheet.colour", "size", 1), ("", "x", 1)]
)
def test_what_is_missing_is_named(table: str, key: str, line: int) -> None:
    with pytest.raises(ComponentsError, match=rf"box\.toml, line {line}: {key} is missing from \[{table}\]"):
        BOX.value(table, key)


@pytest.mark.parametrize("data", [b"= 3", b"a = 1\na = 2", b"\xff\xfe", b"[", b"a = " + b"[" * 10_000])
def test_what_is_not_toml_is_said_in_one_sentence(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "box.toml"
    file.write_bytes(data)
    with pytest.raises(ComponentsError, match=r"box\.toml is not valid TOML: ") as found:
        components.load(file)
    assert "\n" not in str(found.value)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(ComponentsError, match="cannot be read: No such file or directory"):
        components.load(tmp_path / "nowhere.toml")
    with pytest.raises(ComponentsError, match="cannot be read: Is a directory"):
        components.load(tmp_path)


def test_the_hash_is_of_the_text() -> None:
    assert BOX.sha256 != Components.parse("box.toml", TEXT + "\n").sha256
    assert BOX.sha256 == Components.parse("another name.toml", TEXT).sha256


def complaint(key: str, text: str) -> str | None:
    """Return the room's complaint about this box; None if it opens."""
    try:
        games.open_box(key, Components.parse("box.toml", text))
    except ComponentsError as error:
        return str(error)
    return None


def some_of(lines: list[str], count: int) -> list[int]:
    """Return a seeded random sample of `count` line numbers; all of them with TABLEE_ROUNDS=many."""
    return sorted(random.Random(len(lines)).sample(range(len(lines)), min(len(lines), rounds(few=count, many=len(lines)))))


@pytest.mark.parametrize("key", games.known())
def test_a_box_from_which_a_line_is_missing_opens_or_is_refused_in_one_sentence(key: str) -> None:
    lines = games.find(key).components.text.splitlines()
    complaints = [complaint(key, "\n".join(lines[:number] + lines[number + 1 :])) for number in some_of(lines, 40)]
    assert all(each is None or (each.startswith("box.toml") and "\n" not in each) for each in complaints)
    assert any(complaints)
    assert complaint(key, "") is not None


@pytest.mark.parametrize("key", games.known())
@pytest.mark.parametrize("value", ['"?"', "-1", "[]", "{}", "1e9", "true", "[[]]", "999999"])
def test_a_value_of_another_kind_opens_or_is_refused_in_one_sentence(key: str, value: str) -> None:
    lines = games.find(key).components.text.splitlines()
    for number in some_of(lines, 20):
        name, equals, _ = (line := lines[number]).partition("=")
        if equals and not line.startswith("#"):
            sentence = complaint(key, "\n".join([*lines[:number], f"{name}= {value}", *lines[number + 1 :]]))
            assert sentence is None or (sentence.startswith("box.toml") and "\n" not in sentence)


@pytest.mark.parametrize("key", games.known())
def test_a_corrected_box_is_another_box(key: str, tmp_path: Path) -> None:
    game = games.find(key)
    file = tmp_path / "box.toml"
    file.write_text(game.components.text + "\n# my own copy\n", encoding="utf-8")
    mine = games.find(key, file)
    assert mine.components.sha256 != game.components.sha256
    assert mine.seats == game.seats
