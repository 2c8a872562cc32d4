"""Descriptions of tiles: as they are turned, in every language, with every segment that a settler could stand on."""

from __future__ import annotations

import pytest

from tablee.core.i18n import LANGUAGES, Translator
from tablee.games.mayflower.faces import Face
from tablee.games.mayflower.tests.sample_games import PIECES
from tablee.games.mayflower.tile_descriptions import describe

FACES = dict(zip(PIECES.letters, PIECES.faces, strict=True))
ENGLISH = Translator("en")


def test_the_edges_are_told_clockwise_and_turn_with_the_tile() -> None:
    assert describe(ENGLISH, FACES["D"], 0) == (
        "north a town, east a road, south a plain, west a road. road east and west. "
        "plain north-east and north-west. plain south-east and south-west, 1 animal"
    )
    assert describe(ENGLISH, FACES["D"], 1).startswith("north a road, east a town, south a road, west a plain. road north and south. ")


def test_shields_stations_crossings_and_farms_are_told() -> None:
    assert "town north and west, 1 shield" in describe(ENGLISH, FACES["M"], 0)
    assert "road east, ends at the crossing, 1 post station" in describe(ENGLISH, FACES["Y"], 0)
    assert describe(ENGLISH, FACES["A"], 2) == (
        "north a road, east a plain, south a plain, west a plain. road north, ends at the farm. a farm in the middle"
    )


@pytest.mark.parametrize("face", FACES.values(), ids=FACES)
def test_whatever_a_settler_can_choose_between_is_told_apart(face: Face) -> None:
    for turns in range(4):
        sentences = describe(ENGLISH, face, turns).split(". ")
        assert len(set(sentences)) == len(sentences)
        assert sum(each.startswith("road") for each in sentences) == len(face.roads)
        assert sum(each.startswith("plain") for each in sentences) in (0, len(face.plains)) or len(face.plains) == 1


def test_every_language_says_it_in_its_own_words() -> None:
    texts = {describe(Translator(language), FACES["P"], 0) for language in LANGUAGES}
    assert len(texts) == len(LANGUAGES)
    assert "au nord une ville" in describe(Translator("fr"), FACES["P"], 0)
    assert "a nord una città" in describe(Translator("it"), FACES["P"], 0)
