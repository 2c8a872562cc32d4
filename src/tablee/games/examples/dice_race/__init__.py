"""Dice race: a small complete game in which everything lies open, to copy.

box.py           the track: components.toml read and checked
notation.py      moves <-> text, with their words
kernel.py        the state and the rules (D1-D4)
events.py        the events of a run
view.py          the view, and the track in characters
"""

from __future__ import annotations

from functools import partial

from tablee.core.components import Components
from tablee.core.game import Game
from tablee.core.i18n import mark
from tablee.core.room import open_room
from tablee.games.examples.dice_race import events, kernel, view
from tablee.games.examples.dice_race.box import MAX_SEATS, load
from tablee.games.examples.dice_race.notation import EXAMPLES, ROLL_DIE, RUN


def open_box(components: Components) -> Game[kernel.State]:
    box = load(components)
    return open_room(
        kernel,
        components,
        box=box,
        state=kernel.State,
        setup=kernel.setup,
        verbs=(RUN, ROLL_DIE),
        examples=EXAMPLES,
        title=mark("Dice race"),
        author="Tablée",
        seats=range(2, MAX_SEATS + 1),
        events=partial(events.events, box),
        view=partial(view.view, box),
        text_board=partial(view.draw, box),
        turn_opening_kinds=frozenset({"roll"}),
    )
