"""Box loader: an unplayable box is refused, and the refusal names the line and the reason (V1, V2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablee.core import components
from tablee.core.errors import ComponentsError
from tablee.core.i18n import Translator
from tablee.games.rolling_village import open_box
from tablee.games.rolling_village.tests.sample_sheets import GAME
from tablee.server.view.rendering import box_page

FAULTS = [
    ("[3, 0, 2, 2, 0, 3],\n  [0, 1", "[3, 0, 2, 2, 0],\n  [0, 1", 6, "a row of points is 6 whole numbers from 0 to 3"),
    ("[2, 0, 1, 1, 0, 2]", "[2, 0, 1, 4, 0, 2]", 8, "a row of points is 6 whole numbers from 0 to 3"),
    ("  [2, 0, 1, 1, 0, 2],\n", "", 5, "points must be 5 rows"),
    ("[[3, 4], [5, 6], [7]", "[[3, 4], [5, 6, 7], [7]", 4, "7 is not a sum of two dice, or stands twice"),
    ("[[3, 4], [5, 6], [7]", "[[3, 13], [5, 6], [7]", 4, "13 is not a sum of two dice, or stands twice"),
    ("[[3, 4], [5, 6]", "[[3], [5, 6]", 4, "every sum from 2 to 12 needs an avenue"),
    ("[[3, 4], [5, 6], [7]", "[[3, 4], [7]", 4, "avenues must be 5 lists of sums"),
    ("any_avenue = [2, 12]", "any_avenue = [2, 13]", 12, "any_avenue must be a list of whole numbers from 2 to 12"),
    ("forest = [2, 5]", "forest = [1, 5]", 16, "die face 1 stands twice"),
    ("forest = [2, 5]", "forest = [5]", 14, "every die face needs a project"),
    ("forest = [2, 5]\n", "", 14, "forest is missing from [dice]"),
    ("rounds = 9\n", "rounds = 10\n", 20, "rounds must be a whole number from 1 to 9"),
    ("bonus_rounds = [3, 6, 9]", "bonus_rounds = [3, 6, 10]", 21, "bonus_rounds must be a list of whole numbers from 1 to 9"),
    ("bonus_rounds = [3, 6, 9]", "bonus_rounds = [1, 3, 6, 9]", 21, "there are three bonus projects, so at most three bonus rounds"),
    ("park_points = 10", "park_points = true", 22, "park_points must be a whole number from 0 to 100"),
    ("max_players = 12", "max_players = 13", 24, "max_players must be a whole number from 1 to 12"),
]


@pytest.mark.parametrize(("right", "wrong", "line", "reason"), FAULTS, ids=[f"{line}-{reason}" for _, _, line, reason in FAULTS])
def test_v1_v2_a_wrong_box_is_refused_by_line(tmp_path: Path, right: str, wrong: str, line: int, reason: str) -> None:
    text = GAME.components.text
    assert text.count(right) == 1
    file = tmp_path / "mine.toml"
    file.write_text(text.replace(right, wrong), encoding="utf-8")
    with pytest.raises(ComponentsError) as refused:
        open_box(components.load(file))
    assert str(refused.value) == f"mine.toml, line {line}: {reason}"


def test_v1_a_corrected_box_is_played_with(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        GAME.components.text.replace("max_players = 12", "max_players = 5").replace(
            "[3, 0, 2, 2, 0, 3],\n  [0", "[1, 0, 2, 2, 0, 3],\n  [0"
        )
    )
    game = open_box(components.load(file))
    assert list(game.seats) == [1, 2, 3, 4, 5]
    assert game.view(game.observe(game.setup(1, {"setup_types": "free"}), None))["printed"][0] == [1, 0, 2, 2, 0, 3]


def test_v1_the_picture_shows_every_star_of_the_sheet() -> None:
    page = box_page(GAME, Translator("en"))
    assert page.count("★") == 2 * (3 + 2 + 2 + 3) + 2 * (1 + 1) + (2 + 1 + 1 + 2)
    assert all(f">{face}</text>" in page for face in range(1, 7))
    assert "stars are printed on it" in page
