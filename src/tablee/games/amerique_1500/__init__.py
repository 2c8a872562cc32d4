"""Amérique 1500 (Geneviève Dupuis): cards, barter and craft for the great fair; quick, full and co-operative.

box.py           the box as integers             loading.py     components.toml read and checked   state.py     the state struct
notation.py      moves <-> text                  turn.py        the steps of a turn, legal, apply  nature.py    lot, die, deals (A5-A8)
stock.py         a player's goods                barter.py      goods for goods (A8, A15)          cards.py     playing cards (A11-A14)
craft.py         items (A8, A16)                 requests.py    discs on requests (A9)             ending.py    who wins (A10, A19)
cooperative.py   the special reserve (A17, A18)  hidden_information.py redact, determinize (R1)    kernel.py    exports of the room
evaluation.py    hand-made evaluation            plan.py        a seat's plan                      pace.py      turns that a plan takes
learned_value.py learned value for the search    win_model.py   learned win probability            rivals.py    turns of the other seats
network_inputs.py inputs of both networks        view_types.py  the fields of the view             names.py     names of the pieces
view.py          the view                        forecast.py    effect of each legal move          events.py    events
refusals.py      reasons of refusals             text_board.py  the table as text                  art/         the drawings
scene.py         template data of the page       box_page.py    template data of the box page      tensors.py   for learners
candidate_features.py features of the position after a move, for learners
societies.py     how the peoples lived           multipliers.py the pieces of a real box (A20)

`greedy` uses evaluation.py. A search chooses moves by learned_value.py, the same evaluation with a learned correction, and evaluates the
end of a playout by win_model.py, which was trained on how games end.
"""

from __future__ import annotations

from functools import partial
from itertools import permutations
from pathlib import Path

from tablee.core.components import Components
from tablee.core.game import FIRST, Game, Option
from tablee.core.i18n import Message, mark, msg
from tablee.core.kernel import Kernel
from tablee.games.amerique_1500 import box_page, ending, events, kernel, notation, refusals, scene, text_board, turn, view, view_types
from tablee.games.amerique_1500.art import people
from tablee.games.amerique_1500.box import MAX_SEATS, SOCIETIES
from tablee.games.amerique_1500.loading import load_pieces
from tablee.games.amerique_1500.names import name
from tablee.games.amerique_1500.plan import Scratch
from tablee.games.amerique_1500.state import State

VERSION = Option(
    "game", mark("Version"), ("quick", "full"), {"quick": mark("quick game (one star)"), "full": mark("full game (three stars)")}
)
COOPERATIVE = Option("cooperative", mark("All together"), (False, True), {False: mark("each for themselves"), True: mark("co-operative")})


def seating(order: tuple[str, ...]) -> Message:
    one, two, three, four = (msg(name("society", society)) for society in order)
    return msg("{one}, {two}, {three}, {four}", one=one, two=two, three=three, four=four)


ORDERS: dict[str | int | bool, Message] = {"-".join(order): seating(order) for order in permutations(SOCIETIES)}
SEATINGS = Option(
    "societies",
    mark("Society"),
    tuple(ORDERS),
    ORDERS,
    seat_choices={society: name("society", society) for society in SOCIETIES},
    pictures={society: people.portrait(society) for society in SOCIETIES},
)


def open_box(components: Components) -> Game[State]:
    pieces = load_pieces(components)
    box, names = pieces.box, pieces.names
    builder = scene.SceneBuilder(components)
    return Game(
        key="amerique-1500",
        title=mark("Amérique 1500"),
        author="Geneviève Dupuis",
        rules=2,  # 1: an action could be chosen and left at once (R11)
        seats=range(2, MAX_SEATS + 1),
        options=(FIRST, VERSION, COOPERATIVE, SEATINGS),
        components=components,
        folder=Path(__file__).parent,
        kernel=Kernel(kernel, box, State, Scratch),
        setup=partial(turn.setup, box),
        events=partial(events.events, pieces),
        infinitive=partial(events.infinitive, pieces),
        refuse=partial(refusals.refuse, pieces),
        view=partial(view.view, pieces),
        view_type=view_types.View,
        show=notation.notation_of(names).show,
        read=partial(notation.read, names),
        text_board=partial(text_board.render, pieces),
        contents=partial(box_page.contents, components),
        scene=builder.scene,
        art=builder.art,
        show_redacted=partial(notation.mask_move, names),
        describe=partial(events.move_text, pieces),
        turn_opening_kinds=frozenset({"roll"}),
        is_cooperative=lambda state: bool(state.together),
        progress=ending.progress,
    )
