"""Dice race: a tiny complete room from a third-party package, the proof that a game is a folder and the example to copy.

box.py           the track as integers        loading.py       components.toml read and checked
state.py         the state struct             notation.py      moves <-> text
turn.py          the rules (D1-D4)            evaluation.py    hand-made evaluation
kernel.py        exports of the room          view.py          the view
events.py        events                       refusals.py      reasons of refusals
text_board.py    the track as text            box_page.py      template data of the box page
tensors.py       for learners                 view_types.py    the fields of the view
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from dice_race import box_page, events, kernel, refusals, text_board, turn, view, view_types
from dice_race.box import MAX_SEATS
from dice_race.loading import load_pieces
from dice_race.notation import NOTATION
from dice_race.state import State
from tablee.core.components import Components
from tablee.core.game import Game
from tablee.core.i18n import mark
from tablee.core.kernel import Kernel


def open_box(components: Components) -> Game[State]:
    pieces = load_pieces(components)
    return Game(
        key="dice-race",
        title=mark("Dice race"),
        author="Tablée",
        rules=1,
        seats=range(2, MAX_SEATS + 1),
        options=(),
        components=components,
        folder=Path(__file__).parent,
        kernel=Kernel(kernel, pieces.box, State),
        setup=turn.setup,
        events=partial(events.events, pieces),
        refuse=refusals.refuse,
        view=partial(view.view, pieces),
        view_type=view_types.View,
        show=NOTATION.show,
        read=NOTATION.read,
        text_board=partial(text_board.render, pieces),
        contents=partial(box_page.contents, pieces),
        turn_opening_kinds=frozenset({"roll"}),
    )
