"""Mayflower ("New World", Klaus-Jürgen Wrede): lay tiles westward from the coast, settle on them, score before the explorers pass.

faces.py         the faces of the tiles, and their plains      box.py           the box, for people and for the rules
loading.py       from the file to the box                      compass.py       cells, columns, rows, neighbours (R1)
stands.py        a settler's location as an integer            state.py         the state struct
notation.py      moves <-> text                                placement.py     where a tile fits (M5, M6)
features.py      roads, towns, plains, farms (M9-M11)          settlers.py      where one may stand (M7, M14)
explorers.py     bonus, movement, removal (M13, M15-M17)       scoring.py       a completed feature (M9-M14), the winner (M21)
scoring_order.py which features wait, in what order (M8)       final.py         final scoring (M18-M20)
turn.py          the turn, legal moves, apply                  move_effects.py  effects of a move, recorded by the rules
completion_chances.py chances to complete a feature            evaluation.py    the evaluation of a position
learned_value.py the learned correction, for a search          view_types.py    the view's fields, documented
kernel.py        the exports of the kernel contract            view.py          the view
land.py          the view's settlers and features              forecast.py      the effect of each legal move
events.py        the events of a move                          refusals.py      why a move is refused
tile_descriptions.py a tile in words                           view_queries.py  jitted queries of a whole position
text_board.py    the land in characters                        box_page.py      the page of the box
scene.py         coordinates and SVG for the page              sites.py         where a tile may lie, and new tiles
tensors.py       observations and actions for learners         art/             the map as SVG, from the faces
candidate_features.py features of the position after a move, for learners
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from tablee.core.components import Components
from tablee.core.game import FIRST, RANDOM_FIRST, Game, Option, Options
from tablee.core.i18n import mark
from tablee.core.kernel import Kernel
from tablee.games.mayflower import events, kernel, notation, refusals, text_board, turn, view, view_types
from tablee.games.mayflower.box import MAX_SEATS, NONE, Pieces
from tablee.games.mayflower.loading import load_pieces
from tablee.games.mayflower.state import Scratch, State

ROWS = Option("rows", mark("Rows"), (0, 10), {0: mark("no limit north or south"), 10: mark("only the ten rows of the coast")})
ORDER = Option(
    "order",
    mark("Order of scoring"),
    ("chosen", "automatic"),
    {"chosen": mark("the active player chooses"), "automatic": mark("most points for the active player first")},
)


def setup(pieces: Pieces, seats: int, options: Options) -> State:
    first = NONE if options["first"] == RANDOM_FIRST else int(options["first"])
    return turn.setup(pieces.box, pieces.settlers, seats, first, int(options["rows"]), options["order"] == "automatic")


def box_contents(pieces: Pieces) -> dict[str, Any]:
    from tablee.games.mayflower.box_page import contents  # noqa: PLC0415  drawing needs NumPy, playing does not

    return contents(pieces)


def page_scene(pieces: Pieces, seen: dict[str, Any]) -> Any:
    from tablee.games.mayflower.scene import Scene  # noqa: PLC0415  likewise

    return Scene(pieces, seen)


def page_art(pieces: Pieces) -> str:
    from tablee.games.mayflower.scene import art  # noqa: PLC0415  likewise

    return art(pieces)


def open_box(components: Components) -> Game[State]:
    pieces = load_pieces(components)
    return Game(
        key="mayflower",
        title=mark("Mayflower"),
        author="Klaus-Jürgen Wrede",
        rules=1,
        seats=range(2, MAX_SEATS + 1),
        options=(FIRST, ROWS, ORDER),
        components=components,
        folder=Path(__file__).parent,
        kernel=Kernel(kernel, pieces.box, State, Scratch),
        setup=partial(setup, pieces),
        events=partial(events.events, pieces),
        infinitive=partial(events.infinitive, pieces),
        refuse=partial(refusals.refuse, pieces),
        view=partial(view.view, pieces),
        view_type=view_types.View,
        show=notation.notation_of(pieces.letters).show,
        read=notation.notation_of(pieces.letters).read,
        text_board=partial(text_board.render, pieces),
        contents=partial(box_contents, pieces),
        scene=partial(page_scene, pieces),
        art=partial(page_art, pieces),
        turn_opening_kinds=frozenset({"draw"}),
        progress=lambda state: (sum(pieces.box.copies) - int(state.left), sum(pieces.box.copies)),
    )
