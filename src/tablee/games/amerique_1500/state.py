"""State of a table: what every seat has, the phase of the turn, and what is owed before it goes on.

Decks are counts, so there is no order to peek at. `held` is the size of a hand, also where the hand itself is hidden.
"""

from __future__ import annotations

from tablee.core.contract import BaseState
from tablee.core.struct import Array, Grid, array_field, field
from tablee.games.amerique_1500.box import DECK, KINDS, MAX_SEATS

# Phases of a turn. What is owed (`owes`, `handing`, `draws`, `picks`, `sparing`) comes first.
LOT, DEMANDS, ROLL, ACT, BARTERING, PLAYING, CRAFTING, SERVING, ENDED = range(9)


class State(BaseState):
    full: int = field()  # 0 quick, 1 full (A3)
    together: int = field()  # the co-operative variant (A17)
    society: Array = array_field(MAX_SEATS)
    first: int = field()
    active: int = field()
    turns: int = field()  # finished turns of all seats
    phase: int = field()
    die: int = field()  # the face last rolled; 0 before the first roll
    demands: int = field()  # mask of the requests that lie open (A5)
    goods: Grid = array_field(MAX_SEATS, KINDS, bits=16)
    hand: Grid = array_field(MAX_SEATS, DECK, bits=8)  # cards by slot
    deck: Grid = array_field(MAX_SEATS, DECK, bits=8)
    discard: Grid = array_field(MAX_SEATS, DECK, bits=8)
    held: Array = array_field(MAX_SEATS)
    pawn: Array = array_field(MAX_SEATS)  # the action last chosen
    made: Array = array_field(MAX_SEATS)  # mask of crafted items
    placed: Array = array_field(MAX_SEATS)  # mask of requests with a disc
    done: int = field()  # cards played, items made or requests served in this step
    taken: int = field()  # mask of the goods taken in this barter
    draws: Array = array_field(MAX_SEATS)  # cards still to be dealt
    picks: Array = array_field(MAX_SEATS)  # goods still to be chosen from the reserve; of the die, foods only
    special: int = field()  # kind of the card played last
    owes: int = field()  # mask of the good neighbours who still have to give (A13)
    handing: int = field()  # goods still to be handed over (A14)
    partner: int = field()  # seat to which they are handed
    sparing: int = field()  # a good of the special reserve must be taken (A18)
    spare: Array = array_field(KINDS)  # the special reserve
    lost: int = field()
