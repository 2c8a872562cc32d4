"""What only the page needs: where on the map everything lies. Column c lies between x = -100 c and -100 c + 100, row r below y = 100 r.

A segment is found by its place, a cell and a spot as in the tale: "3,2 N", "3,2 Nl", and "3,2" for a farm.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache, partial
from typing import Any

from tablee.core.words import note
from tablee.games.mayflower.art.chart import chart_defs, edge_as_it_lies, keys_as_it_lies, stands_as_it_lies
from tablee.games.mayflower.art.coast_svg import coast_outline, coast_svg
from tablee.games.mayflower.art.faces_svg import grass, laid, tile
from tablee.games.mayflower.art.figures_svg import explorer, explorer_band, settler
from tablee.games.mayflower.art.geometry import CENTRE, Point
from tablee.games.mayflower.art.parcels import outline
from tablee.games.mayflower.box import KIND_NAMES, KINDS, Pieces
from tablee.games.mayflower.describing import CORNERS, SHOWN, SIDES, described
from tablee.games.mayflower.faces import Coast, Face
from tablee.games.mayflower.land import ROLES

CHUNK = 4  # tiles per part of the page
SHARES = 40  # the features' words are so many parts of the page
SEA_STEP = 8  # the sea grows by so many rows

ROLE_NAMES = {"robber": note("Robber"), "merchant": note("Merchant"), "farmer": note("Farmer"), "trapper": note("Trapper")}
LAYERS = ("grass", "land", "tiles", "hits")
View = dict[str, Any]


def scene(pieces: Pieces, view: View) -> dict[str, Any]:
    faces = dict(zip(pieces.letters, pieces.faces, strict=True))
    north, south = _rows(view["tiles"])
    return {
        "symbols": _symbols(pieces.faces),
        "sea": coast_svg(pieces.coast, north, south),
        "coast": _coast_hits(pieces.coast),
        "layers": {layer: _chunks(faces, view["tiles"], layer) for layer in LAYERS},
        "sites": partial(sites, faces),
        "turns_here": turns_here,
        "closing": {move: worth["scores"] for move, worth in view["forecast"].items() if worth.get("scores")},
        "settlers": [_settler(faces, view, number) for number in range(len(view["settlers"]))],
        "choices": _choices(faces, view),
        "features": _features(view),
        "held": [each for each in view["features"] if each["settlers"]],
        "bands": "".join(explorer_band(column, north, south) for column in sorted(set(view["explorers"]))),
        "explorers": _explorers(view),
        "columns": range(max([0, *(each["col"] for each in view["tiles"])]) + 2),
        "walk": [view["tiles"][start : start + CHUNK] for start in range(0, sum(face.count for face in pieces.faces), CHUNK)],
        "rows": _row_numbers(view["tiles"]),
        "hand": partial(hand, view),
        "since": since,
        "newly_laid": newly_laid,
        "scored": scored,
        "groups": groups(pieces.faces),
        "left_of": lambda letters: sum(view["bag"][letter] for letter in letters),
        "described": lambda words, letter, turns: described(words, faces[letter], turns),
        "degrees": lambda turns: ", ".join(str(90 * turn) for turn in turns),
        "counted": lambda letters: ", ".join(f"{letter} × {count}" if count > 1 else letter for letter, count in letters.items()),
        "spot": partial(spot, faces, view),
        "shapes": partial(shapes, pieces, view),
        "role_names": ROLE_NAMES,
        "coast_names": {kind: SHOWN[kind[0].upper()] for kind in ("plain", "town", "road")},
        "kind_names": dict(zip(KINDS, KIND_NAMES, strict=True)),
        "tile": tile,
        "figure": settler,
    }


@cache
def _symbols(faces: tuple[Face, ...]) -> str:
    """Sent once with the page: everything that is drawn more than once."""
    segments = (
        f'<path id="{_segment_id(face, key)}" fill-rule="evenodd" d="{shape}"/>' for face in faces for key, shape in outline(face).items()
    )
    return chart_defs(faces) + "".join(segments)


def _segment_id(face: Face, key: str) -> str:
    return f"{face.letter}-{key.replace(' ', '-')}"


def _rows(tiles: list[View]) -> tuple[int, int]:
    """The rows that the chart shows, in steps, so that it is seldom drawn again."""
    rows = [0, 9, *(each["row"] for each in tiles)]
    return (min(rows) - 6) // SEA_STEP * SEA_STEP, -(-(max(rows) + 6) // SEA_STEP) * SEA_STEP


def _row_numbers(tiles: list[View]) -> range:
    """The rows that hold land, and one more on either side."""
    rows = [0, 9, *(each["row"] for each in tiles)]
    return range(min(rows) - 1, max(rows) + 2)


@cache
def _coast_hits(coast: Coast) -> str:
    shapes = [(row, key.split()[1], shape) for row in range(len(coast.spaces)) for key, shape in coast_outline(coast, row).items()]
    return "".join(f'<path data-at="0,{row} {name}" d="{shape}"/>' for row, name, shape in shapes)


def _chunks(faces: dict[str, Face], tiles: list[View], layer: str) -> list[str]:
    """One layer of the laid tiles, cut into pieces that no later tile changes."""
    drawn = [_drawn(faces[each["letter"]], layer, each["turns"], each["col"], each["row"]) for each in tiles]
    most = sum(face.count for face in faces.values())
    return ["".join(drawn[start : start + CHUNK]) for start in range(0, most, CHUNK)]


@lru_cache(maxsize=4096)
def _drawn(face: Face, layer: str, turns: int, col: int, row: int) -> str:
    x, y = -100 * col, 100 * row
    if layer == "grass":
        return grass(x, y)
    if layer == "hits":
        return f'<g transform="translate({x} {y})rotate({90 * turns} 50 50)">{_hits(face, turns, f"{col},{row}")}</g>'
    return laid("land" if layer == "land" else "tile", face.letter, turns, x, y)


def _hits(face: Face, turns: int, cell: str) -> str:
    """Plains first, so that a road over them is found."""
    found = [(_at(cell, lying), key) for lying, key in keys_as_it_lies(face, turns).items()]
    found.sort(key=lambda each: not each[1].startswith("plain"))
    return "".join(f'<use href="#{_segment_id(face, key)}" data-at="{at}"/>' for at, key in found)


def _at(cell: str, lying: str) -> str:
    """ "3,2" and "town N" are "3,2 N"; a farm is its cell."""
    return f"{cell} {lying.partition(' ')[2]}".rstrip()


def spot(faces: dict[str, Face], view: View, place: str) -> Point:
    """Where a settler stands on a segment; the middle of the tile where the place names none."""
    cell, _, _ = place.partition(" ")
    col, row = (int(each) for each in cell.split(","))
    lying = next((each for each in view["tiles"] if (each["col"], each["row"]) == (col, row)), None)
    x, y = _stands(faces[lying["letter"]], lying["turns"], cell).get(place, CENTRE) if lying else CENTRE
    return x - 100 * col, y + 100 * row


@lru_cache(maxsize=4096)
def _stands(face: Face, turns: int, cell: str) -> dict[str, Point]:
    return {_at(cell, lying): point for lying, point in stands_as_it_lies(face, turns).items()}


def shapes(pieces: Pieces, view: View, place: str) -> str:
    """The outline of the whole feature at a place."""
    feature = next(each for each in view["features"] if place in _places(each))
    tiles = {f"{each['col']},{each['row']}": each for each in view["tiles"]}
    return "".join(_shape(pieces, tiles, at) for at in _places(feature))


def _shape(pieces: Pieces, tiles: dict[str, View], at: str) -> str:
    cell, _, name = at.partition(" ")
    col, row = (int(each) for each in cell.split(","))
    if not col:
        return next(f'<path d="{shape}"/>' for key, shape in coast_outline(pieces.coast, row).items() if key.endswith(name))
    face, turns = pieces.faces[pieces.letters.index(tiles[cell]["letter"])], tiles[cell]["turns"]
    key = next(key for lying, key in keys_as_it_lies(face, turns).items() if _at(cell, lying) == at)
    return f'<use href="#{_segment_id(face, key)}" transform="translate({-100 * col} {100 * row})rotate({90 * turns} 50 50)"/>'


def _places(feature: View) -> list[str]:
    return [f"{col},{row} {name}".rstrip() for col, row, name in feature["parts"]]


def sites(faces: dict[str, Face], before: View) -> list[dict[str, Any]]:
    """Where the tile in hand may lie, what it would join there and what it would give, by the view before it was tried out."""
    held = {place: feature for feature in before["features"] if feature["settlers"] for place in _places(feature)}
    tiles = {(each["col"], each["row"]): each for each in before["tiles"]}
    return [
        _site(cell, turns)
        | {
            "joins": [*_joins(faces, before["coast"], tiles, held, cell)],
            "gives": [score for turn in turns for score in before["forecast"].get(f"lay {cell} {turn}", {}).get("scores", [])],
        }
        for cell, turns in before["places"].items()
    ]


NEIGHBOURS = {"N": (0, -1, "S"), "E": (-1, 0, "W"), "S": (0, 1, "N"), "W": (1, 0, "E")}  # columns count westward (R1)


def _joins(
    faces: dict[str, Face], coast: list[View], tiles: dict[tuple[int, int], View], held: dict[str, View], cell: str
) -> Iterator[dict[str, Any]]:
    """What lies at each edge of a place, and who holds it."""
    col, row = (int(each) for each in cell.split(","))
    for side, (west, south, facing) in NEIGHBOURS.items():
        there = (col + west, row + south)
        if there in tiles:
            shown, spot = edge_as_it_lies(faces[tiles[there]["letter"]], tiles[there]["turns"], facing)
        elif there[0] == 0 and 0 <= there[1] < len(coast):
            shown, spot = coast[there[1]]["kind"][0].upper(), facing
        else:
            continue
        feature = held.get(f"{there[0]},{there[1]} {spot}")
        yield {"side": SIDES[side], "shows": SHOWN[shown], "seats": [int(seat) for seat in feature["settlers"]] if feature else []}


def turns_here(before: View, draft: list[str]) -> int:
    """In how many ways the tile fits where it is tried out, or anywhere while it is in hand."""
    cell = draft[0].split()[1] if draft and draft[0].startswith("lay") else None
    return len({turn for at, turns in before["places"].items() if cell in (None, at) for turn in turns})


def _site(cell: str, turns: list[int]) -> dict[str, Any]:
    col, row = (int(each) for each in cell.split(","))
    return {"cell": cell, "col": col, "row": row, "x": -100 * col, "y": 100 * row, "turns": turns}


def _settler(faces: dict[str, Face], view: View, number: int) -> dict[str, Any]:
    one = view["settlers"][number]
    at = f"{one['col']},{one['row']} {one['spot']}".rstrip()
    x, y = spot(faces, view, at)
    fresh = [one["col"], one["row"]] == view["last"]
    return {**one, "at": at, "x": x, "y": y, "leaving": number in view["leaving"], "fresh": fresh}


def _choices(faces: dict[str, Face], view: View) -> list[dict[str, Any]]:
    """Where a settler may stand, or which feature may be scored next, in the order of the moves."""
    found = [each for each in _asked(view) if each["do"] in ("settle", "score")]
    kinds = [each["kind"] for each in found]
    for number, each in enumerate(found, 1):
        each["x"], each["y"] = spot(faces, view, each["at"])
        each["number"] = number
        each["side"] = (SIDES | CORNERS).get(each["at"].partition(" ")[2]) if kinds.count(each["kind"]) > 1 else None
    return found


def _asked(view: View) -> Iterator[dict[str, Any]]:
    for move, worth in view["forecast"].items():
        do, _, what = move.partition(" ")
        kind, _, where = what.partition(" ")
        if kind in ROLES:
            last = "{},{}".format(*view["last"])
            at = where if "," in where else f"{last} {where}".rstrip()
            yield {"move": move, "do": do, "kind": kind, "role": ROLES[kind], "at": at, **worth}


def _explorers(view: View) -> list[dict[str, Any]]:
    """Side by side where they share a column."""
    first, second = view["explorers"]
    beside = 1 if first == second else 0
    return [
        {"column": column, "x": 50 - 100 * column, "shift": shift, "art": explorer(number)}
        for number, (column, shift) in enumerate(((first, -beside), (second, beside)))
    ]


def hand(view: View, draft: list[str]) -> View | None:
    """The tile to show large: the one drawn, or the one that is being tried out."""
    if view["drawn"]:
        return {"letter": view["drawn"], "turns": 0}
    return view["tiles"][-1] if draft and view["tiles"] else None


def since(tale: list[View], me: int | None) -> list[View]:
    """What was told since the one who looks laid a tile, that turn included; a spectator is told of the last turn."""
    return tale[max((number for number, told in enumerate(tale) if told["kind"] == "lay" and me in (None, told["seat"])), default=0) :]


def newly_laid(tale: list[View], me: int | None) -> list[View]:
    """The tiles that the others laid since."""
    return [told | _site(told["place"], []) for told in since(tale, me) if told["kind"] == "lay" and told["seat"] != me]


def scored(told: list[View]) -> list[View]:
    """The points among these, features paid to several seats one above the other."""
    paid = [each for each in told if each["kind"] in ("score", "final") and each["points"]]
    places = [each["place"] for each in paid]
    return [{**each, "above": places[:number].count(each["place"])} for number, each in enumerate(paid)]


GROUPS = {
    "farm": note("With a farm"),
    "town": note("With a town"),
    "town road": note("With a town and a road"),
    "road": note("With a road"),
    "": note("Only plains"),
}


@cache
def groups(faces: tuple[Face, ...]) -> list[tuple[str, list[str]]]:
    """The letters in the box by what their faces show."""
    found = [(name, [face.letter for face in faces if _group(face) == group]) for group, name in GROUPS.items()]
    return [(name, letters) for name, letters in found if letters]


def _group(face: Face) -> str:
    return "farm" if face.farm else " ".join(kind for kind, any_of in (("town", face.towns), ("road", face.roads)) if any_of)


def _features(view: View) -> list[list[dict[str, Any]]]:
    """Dealt out by number, so that a change sends few of them again."""
    shares: list[list[dict[str, Any]]] = [[] for _ in range(SHARES)]
    for feature in view["features"]:
        shares[feature["id"] % SHARES].append(feature | {"places": ";".join(_places(feature))})
    return shares
