"""Observations and actions for learners: goods, crafts, requests and own hand; of another hand only its union with the deck (R1).

Cards are numbered by their slot in the deck of the seat's own society and partners by their place after the seat, so a seat's 417 actions
mean the same at every seat. Each move is exactly one action.
"""

from __future__ import annotations

from tablee.core.jit import jit
from tablee.core.struct import Array
from tablee.core.tensors import INT16_MAX, Action, Field, offset_of, size_of, write_bits
from tablee.games.amerique_1500.box import DECK, FACES, KINDS, MAX_SEATS, MOST_ITEMS, REQUESTS, SOCIETIES, SPECIALS, Box
from tablee.games.amerique_1500.notation import ACTIONS as FOUR_ACTIONS
from tablee.games.amerique_1500.notation import CHOICES, CRAFT, DONE, PLAY, PLAY_TO, card_played
from tablee.games.amerique_1500.state import ENDED, LOT, State

PARTNERS = MAX_SEATS - 1

TABLE = (
    Field("full", (1,), 0, 1, "whether this is the full game"),
    Field("together", (1,), 0, 1, "whether all play together"),
    Field("phase", (1,), LOT, ENDED, "3 action, 4 barter, 5 cards, 6 craft, 7 requests; what is owed comes first"),
    Field("turns", (1,), 0, INT16_MAX, "finished so far, by all seats"),
    Field("die", (1,), 0, FACES, "the face last rolled"),
    Field("demands", (REQUESTS,), 0, 1, "the requests that lie open"),
    Field("done", (1,), 0, INT16_MAX, "cards played, items made or requests served in this step"),
    Field("taken", (KINDS,), 0, 1, "goods taken in this barter: they are not given again"),
    Field("special", (1,), 0, len(SPECIALS) - 1, "kind of the card played last: 0 simple, 1 feast, 2 neighbours, 3 exchange"),
    Field("handing", (1,), 0, INT16_MAX, "goods still to be handed over"),
    Field("sparing", (1,), 0, 1, "whether a good of the special reserve must be taken"),
    Field("spare", (KINDS,), 0, INT16_MAX, "the special reserve"),
    Field("lost", (1,), 0, 1, "whether the team has lost"),
)
SEAT = (
    Field("society", (MAX_SEATS,), 0, 1, ", ".join(SOCIETIES)),
    Field("active", (1,), 0, 1, "whose turn it is"),
    Field("first", (1,), 0, 1, "who began"),
    Field("goods", (KINDS,), 0, INT16_MAX, "gathering, meat, fish, crop, wood, stone"),
    Field("hand", (DECK,), 0, DECK, "cards by slot of the society's deck; of another seat, none"),
    Field("unseen", (DECK,), 0, DECK, "the deck; of another seat, the deck and the hand together"),
    Field("discard", (DECK,), 0, DECK, "the discard pile"),
    Field("held", (1,), 0, DECK, "how many cards the hand has"),
    Field("pawn", (CRAFT + 1,), 0, 1, "the action last chosen: explore, barter, cards, craft"),
    Field("made", (MOST_ITEMS,), 0, 1, "items crafted"),
    Field("placed", (REQUESTS,), 0, 1, "requests served"),
    Field("picks", (1,), 0, INT16_MAX, "goods still to be chosen from the reserve"),
    Field("owes", (1,), 0, 1, "whether it owes its neighbour a good"),
    Field("partner", (1,), 0, 1, "whether goods are being handed to it"),
)
ACTIONS = (
    *(Action(name, 1, f"`{name}`") for name in FOUR_ACTIONS),
    *(Action(name, KINDS, "a good: G M F C W S") for name in CHOICES),
    Action("swap", KINDS**2, "one good for another: given, then taken"),
    Action("swap two", KINDS**3, "two goods for another: given, given, taken; the smaller given first"),
    Action("serve", REQUESTS, "a request"),
    Action("make", MOST_ITEMS, "an item"),
    Action("play", DECK, "a card, by slot of the society's deck"),
    Action("play to", DECK * PARTNERS, "a card, then with whom: the seat after this one, the next, the one after"),
    Action("done", 1, "`done`"),
)
(FULL, TOGETHER, PHASE, TURNS, DIE, DEMANDS, DONE_SO_FAR, TAKEN, SPECIAL, HANDING, SPARING, SPARE, LOST) = (
    offset_of(TABLE, field.name) for field in TABLE
)
(SOCIETY, ACTIVE, FIRST, GOODS, HAND, UNSEEN, DISCARD, HELD, PAWN, MADE, PLACED, PICKS, OWES, PARTNER) = (
    offset_of(SEAT, field.name) for field in SEAT
)
SEATS_OFFSET, SEAT_SIZE = size_of(TABLE), size_of(SEAT)
PLAY_ACTION, PLAY_TO_ACTION, DONE_ACTION = (offset_of(ACTIONS, name) for name in ("play", "play to", "done"))


@jit
def observe(box: Box, state: State, half: int, seat: int, out: Array) -> None:
    out[FULL], out[TOGETHER], out[PHASE], out[TURNS], out[DIE] = state.full, state.together, state.phase, state.turns, state.die
    out[DONE_SO_FAR], out[SPECIAL], out[HANDING] = state.done, state.special, state.handing
    out[SPARING], out[LOST] = state.sparing, state.lost
    write_bits(state.demands, REQUESTS, out[DEMANDS:DONE_SO_FAR])
    write_bits(state.taken, KINDS, out[TAKEN:SPECIAL])
    for good in range(KINDS):
        out[SPARE + good] = state.spare[good]
    for place in range(state.seats):
        write_seat(
            state, (seat + place) % state.seats, place == 0, out[SEATS_OFFSET + place * SEAT_SIZE : SEATS_OFFSET + (place + 1) * SEAT_SIZE]
        )


@jit
def write_seat(state: State, seat: int, own: bool, out: Array) -> None:
    write_bits(1 << state.society[seat], MAX_SEATS, out[SOCIETY:ACTIVE])
    out[ACTIVE], out[FIRST] = int(seat == state.active), int(seat == state.first)
    for good in range(KINDS):
        out[GOODS + good] = state.goods[seat, good]
    for slot in range(DECK):
        out[HAND + slot] = state.hand[seat, slot] if own else 0
        out[UNSEEN + slot] = state.deck[seat, slot] + (0 if own else state.hand[seat, slot])
        out[DISCARD + slot] = state.discard[seat, slot]
    out[HELD], out[PICKS], out[OWES] = state.held[seat], state.picks[seat], state.owes >> seat & 1
    out[PARTNER] = int(state.handing > 0 and state.partner == seat)
    write_bits(1 << state.pawn[seat], CRAFT + 1, out[PAWN:MADE])
    write_bits(state.made[seat], MOST_ITEMS, out[MADE:PLACED])
    write_bits(state.placed[seat], REQUESTS, out[PLACED:PICKS])


@jit
def action_of(box: Box, state: State, half: int, seat: int, move: int) -> int:
    if move < PLAY:
        return move
    if move == DONE:
        return DONE_ACTION
    slot = box.slot_of[state.society[seat], card_played(move)]
    if move < PLAY_TO:
        return PLAY_ACTION + slot
    after = ((move - PLAY_TO) % MAX_SEATS - seat) % state.seats
    return PLAY_TO_ACTION + slot * PARTNERS + after - 1


@jit
def move_of(box: Box, state: State, half: int, seat: int, action: int) -> int:
    if action < PLAY_ACTION:
        return action
    if action == DONE_ACTION:
        return DONE
    if action < PLAY_TO_ACTION:
        return PLAY + box.card_at[state.society[seat], action - PLAY_ACTION]
    slot, after = (action - PLAY_TO_ACTION) // PARTNERS, (action - PLAY_TO_ACTION) % PARTNERS + 1
    return PLAY_TO + box.card_at[state.society[seat], slot] * MAX_SEATS + (seat + after) % state.seats
