"""The fields of the view, documented for the HTTP API. Columns count west from the coast, rows from north to south."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from tablee.core.game import Doc

Kind = Literal["road", "town", "farm", "plain"]


class Options(TypedDict):
    rows: Annotated[int, Doc("0: no limit north or south; 10: only the rows of the coast")]
    order: Annotated[Literal["chosen", "automatic"], Doc("who says which completed feature is scored next")]


class Coast(TypedDict):
    row: Annotated[int, Doc("from north to south; all lie in column 0")]
    kind: Annotated[Literal["plain", "town", "road"], Doc("what it borders with")]
    name: Annotated[str, Doc("as printed on it")]


class Tile(TypedDict):
    col: Annotated[int, Doc("its column")]
    row: Annotated[int, Doc("its row")]
    letter: Annotated[str, Doc("its design, as in the box")]
    turns: Annotated[int, Doc("quarter turns to the right")]
    order: Annotated[int, Doc("the how many-th tile it was, from 1")]


class Track(TypedDict):
    space: Annotated[int, Doc("where the marker stands, 0 to 50")]
    lying: Annotated[bool, Doc("whether it has been around once (M22)")]


class Player(TypedDict):
    seat: Annotated[int, Doc("the seat's number")]
    supply: Annotated[int, Doc("settlers that are not on the land")]
    score: Annotated[int, Doc("points so far")]
    track: Annotated[Track, Doc("the marker on the scoring track")]
    earned: Annotated[dict[str, int], Doc("points by what they were given for: road, town, farm, plain, explorer")]


class Settler(TypedDict):
    seat: Annotated[int, Doc("whose it is")]
    role: Annotated[Literal["robber", "merchant", "farmer", "trapper"], Doc("what it is, by where it stands")]
    col: Annotated[int, Doc("its column")]
    row: Annotated[int, Doc("its row")]
    spot: Annotated[str, Doc("N: first edge of the road or town as the tile lies; Nl: first half-edge of the plain; empty: the farm")]
    lying: Annotated[bool, Doc("whether it lies down, as a trapper does")]
    feature: Annotated[int, Doc("the id of the feature that it stands on")]


class Feature(TypedDict):
    id: Annotated[int, Doc("names it as long as it is not joined to another")]
    kind: Annotated[Kind, Doc("what it is")]
    parts: Annotated[list[tuple[int, int, str]], Doc("column, row and spot of its segments; on the coast W, Wb or Wt, on a farm empty")]
    tiles: Annotated[int, Doc("how many tiles it covers; of a farm: itself and its neighbours")]
    extra: Annotated[int, Doc("post stations, shields or animals")]
    open: Annotated[int, Doc("open edges of a road or town; neighbours that a farm lacks")]
    complete: Annotated[bool, Doc("whether nothing is open; plains never are")]
    waiting: Annotated[bool, Doc("complete and about to be scored")]
    settlers: Annotated[dict[str, int], Doc("how many each seat has on it")]
    owners: Annotated[list[int], Doc("the seats that would take it (M12)")]
    points: Annotated[int, Doc("what it brings if the game ended now (M19, M20)")]
    full: Annotated[int, Doc("what it brings completed as it stands, without explorers")]


class Completed(TypedDict):
    kind: Annotated[Kind, Doc("what is completed")]
    points: Annotated[dict[str, int], Doc("who would take what")]


class Forecast(TypedDict, total=False):
    scores: Annotated[list[Completed], Doc("of a lay: the features with settlers that it completes")]
    settles: Annotated[list[str], Doc("of a lay: the moves that it allows next, besides to pass (M7)")]
    now: Annotated[int, Doc("of a settle: the points if the game ended here")]
    full: Annotated[int, Doc("of a settle: completed as it stands, explorers in its column included")]
    complete: Annotated[bool, Doc("of a settle: scored at once")]
    risk: Annotated[bool, Doc("of a settle: the next explorer move would send the settler home")]
    points: Annotated[dict[str, int], Doc("of a score: who takes what")]


class View(TypedDict):
    phase: Annotated[Literal["first", "draw", "lay", "settle", "score", "over"], Doc("what happens now")]
    active: Annotated[int | None, Doc("the seat whose turn it is; null before the lot and at the end")]
    options: Annotated[Options, Doc("what the table has chosen")]
    coast: Annotated[list[Coast], Doc("from north to south")]
    tiles: Annotated[list[Tile], Doc("in the order in which they were laid")]
    drawn: Annotated[str | None, Doc("the letter of the tile in hand")]
    last: Annotated[list[int] | None, Doc("column and row of the tile that was laid last")]
    places: Annotated[dict[str, list[int]], Doc('where the drawn tile may go, and its turns there: {"1,3": [0, 2]} (M6)')]
    bag: Annotated[dict[str, int], Doc("tiles in the bag by letter")]
    left: Annotated[int, Doc("tiles in the bag")]
    aside: Annotated[dict[str, int], Doc("tiles that were set aside because they fitted nowhere, by letter (M5)")]
    explorers: Annotated[list[int], Doc("their columns, the western one first")]
    explorer_next: Annotated[int | None, Doc("the column that the next one would enter; null if it cannot move (M15)")]
    leaving: Annotated[list[int], Doc("numbers, in `settlers`, of those whom that move would send home (M16)")]
    seats: Annotated[list[Player], Doc("the players, seat by seat")]
    settlers: Annotated[list[Settler], Doc("those on the land")]
    features: Annotated[list[Feature], Doc("roads, towns, plains and farms, in the order in which they were begun")]
    forecast: Annotated[dict[str, Forecast], Doc("what each legal move of the reader would give")]
