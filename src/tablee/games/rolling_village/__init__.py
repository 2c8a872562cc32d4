"""Rolling Village ("Bienvenue au Maire!", Diego Di Maggio): two dice, a sheet each, nine rounds, simultaneous turns.

box.py           the sheet and the dice legend  loading.py       components.toml read and checked
state.py         the state struct               notation.py      moves <-> text
building.py      where projects may go (V4-V8)  scoring.py       avenues and parks (V9, V10)
turn.py          the rounds (V3), legal, apply  kernel.py        exports of the room
evaluation.py    hand-made evaluation           learned_value.py learned value for the search
view.py          the view                       view_types.py    the fields of the view
forecast.py      gain of each legal move        events.py        events
refusals.py      reasons of refusals            text_board.py    the sheets as text
scene.py         template data of the page      box_page.py      template data of the box page
tensors.py       observations and actions for learners
candidate_features.py features of the position after a move, for learners
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tablee.core.components import Components
from tablee.core.game import Game, Option, Options
from tablee.core.i18n import mark
from tablee.core.kernel import Kernel
from tablee.games.rolling_village import box_page, events, kernel, notation, refusals, text_board, turn, view, view_types
from tablee.games.rolling_village.learned_value import Scratch
from tablee.games.rolling_village.loading import load_pieces
from tablee.games.rolling_village.scene import scene
from tablee.games.rolling_village.state import State

SETUP_TYPES = Option(
    "setup_types",
    mark("The first two projects"),
    ("different", "free"),
    {"different": mark("two different types"), "free": mark("any types")},
)


def setup(seats: int, options: Options) -> State:
    return turn.setup(seats, options["setup_types"] == "free")


def open_box(components: Components) -> Game[State]:
    pieces = load_pieces(components)
    return Game(
        key="rolling-village",
        title=mark("Rolling Village"),
        author="Diego Di Maggio",
        rules=1,
        seats=range(1, components.get_int("game", "max_players", 1, 12) + 1),
        options=(SETUP_TYPES,),
        components=components,
        folder=Path(__file__).parent,
        kernel=Kernel(kernel, pieces.box, State, Scratch),
        setup=setup,
        events=partial(events.events, pieces),
        infinitive=partial(events.infinitive, pieces),
        refuse=partial(refusals.refuse, pieces),
        view=partial(view.view, pieces),
        view_type=view_types.View,
        show=notation.NOTATION.show,
        read=notation.read,
        text_board=partial(text_board.render, pieces),
        contents=partial(box_page.contents, pieces),
        scene=scene,
        turn_opening_kinds=frozenset({"roll"}),
        simultaneous_turns=True,
        progress=lambda state: (max(int(state.turn), 0), int(pieces.box.rounds)),
    )
