"""Parsing the box's file into faces; a fault names its line (M1, M3, R2)."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tablee.core import components
from tablee.core.components import Components
from tablee.core.errors import ComponentsError
from tablee.games.mayflower.faces import SPACES, read_coast, read_faces

HERE = Path(__file__).parent
BOX = components.load(HERE.parent / "components.toml")
PLAINS = [line.split(None, 2) for line in (HERE / "plains.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def test_m1_fifty_designs_and_ninety_five_tiles() -> None:
    faces = read_faces(BOX)
    assert len(faces) == 50
    assert sum(face.count for face in faces) == 95
    assert [face.letter for face in faces][24:28] == ["Y", "Z", "AA", "AB"]


@pytest.mark.parametrize(("letter", "edges", "plains"), PLAINS, ids=[letter for letter, _, _ in PLAINS])
def test_m1_edges_and_plains_of_every_letter(letter: str, edges: str, plains: str) -> None:
    face = next(face for face in read_faces(BOX) if face.letter == letter)
    assert face.edges == edges
    assert (" | ".join(" ".join(plain.halves) for plain in face.plains) or "-") == plains.strip()


def test_m1_every_letter_is_in_the_table() -> None:
    assert [face.letter for face in read_faces(BOX)] == [letter for letter, _, _ in PLAINS]


def test_m1_animals_stand_on_the_plain_that_owns_the_half_edge() -> None:
    animals = {face.letter: [plain.animals for plain in face.plains] for face in read_faces(BOX)}
    assert animals["AW"] == [0, 3]
    assert animals["Q"] == [1, 1]
    assert animals["X"] == [1, 0, 0, 1]


def test_m3_ten_start_spaces_with_three_towns_and_two_roads() -> None:
    spaces = read_coast(BOX).spaces
    assert len(spaces) == SPACES
    assert [space.name for space in spaces if space.kind == "town"] == ["Plymouth", "New York", "Jamestown"]
    assert [row for row, space in enumerate(spaces) if space.kind == "road"] == [3, 6]


TILE = """
[coast]
spaces = ["plain", "town:Plymouth", "plain", "road", "plain", "town:New York", "road", "plain", "town:Jamestown", "plain"]
[tiles.A]
"""

FAULTS = [
    ("count = 0", 5, "count must be a whole number from 1 to 120"),
    ("towns = []", 4, "count is missing from [tiles.A]"),
    ('count = 1\ntowns = ["X"]', 6, "'X' is not a town"),
    (f'count = 1\ntowns = ["N{"+" * 10}"]', 6, "is not a town"),
    ('count = 1\ntowns = ["NN"]', 6, "edge N is used twice"),
    ('count = 1\ntowns = ["N"]\nroads = ["NS"]', 7, "edge N is used twice"),
    ('count = 1\nroads = ["N"]', 6, "'N' is not a road"),
    ('count = 1\nroads = ["NSx"]', 6, "'NSx' is not a road"),
    ('count = 1\nroads = ["NES"]', 6, "'NES' is not a road"),
    ('count = 1\nroads = ["Nf"]', 6, "there is no farm"),
    ('count = 1\nroads = ["Nt"]', 6, "there is no town"),
    ("count = 1\nroads = 3", 6, "roads must be a list of texts"),
    ('count = 1\nfarm = "yes"', 6, "farm must be true or false"),
    ('count = 1\nfarm = true\nroads = ["NS"]', 4, "only one thing can lie in the middle"),
    ('count = 1\nroads = ["NS", "EW"]', 4, "only one thing can lie in the middle"),
    ('count = 1\ntowns = ["N"]\nroads = ["St", "EW"]', 7, "cross each other"),
    ("count = 1\nanimals = { Nx = 1 }", 6, "'Nx' is not a half-edge"),
    ('count = 1\ntowns = ["N"]\nanimals = { Nl = 1 }', 7, "Nl is not plain"),
    ("count = 1\nanimals = { Nl = 0 }", 6, "animals on Nl must be a whole number"),
    ("count = 1\nanimals = { Nl = 1, Sl = 1 }", 6, "the plain of Sl already has its animals"),
    ("count = 1\nanimals = 2", 6, "animals must be a table"),
    ("count = 1\nanimal = { Nl = 1 }", 6, "a tile has no 'animal'"),
    ("count = 1\n[tiles.abc]\ncount = 1", 6, "named by one or two capital letters"),
    ("count = 120\n[tiles.B]\ncount = 1", 1, "too many tiles: 121; there is room for 120"),
    ("count = 1\n" + "".join(f"[tiles.{a}{b}]\ncount = 1\n" for a in "ABCDEFGH" for b in "ABCDEFGH"), 1, "too many designs: 65"),
]


@pytest.mark.parametrize(("text", "line", "reason"), FAULTS, ids=[reason for _, _, reason in FAULTS])
def test_a_fault_names_the_line_and_the_reason(text: str, line: int, reason: str) -> None:
    with pytest.raises(ComponentsError) as fault:
        read_faces(box(TILE + text))
    assert f"line {line}:" in str(fault.value)
    assert reason in str(fault.value)


COAST_FAULTS = [
    ('spaces = ["plain"]', "must be a list of 10 start spaces"),
    ('spaces = ["plain", "plain", "plain", "plain", "plain", "plain", "plain", "plain", "plain", "sea"]', "'sea' is not a start space"),
    ('space = ["plain"]', "spaces is missing from [coast]"),
]


@pytest.mark.parametrize(("text", "reason"), COAST_FAULTS, ids=[reason for _, reason in COAST_FAULTS])
def test_a_wrong_coast_is_named(text: str, reason: str) -> None:
    with pytest.raises(ComponentsError) as fault:
        read_coast(box("[coast]\n" + text))
    assert reason in str(fault.value)


def test_no_tile_at_all_is_a_fault() -> None:
    with pytest.raises(ComponentsError, match="there is no tile"):
        read_faces(box(""))


def box(text: str) -> Components:
    return Components("box.toml", text, tomllib.loads(text))
