"""The state of a table: what every seat has, where the turn stands, and what is still owed before it goes on.

Decks are counts, so there is no order to peek at. `held` says how many cards a hand has, also where the hand itself is hidden.
"""

from __future__ import annotations

from tablee.core.contract import Seated
from tablee.core.struct import Array, Grid, cell, cells
from tablee.games.amerique_1500.box import DECK, KINDS, MAX_SEATS

# Where the turn stands. Whatever is owed (`owes`, `handing`, `draws`, `picks`, `sparing`) comes first.
LOT, DEMANDS, ROLL, ACT, BARTERING, PLAYING, CRAFTING, SERVING, ENDED = range(9)


class State(Seated):
    full: int = cell()  # 0 quick, 1 full (A3)
    together: int = cell()  # the co-operative variant (A17)
    society: Array = cells(MAX_SEATS)
    first: int = cell()
    active: int = cell()
    turns: int = cell()  # finished turns of all seats
    phase: int = cell()
    die: int = cell()  # the face last rolled; 0 before the first roll
    demands: int = cell()  # mask of the requests that lie open (A5)
    goods: Grid = cells(MAX_SEATS, KINDS, bits=16)
    hand: Grid = cells(MAX_SEATS, DECK, bits=8)  # cards by slot
    deck: Grid = cells(MAX_SEATS, DECK, bits=8)
    discard: Grid = cells(MAX_SEATS, DECK, bits=8)
    held: Array = cells(MAX_SEATS)
    pawn: Array = cells(MAX_SEATS)  # the action last chosen
    made: Array = cells(MAX_SEATS)  # mask of crafted items
    placed: Array = cells(MAX_SEATS)  # mask of requests with a disc
    done: int = cell()  # cards played, items made or requests served in this step
    taken: int = cell()  # mask of the goods taken in this barter
    draws: Array = cells(MAX_SEATS)  # cards still to be dealt
    picks: Array = cells(MAX_SEATS)  # goods still to be chosen from the reserve; of the die, foods only
    special: int = cell()  # what kind of card was played last
    owes: int = cell()  # mask of the good neighbours who still have to give (A13)
    handing: int = cell()  # goods still to be handed over (A14)
    partner: int = cell()  # to this seat
    sparing: int = cell()  # a good of the special reserve must be taken (A18)
    spare: Array = cells(KINDS)  # the special reserve
    lost: int = cell()
