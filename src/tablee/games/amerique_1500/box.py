"""What lies in the box, laid out for the rules: goods, die, items, societies, cards, requests. Every number comes from components.toml.

A card of a society is known by its slot in that society's deck; `card_at` and `slot_of` lead from one to the other.
An item or a request is a bit in a mask: what a seat has crafted, and the requests that hold one of its discs.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablee.core.struct import Array, Grid, Struct, array_field, field

GOODS = "GMFCWS"
GATHERING, MEAT, FISH, CROP, WOOD, STONE = range(6)
FOODS = 4  # the first four goods are foods (A2)
KINDS = len(GOODS)

SOCIETIES = ("incas", "inuits", "iroquois", "algonquiens")
MAX_SEATS = len(SOCIETIES)
DECK = 24  # cards of a society, so at most that many different ones
REQUESTS = 8
FACES = 6

MOST_ITEMS = 32
MOST_CARDS = MAX_SEATS * DECK
MOST_TOOLS = 3  # that one card may be better with
GIFTS = 1 + MOST_TOOLS  # what a card gives without any tool, and with each of its own

ITEM_KINDS = ("tool", "travel", "dwelling")
TOOL, TRAVEL, DWELLING = range(3)
SPECIALS = ("", "feast", "neighbours", "exchange")
SIMPLE, FEAST, NEIGHBOURS, EXCHANGE = range(4)
NONE = -1

# The places of what is counted of a seat (network_inputs.py): by good, by good and for goods of choice too, or once. A GAP is what its plan
# lacks, as it is, after bartering what is too much, after playing its hand, or after both; PACE the turns that the plan takes, TO_GO those
# that are left if it crafts first what pays.
BIAS, SHORT, SURPLUS, IN_HAND, IN_DECK = 0, 1, 1 + KINDS, 1 + 2 * KINDS, 2 + 3 * KINDS
SCALARS = 3 + 4 * KINDS
# fmt: off
(PLAYABLE, HELD, DISCS_WANTED, ITEMS_WANTED, FREE, GOODS_LEFT, PICKS, DRAWS, GAP, GAP_BARTERED, GAP_PLAYED, GAP_BOTH, PACE, TO_GO,
 SOONEST,  # of the others, for the insight only
 ACTING, SWAPPING, CARDS_LEFT, CRAFTS_LEFT, DISCS_LEFT, ROUND, HAD, WAIT, SEATS) = range(SCALARS, SCALARS + 24)
# fmt: on
OF_SOCIETY = SEATS + 1
INPUTS = OF_SOCIETY + MAX_SEATS
VALUE_UNITS, WIN_UNITS = 32, 64  # how often it is added up, each time with other weights


class Box(Struct):
    die_all: Array = array_field(FACES + 1)  # by face: does everybody get it (A7)?
    die_goods: Grid = array_field(FACES + 1, KINDS)
    die_cards: Array = array_field(FACES + 1)
    die_food: Array = array_field(FACES + 1)
    items: int = field()
    item_kind: Array = array_field(MOST_ITEMS)
    item_cost: Grid = array_field(MOST_ITEMS, KINDS)
    of_kind: Array = array_field(len(ITEM_KINDS))  # masks of items
    board: Grid = array_field(MAX_SEATS, 2)  # by society and side (0 quick, 1 full): a mask of items
    start: Grid = array_field(MAX_SEATS, KINDS)
    slots: Array = array_field(MAX_SEATS)  # different cards of a society
    card_at: Grid = array_field(MAX_SEATS, DECK)
    copies: Grid = array_field(MAX_SEATS, DECK)
    slot_of: Grid = array_field(MAX_SEATS, MOST_CARDS)
    card_needs: Array = array_field(MOST_CARDS)
    card_special: Array = array_field(MOST_CARDS)
    card_tool: Grid = array_field(MOST_CARDS, MOST_TOOLS)  # items, or NONE
    gift: Grid = array_field(MOST_CARDS * GIFTS, KINDS)  # what each card gives plainly, then with each of its tools
    gift_size: Array = array_field(MOST_CARDS * GIFTS)
    request_cost: Grid = array_field(2 * REQUESTS, KINDS)  # the quick sides, then the full sides
    spare: Grid = array_field(MAX_SEATS + 1, KINDS)  # the co-operative reserve, by number of players (A17)
    menu: Grid = array_field(2 << REQUESTS, KINDS, bits=16)  # for bots: what each choice of requests asks for together
    plain_gain: Grid = array_field(MAX_SEATS, KINDS + 1)  # what a society's cards bring that no tool betters (see plan.py)
    die_gain: Grid = array_field(MAX_SEATS + 1, KINDS + 1)  # and what the die brings in a round, by number of players
    checksum: int = field()  # of all that stands above: two boxes that differ have different ones
    value_units: int = field()  # INSIGHTS; see core/network.py
    win_units: int = field()  # OUTLOOKS, or 0 where nothing was learned with this box
    learned_weights: Grid = array_field(2 * INPUTS, VALUE_UNITS, bits=32)  # what was learned, by side,
    win_weights: Grid = array_field(4 * INPUTS, WIN_UNITS, bits=32)  # and by side and by whether the hand is known


@dataclass(frozen=True, eq=False)
class Names:
    """The keys of the file, in its order: what moves are written with. Each is only like itself, so that much can be remembered by it."""

    items: tuple[str, ...]
    cards: tuple[str, ...]
    requests: tuple[str, ...]
    colours: tuple[str, ...]  # of the discs, by society


@dataclass(frozen=True, eq=False)
class Pieces:
    """The box as the rules read it, and the names that people read; the rules take the box alone. Each is only like itself, too."""

    box: Box
    names: Names
