"""The drawings: well formed, complete, and the same in every process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tablee import games
from tablee.core import components
from tablee.core.i18n import Translator
from tablee.games.mayflower.art.chart import chart_defs, keys_as_it_lies, stands_as_it_lies
from tablee.games.mayflower.art.coast_svg import coast_outline, coast_svg
from tablee.games.mayflower.art.faces_svg import face_symbols, laid
from tablee.games.mayflower.art.figures_svg import ROLES, SEATS, explorer, explorer_band, figure_defs, settler
from tablee.games.mayflower.art.geometry import CORNERS, MIDDLES, area, inside, spread
from tablee.games.mayflower.art.ground import PlacedStamp
from tablee.games.mayflower.art.layout import layout
from tablee.games.mayflower.art.parcels import anchors, outline, rings
from tablee.games.mayflower.art.planting import planting
from tablee.games.mayflower.art.stamps import ANIMALS
from tablee.games.mayflower.faces import EDGES, Face, read_coast, read_faces
from tablee.server.view.assets import joined
from tablee.server.view.rendering import box_page

ROOM = Path(__file__).parents[1]
BOX = components.load(ROOM / "components.toml")
FACES, COAST = read_faces(BOX), read_coast(BOX)
every_face = pytest.mark.parametrize("face", FACES, ids=[face.letter for face in FACES])


def drawn(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{svg}</svg>')


def keys(face: Face) -> set[str]:
    towns = {f"town {town.edges[0]}" for town in face.towns}
    roads = {f"road {road.edges[0]}" for road in face.roads}
    return towns | roads | {f"plain {plain.halves[0]}" for plain in face.plains} | ({"farm"} if face.farm else set())


def stood(face: Face, *kinds: str) -> list[PlacedStamp]:
    return [stand for stand in planting(face) if stand.stamp.removesuffix("-m") in kinds]


@every_face
def test_a_face_is_well_formed(face: Face) -> None:
    symbols = drawn(face_symbols(face))
    assert [symbol.get("id") for symbol in symbols] == [f"land-{face.letter}", f"tile-{face.letter}"]


@every_face
def test_every_segment_has_an_anchor_and_an_outline(face: Face) -> None:
    assert set(anchors(face)) == set(outline(face)) == set(keys(face))
    assert all(re.fullmatch(r"(M[-\d. L]+Z)+", d) for d in outline(face).values())


@every_face
def test_anchors_lie_inside_their_segments_and_apart(face: Face) -> None:
    for key, anchor in anchors(face).items():
        assert inside(spread([anchor]), rings(face)[key])[0], key
    places = list(anchors(face).values())
    assert all(dist(one, other) >= 18 for number, one in enumerate(places) for other in places[:number])


@every_face
def test_animals_shields_and_stations_drawn_are_those_stated(face: Face) -> None:
    assert len(stood(face, "shield")) == sum(town.shields for town in face.towns)
    assert len(stood(face, "station")) == sum(road.station for road in face.roads)
    for plain in face.plains:
        ring = rings(face)[f"plain {plain.halves[0]}"]
        assert sum(bool(inside(spread([(stand.x, stand.y)]), ring)[0]) for stand in stood(face, *ANIMALS)) == plain.animals
    assert len(stood(face, *ANIMALS)) == sum(plain.animals for plain in face.plains)


@every_face
def test_animals_keep_clear_of_everything_that_settlers_need(face: Face) -> None:
    for animal in stood(face, *ANIMALS, "station"):
        assert all(dist((animal.x, animal.y), anchor) > 15 for anchor in anchors(face).values())


@every_face
def test_segments_fill_the_tile_and_do_not_overlap(face: Face) -> None:
    """Check the areas; roads, walls and fences take the rest."""
    covered = sum(abs(area(ring)) for key, ring in rings(face).items() if key != "farm")
    assert 8500 < covered <= 10000


@every_face
def test_edges_meet_their_neighbours_alike(face: Face) -> None:
    """Check that a town fills its edge from corner to corner, and a road crosses the middle of its edge at a right angle."""
    for town, walls in zip(face.towns, layout(face).walls, strict=True):
        assert all(wall[0] in CORNERS and wall[-1] in CORNERS for wall in walls)
        assert len(walls) == sum(EDGES[(EDGES.index(edge) + 1) % 4] not in town.edges for edge in town.edges)
    for road, centreline in zip(face.roads, layout(face).roads, strict=True):
        ends = [(road.edges[0], centreline[0], centreline[1])] + [(edge, centreline[-1], centreline[-2]) for edge in road.edges[1:]]
        for edge, at, inner in ends:
            assert at == pytest.approx(MIDDLES[EDGES.index(edge)])
            across = abs(inner[0] - at[0]) if edge in "NS" else abs(inner[1] - at[1])
            assert across < 0.08 * dist(at, inner)


@every_face
def test_a_turned_tile_names_its_segments_as_it_lies(face: Face) -> None:
    for turns in range(4):
        stands = stands_as_it_lies(face, turns)
        assert set(keys_as_it_lies(face, turns).values()) == set(anchors(face))
        assert len(stands) == len(anchors(face))
    assert stands_as_it_lies(face, 0) == anchors(face)


def test_a_turn_moves_the_anchor_with_the_tile() -> None:
    road_to_farm = next(face for face in FACES if face.letter == "A")
    x, y = anchors(road_to_farm)["road S"]
    assert stands_as_it_lies(road_to_farm, 1)["road W"] == pytest.approx((100 - y, x))


def test_all_ids_of_a_page_are_unique_and_every_use_finds_its_own() -> None:
    page = drawn(chart_defs(FACES) + coast_svg(COAST))
    ids = [element.get("id") for element in page.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    uses = {(element.get("href") or "").removeprefix("#") for element in page.iter() if element.tag.endswith("use")}
    assert uses <= set(ids)


def test_the_faces_stay_light() -> None:
    assert len(chart_defs(FACES)) < 250_000


def test_r2_the_coast_shows_its_spaces_and_names_its_towns() -> None:
    coast = drawn(coast_svg(COAST))
    names = [text.text for text in coast.iter() if text.get("class") == "place"]
    assert names == ["Plymouth", "New York", "Jamestown"]
    for row, space in enumerate(COAST.spaces):
        wanted = {"town": {"town W"}, "plain": {"plain Wb"}, "road": {"road W", "plain Wb", "plain Wt"}}[space.kind]
        assert set(coast_outline(COAST, row)) == wanted


def test_m7_every_seat_has_the_four_roles_with_its_initial() -> None:
    symbols = {symbol.get("id") for symbol in drawn(figure_defs())}
    assert {f"{role}-{seat}" for role in ROLES for seat in range(SEATS)} <= symbols
    figure = drawn(settler("robber", 3, "É", 40, 50))
    assert [part.get("href") or part.text for part in figure] == ["#robber-3", "É"]


def test_m13_the_explorers_and_their_column() -> None:
    assert drawn(explorer(0) + explorer(1))[1].get("href") == "#explorer-1"
    band = drawn(explorer_band(2, -1, 10))[0][0]
    assert (band.get("x"), band.get("y"), band.get("height")) == ("-200", "-100", "1200")


def test_a_laid_tile_hands_its_turn_to_what_stands_on_it() -> None:
    tile = drawn(laid("tile", "AB", 3, -200, 100))[0]
    assert (tile.get("class"), tile.get("transform")) == ("turn-3", "rotate(270 -150 150)")


def test_every_class_of_the_drawings_is_in_the_style_sheet() -> None:
    sheet = joined("mayflower", "table")
    figures = settler("robber", 0, "A") + explorer_band(1, 0, 1)
    page = drawn(chart_defs(FACES) + coast_svg(COAST) + figures + "".join(laid("tile", "A", turns, 0, 0) for turns in range(4)))
    used = {name for element in page.iter() for name in (element.get("class") or "").split()}
    missing = {name for name in used if not re.search(rf"\.{name}(?![\w-])", sheet)}
    assert missing <= {"w0", "coast"}  # the outermost line and the group need no rule of their own


def test_m1_m2_the_box_page_shows_every_face_with_its_count_and_no_line_of_the_file() -> None:
    page = box_page(games.find("mayflower"), Translator("en"))
    for face in FACES:
        assert f"<p><b>{face.letter}</b> × {face.count}</p>" in page
    assert "95 tiles of 50 designs" in page
    assert "6 settlers in each player&#39;s colour" in page
    assert "Plymouth, New York and Jamestown" in page
    assert "towns =" not in page
    assert "<script" not in page
    assert "http" not in page


def test_the_drawings_are_the_same_in_every_process() -> None:
    program = (
        "import hashlib; from tablee import games; from tablee.core.i18n import Translator;"
        "from tablee.server.view.rendering import box_page;"
        "page = box_page(games.find('mayflower'), Translator('en'));"
        "print(hashlib.sha256(page.encode()).hexdigest())"
    )
    hashes = {
        subprocess.run([sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    }
    assert len(hashes) == 1


@pytest.mark.parametrize(
    "lines",
    [
        'towns = ["EW", "N", "S"]',
        'towns = ["N", "E", "S", "W"]',
        'towns = ["NW"]\nfarm = true\nroads = ["Ef", "Sf"]',
        'towns = ["NW+++"]\nroads = ["Ex*", "Sx*"]',
        'roads = ["NE", "SW*"]\nfarm = true',
        'towns = ["ES"]\nroads = ["NW"]\nanimals = { Nl = 9 }',
        'towns = ["S", "N"]\nroads = ["Et", "Wt"]\nanimals = { Et = 3, Eb = 2 }',
    ],
)
def test_a_corrected_face_is_drawn_too(lines: str) -> None:
    text = re.sub(r"\[tiles\.A\].*?\n\n", f"[tiles.A]\ncount = 2\n{lines}\n\n", BOX.text, flags=re.DOTALL)
    face = read_faces(components.Components("mine.toml", text, tomllib.loads(text)))[0]
    test_every_segment_has_an_anchor_and_an_outline(face)
    test_animals_shields_and_stations_drawn_are_those_stated(face)
    drawn(face_symbols(face))
