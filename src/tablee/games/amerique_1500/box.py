"""The box as integers for the rules: goods, die, items, societies, cards and requests; every number comes from components.toml.

A card of a society is known by its slot in that society's deck; `card_at` and `slot_of` map one to the other. An item or a request is a bit
in a mask: the items that a seat has crafted, and the requests that hold one of its discs.
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
DECK = 24  # cards of a society, and the most different ones
REQUESTS = 8
FACES = 6

MOST_ITEMS = 32
MOST_CARDS = MAX_SEATS * DECK
MOST_TOOLS = 3  # that improve one card
GIFTS = 1 + MOST_TOOLS  # of a card: without any tool, and with each of its tools

ITEM_KINDS = ("tool", "travel", "dwelling")
TOOL, TRAVEL, DWELLING = range(3)
SPECIALS = ("", "feast", "neighbours", "exchange")
SIMPLE, FEAST, NEIGHBOURS, EXCHANGE = range(4)
NONE = -1

# Indices of a seat's network inputs (network_inputs.py): by good, by good and goods of choice, or one number. A GAP is the goods that its
# plan lacks: now, after bartering the surplus, after playing the hand, or after both. PACE is the turns that the plan takes, TO_GO the same
# if the seat first crafts the best item that it can pay for.
BIAS, SHORT, SURPLUS, IN_HAND, IN_DECK = 0, 1, 1 + KINDS, 1 + 2 * KINDS, 2 + 3 * KINDS
SCALARS = 3 + 4 * KINDS
# fmt: off
(PLAYABLE, HELD, DISCS_WANTED, ITEMS_WANTED, FREE, GOODS_LEFT, PICKS, DRAWS, GAP, GAP_BARTERED, GAP_PLAYED, GAP_BOTH, PACE, TO_GO,
 SOONEST,  # turns of the soonest rival, for the learned value only
 ACTING, SWAPPING, CARDS_LEFT, CRAFTS_LEFT, DISCS_LEFT, ROUND, HAD, WAIT, SEATS) = range(SCALARS, SCALARS + 24)
# fmt: on
OF_SOCIETY = SEATS + 1
INPUTS = OF_SOCIETY + MAX_SEATS
VALUE_UNITS, WIN_UNITS = 32, 64  # hidden units of the two networks


class Box(Struct):
    die_all: Array = array_field(FACES + 1)  # by face: whether everybody gets it (A7)
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
    gift: Grid = array_field(MOST_CARDS * GIFTS, KINDS)  # of each card: without any tool, then with each of its tools
    gift_size: Array = array_field(MOST_CARDS * GIFTS)
    request_cost: Grid = array_field(2 * REQUESTS, KINDS)  # the quick sides, then the full sides
    spare: Grid = array_field(MAX_SEATS + 1, KINDS)  # the co-operative reserve, by number of players (A17)
    menu: Grid = array_field(2 << REQUESTS, KINDS, bits=16)  # for bots: the summed cost of each set of requests, by side
    plain_gain: Grid = array_field(MAX_SEATS, KINDS + 1)  # goods from a society's cards that no tool improves (plan.py)
    die_gain: Grid = array_field(MAX_SEATS + 1, KINDS + 1)  # goods from the die in a round, by number of players (plan.py)
    checksum: int = field()  # CRC-32 of the fields above, to tell boxes apart
    value_units: int = field()  # VALUE_UNITS; see core/network.py
    win_units: int = field()  # WIN_UNITS, or 0 if nothing was learned with this box
    learned_weights: Grid = array_field(2 * INPUTS, VALUE_UNITS, bits=32)  # rows by side, then by input
    win_weights: Grid = array_field(4 * INPUTS, WIN_UNITS, bits=32)  # rows by side, by whether the hand is known, then by input


@dataclass(frozen=True, eq=False)
class Names:
    """The keys of components.toml, in its order, as moves write them; compared by identity, so that they can key caches."""

    items: tuple[str, ...]
    cards: tuple[str, ...]
    requests: tuple[str, ...]
    colours: tuple[str, ...]  # of the discs, by society


@dataclass(frozen=True, eq=False)
class Pieces:
    """The box for the rules, and its names for people; compared by identity, so that it can key caches."""

    box: Box
    names: Names
