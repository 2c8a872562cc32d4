"""Orchard: a small complete card game with hands that nobody else sees, to copy.

box.py           the cards, and the numbers of components.toml
notation.py      moves <-> text, with their words
state.py         where the cards lie
kernel.py        the rules (O1-O5)
hidden_information.py    whose hand is whose secret
view.py          the view: what a seat may know      art.py    the drawings of the fruits
tensors.py       for learners
"""

from __future__ import annotations

from tablee.core.components import Components
from tablee.core.game import Game
from tablee.core.i18n import mark
from tablee.core.room import open_room
from tablee.games.examples.orchard import kernel, view
from tablee.games.examples.orchard.art import art
from tablee.games.examples.orchard.box import CARDS, MAX_SEATS, load
from tablee.games.examples.orchard.notation import EXAMPLES, VERBS
from tablee.games.examples.orchard.state import State


def open_box(components: Components) -> Game[State]:
    return open_room(
        kernel,
        components,
        box=load(components),
        state=State,
        setup=kernel.setup,
        verbs=VERBS,
        examples=EXAMPLES,
        titles=CARDS.title,
        title=mark("Orchard"),
        author="Tablée",
        seats=range(2, MAX_SEATS + 1),
        view=view.view,
        scene=view.scene,
        art=art,
        conserved=kernel.conserved,
        progress=kernel.progress,
    )
