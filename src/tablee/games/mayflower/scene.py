"""Coordinates and SVG of the map, for the page: column c spans x = -100 c to -100 c + 100, row r begins at y = 100 r.

The place of a segment is a cell and a spot, as in the log: "3,2 N", "3,2 Nl", and "3,2" for a farm.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from typing import Any, ClassVar

from tablee.core.i18n import OrList, Translator, mark
from tablee.core.lazy_mapping import LazyMapping
from tablee.core.memoisation import disk_cached
from tablee.core.narration import NarrationEntry
from tablee.games.mayflower.art.chart import chart_defs, keys_as_it_lies, stands_as_it_lies
from tablee.games.mayflower.art.coast_svg import coast_names, coast_outline, coast_svg, nameless_coast_svg, upright_coast_svg
from tablee.games.mayflower.art.faces_svg import grass, laid, tile
from tablee.games.mayflower.art.figures_svg import explorer, explorer_band, settler
from tablee.games.mayflower.art.geometry import CENTRE, Point
from tablee.games.mayflower.art.parcels import anchors, outline
from tablee.games.mayflower.box import KIND_NAMES, KINDS, Pieces
from tablee.games.mayflower.faces import Coast, Face
from tablee.games.mayflower.land import ROLES
from tablee.games.mayflower.sites import View, newly_laid, places_of, since_last_lay, sites, turns_here
from tablee.games.mayflower.tile_descriptions import CORNERS, SHOWN, SIDES, describe

CHUNK_SIZE = 4  # tiles per fragment of the page
FEATURE_BUCKETS = 40  # fragments of the page that hold the features' descriptions
SEA_STEP = 16  # rows by which the sea grows
DRAWN_SHORE = (-16, 32)  # rows of the coast in the art; land seldom goes further

ROLE_NAMES = {"robber": mark("Robber"), "merchant": mark("Merchant"), "farmer": mark("Farmer"), "trapper": mark("Trapper")}
LAYERS = ("grass", "land", "tiles", "hits")


@disk_cached
def _symbols(faces: tuple[Face, ...]) -> str:
    """Return the symbols of everything that is drawn more than once."""
    segments = (
        f'<path id="{_segment_id(face, key)}" fill-rule="evenodd" d="{shape}"/>' for face in faces for key, shape in outline(face).items()
    )
    return chart_defs(faces) + "".join(segments)


@disk_cached
def _upright_coast(coast: Coast) -> str:
    return upright_coast_svg(coast)


@disk_cached
def _anchors_as_json(faces: tuple[Face, ...]) -> str:
    return json.dumps({face.letter: anchors(face) for face in faces})


@cache
def _anchors(faces: tuple[Face, ...]) -> dict[str, dict[str, Point]]:
    """Return a settler's point on every segment of every face, by the face's letter."""
    drawn = json.loads(_anchors_as_json(faces))
    return {letter: {key: (x, y) for key, (x, y) in points.items()} for letter, points in drawn.items()}


@cache
def art(pieces: Pieces) -> str:
    """Return the drawings of a box as an SVG document: the symbols, and the coast between the rows of `DRAWN_SHORE`.

    Patterns get their colours where they are defined, so the document is a chart.
    """
    coast = f'<g id="coast-chart">{nameless_coast_svg(pieces.coast, *DRAWN_SHORE, _upright_coast)}</g>'
    hidden = 'xmlns="http://www.w3.org/2000/svg" class="chart" width="0" height="0"'
    return f"<svg {hidden}><defs>{_symbols(pieces.faces)}{coast}</defs></svg>"


def _segment_id(face: Face, key: str) -> str:
    return f"{face.letter}-{key.replace(' ', '-')}"


def _rows(tiles: list[View]) -> tuple[int, int]:
    """Return the first and last row of the chart, in steps, so that it is seldom drawn again."""
    rows = [0, 9, *(each["row"] for each in tiles)]
    return (min(rows) - 6) // SEA_STEP * SEA_STEP, -(-(max(rows) + 6) // SEA_STEP) * SEA_STEP


def _row_numbers(tiles: list[View]) -> range:
    """Return the rows that hold land, and one more on either side."""
    rows = [0, 9, *(each["row"] for each in tiles)]
    return range(min(rows) - 1, max(rows) + 2)


@cache
def _coast_hits(coast: Coast) -> str:
    shapes = [(row, key.split()[1], shape) for row in range(len(coast.spaces)) for key, shape in coast_outline(coast, row).items()]
    return "".join(f'<path data-at="0,{row} {name}" d="{shape}"/>' for row, name, shape in shapes)


@cache
def _by_letter(pieces: Pieces) -> dict[str, Face]:
    return dict(zip(pieces.letters, pieces.faces, strict=True))


@cache
def _describe_faces(pieces: Pieces) -> Callable[[Translator, str, int], str]:
    """Return the function that describes a tile of the box by its letter and turns; the same one for all scenes of the box."""
    faces = _by_letter(pieces)
    return lambda translator, letter, turns: describe(translator, faces[letter], turns)


@cache
def _chunk_starts(pieces: Pieces) -> range:
    """Return the start of each chunk of laid tiles, as many as the box can fill; no later tile changes a full chunk."""
    return range(0, sum(face.count for face in pieces.faces), CHUNK_SIZE)


@cache
def _chunk_drawing(pieces: Pieces) -> Callable[[str, str], str]:
    """Return the function that draws one layer of a chunk of tiles; the same one for all scenes of the box."""
    return partial(_chunk, pieces)


@lru_cache(maxsize=4096)
def _chunk(pieces: Pieces, layer: str, chunk: str) -> str:
    """Return one layer of a chunk of tiles."""
    return "".join(_render_layer(_by_letter(pieces)[letter], layer, turns, col, row) for letter, turns, col, row in tiles_of(chunk))


def tiles_of(chunk: str) -> list[tuple[str, int, int, int]]:
    """Return the letter, turns, column and row of each tile in a chunk."""
    fields = (tile.split() for tile in chunk.split(";") if tile)
    return [(letter, int(turns), int(col), int(row)) for letter, turns, col, row in fields]


def _render_layer(face: Face, layer: str, turns: int, col: int, row: int) -> str:
    x, y = -100 * col, 100 * row
    if layer == "grass":
        return grass(x, y)
    if layer == "hits":
        return f'<g transform="translate({x} {y})rotate({90 * turns} 50 50)">{_hits(face, turns, f"{col},{row}")}</g>'
    return laid("land" if layer == "land" else "tile", face.letter, turns, x, y)


def _hits(face: Face, turns: int, cell: str) -> str:
    """Return the hit areas of a tile, plains first, so that a road over them is found."""
    found = [(_at(cell, lying), key) for lying, key in keys_as_it_lies(face, turns).items()]
    found.sort(key=lambda each: not each[1].startswith("plain"))
    return "".join(f'<use href="#{_segment_id(face, key)}" data-at="{at}"/>' for at, key in found)


def _at(cell: str, lying: str) -> str:
    """Return the place of a segment: "3,2" and "town N" give "3,2 N"; a farm's place is its cell."""
    return f"{cell} {lying.partition(' ')[2]}".rstrip()


@lru_cache(maxsize=4096)
def _stands(pieces: Pieces, letter: str, turns: int, cell: str) -> dict[str, Point]:
    stands = stands_as_it_lies(_by_letter(pieces)[letter], turns, _anchors(pieces.faces)[letter])
    return {_at(cell, lying): point for lying, point in stands.items()}


@cache
def _stands_by_turns(pieces: Pieces, letter: str) -> str:
    face, points = _by_letter(pieces)[letter], _anchors(pieces.faces)[letter]
    return json.dumps([stands_as_it_lies(face, turns, points) for turns in range(4)])


def _shape(pieces: Pieces, tiles: dict[str, View], at: str) -> str:
    cell, _, name = at.partition(" ")
    col, row = (int(each) for each in cell.split(","))
    if not col:
        return next(f'<path d="{shape}"/>' for key, shape in coast_outline(pieces.coast, row).items() if key.endswith(name))
    face, turns = pieces.faces[pieces.letters.index(tiles[cell]["letter"])], tiles[cell]["turns"]
    key = next(key for lying, key in keys_as_it_lies(face, turns).items() if _at(cell, lying) == at)
    return f'<use href="#{_segment_id(face, key)}" transform="translate({-100 * col} {100 * row})rotate({90 * turns} 50 50)"/>'


def _feature_moves(view: View) -> Iterator[dict[str, Any]]:
    """Yield the legal moves that name a feature, with their forecast."""
    for move, forecast in view["forecast"].items():
        do, _, what = move.partition(" ")
        kind, _, where = what.partition(" ")
        if kind in ROLES:
            last = "{},{}".format(*view["last"])
            at = where if "," in where else f"{last} {where}".rstrip()
            yield {"move": move, "do": do, "kind": kind, "role": ROLES[kind], "at": at, **forecast}


def _explorers(view: View) -> list[dict[str, Any]]:
    """Return both explorers, side by side where they share a column."""
    first, second = view["explorers"]
    beside = 1 if first == second else 0
    return [
        {"column": column, "x": 50 - 100 * column, "shift": shift, "art": explorer(number)}
        for number, (column, shift) in enumerate(((first, -beside), (second, beside)))
    ]


def hand(view: View, draft: list[str]) -> View | None:
    """Return the tile to show large: the one drawn, or the one in the draft."""
    if view["drawn"]:
        return {"letter": view["drawn"], "turns": 0}
    return view["tiles"][-1] if draft and view["tiles"] else None


def scored(entries: Sequence[NarrationEntry]) -> list[dict[str, Any]]:
    """Return the entries with points; a feature paid to several seats has them one above the other."""
    paid = [each for each in entries if each.kind in ("score", "final") and each.points]
    places = [each.place for each in paid]
    return [
        {"place": each.place, "seat": each.seat, "points": each.points, "above": places[:number].count(each.place)}
        for number, each in enumerate(paid)
    ]


def cards(seats: Sequence[View], initials: Sequence[str]) -> list[tuple[int, str]]:
    """Return for each player's card the number of settlers at home, and the drawing of one."""
    return [(each["supply"], settler("merchant", each["seat"], initials[each["seat"]])) for each in seats]


def told(preview: Sequence[NarrationEntry]) -> list[NarrationEntry]:
    """Return of what Confirm would do what is said of it first: what it scores, else what it lays and settles."""
    gains = [each for each in preview if each.kind in ("score", "outnumbered")]
    return gains or [each for each in preview if each.kind in ("lay", "settle", "pass")]


def lead(scores: Sequence[int]) -> int:
    """Return by how many points the first is ahead of the second."""
    *_, second, first = sorted(scores)
    return first - second


GROUPS = {
    "farm": mark("With a farm"),
    "town": mark("With a town"),
    "town road": mark("With a town and a road"),
    "road": mark("With a road"),
    "": mark("Only plains"),
}


@cache
def groups(faces: tuple[Face, ...]) -> list[tuple[str, list[str]]]:
    """Return the letters in the box, grouped by the kinds on their faces."""
    found = [(name, [face.letter for face in faces if _group(face) == group]) for group, name in GROUPS.items()]
    return [(name, letters) for name, letters in found if letters]


def _group(face: Face) -> str:
    return "farm" if face.farm else " ".join(kind for kind, any_of in (("town", face.towns), ("road", face.roads)) if any_of)


def _features(view: View) -> list[list[dict[str, Any]]]:
    """Distribute the features over buckets by their ids, so that a change sends few of them again."""
    buckets: list[list[dict[str, Any]]] = [[] for _ in range(FEATURE_BUCKETS)]
    for feature in view["features"]:
        buckets[feature["id"] % FEATURE_BUCKETS].append(feature | {"places": ";".join(places_of(feature))})
    return buckets


class Scene(LazyMapping):
    """Template variables of the map for one view."""

    def __init__(self, pieces: Pieces, view: View) -> None:
        self._pieces, self._view = pieces, view

    role_names = ROLE_NAMES
    coast_names: ClassVar = {kind: SHOWN[kind[0].upper()] for kind in ("plain", "town", "road")}
    kind_names: ClassVar = dict(zip(KINDS, KIND_NAMES, strict=True))
    tile, figure = staticmethod(tile), staticmethod(settler)
    cards, tiles_of, told, lead = staticmethod(cards), staticmethod(tiles_of), staticmethod(told), staticmethod(lead)
    turns_here, since_last_lay, newly_laid, scored = (
        staticmethod(turns_here),
        staticmethod(since_last_lay),
        staticmethod(newly_laid),
        staticmethod(scored),
    )

    @cached_property
    def _faces(self) -> dict[str, Face]:
        return _by_letter(self._pieces)

    @cached_property
    def _tiles(self) -> dict[str, View]:
        """Return the laid tiles by cell."""
        return {f"{each['col']},{each['row']}": each for each in self._view["tiles"]}

    @cached_property
    def symbols(self) -> str:
        return _symbols(self._pieces.faces)

    @cached_property
    def shore(self) -> tuple[int, int]:
        """Return the rows between which the page draws the sea; `DRAWN_SHORE` unless land lies beyond it."""
        north, south = _rows(self._view["tiles"])
        return min(north, DRAWN_SHORE[0]), max(south, DRAWN_SHORE[1])

    @cached_property
    def chart(self) -> str:
        """Return the coast and the sea for a page that has the art."""
        coast = self._pieces.coast
        return (
            f'<use href="#coast-chart"/>{coast_names(coast)}'
            if self.shore == DRAWN_SHORE
            else coast_svg(coast, *self.shore, _upright_coast)
        )

    @cached_property
    def sea(self) -> str:
        """Return the coast and the sea in full, for a picture without the art."""
        return coast_svg(self._pieces.coast, *_rows(self._view["tiles"]), _upright_coast)

    @cached_property
    def coast(self) -> str:
        return _coast_hits(self._pieces.coast)

    @cached_property
    def chunks(self) -> list[str]:
        """Return the laid tiles in chunks, as many as the box can fill; as text, which makes short keys."""
        lying = ["{letter} {turns} {col} {row}".format_map(each) for each in self._view["tiles"]]
        return [";".join(lying[start : start + CHUNK_SIZE]) for start in _chunk_starts(self._pieces)]

    @cached_property
    def draw_chunk(self) -> Callable[[str, str], str]:
        return _chunk_drawing(self._pieces)

    @cached_property
    def layers(self) -> dict[str, list[str]]:
        """Return all layers of the tiles, for a picture."""
        return {layer: [self.draw_chunk(layer, chunk) for chunk in self.chunks] for layer in LAYERS}

    @cached_property
    def closing(self) -> dict[str, list[View]]:
        return {move: forecast["scores"] for move, forecast in self._view["forecast"].items() if forecast.get("scores")}

    @cached_property
    def settlers(self) -> list[dict[str, Any]]:
        leaving, last = set(self._view["leaving"]), self._view["last"]
        return [self._settler(one, number in leaving, last) for number, one in enumerate(self._view["settlers"])]

    def _settler(self, one: View, leaving: bool, last: list[int] | None) -> dict[str, Any]:
        at = f"{one['col']},{one['row']} {one['spot']}".rstrip()
        x, y = self.spot(at)
        return {**one, "at": at, "x": x, "y": y, "leaving": leaving, "fresh": [one["col"], one["row"]] == last}

    @cached_property
    def choices(self) -> list[dict[str, Any]]:
        """Return the spots for a settler, or the features that may be scored next, in the order of the moves."""
        found = [each for each in _feature_moves(self._view) if each["do"] in ("settle", "score")]
        kinds = [each["kind"] for each in found]
        for number, each in enumerate(found, 1):
            each["x"], each["y"] = self.spot(each["at"])
            each["number"] = number
            each["side"] = (SIDES | CORNERS).get(each["at"].partition(" ")[2]) if kinds.count(each["kind"]) > 1 else None
        return found

    @cached_property
    def risky(self) -> bool:
        """Tell whether a settler of this choice would be sent home by the next explorer move."""
        return any(each.get("risk") for each in self.choices)

    @cached_property
    def features(self) -> list[list[dict[str, Any]]]:
        return _features(self._view)

    @cached_property
    def held(self) -> list[View]:
        return [each for each in self._view["features"] if each["settlers"]]

    @cached_property
    def bands(self) -> str:
        north, south = _rows(self._view["tiles"])
        return "".join(explorer_band(column, north, south) for column in sorted(set(self._view["explorers"])))

    @cached_property
    def explorers(self) -> list[dict[str, Any]]:
        return _explorers(self._view)

    @cached_property
    def columns(self) -> range:
        return range(max([0, *(each["col"] for each in self._view["tiles"])]) + 2)

    @cached_property
    def rows(self) -> range:
        return _row_numbers(self._view["tiles"])

    @cached_property
    def groups(self) -> list[tuple[str, list[str], int]]:
        """Return the letters in the box by what they show, and how many tiles of each group are left in the bag."""
        bag = self._view["bag"]
        return [(name, letters, sum(bag[letter] for letter in letters)) for name, letters in groups(self._pieces.faces)]

    def stands(self, letter: str | None) -> str | None:
        """Return where settlers stand on a tile, by its turns and the segment's name in a move, as JSON."""
        return _stands_by_turns(self._pieces, letter) if letter else None

    def sites(self, before: View) -> list[dict[str, Any]]:
        return sites(self._faces, before)

    def hand(self, draft: list[str]) -> View | None:
        return hand(self._view, draft)

    @cached_property
    def describe(self) -> Callable[[Translator, str, int], str]:
        return _describe_faces(self._pieces)

    def spot(self, place: str) -> Point:
        """Return the point where a settler stands on a segment; the middle of the tile if the place names none."""
        cell, _, _ = place.partition(" ")
        lying = self._tiles.get(cell)
        if lying:
            x, y = _stands(self._pieces, lying["letter"], lying["turns"], cell).get(place, CENTRE)
            return x - 100 * lying["col"], y + 100 * lying["row"]
        col, row = (int(each) for each in cell.split(","))
        return CENTRE[0] - 100 * col, CENTRE[1] + 100 * row

    def shapes(self, place: str) -> str:
        """Return the outline of the whole feature at a place."""
        feature = next(each for each in self._view["features"] if place in places_of(each))
        return "".join(_shape(self._pieces, self._tiles, at) for at in places_of(feature))

    @staticmethod
    def degrees(turns: Iterable[int]) -> tuple[str, ...]:
        return OrList(str(90 * turn) for turn in turns)

    @staticmethod
    def counted(letters: Mapping[str, int]) -> str:
        return ", ".join(f"{letter} × {count}" if count > 1 else letter for letter, count in letters.items())
